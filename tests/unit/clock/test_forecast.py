"""When the turn comes round and when the game ends: likely, never promised."""

import random
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock.forecast import (
    LEAST_ANSWERS,
    Answers,
    Forecast,
    SeatPace,
    game_end,
    next_turn,
    turns_left,
)
from games.clock.quiet import Quiet
from tests.unit.clock.times import DAY, HOUR, ROME, SLEEPER, ZERO, CountingZone, at, hours

pytestmark = pytest.mark.one_database

NOON = at("2026-06-10 12:00", ROME)


def answers(low: float, median: float, high: float, count: int = 40) -> Answers:
    return Answers(hours(low), hours(median), hours(high), count)


def pace(low: float, median: float, high: float, **others: object) -> SeatPace:
    return SeatPace(answers(low, median, high), **others)


def width(forecast: Forecast) -> timedelta:
    return forecast.latest - forecast.earliest


def middle(forecast: Forecast) -> datetime:
    return forecast.earliest + width(forecast) / 2


# --- quartiles ----------------------------------------------------------------------------------


def test_quartiles_are_of_the_answers_in_order() -> None:
    times = [hours(n) for n in (5, 1, 3, 2, 4)]
    assert Answers.of(times) == answers(2, 3, 4, count=5)
    assert Answers.of([HOUR]) == answers(1, 1, 1, count=1)
    assert Answers.of([HOUR, 2 * HOUR]) == answers(1.25, 1.5, 1.75, count=2)
    assert Answers.of([]) is None


def test_an_answer_waited_for_is_nearer_until_it_is_late() -> None:
    usual = answers(2, 4, 8)
    assert usual.after(HOUR) == answers(1, 3, 7)
    assert usual.after(3 * HOUR) == answers(0, 1, 6)
    assert usual.after(20 * HOUR) == answers(0, 0, 6)


# --- the next turn ------------------------------------------------------------------------------


def test_one_seat_that_always_takes_two_hours_is_sure() -> None:
    assert next_turn([pace(2, 2, 2)], now=NOON) == Forecast(NOON + 2 * HOUR, NOON + 2 * HOUR)


def test_one_seat_answers_within_its_own_spread() -> None:
    # Mean (2+4+6)/3 = 4 h, half the quartiles' distance 2 h.
    assert next_turn([pace(2, 4, 6)], now=NOON) == Forecast(NOON + 2 * HOUR, NOON + 6 * HOUR)


def test_spreads_of_several_seats_add_up_by_their_squares() -> None:
    four = next_turn([pace(1, 2, 3)] * 4, now=NOON)
    assert four == Forecast(NOON + 6 * HOUR, NOON + 10 * HOUR)


def test_nights_are_walked_through() -> None:
    forecast = next_turn([pace(12, 12, 12, quiet=SLEEPER)], now=NOON)
    assert forecast.latest == at("2026-06-11 09:00", ROME)


def test_seats_that_play_at_once_take_no_time() -> None:
    bot, absent = SeatPace(None, at_once=1.0), pace(9, 9, 9, at_once=1.0)
    assert next_turn([bot, absent], now=NOON) == Forecast(NOON, NOON)
    assert next_turn([], now=NOON) == Forecast(NOON, NOON)


def test_orders_on_half_of_the_turns_halve_the_wait() -> None:
    without = next_turn([pace(4, 4, 4)] * 5, now=NOON)
    with_orders = next_turn([pace(4, 4, 4, at_once=0.5)] * 5, now=NOON)
    assert middle(without) - NOON == 20 * HOUR
    assert middle(with_orders) - NOON == 10 * HOUR
    assert width(with_orders) > ZERO  # which of the turns they will be is not known


def test_nobody_takes_longer_than_his_clock_holds() -> None:
    capped = pace(10, 20, 30, most=hours(12))
    assert next_turn([capped], now=NOON).latest <= NOON + 12 * HOUR


def test_waiting_brings_the_turn_nearer() -> None:
    seats = [pace(2, 4, 6), pace(1, 1, 1)]
    at_first = next_turn(seats, now=NOON)
    later = next_turn(seats, now=NOON + HOUR, waited=HOUR)
    assert middle(later) == middle(at_first)
    long_after = next_turn(seats, now=NOON + 30 * HOUR, waited=30 * HOUR)
    assert long_after.latest > NOON + 31 * HOUR


def test_too_little_data_makes_no_forecast() -> None:
    few = SeatPace(answers(1, 2, 3, count=LEAST_ANSWERS - 1))
    enough = SeatPace(answers(1, 2, 3, count=LEAST_ANSWERS))
    assert next_turn([enough, few], now=NOON) is None
    assert next_turn([SeatPace(None)], now=NOON) is None
    assert next_turn([enough, enough], now=NOON) is not None
    assert game_end([enough, few], [5, 5], now=NOON) is None


def test_about_every_second_forecast_comes_true() -> None:
    """Players who answer at random, by these quartiles: half of the turns come in the interval."""
    chance = random.Random(20260610)
    table = [[chance.lognormvariate(1.2, 0.9) for _ in range(400)] for _ in range(5)]
    seats = [SeatPace(Answers.of([hours(each) for each in times])) for times in table]
    forecast = next_turn(seats, now=NOON)
    waits = [NOON + hours(sum(chance.choice(times) for times in table)) for _ in range(2000)]
    hits = sum(forecast.earliest <= wait <= forecast.latest for wait in waits) / 2000
    assert 0.4 < hits < 0.65


quartiles = st.lists(st.timedeltas(ZERO, 3 * DAY), min_size=3, max_size=3).map(sorted)
habits = st.tuples(quartiles, st.floats(0, 1))


@settings(deadline=None)
@given(st.lists(habits, min_size=1, max_size=7), st.booleans(), st.timedeltas(ZERO, 5 * DAY))
def test_a_forecast_is_an_interval_ahead_and_another_seat_brings_it_no_nearer(
    table: list[tuple[list[timedelta], float]], asleep: bool, waited: timedelta
) -> None:
    seats = [
        SeatPace(
            Answers(low, median, high, count=20),
            quiet=SLEEPER if asleep else Quiet(),
            at_once=at_once,
        )
        for (low, median, high), at_once in table
    ]
    forecast = next_turn(seats, now=NOON, waited=waited)
    assert NOON <= forecast.earliest <= forecast.latest
    # Each answer is rounded to a second; nights may stand between two roundings.
    quiet = seats[0].quiet
    fewer = next_turn(seats[:-1], now=NOON, waited=waited)
    assert quiet.between(NOON, fewer.latest) <= quiet.between(NOON, forecast.latest) + timedelta(
        seconds=len(seats)
    )


# --- the end of the game ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "least", "most"),
    # Median turns a game that simulated tables of this size took, by two tempers of bidding.
    [(2, 22, 23), (3, 42, 46), (4, 63, 73), (5, 82, 100), (6, 104, 127), (8, 146, 190)],
)
def test_a_whole_game_has_about_as_many_turns_as_measured(
    seats: int, least: int, most: int
) -> None:
    assert least <= turns_left([5] * seats) <= most


def test_a_game_that_is_nearly_over_has_a_turn_left() -> None:
    assert turns_left([1, 1]) == 3
    assert turns_left([3, 1]) == 3
    assert turns_left([5, 1]) > turns_left([1, 1])
    assert turns_left([1, 1, 1]) > turns_left([1, 1])


def test_a_game_of_quick_players_ends_sooner() -> None:
    quick = game_end([pace(1, 2, 4)] * 4, [5] * 4, now=NOON)
    slow = game_end([pace(4, 8, 16)] * 4, [5] * 4, now=NOON)
    assert quick.latest < slow.earliest
    assert timedelta(days=5) < middle(quick) - NOON < timedelta(days=8)  # 69 turns of 2.3 h


def test_the_game_forecast_counts_the_nights_and_the_dice() -> None:
    sleepy = [pace(1, 2, 4, quiet=SLEEPER)] * 3
    awake = [replace(seat, quiet=Quiet()) for seat in sleepy]
    assert (
        game_end(sleepy, [5] * 3, now=NOON).earliest > game_end(awake, [5] * 3, now=NOON).earliest
    )
    assert game_end(awake, [2, 1, 1], now=NOON).latest < game_end(awake, [5] * 3, now=NOON).earliest


def test_a_game_that_goes_on_has_two_seats_and_their_dice() -> None:
    for seats, dice in ((1, [5]), (3, [5, 5])):
        with pytest.raises(ValueError, match="two seats"):
            game_end([pace(1, 2, 3)] * seats, dice, now=NOON)


def test_a_forecast_of_the_largest_game_costs_a_few_steps_a_turn() -> None:
    zone = CountingZone()
    seats = [pace(2, 5, 12, quiet=replace(SLEEPER, zone=zone))] * 10
    game_end(seats, [8] * 10, now=NOON)
    assert zone.asked < 50 * turns_left([8] * 10)

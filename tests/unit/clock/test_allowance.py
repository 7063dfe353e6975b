"""Absences, extensions, gifts, nudges and emergencies: who may, and why not."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock.allowance import (
    GAME_CAP,
    Absence,
    Allowance,
    in_round,
    split_at_cap,
    why_no_absences,
    why_not_absence,
    why_not_emergency,
    why_not_gift,
    why_not_nudge,
    why_not_token,
)
from games.clock.quiet import Span
from games.clock.settings import PRESETS, plain
from tests.unit.clock.times import DAY, HOUR, ROME, ZERO, at, spans_near

pytestmark = pytest.mark.one_database

TODAY = date(2026, 6, 10)
NOON = at("2026-06-10 12:00")
ALICE, BOB = 0, 1


def away(first: int, last: int) -> Absence:
    return Absence(date(2026, 6, first), date(2026, 6, last))


# --- absences -----------------------------------------------------------------------------------


def test_everybody_begins_with_fourteen_days() -> None:
    assert Allowance().days == 14


def test_twelve_days_of_play_earn_one_day() -> None:
    allowance = Allowance()
    for _ in range(11):
        allowance = allowance.after_playing()
    assert allowance.days == 14
    assert allowance.after_playing().days == 15
    assert allowance.after_playing(25) == Allowance(17, 0)


def test_a_full_allowance_earns_nothing_more() -> None:
    full = Allowance().after_playing(12 * 100)
    assert full.days == 30
    assert full.spend(10).after_playing(12).days == 21


def test_days_called_off_come_back_up_to_the_cap() -> None:
    assert Allowance(10).spend(4).give_back(3).days == 9
    assert Allowance(29).give_back(3).days == 30
    with pytest.raises(ValueError, match="more days"):
        Allowance(3).spend(4)


@settings(deadline=None)
@given(st.lists(st.integers(0, 40), max_size=20))
def test_days_played_at_once_or_one_by_one_earn_the_same(days: list[int]) -> None:
    step_by_step = Allowance(0)
    for played in days:
        step_by_step = step_by_step.after_playing(played)
    assert step_by_step == Allowance(0).after_playing(sum(days))
    assert step_by_step.days <= 30


def test_an_absence_is_whole_days_of_the_player() -> None:
    weekend = Absence(date(2026, 3, 28), date(2026, 3, 29))
    assert weekend.days == 2
    assert weekend.span(ROME) == Span(at("2026-03-28 00:00", ROME), at("2026-03-30 00:00", ROME))
    assert weekend.span(ROME).length == 47 * HOUR
    with pytest.raises(ValueError, match="after its start"):
        away(12, 11)


@pytest.mark.parametrize(
    ("absence", "code"),
    [
        (away(10, 10), None),
        (away(15, 28), None),
        (away(15, 29), "absence.length"),
        (away(9, 12), "absence.past"),
        (away(11, 12), "absence.overlap"),
        (away(12, 14), "absence.overlap"),
        (away(11, 14), "absence.overlap"),
        (away(13, 14), None),
    ],
)
def test_absences_are_dated_ahead_and_apart(absence: Absence, code: str | None) -> None:
    refused = why_not_absence(absence, booked=[away(12, 12)], allowance=Allowance(14), today=TODAY)
    assert (None if refused is None else refused.code) == code


def test_an_absence_needs_the_days() -> None:
    refused = why_not_absence(away(10, 14), booked=[], allowance=Allowance(4), today=TODAY)
    assert (refused.code, refused.params) == ("absence.allowance", {"days": 5, "left": 4})
    assert why_not_absence(away(10, 13), booked=[], allowance=Allowance(4), today=TODAY) is None


def test_a_table_may_refuse_absences() -> None:
    assert why_no_absences(PRESETS["standard"]) is None
    assert why_no_absences(plain(86400)).code == "absence.refused"


def test_an_absence_counts_from_the_next_roll() -> None:
    begun, later = Span(NOON, NOON + DAY), Span(NOON + 2 * DAY, NOON + 3 * DAY)
    assert in_round([later, begun], rolled_at=NOON) == (begun,)
    assert in_round([later, begun], rolled_at=NOON - HOUR) == ()
    assert in_round([later, begun], rolled_at=NOON + 2 * DAY) == (begun, later)


def test_seven_days_of_absence_stop_a_game_and_no_more() -> None:
    first = Span(NOON, NOON + 5 * DAY)
    second = Span(NOON + 10 * DAY, NOON + 14 * DAY)
    third = Span(NOON + 20 * DAY, NOON + 21 * DAY)
    standing, over = split_at_cap([third, second, first])
    assert standing == (first, Span(NOON + 10 * DAY, NOON + 12 * DAY))
    assert over == (Span(NOON + 12 * DAY, NOON + 14 * DAY), third)


@settings(deadline=None)
@given(st.lists(spans_near(NOON), max_size=6))
def test_the_cap_of_a_game_parts_absences_and_loses_none(spans: list[Span]) -> None:
    standing, over = split_at_cap(spans)
    length = sum((span.length for span in spans), ZERO)
    assert sum((span.length for span in standing), ZERO) == min(length, GAME_CAP)
    assert sum((span.length for span in (*standing, *over)), ZERO) == length


# --- more time, and less patience ---------------------------------------------------------------


def test_a_seat_has_two_extensions_a_game() -> None:
    assert why_not_token(used=0) is None
    assert why_not_token(used=1) is None
    refused = why_not_token(used=2)
    assert (refused.code, refused.params) == ("token.none-left", {"most": 2})


def test_time_is_given_once_a_game_and_to_others() -> None:
    assert why_not_gift(giver=ALICE, to=BOB, given_to=[2]) is None
    assert why_not_gift(giver=ALICE, to=BOB, given_to=[BOB]).code == "gift.given"
    assert why_not_gift(giver=ALICE, to=ALICE, given_to=[]).code == "gift.own"


def nudge(*, by: int = ALICE, used: float = 12, nudged: timedelta | None = None) -> str | None:
    refused = why_not_nudge(
        by=by,
        to=BOB,
        left_of_turn=timedelta(hours=24 - used),
        length=DAY,
        nudged_at=None if nudged is None else NOON - nudged,
        now=NOON,
    )
    return None if refused is None else refused.code


def test_a_nudge_needs_half_of_the_turn_to_have_passed() -> None:
    assert nudge(used=11.99) == "nudge.early"
    assert nudge(used=12) is None
    assert nudge(used=24) is None


def test_a_player_is_nudged_once_a_day() -> None:
    assert nudge(nudged=timedelta(hours=23.9)) == "nudge.again"
    assert nudge(nudged=DAY) is None
    assert nudge(by=BOB) == "nudge.own"


def test_an_emergency_is_for_known_players_twice_a_year() -> None:
    assert why_not_emergency(finished_games=5, last_at=None, now=NOON) is None
    new = why_not_emergency(finished_games=4, last_at=None, now=NOON)
    assert (new.code, new.params) == ("emergency.new", {"games": 5})
    again = why_not_emergency(finished_games=9, last_at=NOON - 179 * DAY, now=NOON)
    assert (again.code, again.params) == ("emergency.again", {"at": NOON + DAY})
    assert why_not_emergency(finished_games=9, last_at=NOON - 180 * DAY, now=NOON) is None

"""When a clock stands still: known nights, and laws in every zone."""

from datetime import UTC, datetime, timedelta
from datetime import time as wall_time
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from games.clock.errors import ClockRefusal
from games.clock.quiet import NIGHT_LENGTH, Quiet, Span, local_days
from games.clock.settings import PRESETS, plain
from tests.unit.clock.times import (
    DAY,
    HALF_PAST_TEN,
    HOUR,
    ROME,
    SLEEPER,
    ZERO,
    CountingZone,
    at,
    durations,
    hours,
    starts_and_quiets,
)

pytestmark = pytest.mark.one_database

FRIDAY_AND_SATURDAY = frozenset({4, 5})
SATURDAY_AND_SUNDAY = frozenset({5, 6})


# --- known nights, weekends and absences --------------------------------------------------------


def test_a_night_adds_nine_hours() -> None:
    assert SLEEPER.add(at("2026-06-10 20:30", ROME), 3 * HOUR) == at("2026-06-11 08:30", ROME)


@pytest.mark.parametrize(
    ("evening", "morning", "length"),
    [
        ("2026-03-28 22:30", "2026-03-29 07:30", 8),  # the clocks go forward at two
        ("2026-10-24 22:30", "2026-10-25 07:30", 10),  # and back at three
        ("2026-06-10 22:30", "2026-06-11 07:30", 9),
    ],
)
def test_the_player_gets_up_by_the_wall(evening: str, morning: str, length: int) -> None:
    stop = SLEEPER.stop_at(at(evening, ROME) + HOUR)
    assert stop == Span(at(evening, ROME), at(morning, ROME))
    assert stop.length == hours(length)


def test_a_day_without_nights_is_twenty_four_hours_over_either_change() -> None:
    awake = Quiet(zone=ROME)
    assert awake.add(at("2026-03-28 12:00", ROME), DAY) == at("2026-03-29 13:00", ROME)
    assert awake.add(at("2026-10-24 12:00", ROME), DAY) == at("2026-10-25 11:00", ROME)


def test_instants_written_in_a_local_zone_are_counted_as_elapsed_time() -> None:
    # Python subtracts two instants of one zone by the wall, an hour wrong over this night.
    awake = Quiet(zone=ROME)
    start = datetime(2026, 3, 28, 12, tzinfo=ROME)
    assert awake.between(start, datetime(2026, 3, 29, 12, tzinfo=ROME)) == 23 * HOUR
    assert awake.add(start, 23 * HOUR).tzinfo is UTC


def test_time_that_runs_out_as_the_night_begins_ends_there() -> None:
    evening = at("2026-06-10 20:30", ROME)
    assert SLEEPER.add(evening, 2 * HOUR) == at("2026-06-10 22:30", ROME)
    assert SLEEPER.add(evening, 2 * HOUR + timedelta(microseconds=1)) == at(
        "2026-06-11 07:30", ROME
    ) + timedelta(microseconds=1)


def test_a_night_that_begins_after_midnight_is_the_night_of_that_day() -> None:
    owl = Quiet(zone=ROME, night=wall_time(1))
    assert owl.stop_at(at("2026-06-11 09:59", ROME)) == Span(
        at("2026-06-11 01:00", ROME), at("2026-06-11 10:00", ROME)
    )
    assert owl.stop_at(at("2026-06-11 10:00", ROME)) is None


def test_a_night_that_ends_in_the_gap_ends_behind_it() -> None:
    early = Quiet(zone=ROME, night=wall_time(17, 30))  # until 02:30, which does not exist
    assert early.wakes(at("2026-03-28 23:00", ROME)) == at("2026-03-29 03:30", ROME)


def test_a_night_that_ends_in_the_hour_that_comes_twice_ends_the_first_time() -> None:
    early = Quiet(zone=ROME, night=wall_time(17, 30))
    assert early.wakes(at("2026-10-24 23:00", ROME)) == at("2026-10-25 00:30")


def test_a_weekend_and_its_nights_are_one_stop() -> None:
    weekender = Quiet(zone=ROME, night=HALF_PAST_TEN, weekend=SATURDAY_AND_SUNDAY)
    whole = Span(at("2026-06-12 22:30", ROME), at("2026-06-15 07:30", ROME))
    assert weekender.stop_at(at("2026-06-14 18:00", ROME)) == whole
    assert weekender.add(at("2026-06-12 21:30", ROME), 2 * HOUR) == at("2026-06-15 08:30", ROME)


def test_the_player_picks_his_own_two_days() -> None:
    cairo = ZoneInfo("Africa/Cairo")
    player = Quiet(zone=cairo, weekend=FRIDAY_AND_SATURDAY)
    # On Friday 24 April 2026 the clocks of Cairo go from midnight straight to one.
    friday = at("2026-04-24 01:00", cairo)
    assert player.stop_at(friday + HOUR) == Span(friday, at("2026-04-26 00:00", cairo))
    assert player.stop_at(friday + HOUR).length == 47 * HOUR


def test_a_day_that_the_zone_skipped_is_no_weekend() -> None:
    # Samoa went from Thursday 29 December 2011 straight to Saturday the 31st.
    apia = ZoneInfo("Pacific/Apia")
    start = at("2011-12-29 12:00", apia)
    assert Quiet(zone=apia, weekend=frozenset({4})).between(start, start + 3 * DAY) == 3 * DAY
    night = Quiet(zone=apia, night=HALF_PAST_TEN)
    assert night.between(start, start + 2 * DAY) == 2 * DAY - 2 * NIGHT_LENGTH


def test_an_absence_stops_the_clock_from_day_to_day() -> None:
    absence = local_days(at("2026-06-11").date(), at("2026-06-12").date(), ROME)
    away = Quiet(zone=ROME, absences=(absence,))
    assert absence.length == 2 * DAY
    assert away.add(at("2026-06-10 23:00", ROME), 2 * HOUR) == at("2026-06-13 01:00", ROME)


def test_absences_and_pauses_that_overlap_count_once() -> None:
    start = at("2026-06-10 12:00")
    quiet = Quiet(
        absences=(Span(start + HOUR, start + 5 * HOUR), Span(start + 9 * HOUR, start + 10 * HOUR)),
        pauses=(Span(start + 2 * HOUR, start + 3 * HOUR), Span(start + 4 * HOUR, start + 6 * HOUR)),
    )
    assert quiet.between(start, start + DAY) == 18 * HOUR
    assert quiet.stop_at(start + 5 * HOUR) == Span(start + HOUR, start + 6 * HOUR)
    assert quiet.awake_from(start + 2 * HOUR) == (start + 6 * HOUR, start + 9 * HOUR)
    assert quiet.awake_from(start + 10 * HOUR) == (start + 10 * HOUR, None)


def test_a_stop_is_known_from_its_true_start() -> None:
    start = at("2026-06-01 12:00", ROME)
    month = tuple(Span(start + n * 9 * DAY, start + (n + 1) * 9 * DAY) for n in range(4))
    quiet = Quiet(zone=ROME, night=HALF_PAST_TEN, absences=month)
    assert quiet.stop_at(start + 30 * DAY) == Span(start, start + 36 * DAY)


def test_a_table_counts_what_its_settings_allow() -> None:
    absence = Span(at("2026-06-10"), at("2026-06-12"))
    pause = Span(at("2026-07-10"), at("2026-07-12"))
    own = Quiet(ROME, HALF_PAST_TEN, SATURDAY_AND_SUNDAY, (absence,), (pause,))
    assert own.at_table(PRESETS["standard"]) == Quiet(
        ROME, HALF_PAST_TEN, frozenset(), (absence,), (pause,)
    )
    assert own.at_table(plain(3600)) == Quiet(ROME, pauses=(pause,))
    assert Quiet(ROME).at_table(PRESETS["standard"]).night is None
    assert Quiet(ROME).at_table(PRESETS["day"]).night == HALF_PAST_TEN


def test_his_nights_are_when_he_is_not_written_to() -> None:
    absence = Span(at("2026-06-10"), at("2026-06-12"))
    own = Quiet(ROME, HALF_PAST_TEN, SATURDAY_AND_SUNDAY, (absence,), (absence,))
    assert own.sleep_hours() == SLEEPER
    assert Quiet(ROME).sleep_hours() == SLEEPER


def test_a_weekend_is_two_days() -> None:
    with pytest.raises(ClockRefusal) as refused:
        Quiet(weekend=frozenset({4, 5, 6}))
    assert (refused.value.code, refused.value.params) == ("hours.weekend", {"most": 2})


def test_what_is_no_time_is_an_error() -> None:
    with pytest.raises(ValueError, match="zone"):
        SLEEPER.add(datetime(2026, 6, 10), HOUR)
    with pytest.raises(ValueError, match="backwards"):
        SLEEPER.add(at("2026-06-10"), -HOUR)
    with pytest.raises(ValueError, match="bare"):
        Quiet(night=wall_time(22, tzinfo=UTC))
    with pytest.raises(ValueError, match="week"):
        Quiet(weekend=frozenset({7}))
    with pytest.raises(ValueError, match="after its start"):
        Span(at("2026-06-10"), at("2026-06-10"))


# --- laws, in every zone ------------------------------------------------------------------------


@settings(max_examples=250, deadline=None)
@given(starts_and_quiets(), durations)
def test_what_is_added_is_what_has_run(player: tuple[datetime, Quiet], run: timedelta) -> None:
    start, quiet = player
    assert quiet.between(start, quiet.add(start, run)) == run


@settings(max_examples=250, deadline=None)
@given(starts_and_quiets(), st.timedeltas(ZERO, 40 * DAY))
def test_adding_what_has_run_never_comes_later(
    player: tuple[datetime, Quiet], elapsed: timedelta
) -> None:
    start, quiet = player
    end = start + elapsed
    back = quiet.add(start, quiet.between(start, end))
    assert back <= end
    # It is the first such instant: from there to the end nothing has run.
    assert quiet.between(back, end) == ZERO
    if back < end and back > start:
        assert quiet.stop_at(back).start == back


@settings(deadline=None)
@given(starts_and_quiets(), durations, durations)
def test_two_runs_one_after_the_other_are_their_sum(
    player: tuple[datetime, Quiet], one: timedelta, two: timedelta
) -> None:
    start, quiet = player
    assume(two > ZERO)
    assert quiet.add(quiet.add(start, one), two) == quiet.add(start, one + two)


@settings(deadline=None)
@given(starts_and_quiets(), durations, durations, st.timedeltas(ZERO, 5 * DAY))
def test_more_time_and_a_later_start_never_end_earlier(
    player: tuple[datetime, Quiet], one: timedelta, two: timedelta, later: timedelta
) -> None:
    start, quiet = player
    assert (quiet.add(start, one) <= quiet.add(start, two)) or one > two
    assert quiet.add(start, one) <= quiet.add(start + later, one)
    assert quiet.add(start, one) >= start + one


@settings(deadline=None)
@given(starts_and_quiets(), st.timedeltas(ZERO, 20 * DAY), st.timedeltas(ZERO, 20 * DAY))
def test_what_has_run_is_the_sum_of_its_parts(
    player: tuple[datetime, Quiet], one: timedelta, two: timedelta
) -> None:
    start, quiet = player
    middle, end = start + one, start + one + two
    assert quiet.between(start, middle) + quiet.between(middle, end) == quiet.between(start, end)
    if end > start:
        assert quiet.between(end, start) == ZERO


@settings(deadline=None)
@given(starts_and_quiets())
def test_a_stop_is_whole(player: tuple[datetime, Quiet]) -> None:
    instant, quiet = player
    stop = quiet.stop_at(instant)
    start, end = quiet.awake_from(instant)
    tick = timedelta(microseconds=1)
    if stop is None:
        assert start == instant
    else:
        assert stop.start <= instant < stop.end == start
        assert quiet.between(stop.start, stop.end) == ZERO
        assert quiet.between(stop.start - tick, stop.end) == tick
    assert end is None or (end > start and quiet.between(start, end) == end - start)
    assert end is None or quiet.stop_at(end).start == end


@settings(max_examples=250, deadline=None)
@given(starts_and_quiets())
def test_the_wall_and_the_calendar_say_the_same(player: tuple[datetime, Quiet]) -> None:
    """Another way to tell: read the wall clock at the instant. Edges near a change are left out."""
    instant, quiet = player
    local = instant.astimezone(quiet.zone)
    around = {(instant + n * HOUR).astimezone(quiet.zone).utcoffset() for n in range(-34, 34)}
    assume(len(around) == 1)
    dated = any(span.start <= instant < span.end for span in (*quiet.absences, *quiet.pauses))
    asleep = False
    if quiet.night is not None:
        night = timedelta(
            hours=quiet.night.hour,
            minutes=quiet.night.minute,
            seconds=quiet.night.second,
            microseconds=quiet.night.microsecond,
        )
        of_day = local.replace(tzinfo=None) - datetime.combine(local.date(), wall_time())
        asleep = (of_day - night) % DAY < NIGHT_LENGTH
    expected = dated or asleep or local.weekday() in quiet.weekend
    assert (quiet.stop_at(instant) is not None) == expected


def test_the_longest_turn_costs_a_few_steps_a_day() -> None:
    start = at("2026-06-01 12:00", ROME)
    zone = CountingZone()
    away = tuple(Span(start + n * 31 * DAY, start + (n * 31 + 30) * DAY) for n in range(1, 12))
    quiet = Quiet(zone, HALF_PAST_TEN, SATURDAY_AND_SUNDAY, away)
    end = quiet.add(start, 28 * DAY)
    asked, days = zone.asked, (end - start) // DAY
    assert days > 300
    assert asked < 10 * days
    assert quiet.between(start, end) == 28 * DAY


def test_a_long_absence_long_ago_costs_nothing() -> None:
    start = at("2026-06-01 12:00", ROME)
    zone = CountingZone()
    past = tuple(Span(start - n * 100 * DAY, start - (n * 100 - 30) * DAY) for n in range(1, 30))
    quiet = Quiet(zone, HALF_PAST_TEN, absences=past)
    quiet.add(start, 3 * HOUR)
    quiet.stop_at(start)
    assert zone.asked < 80

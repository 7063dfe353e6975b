"""When a player is reminded: the schedule, his nights, and at most four."""

from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock.bank import SeatClock, bank_starts_at, deadline, extend, pause
from games.clock.quiet import Quiet
from games.clock.reminders import APART, Reminder, ReminderKind, reminders
from games.clock.settings import PRESETS, ClockSettings, plain
from tests.unit.clock.times import (
    DAY,
    HALF_PAST_TEN,
    HOUR,
    ROME,
    SLEEPER,
    ZERO,
    at,
    clock_settings,
    hours,
    instants,
    nights,
    weekends,
    zones,
)

pytestmark = pytest.mark.one_database

STANDARD, DAY_TABLE = PRESETS["standard"], PRESETS["day"]
EIGHT = at("2026-06-10 08:00", ROME)
HALF, MOST, BANK, LAST = ReminderKind


def running(rules: ClockSettings, since: datetime) -> SeatClock:
    return SeatClock(rules.base, rules.bank, on_turn=True, running_since=since)


def schedule(
    rules: ClockSettings, since: datetime = EIGHT, own: Quiet = SLEEPER, *, opened: bool = False
) -> dict[ReminderKind, datetime]:
    found = reminders(running(rules, since), rules, own, opened=opened, after=since)
    return {each.kind: each.at for each in found}


def test_a_standard_turn_has_four() -> None:
    # 14.5 h to the night; then 15 h a day.
    assert schedule(STANDARD) == {
        HALF: at("2026-06-10 20:00", ROME),
        MOST: at("2026-06-11 12:12", ROME),
        BANK: at("2026-06-11 17:00", ROME),
        LAST: at("2026-06-14 18:00", ROME),
    }
    clock = running(STANDARD, EIGHT)
    assert bank_starts_at(clock, SLEEPER) == schedule(STANDARD)[BANK]
    assert deadline(clock, SLEEPER) == schedule(STANDARD)[LAST] + 2 * HOUR


def test_who_has_seen_the_turn_is_not_reminded_at_half_time() -> None:
    assert set(schedule(STANDARD, opened=True)) == {MOST, BANK, LAST}


def test_a_short_turn_is_reminded_an_hour_before_the_end() -> None:
    half_a_day = plain(12 * 3600)
    found = schedule(half_a_day, EIGHT, SLEEPER)
    assert found[LAST] == EIGHT + 11 * HOUR
    assert schedule(plain(13 * 3600), EIGHT, SLEEPER)[LAST] == EIGHT + 11 * HOUR


def test_two_that_are_too_near_are_one_and_the_last_is_kept() -> None:
    # Four fifths of 12 h are 9:36, which is 84 minutes before the last hour.
    assert set(schedule(plain(12 * 3600))) == {HALF, LAST}
    # At a day table: half 2:00, four fifths 3:12, the bank 4:00, and 12 h more.
    assert set(schedule(DAY_TABLE)) == {MOST, LAST}


def test_a_bank_that_is_empty_does_not_start() -> None:
    empty = SeatClock(STANDARD.base, ZERO, on_turn=True, running_since=EIGHT)
    found = reminders(empty, STANDARD, SLEEPER, opened=True, after=EIGHT)
    assert [each.kind for each in found] == [MOST, LAST]


def test_the_last_one_before_a_deadline_at_four_comes_in_the_evening() -> None:
    since = at("2026-06-10 04:00", ROME)
    rules = plain(86400)
    assert deadline(running(rules, since), SLEEPER.at_table(rules)) == since + DAY
    assert schedule(rules, since)[LAST] == at("2026-06-10 21:30", ROME)


def test_who_keeps_no_night_is_not_written_to_at_three_either() -> None:
    since = at("2026-06-10 04:00", ROME)
    assert schedule(plain(86400), since, Quiet(ROME)) == schedule(plain(86400), since)


def test_one_that_has_no_evening_comes_in_the_morning() -> None:
    since = at("2026-06-10 21:00", ROME)
    found = schedule(plain(86400 // 2), since)
    # Half at three in the night, four fifths at 6:36; the evening is over. The end is at nine.
    assert found == {LAST: at("2026-06-11 08:00", ROME)}
    found = schedule(plain(86400), since)
    assert found[HALF] == at("2026-06-11 09:00", ROME)


def test_a_turn_that_ends_in_the_night_it_began_in_has_none() -> None:
    assert schedule(plain(3600 * 6), at("2026-06-10 23:00", ROME)) == {}
    late = at("2026-06-10 20:45", ROME)
    assert schedule(plain(3600 * 6), late) == {LAST: at("2026-06-10 21:30", ROME)}


def test_a_clock_that_stands_has_none() -> None:
    paused = pause(running(STANDARD, EIGHT), SLEEPER, now=EIGHT + HOUR)
    assert reminders(paused, STANDARD, SLEEPER, opened=False, after=EIGHT) == ()


def test_a_pause_leaves_the_rest_of_the_schedule_as_far_away_as_it_was() -> None:
    paused = pause(running(STANDARD, EIGHT), SLEEPER, now=EIGHT + 4 * HOUR)
    back = replace(paused, running_since=EIGHT + DAY + 4 * HOUR)
    found = reminders(back, STANDARD, SLEEPER, opened=False, after=EIGHT)
    assert {each.kind: each.at - DAY for each in found} == schedule(STANDARD)


def test_more_time_moves_the_schedule() -> None:
    longer = extend(running(STANDARD, EIGHT), SLEEPER, by=DAY, now=EIGHT)
    found = reminders(longer, STANDARD, SLEEPER, opened=False, extended=DAY, after=EIGHT)
    assert found[0] == Reminder(HALF, SLEEPER.add(EIGHT, DAY))
    assert found[-1] == Reminder(LAST, SLEEPER.add(EIGHT, 94 * HOUR))


def test_what_is_past_is_not_sent_again() -> None:
    clock = running(STANDARD, EIGHT)
    whole = reminders(clock, STANDARD, SLEEPER, opened=False, after=EIGHT)
    assert reminders(clock, STANDARD, SLEEPER, opened=False, after=whole[2].at) == whole[2:]


def test_those_that_were_sent_count_for_the_turn() -> None:
    clock = running(STANDARD, EIGHT)
    whole = reminders(clock, STANDARD, SLEEPER, opened=False, after=EIGHT)
    near = [whole[1].at - hours(1)]
    found = reminders(clock, STANDARD, SLEEPER, opened=False, sent=near, after=near[0])
    assert [each.kind for each in found] == [BANK, LAST]
    many = [EIGHT + n * hours(2) for n in range(1, 4)]
    assert len(reminders(clock, STANDARD, SLEEPER, opened=False, sent=many, after=many[-1])) == 1


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(clock_settings(), st.integers(3600, 14 * 86400).map(plain)),
    instants,
    st.builds(Quiet, zone=zones, night=nights, weekend=weekends),
    st.booleans(),
    st.timedeltas(ZERO, 3 * DAY),
    st.lists(st.timedeltas(ZERO, 2 * DAY), max_size=4),
)
def test_no_schedule_wakes_anybody_or_comes_too_late(
    rules: ClockSettings,
    since: datetime,
    own: Quiet,
    opened: bool,
    later: timedelta,
    sent_after: list[timedelta],
) -> None:
    clock = running(rules, since)
    ends = deadline(clock, own.at_table(rules))
    sent = [since + each for each in sent_after]
    found = reminders(clock, rules, own, opened=opened, sent=sent, after=since + later)
    moments = [each.at for each in found]
    assert moments == sorted(moments)
    assert len({each.kind for each in found}) == len(found)
    assert len(found) + len(sent) <= max(4, len(sent))
    for moment in moments:
        assert since + later <= moment < ends
        assert moment > since
        assert own.sleep_hours().stop_at(moment) is None
        assert all(abs(moment - other) >= APART for other in sent)
    assert all(two - one >= APART for one, two in pairwise(moments))
    assert found == reminders(clock, rules, own, opened=opened, sent=sent, after=since + later)


@settings(deadline=None)
@given(instants, zones)
def test_every_long_turn_has_a_last_one(since: datetime, zone: tzinfo) -> None:
    own = Quiet(zone, HALF_PAST_TEN)
    assert LAST in schedule(STANDARD, since, own)
    assert LAST in schedule(plain(86400), since, own)

"""Down the ladder by missing turns, and back up by playing (docs/rules.md R-84)."""

from datetime import timedelta

import pytest

from games.clock.ladder import (
    PRESENT,
    Act,
    Attendance,
    abandoned_at,
    after_move,
    after_time_out,
    retire,
)
from games.clock.settings import TimeOut
from tests.unit.clock.times import DAY, HOUR, at

pytestmark = pytest.mark.one_database

NOON = at("2026-06-10 12:00")


@pytest.mark.parametrize(
    ("policy", "act"), [(TimeOut.AUTO, Act.AUTOMATIC), (TimeOut.LOSE_A_DIE, Act.LOSE_A_DIE)]
)
def test_two_misses_in_a_row_make_a_seat_absent(policy: TimeOut, act: Act) -> None:
    first = after_time_out(PRESENT, policy, now=NOON)
    assert (first.act, first.attendance) == (act, Attendance(misses=1))
    assert not first.attendance.plays_at_once
    second = after_time_out(first.attendance, policy, now=NOON + DAY)
    assert second.act is act
    assert second.attendance == Attendance(misses=2, absent_since=NOON + DAY)
    assert second.attendance.plays_at_once


def test_a_move_between_two_misses_begins_anew() -> None:
    missed = after_time_out(PRESENT, TimeOut.AUTO, now=NOON).attendance
    again = after_time_out(after_move(missed), TimeOut.AUTO, now=NOON + DAY).attendance
    assert again == Attendance(misses=1)


def test_playing_brings_an_absent_seat_back() -> None:
    absent = Attendance(misses=2, absent_since=NOON)
    assert after_move(absent) == PRESENT
    assert not after_move(absent).plays_at_once


def test_a_table_that_knows_no_mercy_retires_at_once() -> None:
    step = after_time_out(PRESENT, TimeOut.OUT, now=NOON)
    assert step.act is Act.OUT
    assert step.attendance.retired_at == NOON
    assert step.attendance.retires_at is None


def test_seven_days_of_absence_retire_a_seat() -> None:
    absent = Attendance(misses=2, absent_since=NOON)
    assert PRESENT.retires_at is None
    assert absent.retires_at == NOON + 7 * DAY
    with pytest.raises(ValueError, match="yet"):
        retire(absent, now=NOON + 7 * DAY - timedelta(seconds=1))
    with pytest.raises(ValueError, match="yet"):
        retire(PRESENT, now=NOON)
    retired = retire(absent, now=NOON + 7 * DAY)
    assert retired.retired_at == NOON + 7 * DAY
    assert retired.retires_at is None


def test_a_retired_seat_does_not_come_back_by_playing() -> None:
    with pytest.raises(ValueError, match="retired"):
        after_move(Attendance(2, NOON, NOON + 7 * DAY))


def test_a_seat_that_plays_at_once_has_no_clock_to_run_out() -> None:
    with pytest.raises(ValueError, match="no clock"):
        after_time_out(Attendance(2, NOON), TimeOut.AUTO, now=NOON)


def test_a_game_without_anybody_ends_after_three_days() -> None:
    alice, bob = Attendance(2, NOON), Attendance(2, NOON + 5 * HOUR)
    assert abandoned_at([alice, bob]) == NOON + 77 * HOUR
    assert abandoned_at([alice, PRESENT]) is None
    assert abandoned_at([alice, Attendance(misses=1)]) is None
    assert abandoned_at([]) is None


def test_a_retired_seat_keeps_no_game_alive() -> None:
    retired = Attendance(2, NOON, NOON + 7 * DAY)
    assert abandoned_at([retired, Attendance(2, NOON + 6 * DAY)]) == NOON + 9 * DAY

"""One seat's clock: known turns, and laws over random histories."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock.bank import (
    SeatClock,
    bank_starts_at,
    deadline,
    drop_turn,
    expire,
    extend,
    in_time,
    new_clock,
    pause,
    remaining,
    resume,
    settle,
    start_turn,
    stop_turn,
)
from games.clock.errors import ClockRefusal
from games.clock.quiet import Quiet, Span
from games.clock.settings import PRESETS, ClockSettings, plain
from tests.unit.clock.times import (
    DAY,
    HOUR,
    ROME,
    SLEEPER,
    ZERO,
    at,
    clock_settings,
    hours,
    instants,
    quiets_near,
)

pytestmark = pytest.mark.one_database

STANDARD = PRESETS["standard"]
NOON = at("2026-06-10 12:00", ROME)
ALICE = start_turn(new_clock(STANDARD), STANDARD, now=NOON)


# --- known turns --------------------------------------------------------------------------------


def test_a_turn_has_its_time_and_then_the_bank() -> None:
    # 10.5 h to the night, then 15 h a day: 24 h are gone on the 11th at nine in the evening.
    assert bank_starts_at(ALICE, SLEEPER) == at("2026-06-11 21:00", ROME)
    assert deadline(ALICE, SLEEPER) == at("2026-06-15 09:00", ROME)
    assert remaining(ALICE, SLEEPER, now=NOON + HOUR) == 71 * HOUR


def test_a_plain_clock_counts_every_hour() -> None:
    day = plain(86400)
    clock = start_turn(new_clock(day), day, now=NOON)
    assert deadline(clock, SLEEPER.at_table(day)) == NOON + DAY
    assert bank_starts_at(clock, SLEEPER.at_table(day)) == NOON + DAY


def test_a_move_in_the_turns_own_time_leaves_the_bank_full() -> None:
    after = stop_turn(ALICE, STANDARD, SLEEPER, arrived_at=NOON + 9 * HOUR)
    assert after == SeatClock(ZERO, 48 * HOUR)


def test_a_move_from_the_bank_costs_what_it_took_and_brings_the_increment() -> None:
    thirty_hours_on = SLEEPER.add(NOON, 30 * HOUR)
    after = stop_turn(ALICE, STANDARD, SLEEPER, arrived_at=thirty_hours_on)
    assert after == SeatClock(ZERO, (48 - 6 + 4) * HOUR)
    again = start_turn(after, STANDARD, now=thirty_hours_on)
    assert (again.base, again.bank) == (24 * HOUR, 46 * HOUR)


def test_the_bank_is_never_above_its_cap() -> None:
    clock = SeatClock(ZERO, 47 * HOUR)
    turn = start_turn(clock, STANDARD, now=NOON)
    assert stop_turn(turn, STANDARD, SLEEPER, arrived_at=NOON).bank == 48 * HOUR


def test_a_move_at_the_deadline_is_in_time_and_one_after_it_is_not() -> None:
    ends = deadline(ALICE, SLEEPER)
    assert in_time(ALICE, SLEEPER, arrived_at=ends)
    assert stop_turn(ALICE, STANDARD, SLEEPER, arrived_at=ends).bank == 4 * HOUR
    late = ends + timedelta(microseconds=1)
    assert not in_time(ALICE, SLEEPER, arrived_at=late)
    with pytest.raises(ClockRefusal) as refused:
        stop_turn(ALICE, STANDARD, SLEEPER, arrived_at=late)
    assert refused.value.code == "clock.run-out"


def test_a_time_out_leaves_nothing() -> None:
    ends = deadline(ALICE, SLEEPER)
    with pytest.raises(ValueError, match="not run out"):
        expire(ALICE, SLEEPER, now=ends)
    assert expire(ALICE, SLEEPER, now=ends + HOUR) == SeatClock(ZERO, ZERO)


def test_a_pause_keeps_what_is_left_to_the_second() -> None:
    paused = pause(ALICE, SLEEPER, now=NOON + HOUR)
    assert deadline(paused, SLEEPER) is None
    assert bank_starts_at(paused, SLEEPER) is None
    assert remaining(paused, SLEEPER, now=NOON + 30 * DAY) == 71 * HOUR
    back = resume(paused, now=NOON + 30 * DAY)
    assert (back.base, back.bank) == (23 * HOUR, 48 * HOUR)
    assert deadline(back, SLEEPER) == SLEEPER.add(NOON + 30 * DAY, 71 * HOUR)


def test_a_pause_at_night_or_twice_gives_nothing() -> None:
    night = at("2026-06-11 03:00", ROME)
    once = pause(ALICE, SLEEPER, now=night)
    assert pause(once, SLEEPER, now=night + HOUR) == once
    assert resume(resume(once, now=night), now=night + DAY) == resume(once, now=night)
    assert deadline(resume(once, now=night), SLEEPER) == deadline(ALICE, SLEEPER)


def test_no_pause_saves_a_clock_that_has_run_out() -> None:
    ends = deadline(ALICE, SLEEPER)
    paused = pause(ALICE, SLEEPER, now=ends + HOUR)
    assert deadline(paused, SLEEPER) == ends
    assert not in_time(paused, SLEEPER, arrived_at=ends + HOUR)


def test_a_night_moved_during_a_turn_counts_from_then_on() -> None:
    evening = at("2026-06-10 21:00", ROME)
    settled = settle(ALICE, SLEEPER, now=evening)
    earlier_night = replace(SLEEPER, night=at("2026-06-10 21:00").time())
    assert settled.base == 15 * HOUR
    assert bank_starts_at(settled, earlier_night) == at("2026-06-11 21:00", ROME)


def test_an_absence_booked_during_a_turn_takes_nothing_back() -> None:
    booked = NOON + 5 * HOUR
    away = replace(SLEEPER, absences=(Span(NOON, NOON + 2 * DAY),))  # from before it was booked
    settled = settle(ALICE, SLEEPER, now=booked)
    assert remaining(settled, away, now=booked) == 67 * HOUR


def test_more_time_is_for_this_turn_alone() -> None:
    given_at = NOON + HOUR
    longer = extend(ALICE, SLEEPER, by=DAY, now=given_at)
    assert remaining(longer, SLEEPER, now=given_at) == 95 * HOUR
    assert stop_turn(longer, STANDARD, SLEEPER, arrived_at=given_at).bank == 48 * HOUR
    assert extend(pause(ALICE, SLEEPER, now=NOON), SLEEPER, by=DAY, now=NOON).left == 96 * HOUR


def test_time_given_while_the_bank_runs_spares_the_bank() -> None:
    in_the_bank = SLEEPER.add(NOON, 30 * HOUR)
    longer = extend(ALICE, SLEEPER, by=DAY, now=in_the_bank)
    assert (longer.base, longer.bank) == (24 * HOUR, 42 * HOUR)


def test_more_time_comes_too_late_after_the_deadline() -> None:
    with pytest.raises(ClockRefusal) as refused:
        extend(ALICE, SLEEPER, by=DAY, now=deadline(ALICE, SLEEPER) + HOUR)
    assert refused.value.code == "clock.run-out"


def test_a_turn_that_another_ends_costs_what_ran_and_brings_nothing() -> None:
    thirty_hours_on = SLEEPER.add(NOON, 30 * HOUR)
    assert drop_turn(ALICE, SLEEPER, now=thirty_hours_on) == SeatClock(ZERO, 42 * HOUR)
    assert drop_turn(new_clock(STANDARD), SLEEPER, now=NOON) == new_clock(STANDARD)


def test_an_arrival_stamp_from_before_the_turn_costs_nothing() -> None:
    after = stop_turn(ALICE, STANDARD, SLEEPER, arrived_at=NOON - HOUR)
    assert after.bank == 48 * HOUR
    assert settle(ALICE, SLEEPER, now=NOON - HOUR) == ALICE


def test_a_seat_that_is_not_to_move_has_no_running_clock() -> None:
    waiting = new_clock(STANDARD)
    assert deadline(waiting, SLEEPER) is None
    assert resume(waiting, now=NOON) == waiting
    wrongs: list[Callable[[], object]] = [
        lambda: start_turn(ALICE, STANDARD, now=NOON),
        lambda: stop_turn(waiting, STANDARD, SLEEPER, arrived_at=NOON),
        lambda: extend(waiting, SLEEPER, by=DAY, now=NOON),
        lambda: extend(ALICE, SLEEPER, by=-DAY, now=NOON),
        lambda: expire(waiting, SLEEPER, now=NOON),
        lambda: SeatClock(ZERO, ZERO, running_since=NOON),
        lambda: SeatClock(HOUR, ZERO),
        lambda: SeatClock(ZERO, -HOUR, on_turn=True),
    ]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"turn|run out|less than nothing"):
            wrong()


# --- laws over random histories -----------------------------------------------------------------

IDLE_TOO = ("pause", "resume", "hours", "settle", "look")
"""What may come at any time, also after the end; anything else starts a turn or ends it."""

KINDS = ("stop", "drop", "extend", *IDLE_TOO)


class History:
    """A seat's life with a ledger beside it, kept from instants alone."""

    def __init__(self, rules: ClockSettings, quiet: Quiet, now: datetime) -> None:
        self.rules, self.quiet, self.now = rules, quiet, now
        self.clock = new_clock(rules)
        self.got = rules.bank  # all time ever given
        self.lapsed = ZERO  # time of a turn that its move did not need, increment over the cap
        self.ran = ZERO  # all running time, added up from instants
        self.given_this_turn = ZERO

    def step(self, kind: str, later: timedelta, new_quiet: Quiet) -> None:
        now = self.now + later
        ends = deadline(self.clock, self.quiet)
        if self.clock.running_since is not None:
            self.ran += self.quiet.between(
                self.now, min(now, ends) if self.now < ends else self.now
            )
        self.now = now
        run_out = ends is not None and now > ends
        before = self.clock
        left = remaining(before, self.quiet, now=now)
        if not before.on_turn and kind not in IDLE_TOO:
            self.clock = start_turn(before, self.rules, now=now)
            self.got += self.rules.base
            self.given_this_turn = ZERO
        elif run_out and kind not in IDLE_TOO:
            self.clock = expire(before, self.quiet, now=now)
            assert left == ZERO
        elif kind == "stop":
            self.clock = stop_turn(before, self.rules, self.quiet, arrived_at=now)
            self.got += self.rules.increment
            lapsed = left + self.rules.increment - self.clock.left
            assert lapsed >= ZERO
            self.lapsed += lapsed
        elif kind == "drop":
            self.clock = drop_turn(before, self.quiet, now=now)
            assert self.clock.left <= left
            self.lapsed += left - self.clock.left
        elif kind == "pause":
            self.clock = pause(before, self.quiet, now=now)
            assert self.clock.left == left
        elif kind == "resume":
            self.clock = resume(before, now=now)
            assert remaining(self.clock, self.quiet, now=now) == left
        elif kind == "hours":
            self.clock = settle(before, self.quiet, now=now)
            self.quiet = new_quiet
        elif kind == "settle":
            self.clock = settle(before, self.quiet, now=now)
            assert deadline(self.clock, self.quiet) == ends
        elif kind == "extend":
            self.clock = extend(before, self.quiet, by=DAY, now=now)
            self.got += DAY
            self.given_this_turn += DAY

    def check(self) -> None:
        left = remaining(self.clock, self.quiet, now=self.now)
        assert left == self.got - self.lapsed - self.ran
        turn = self.rules.base + self.given_this_turn if self.clock.on_turn else ZERO
        assert ZERO <= left <= turn + self.rules.cap
        ends = deadline(self.clock, self.quiet)
        if ends is not None:
            # What is shown is what is enforced, and as time left it says the same.
            assert in_time(self.clock, self.quiet, arrived_at=ends)
            assert not in_time(self.clock, self.quiet, arrived_at=ends + timedelta(microseconds=1))
            if self.now < ends:
                assert self.quiet.between(self.now, ends) == left


gaps = st.one_of(
    st.integers(0, 10 * 60).map(lambda minutes: timedelta(minutes=minutes)),
    st.integers(0, 3 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes)),
    st.timedeltas(ZERO, 20 * DAY),
)


@settings(max_examples=200, deadline=None)
@given(clock_settings(), instants, st.data())
def test_no_history_gives_or_takes_time(
    rules: ClockSettings, start: datetime, data: st.DataObject
) -> None:
    quiets = [data.draw(quiets_near(start)) for _ in range(2)]
    steps = st.tuples(st.sampled_from(KINDS), gaps, st.sampled_from(quiets))
    history = History(rules, quiets[0], start)
    history.step("stop", ZERO, quiets[0])
    for kind, later, quiet in data.draw(st.lists(steps, min_size=5, max_size=15)):
        history.step(kind, later, quiet)
        history.check()


@settings(deadline=None)
@given(instants, st.data(), st.lists(gaps, min_size=2, max_size=12))
def test_pauses_of_any_number_neither_give_nor_take_time(
    start: datetime, data: st.DataObject, lengths: list[timedelta]
) -> None:
    quiet = data.draw(quiets_near(start))
    clock = start_turn(new_clock(STANDARD), STANDARD, now=start)
    now, left = start, hours(72)
    for number, length in enumerate(lengths):
        if number % 2:
            now += length
            clock = resume(clock, now=now)
        else:
            left -= quiet.between(now, now + length)
            now += length
            clock = pause(clock, quiet, now=now)
        if left < ZERO:
            assert not in_time(clock, quiet, arrived_at=now)
            return
        assert remaining(clock, quiet, now=now) == left

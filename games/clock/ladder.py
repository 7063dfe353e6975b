"""What happens to a seat whose time runs out, step by step, and the way back up."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from games.clock.quiet import utc
from games.clock.settings import TimeOut

MISSES_TO_ABSENT = 2
RETIRED_AFTER = timedelta(days=7)
ABANDONED_AFTER = timedelta(hours=72)


class Act(StrEnum):
    """What the clock does in the place of a seat."""

    AUTOMATIC = "automatic"
    LOSE_A_DIE = "lose_a_die"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class Attendance:
    """How a seat stands: misses in a row, since when it is absent, and when it was retired."""

    misses: int = 0
    absent_since: datetime | None = None
    retired_at: datetime | None = None

    @property
    def plays_at_once(self) -> bool:
        """Return whether its turns are played without a wait: automatically, and lose no die."""
        return self.absent_since is not None

    @property
    def retires_at(self) -> datetime | None:
        """Return when it is to be retired unless its player comes back, None if it is not."""
        if self.absent_since is None or self.retired_at is not None:
            return None
        return utc(self.absent_since) + RETIRED_AFTER


PRESENT = Attendance()


@dataclass(frozen=True, slots=True)
class Step:
    """What follows a time-out: what the clock does, and how the seat stands after it."""

    act: Act
    attendance: Attendance


def after_time_out(attendance: Attendance, policy: TimeOut, *, now: datetime) -> Step:
    """Return what follows when the clock of a seat ran out.

    ``auto`` plays the declared automatic move, ``lose_a_die`` takes a die, ``out`` retires the seat
    at once. Under the first two the second miss in a row makes it absent. A turn of an absent seat
    is no further miss: no clock ran out.

    :raises ValueError: the seat is absent or retired, so that it has no clock to run out.
    """
    if attendance.plays_at_once:
        raise ValueError("no clock runs for a seat that plays at once")
    misses = attendance.misses + 1
    if policy is TimeOut.OUT:
        return Step(Act.OUT, Attendance(misses, absent_since=utc(now), retired_at=utc(now)))
    absent_since = utc(now) if misses >= MISSES_TO_ABSENT else None
    act = Act.LOSE_A_DIE if policy is TimeOut.LOSE_A_DIE else Act.AUTOMATIC
    return Step(act, Attendance(misses, absent_since))


def after_move(attendance: Attendance) -> Attendance:
    """Return how a seat stands after its player did something in the game himself: as present.

    :raises ValueError: it was retired; a new player takes over a retired seat.
    """
    if attendance.retired_at is not None:
        raise ValueError("a retired seat does not come back by playing")
    return PRESENT


def retire(attendance: Attendance, *, now: datetime) -> Attendance:
    """Return the seat retired, if it is time.

    :raises ValueError: it is not.
    """
    due = attendance.retires_at
    if due is None or utc(now) < due:
        raise ValueError("this seat is not to be retired yet")
    return replace(attendance, retired_at=utc(now))


def abandoned_at(people: Iterable[Attendance]) -> datetime | None:
    """Return when the game ends unrated because nobody is there, None while anybody is.

    ``people`` are the seats of people that still have dice; bots keep no game alive.
    """
    since = [attendance.absent_since for attendance in people]
    absent = [utc(instant) for instant in since if instant is not None]
    if not absent or len(absent) < len(since):
        return None
    return max(absent) + ABANDONED_AFTER

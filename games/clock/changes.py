"""How often a player may move his night or his weekend: a clock is no toy to stop at will."""

from datetime import datetime, timedelta

from games.clock.errors import ClockRefusal
from games.clock.quiet import utc

CHANGE_EVERY = timedelta(days=7)
"""The time between two changes of the night (its start or its zone), and of the weekend."""


def next_change_at(last_changed_at: datetime | None) -> datetime | None:
    """Return from when on the next change is allowed, None if it always was."""
    return None if last_changed_at is None else utc(last_changed_at) + CHANGE_EVERY


def why_not_change_night(last_changed_at: datetime | None, *, now: datetime) -> ClockRefusal | None:
    """Return why the start or the zone of the night may not change now, or None when it may."""
    return _why_not(last_changed_at, now, "hours.night-changed")


def why_not_change_weekend(
    last_changed_at: datetime | None, *, now: datetime
) -> ClockRefusal | None:
    """Return why the days of the weekend may not change now, or None when they may."""
    return _why_not(last_changed_at, now, "hours.weekend-changed")


def _why_not(last_changed_at: datetime | None, now: datetime, code: str) -> ClockRefusal | None:
    allowed_at = next_change_at(last_changed_at)
    if allowed_at is None or utc(now) >= allowed_at:
        return None
    return ClockRefusal(code, at=allowed_at)

"""The four parts of a day: what a table sees of the time of a move, where it asked for no more.

They begin at midnight, 6, 12 and 18 by the wall of a zone. How fast somebody answered is told by no
minute then, and by no deadline either: one that is moved to the end of the part of the day it falls
into says no more of when its turn began.
"""

from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from games.clock.quiet import utc

PART = timedelta(hours=6)
"""How long a part of a day is, by the wall."""


class DayPart(StrEnum):
    """A part of a day, in their order."""

    NIGHT = "night"
    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"


def day_part(at: datetime, zone: tzinfo) -> DayPart:
    """Return the part of the day that ``at`` falls into in ``zone``."""
    return list(DayPart)[at.astimezone(zone).hour // 6]


def part_start(at: datetime, zone: tzinfo) -> datetime:
    """Return the first instant of the part of the day that ``at`` falls into; UTC."""
    # Where the clocks go back at midnight it may seem to come later.
    return min(_wall_start(at, zone).replace(tzinfo=zone).astimezone(UTC), utc(at))


def part_end(at: datetime, zone: tzinfo) -> datetime:
    """Return the first instant from ``at`` on at which a part of the day begins; UTC."""
    if part_start(at, zone) == utc(at):
        return utc(at)
    ends = (_wall_start(at, zone) + PART).replace(tzinfo=zone)
    return max(ends.astimezone(UTC), utc(at))


def _wall_start(at: datetime, zone: tzinfo) -> datetime:
    """Return the wall time at which the part of the day began, without a zone."""
    wall = at.astimezone(zone).replace(tzinfo=None, fold=0)
    return wall.replace(hour=wall.hour // 6 * 6, minute=0, second=0, microsecond=0)

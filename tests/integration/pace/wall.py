"""A seat's clock reckoned on the wall, half hour by half hour: the service's has to agree with it.

It shares nothing with ``games.clock``: it asks of each piece of time what the player's own wall
says, and adds up the pieces in which he is awake and here.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

HOUR = timedelta(hours=1)
PIECE = timedelta(minutes=30)
"""Nights, days and all changes of the time begin on one of these, in every zone of the tests."""

BASE, BANK, BONUS, CAP = 24 * HOUR, 48 * HOUR, 4 * HOUR, 48 * HOUR
"""The Standard clock, as design and rules page have it."""

ABSENCE_CAP = timedelta(days=7)

Span = tuple[datetime, datetime]


@dataclass
class Wall:
    """One player's wall: his zone, his night of nine hours, his days off, and dated times."""

    zone: ZoneInfo
    night: time | None = time(22, 30)
    weekend: frozenset[int] = frozenset()
    still: list[Span] = field(default_factory=list)

    def stands(self, at: datetime) -> bool:
        """Return whether the clock stands still at this instant."""
        if any(start <= at < end for start, end in self.still):
            return True
        local = at.astimezone(self.zone)
        if local.weekday() in self.weekend:
            return True
        if self.night is None:
            return False
        minutes = (local.hour - self.night.hour) * 60 + local.minute - self.night.minute
        return minutes % (24 * 60) < 9 * 60

    def ran(self, start: datetime, end: datetime) -> timedelta:
        """Return how long the clock runs between two instants."""
        at, end, ran = start.astimezone(UTC), end.astimezone(UTC), timedelta()
        while at < end:
            following = min(self._edge(at), end)
            ran += timedelta() if self.stands(at) else following - at
            at = following
        return ran

    def add(self, start: datetime, running: timedelta) -> datetime:
        """Return when the clock has run for so long."""
        at = start.astimezone(UTC)
        while running:
            following = self._edge(at)
            if not self.stands(at):
                if following - at >= running:
                    return at + running
                running -= following - at
            at = following
        return at

    def _edge(self, at: datetime) -> datetime:
        """Return the next instant at which it may begin or cease to stand."""
        day = at.replace(hour=0, minute=0, second=0, microsecond=0)
        piece = day + ((at - day) // PIECE + 1) * PIECE
        edges = (edge.astimezone(UTC) for span in self.still for edge in span)
        return min([piece, *(edge for edge in edges if edge > at)])


@dataclass
class Ledger:
    """What the seat on turn has left, since when, and the instant behind which nobody waits."""

    version: int
    since: datetime
    bank: timedelta
    base: timedelta = BASE
    over_at: datetime | None = None

    def settle(self, wall: Wall, now: datetime) -> None:
        """Take off what has run until ``now``."""
        ran = wall.ran(self.since, now)
        self.bank -= max(ran - self.base, timedelta())
        self.base = max(self.base - ran, timedelta())
        self.since = now

    def deadline(self, wall: Wall) -> datetime:
        """Return when nothing is left."""
        ends = wall.add(self.since, self.base + self.bank)
        return ends if self.over_at is None else min(ends, self.over_at.astimezone(UTC))

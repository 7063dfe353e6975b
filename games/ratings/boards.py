"""The leaderboards that a game counts for."""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

ALL: Final = "all"
"""The board of all rated games."""

_MONTHS: Final = 3
"""A season is a quarter of the calendar, by UTC."""


@dataclass(frozen=True, slots=True)
class Board:
    """One leaderboard: ``key`` names it in rows, and tells which games count for it."""

    key: str

    @classmethod
    def of_rules(cls, name: str) -> "Board":
        """Return the board of the games that are played by one ruleset."""
        return cls(f"rules-{name}")

    @classmethod
    def of_seats(cls, count: int) -> "Board":
        """Return the board of the games that began with so many players."""
        return cls(f"seats-{count}")

    @classmethod
    def of_season(cls, at: datetime) -> "Board":
        """Return the board of the games that ended in the season of ``at``."""
        first = season_of(at)
        return cls(f"season-{first:%Y-%m}")

    @property
    def is_group(self) -> bool:
        """Return whether only some games count for it."""
        return self.key != ALL


def season_of(at: datetime) -> date:
    """Return the first day of the season that ``at`` falls into."""
    day = at.astimezone(UTC).date()
    return date(day.year, day.month - (day.month - 1) % _MONTHS, 1)


def boards_of(*, ruleset: str, seats: int, ended_at: datetime) -> tuple[Board, ...]:
    """Return the boards that a rated game counts for."""
    return (
        Board(ALL),
        Board.of_rules(ruleset),
        Board.of_seats(seats),
        Board.of_season(ended_at),
    )

"""Ratings: what the finishing order of a game says of its players' strength. Pure.

One game of Perudo says little, so the model expects much chance (``BETA``). The parameters were
measured on simulated seasons (docs/performance.md, ``python -m benchmarks.ratings``); why there is
one rating for all games: docs/adr/0012.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import BradleyTerryPart

from games.ratings.boards import ALL, Board, boards_of, season_of
from games.ratings.finish import Exit, ranks

__all__ = [
    "ACTIVE_DAYS",
    "ALL",
    "LISTED_FROM",
    "LISTED_FROM_IN_GROUP",
    "NEW",
    "PROVISIONAL_BELOW",
    "Board",
    "Exit",
    "Rating",
    "boards_of",
    "number_of",
    "ranks",
    "rate",
    "season_of",
]

MU: Final = 25.0
SIGMA: Final = 25 / 3
BETA: Final = 50 / 3
TAU: Final = 25 / 300

PROVISIONAL_BELOW: Final = 15
"""With fewer rated games a number is marked: it may still be far from the truth."""

LISTED_FROM: Final = 20
"""From so many rated games on a player stands on the leaderboards."""

LISTED_FROM_IN_GROUP: Final = 5
"""So many of them must belong to a board that shows only some games."""

ACTIVE_DAYS: Final = 90
"""Whoever has finished no rated game for so many days is not listed."""

_MIDDLE, _POINTS = 1500, 6

_DECIMALS: Final = 6
"""What is kept of a number: less than another machine's arithmetic may change."""

# Each is compared with everybody, not only with the four placed next to him: else the result hangs
# on the order of tied players, and a better place could cost points. `limit_sigma` is left alone:
# given to `rate()` it would stay with this model, which all games share.
_MODEL: Final = BradleyTerryPart(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU, window_size=1000)


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength (``mu``), how uncertain it is (``sigma``), and of how many games."""

    mu: float = MU
    sigma: float = SIGMA
    games: int = 0

    @property
    def number(self) -> int:
        """Return the strength as players see it: 400 more are about ten to one."""
        return number_of(self.mu)

    @property
    def low(self) -> int:
        """Return the number by which leaderboards rank: the strength less its uncertainty."""
        return number_of(self.mu - self.sigma)

    @property
    def high(self) -> int:
        """Return the upper end of the band around the number."""
        return number_of(self.mu + self.sigma)

    @property
    def band(self) -> int:
        """Return half the width of that band."""
        return round(_POINTS * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Return whether the number is marked as one of too few games."""
        return self.games < PROVISIONAL_BELOW


NEW: Final = Rating()
"""What everybody begins with."""


def number_of(mu: float) -> int:
    """Return a strength in display points: 1500 is where everybody begins."""
    return round(_MIDDLE + _POINTS * (mu - MU))


def rate(players: Sequence[tuple[Rating, int]]) -> tuple[Rating, ...]:
    """Return the players' ratings after a game, in the order given.

    :param players: of each his rating before it and his rank: 1 is best, equal ranks tie.
    :raises ValueError: there are fewer than two.
    """
    if len(players) < 2:
        raise ValueError("a game is rated between two players or more")
    teams = [[_MODEL.rating(before.mu, before.sigma)] for before, _rank in players]
    rated = _MODEL.rate(teams, ranks=[float(rank) for _before, rank in players])
    return tuple(
        Rating(round(after.mu, _DECIMALS), round(after.sigma, _DECIMALS), before.games + 1)
        for (before, _rank), [after] in zip(players, rated, strict=True)
    )

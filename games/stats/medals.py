"""Achievements: a dozen, each for something that happened and can be looked up in its game.

They are for the first time only. What depends on covered cups is given by what everybody knows.
"""

from collections.abc import Callable
from dataclasses import dataclass

from games.stats.facts import Facts
from games.stats.streaks import Streaks

REGULAR_GAMES = 50
BIG_TABLE = 6
SHARP_DUDOS = 5
LONG_SURVIVAL = 5
HONEST_BIDS = 10


@dataclass(frozen=True, slots=True)
class Career:
    """A player after a game: the game, his streaks with it, and how many he has finished.

    The facts are those that everybody may know, and the games are those among people.
    """

    facts: Facts
    streaks: Streaks
    games: int

    @property
    def has_won(self) -> bool:
        """Return whether he won the game."""
        return self.facts.result is not None and self.facts.result.place == 1

    @property
    def lost_dice(self) -> int:
        """Return how many rounds of the game cost him a die."""
        return sum(each.lost for each in self.facts.rounds)


def _sharp(career: Career) -> bool:
    dudos = career.facts.dudos
    return len(dudos) >= SHARP_DUDOS and all(call.is_right for call in dudos)


def _exact(career: Career) -> int:
    return sum(call.is_right for call in career.facts.calzas)


def _honest(career: Career) -> bool:
    bids = career.facts.bids
    return career.has_won and len(bids) >= HONEST_BIDS and all(bid.support for bid in bids)


def _quiet(career: Career) -> bool:
    return career.has_won and not career.facts.calls


MEDALS: dict[str, Callable[[Career], bool]] = {
    "first_game": lambda career: career.facts.result is not None,
    "first_win": lambda career: career.has_won,
    "brink": lambda career: career.has_won and career.facts.had_one_die,
    "unhurt": lambda career: career.has_won and not career.lost_dice,
    "honest": _honest,
    "quiet": _quiet,
    "sharp": _sharp,
    "exact": lambda career: _exact(career) >= 1,
    "exact_twice": lambda career: _exact(career) >= 2,
    "big_table": lambda career: career.has_won and career.facts.seats >= BIG_TABLE,
    "survivor": lambda career: career.streaks.one_die >= LONG_SURVIVAL,
    "hat_trick": lambda career: career.streaks.wins.now >= 3,
    "regular": lambda career: career.games >= REGULAR_GAMES,
}
"""By its code, what earns each."""


def earned(career: Career) -> tuple[str, ...]:
    """Return the codes of what a player has earned by now."""
    return tuple(code for code, is_earned in MEDALS.items() if is_earned(career))

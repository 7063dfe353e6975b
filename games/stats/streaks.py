"""Streaks: what went well so many times in a row, and how often at most.

They depend on the order of games: it is the order in which games were counted.
"""

from collections.abc import Iterable
from typing import NamedTuple, Self

from games.stats.facts import Facts
from games.stats.survival import longest_survival


class Run(NamedTuple):
    """How many times in a row up to now, and the most ever."""

    now: int = 0
    best: int = 0

    def after(self, flags: Iterable[bool]) -> "Run":
        """Return the run after more occasions."""
        now, best = self
        for flag in flags:
            now = now + 1 if flag else 0
            best = max(best, now)
        return Run(now, best)


class Streaks(NamedTuple):
    """A player's streaks: wins, podiums, right dudos, and rounds survived with one die.

    ``one_die`` has only a best: it ends with its game.
    """

    wins: Run = Run()
    podiums: Run = Run()
    dudos: Run = Run()
    one_die: int = 0

    def after(self, facts: Facts) -> Self:
        """Return the streaks after one more game."""
        wins, podiums = self.wins, self.podiums
        if facts.result is not None:
            wins = wins.after([facts.result.place == 1])
            podiums = podiums.after([is_podium(facts.result.place, facts.seats)])
        return self._replace(
            wins=wins,
            podiums=podiums,
            dudos=self.dudos.after(call.is_right for call in facts.dudos),
            one_die=max(self.one_die, longest_survival(facts)),
        )

    def to_json(self) -> dict[str, list[int]]:
        """Return the streaks as JSON values."""
        return {
            "wins": list(self.wins),
            "podiums": list(self.podiums),
            "dudos": list(self.dudos),
            "one_die": [self.one_die],
        }

    @classmethod
    def from_json(cls, data: dict[str, list[int]]) -> Self:
        """Read what :meth:`to_json` wrote; nothing is no streak."""
        if not data:
            return cls()
        wins, podiums, dudos = (Run(*data[key]) for key in ("wins", "podiums", "dudos"))
        return cls(wins, podiums, dudos, data["one_die"][0])


def is_podium(place: int, seats: int) -> bool:
    """Return whether a place is one of the first three, and not the last."""
    return place <= min(3, seats - 1)

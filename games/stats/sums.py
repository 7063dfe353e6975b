"""Sums that can be added: what a game says of a player, in whole numbers.

A :class:`Part` is a sum and the number of occasions that it is of. Whole numbers add up to the same
in whatever order, so what is kept up game by game is to the last digit what a recount gives.

>>> total([{"bluff": Part(1, 4)}, {"bluff": Part(0, 3)}, {"win": Part(1, 1)}])
{'bluff': Part(value=1, of=7), 'win': Part(value=1, of=1)}
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

SCALE = 1_000_000
"""One, in sums of what is no whole number: chances and means are kept in millionths."""


class Part(NamedTuple):
    """A sum and how many occasions it is of."""

    value: int
    of: int

    def __add__(self, other: object) -> "Part":
        """Return both together."""
        if not isinstance(other, Part):
            return NotImplemented
        return Part(self.value + other.value, self.of + other.of)


Sums = Mapping[str, Part]
"""Parts by the code of what they are of; what is missing is nothing of nothing."""

NOTHING = Part(0, 0)


def scaled(number: float) -> int:
    """Return ``number`` in millionths, rounded once."""
    return round(number * SCALE)


def count_of(flags: Iterable[bool]) -> Part:
    """Return how many of the flags are up, of how many."""
    seen = list(flags)
    return Part(sum(seen), len(seen))


def sum_of(numbers: Iterable[float]) -> Part:
    """Return the sum of numbers in millionths, and how many they are."""
    seen = [scaled(number) for number in numbers]
    return Part(sum(seen), len(seen))


def total(many: Iterable[Sums]) -> dict[str, Part]:
    """Return all of them added; parts of nothing are left out."""
    found: dict[str, Part] = {}
    for sums in many:
        for code, part in sums.items():
            found[code] = found.get(code, NOTHING) + part
    return {code: part for code, part in found.items() if part != NOTHING}


def to_json(sums: Sums) -> dict[str, list[int]]:
    """Return sums as JSON values, in the order of their codes."""
    return {code: list(sums[code]) for code in sorted(sums)}


def from_json(data: Mapping[str, Iterable[int]]) -> dict[str, Part]:
    """Read what :func:`to_json` wrote."""
    return {code: Part(*values) for code, values in data.items()}

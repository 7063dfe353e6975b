"""A picture for everybody: a die with pips of one's own, made from the name alone.

Nothing is fetched or kept. The pattern is the same on the left and on the right, as pips are; the
colours are numbered, so that a page needs no style of its own.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache

PAIRS = (
    ("#f3d9c4", "#9c3a17"),
    ("#dfe7cf", "#3c5f2e"),
    ("#f4e3b2", "#76560a"),
    ("#d7e2ea", "#2d5470"),
    ("#ecd5dc", "#8a2b4b"),
    ("#9c3a17", "#fbe9d8"),
    ("#2f4f45", "#e3efe4"),
    ("#4a3550", "#f0e2f1"),
)
"""The colours of the die and of its pips: for pictures, and the same as the style sheet's."""

_AT = (22, 50, 78)


@dataclass(frozen=True, slots=True)
class Pip:
    """A pip in a box of 100; the ``bold`` ones are of the second colour."""

    x: int
    y: int
    is_bold: bool


@dataclass(frozen=True, slots=True)
class Avatar:
    """A die: the number of its pair of colours, and its pips."""

    colour: int
    pips: tuple[Pip, ...]

    @property
    def pair(self) -> tuple[str, str]:
        """Return the colours of the die and of its pips."""
        return PAIRS[self.colour]


@lru_cache(maxsize=1024)
def avatar(name: str) -> Avatar:
    """Return the die of a name: the same today and tomorrow, on every machine."""
    digest = hashlib.sha256(name.encode()).digest()
    bits = int.from_bytes(digest[1:4], "big")
    pips = []
    for place in range(6):  # the left column and the middle one; the right mirrors the left
        column, row = divmod(place, 3)
        two = bits >> 2 * place & 3
        if two:
            sides = (0, 2) if column == 0 else (1,)
            pips += [Pip(_AT[side], _AT[row], two == 3) for side in sides]
    return Avatar(digest[0] % len(PAIRS), tuple(pips) or (Pip(50, 50, True),))

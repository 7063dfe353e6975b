"""Bids, their notation and their total order (docs/rules.md R-20 to R-29)."""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from games.rules.errors import RuleViolation

ACE = 1
"""The wild face. It is wild in a normal round and an ordinary face in a palifico round."""

FACES = (1, 2, 3, 4, 5, 6)

MAX_QUANTITY = 9_999
"""The largest quantity the notation can say: far above any table, small enough to store."""

_NOTATION = re.compile(r"([1-9][0-9]{0,3})x([1-6])", re.ASCII)


class Mode(StrEnum):
    """The kind of a round. It is fixed when the round is created and never derived later."""

    NORMAL = "normal"
    PALIFICO = "palifico"


@dataclass(frozen=True, slots=True)
class Bid:
    """Claim that at least ``quantity`` dice show ``face`` (1 is the ace).

    :raises RuleViolation: ``bid.unreadable`` when the two numbers cannot be a bid at all.
    """

    quantity: int
    face: int

    def __post_init__(self) -> None:
        quantity, face = self.quantity, self.face
        if (
            type(quantity) is not int
            or type(face) is not int
            or not 1 <= quantity <= MAX_QUANTITY
            or not 1 <= face <= 6
        ):
            raise RuleViolation("bid.unreadable", most=MAX_QUANTITY)

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the notation ``4x5``; judging the bid is somebody else's job.

        :raises RuleViolation: ``bid.unreadable``.
        """
        match = _NOTATION.fullmatch(text.strip())
        if match is None:
            raise RuleViolation("bid.unreadable", most=MAX_QUANTITY)
        return cls(int(match[1]), int(match[2]))

    def rank(self, mode: Mode = Mode.NORMAL) -> int:
        """Return the place of this bid in the total order of ``mode``.

        In a normal round q aces stand just below 2q + 1 dice of any number and just above 2q
        sixes: one number says both "half, rounded up" and "double plus one" (R-24, R-25).
        """
        if self.face == ACE and mode is Mode.NORMAL:
            return 20 * self.quantity + 11
        return 10 * self.quantity + self.face

"""What closing a round brought: all of it public, all of it final."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, Self

from games.rules.bid import Bid, Mode
from games.rules.state import Cup


class OutcomeKind(StrEnum):
    """What closed the round."""

    DUDO = "dudo"
    CALZA = "calza"
    RESIGN = "resign"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class LiftedCup:
    """A cup that the rules lifted, and how many of its dice count for the bid."""

    seat: int
    dice: Cup
    matching: int


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """How a round ended, and how the next one begins.

    ``lifted`` is in the order of lifting; with an early stop it is only the prefix that proved the
    bid, and ``count`` is what that prefix shows. ``held`` says that the bid was met (dudo) or exact
    (calza). After a resignation or a forfeit nothing is judged or lifted: ``out`` is who left, a
    ``loser`` who let his time run out.
    """

    kind: OutcomeKind
    caller: int
    bid: Bid | None
    bidder: int | None
    lifted: tuple[LiftedCup, ...]
    count: int | None
    held: bool | None
    loser: int | None
    gainer: int | None
    out: int | None
    next_opener: int | None
    next_mode: Mode | None
    winner: int | None

    def to_dict(self) -> dict[str, object]:
        """Return the outcome as JSON values, bids in their notation."""
        return {
            "kind": str(self.kind),
            "caller": self.caller,
            "bid": None if self.bid is None else str(self.bid),
            "bidder": self.bidder,
            "lifted": [
                {"seat": cup.seat, "dice": list(cup.dice), "matching": cup.matching}
                for cup in self.lifted
            ],
            "count": self.count,
            "held": self.held,
            "loser": self.loser,
            "gainer": self.gainer,
            "out": self.out,
            "next_opener": self.next_opener,
            "next_mode": None if self.next_mode is None else str(self.next_mode),
            "winner": self.winner,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read what :meth:`to_dict` wrote (the project's own rows: trusted, not validated).

        Other keys, such as those of a log entry, are passed over.
        """
        values = {item.name: data[item.name] for item in fields(cls)}
        values["kind"] = OutcomeKind(data["kind"])
        values["bid"] = None if data["bid"] is None else Bid.parse(data["bid"])
        values["lifted"] = tuple(
            LiftedCup(cup["seat"], tuple(cup["dice"]), cup["matching"]) for cup in data["lifted"]
        )
        values["next_mode"] = None if data["next_mode"] is None else Mode(data["next_mode"])
        return cls(**values)

"""What an order is: parts that are tried in turn, each an act and the conditions it waits for.

All values are frozen, and ``str`` writes each of them in the one canonical form that
:func:`games.orders.parse` reads back (docs/orders.md).
"""

from dataclasses import dataclass
from enum import StrEnum

from games.orders.errors import OrderError
from games.rules.bid import Bid

MOST_CHARACTERS = 300
MOST_CLAUSES = 12
MOST_RUNGS = 12
MOST_CONDITIONS = 4


class Relation(StrEnum):
    """How the standing bid, its quantity or a chance stands to what the player named."""

    BELOW = "below"
    FROM = "from"
    ABOVE = "above"
    ON = "on"


class ChanceOf(StrEnum):
    """What a chance is the chance of: that the bid holds, or that it is exact."""

    HOLDS = "holds"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class StandingBid:
    """Hold when the standing bid is so related to ``bid`` in the total order of the round."""

    relation: Relation
    bid: Bid

    def __str__(self) -> str:
        return f"{self.relation} {self.bid}"


@dataclass(frozen=True, slots=True)
class Quantity:
    """Hold when the standing bid names so many dice; of ``face`` alone, or of any (None)."""

    relation: Relation
    quantity: int
    face: int | None = None

    def __post_init__(self) -> None:
        Bid(self.quantity, 1 if self.face is None else self.face)  # the same numbers, or refused

    def __str__(self) -> str:
        counted = f"{self.relation} {self.quantity}"
        return counted if self.face is None else f"on {self.face}s {counted}"


@dataclass(frozen=True, slots=True)
class Chance:
    """Hold when the chance of the standing bid, to own dice, is below or above ``percent``.

    :raises OrderError: ``order.percent``; a chance is below, from or above 1 to 99 percent.
    """

    relation: Relation
    percent: int
    of: ChanceOf = ChanceOf.HOLDS

    def __post_init__(self) -> None:
        if self.relation is Relation.ON or not 1 <= self.percent <= 99:
            raise OrderError("order.percent", word=f"{self.percent}%", position=1)

    def __str__(self) -> str:
        return f"{self.of} {self.relation} {self.percent}%"


@dataclass(frozen=True, slots=True)
class Opening:
    """Hold when there is no bid yet. Every other condition needs a bid to speak of."""

    def __str__(self) -> str:
        return "opening"


Condition = StandingBid | Quantity | Chance | Opening


class Call(StrEnum):
    """The acts that name no bid."""

    DUDO = "dudo"
    CALZA = "calza"
    LEAST = "least"
    ASK = "ask"


@dataclass(frozen=True, slots=True)
class Rungs:
    """Bid the first of ``bids`` that is a legal raise; when all are passed, do nothing here.

    :raises OrderError: ``order.too-many-rungs``.
    """

    bids: tuple[Bid, ...]

    def __post_init__(self) -> None:
        if not self.bids:
            raise ValueError("a ladder has a rung")
        if len(self.bids) > MOST_RUNGS:
            raise OrderError("order.too-many-rungs", most=MOST_RUNGS)

    def __str__(self) -> str:
        return f"bid {', '.join(map(str, self.bids))}"


@dataclass(frozen=True, slots=True)
class AtLeast:
    """Bid the face of ``bid``: as many dice as it names, or the least that is legal above."""

    bid: Bid

    def __str__(self) -> str:
        return f"bid at least {self.bid}"


Act = Rungs | AtLeast | Call


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of an order: ``act`` is what to do when all ``conditions`` hold.

    :raises OrderError: ``order.too-many-conditions``.
    """

    act: Act
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        if len(self.conditions) > MOST_CONDITIONS:
            raise OrderError("order.too-many-conditions", most=MOST_CONDITIONS)

    def __str__(self) -> str:
        if not self.conditions:
            return str(self.act)
        joint = " " if isinstance(self.act, Call) else " if "
        usual = usual_chance(self.act)
        said = [
            str(each).removeprefix(f"{usual} ") if isinstance(each, Chance) else str(each)
            for each in self.conditions
        ]
        return f"{self.act}{joint}{' and '.join(said)}"


@dataclass(frozen=True, slots=True)
class Order:
    """A policy for one seat and one round: the first clause that applies acts, else ``fallback``.

    :raises OrderError: ``order.too-many-clauses``, or ``order.too-long`` when it could not be
        written within the limit.
    """

    clauses: tuple[Clause, ...] = ()
    fallback: Act = Call.ASK

    def __post_init__(self) -> None:
        if len(self.clauses) > MOST_CLAUSES:
            raise OrderError("order.too-many-clauses", most=MOST_CLAUSES)
        if len(str(self)) > MOST_CHARACTERS:
            raise OrderError("order.too-long", most=MOST_CHARACTERS)

    def __str__(self) -> str:
        return "; ".join([*map(str, self.clauses), f"else {self.fallback}"])

    def act_of(self, clause: int | None) -> Act:
        """Return the act of the clause of that number, None being the fallback."""
        return self.fallback if clause is None else self.clauses[clause].act


def usual_chance(act: Act) -> ChanceOf:
    """Return which chance a bare percentage means: calza asks for an exact bid, all else not."""
    return ChanceOf.EXACT if act is Call.CALZA else ChanceOf.HOLDS

"""An order taken apart into codes and values, for whoever puts it into sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from games.orders.order import (
    Act,
    AtLeast,
    Call,
    Chance,
    Condition,
    Opening,
    Order,
    Quantity,
    Relation,
    Rungs,
    StandingBid,
)
from games.rules.bid import Bid

Value = int | Bid | tuple[Bid, ...]

PHRASES = frozenset(
    {
        "act.bid",
        "act.ladder",
        "act.at-least",
        *(f"act.{call}" for call in Call),
        "if.opening",
        *(f"if.bid-{relation}" for relation in Relation),
        *(f"if.quantity-{relation}" for relation in Relation),
        *(f"if.face-{relation}" for relation in Relation),
        *(f"if.holds-{relation}" for relation in Relation if relation is not Relation.ON),
        *(f"if.exact-{relation}" for relation in Relation if relation is not Relation.ON),
    }
)
"""Every code that a :class:`Phrase` may have."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """One act or one condition: its code and the values that its sentence is filled with.

    ``bid`` is a bid, ``bids`` a tuple of them, ``quantity``, ``face`` and ``percent`` are numbers.
    """

    code: str
    values: Mapping[str, Value] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Explained:
    """One clause: what is done, and the conditions that must all hold; none for the fallback."""

    act: Phrase
    conditions: tuple[Phrase, ...] = ()


def explain(order: Order) -> tuple[Explained, ...]:
    """Return the clauses of ``order`` in the order they are tried, and its fallback as the last."""
    clauses = [
        Explained(_act(clause.act), tuple([_condition(each) for each in clause.conditions]))
        for clause in order.clauses
    ]
    return (*clauses, Explained(_act(order.fallback)))


def _act(act: Act) -> Phrase:
    match act:
        case Rungs((bid,)):
            return _phrase("act.bid", bid=bid)
        case Rungs(bids):
            return _phrase("act.ladder", bids=bids)
        case AtLeast(bid):
            return _phrase("act.at-least", bid=bid)
        case call:
            return _phrase(f"act.{call}")


def _condition(condition: Condition) -> Phrase:
    match condition:
        case Opening():
            return _phrase("if.opening")
        case StandingBid(relation, bid):
            return _phrase(f"if.bid-{relation}", bid=bid)
        case Quantity(relation, quantity, face):
            if face is None:
                return _phrase(f"if.quantity-{relation}", quantity=quantity)
            return _phrase(f"if.face-{relation}", quantity=quantity, face=face)
        case Chance(relation, percent, of):
            return _phrase(f"if.{of}-{relation}", percent=percent)


def _phrase(code: str, **values: Value) -> Phrase:
    return Phrase(code, MappingProxyType(values))

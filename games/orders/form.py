"""The choices of a plain form, and the order that they write.

The form has no meaning of its own: its choices are turned into the same order that the grammar
reads, and an order that has the form's shape is turned back to fill the form again.
"""

from dataclasses import dataclass

from games.orders.order import (
    Call,
    Chance,
    ChanceOf,
    Clause,
    Condition,
    Order,
    Quantity,
    Relation,
    Rungs,
    StandingBid,
)
from games.rules.bid import Bid


@dataclass(frozen=True, slots=True)
class Choices:
    """What a player filled in; what he left out is None or empty.

    They are tried in this order: calza on one bid, calza from a chance of being exact, ask from so
    many dice of anything, dudo below a chance, the ladder, and at last ``otherwise``.
    """

    calza_on: Bid | None = None
    calza_from: int | None = None
    ask_from: int | None = None
    dudo_below: int | None = None
    ladder: tuple[Bid, ...] = ()
    otherwise: Call = Call.ASK


def compose(choices: Choices) -> Order:
    """Return the order that a form's choices write.

    :raises OrderError: a percentage, the number of rungs or the length is out of its range.
    :raises RuleViolation: ``bid.unreadable`` when a number of dice is out of its range.
    """
    wanted: list[tuple[Call, Condition | None]] = [
        (
            Call.CALZA,
            None if choices.calza_on is None else StandingBid(Relation.ON, choices.calza_on),
        ),
        (
            Call.CALZA,
            None
            if choices.calza_from is None
            else Chance(Relation.FROM, choices.calza_from, ChanceOf.EXACT),
        ),
        (
            Call.ASK,
            None if choices.ask_from is None else Quantity(Relation.FROM, choices.ask_from),
        ),
        (
            Call.DUDO,
            None if choices.dudo_below is None else Chance(Relation.BELOW, choices.dudo_below),
        ),
    ]
    clauses = [Clause(call, (condition,)) for call, condition in wanted if condition is not None]
    if choices.ladder:
        clauses.append(Clause(Rungs(choices.ladder)))
    return Order(tuple(clauses), choices.otherwise)


def choices_of(order: Order) -> Choices | None:
    """Return the choices that write exactly ``order``, or None when no form says it."""
    found: dict[str, Bid | int | tuple[Bid, ...]] = {}
    for clause in order.clauses:
        match clause:
            case Clause(Call.CALZA, (StandingBid(Relation.ON, bid),)):
                found["calza_on"] = bid
            case Clause(Call.CALZA, (Chance(Relation.FROM, percent, ChanceOf.EXACT),)):
                found["calza_from"] = percent
            case Clause(Call.ASK, (Quantity(Relation.FROM, quantity, None),)):
                found["ask_from"] = quantity
            case Clause(Call.DUDO, (Chance(Relation.BELOW, percent, ChanceOf.HOLDS),)):
                found["dudo_below"] = percent
            case Clause(Rungs(bids), ()):
                found["ladder"] = bids
            case _:
                return None
    if not isinstance(order.fallback, Call):
        return None
    choices = Choices(**found, otherwise=order.fallback)  # type: ignore[arg-type]  # keyed above
    return choices if compose(choices) == order else None

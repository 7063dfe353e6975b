"""What an order does, from what its own seat sees and nothing else.

The clauses are tried in their order. The first whose conditions all hold acts, with one exception:
a ladder of which every rung is passed by the standing bid has nothing to say, and the next clause
is tried. What the rules refuse is never played and never replaced by another clause: then the
player is asked, and told why.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from games.orders.order import (
    Act,
    AtLeast,
    Call,
    Chance,
    ChanceOf,
    Condition,
    Opening,
    Order,
    Quantity,
    Relation,
    Rungs,
    StandingBid,
)
from games.orders.seen import facing, public_state, seat_of
from games.rules.bid import Bid
from games.rules.errors import RuleViolation
from games.rules.legal import why_not
from games.rules.odds import chance_exact_for, chance_for
from games.rules.state import Calza, Dudo, MakeBid, Phase
from games.rules.view import TableView

ASKED = "order.ask"
NOTHING_LEFT = "order.nothing-left"
NO_RAISE = "order.no-raise"
ASK_CODES = frozenset({ASKED, NOTHING_LEFT, NO_RAISE})
"""Why an order asks, beside the refusals of ``games.rules``: the player said so, no rung is left
and nothing else applies, or the table's cap leaves no raise at all."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Leave the turn to the player. ``code`` is one of :data:`ASK_CODES` or a rule's refusal."""

    code: str
    refusal: RuleViolation | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """What an order does, and the number of the clause that says so (None: the fallback)."""

    action: MakeBid | Dudo | Calza | Ask
    clause: int | None


def decide(view: TableView, order: Order) -> Decision:
    """Return what ``order`` does for the viewer, whose turn it is: a legal move, or to ask him.

    :raises ValueError: it is not the viewer's turn to bid or call.
    """
    seat = seat_of(view)
    if view.phase is not Phase.BID or view.to_act != seat:
        raise ValueError("an order acts only on its own turn; see calza_claim")
    for number, clause in enumerate(order.clauses):
        if all(holds(view, condition) for condition in clause.conditions):
            action = _act(view, seat, clause.act)
            if action is not None:
                return Decision(action, number)
    return Decision(_act(view, seat, order.fallback) or Ask(NOTHING_LEFT), None)


def calza_claim(view: TableView, order: Order) -> bool:
    """Say whether ``order`` calls the bid that has just landed exact, in turn or out of turn.

    It does where the rules let the viewer call now and the order, were it his turn, would call
    calza by a clause with a condition. A bare ``calza`` waits for his turn: it does not name the
    bid it is for.
    """
    if not view.may_calza or view.standing is None:
        return False
    decision = decide(facing(view, view.standing.bid), order)
    return (
        isinstance(decision.action, Calza)
        and decision.clause is not None
        and bool(order.clauses[decision.clause].conditions)
    )


def first_claim(orders: Iterable[tuple[TableView, Order]]) -> int | None:
    """Return the seat whose order is heard of those that call the standing bid exact (R-58).

    ``orders`` are those of one position, each with the view of its own seat. The nearest to the
    left of the bidder is heard; None when no order calls.
    """
    heard: tuple[int, int] | None = None
    for view, order in orders:
        if view.standing is not None and calza_claim(view, order):
            seat = seat_of(view)
            claim = ((seat - view.standing.seat) % len(view.seats), seat)
            heard = claim if heard is None else min(heard, claim)
    return None if heard is None else heard[1]


def holds(view: TableView, condition: Condition) -> bool:
    """Say whether a condition holds in the viewer's position."""
    if view.standing is None:
        return isinstance(condition, Opening)
    bid = view.standing.bid
    match condition:
        case Opening():
            return False
        case StandingBid(relation, named):
            return _compares(relation, bid.rank(view.mode), named.rank(view.mode))
        case Quantity(relation, quantity, face):
            return face in (None, bid.face) and _compares(relation, bid.quantity, quantity)
        case Chance(relation, percent, of):
            chance = chance_for if of is ChanceOf.HOLDS else chance_exact_for
            return _compares(relation, chance(view, bid), percent / 100)


def _compares(relation: Relation, value: float, limit: float) -> bool:
    match relation:
        case Relation.BELOW:
            return value < limit
        case Relation.FROM:
            return value >= limit
        case Relation.ABOVE:
            return value > limit
        case Relation.ON:
            return value == limit


def _act(view: TableView, seat: int, act: Act) -> MakeBid | Dudo | Calza | Ask | None:
    """Return what an act comes to, or None for a ladder that is used up."""
    match act:
        case Rungs(bids):
            return _next_rung(view, seat, bids)
        case AtLeast(bid):
            legal = [each.quantity for each in view.least_raises if each.face == bid.face]
            return _tried(view, MakeBid(seat, Bid(max([bid.quantity, *legal]), bid.face)))
        case Call.LEAST:
            return MakeBid(seat, view.least_raises[0]) if view.least_raises else Ask(NO_RAISE)
        case Call.DUDO:
            return _tried(view, Dudo(seat))
        case Call.CALZA:
            return _tried(view, Calza(seat))
        case Call.ASK:
            return Ask(ASKED)


def _tried(view: TableView, move: MakeBid | Dudo | Calza) -> MakeBid | Dudo | Calza | Ask:
    """Return ``move``, or what the rules have against it."""
    refusal = why_not(public_state(view), move)
    return move if refusal is None else Ask(refusal.code, refusal)


def _next_rung(
    view: TableView, seat: int, bids: Iterable[Bid]
) -> MakeBid | Dudo | Calza | Ask | None:
    """Return the first legal rung; else why the first one above the standing bid is refused."""
    standing = view.standing
    tried = [
        _tried(view, MakeBid(seat, bid))
        for bid in bids
        if standing is None or bid.rank(view.mode) > standing.bid.rank(view.mode)
    ]
    return next((each for each in tried if not isinstance(each, Ask)), tried[0] if tried else None)

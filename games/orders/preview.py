"""What an order would do on each bid that can come to its seat, before it is given.

Nothing is judged here: each row is what :func:`games.orders.decide` says about the position with
that bid standing, and neighbours with the same answer share a row.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from games.orders.decide import Ask, Decision, calza_claim, decide
from games.orders.order import Act, AtLeast, Call, Order, Rungs
from games.orders.reach import Reach, reach
from games.orders.seen import facing, landed, public_state, seat_of
from games.rules.bid import Bid
from games.rules.legal import why_not
from games.rules.odds import chance_exact_for, chance_for
from games.rules.state import Calza, Dudo, MakeBid
from games.rules.view import TableView

WARNINGS = frozenset(
    {"order.unreachable", "order.calza-refused", "order.rung-illegal", "order.rung-unused"}
)


Shown = MakeBid | Dudo | Calza | Ask | Call | AtLeast
"""What a row can say; of the calls only ``Call.LEAST`` is one."""


@dataclass(frozen=True, slots=True)
class Row:
    """What the order does on the bids from ``first`` to ``last`` that can come to the seat.

    ``first`` and ``last`` are None when the seat opens the round. ``bids`` is how many they are:
    those between that cannot come are not counted. ``action`` is what :func:`decide` returns, but
    for a raise that is another one over each bid: then it is the act, ``Call.LEAST`` or an
    ``AtLeast`` whose bid is passed. ``held`` and ``exact`` are the lowest and the highest chance,
    to own dice, that one of these bids holds, and is exact.
    """

    first: Bid | None
    last: Bid | None
    bids: int
    action: Shown
    clause: int | None
    held: tuple[float, float] | None = None
    exact: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class OrderWarning:
    """Something in the order that its player may not have meant, by a code of :data:`WARNINGS`.

    ``order.unreachable``: the clause decides on no bid that can come. ``order.calza-refused``: the
    rules allow no calza here; ``refusal`` is their code. ``order.rung-illegal``: ``bid`` is a legal
    raise over no bid that can come. ``order.rung-unused``: it is, but another is always played.
    ``clause`` is None for the fallback.
    """

    code: str
    clause: int | None
    bid: Bid | None = None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Preview:
    """The rows by rank of bid, the bids that are called exact out of turn, and the warnings."""

    rows: tuple[Row, ...]
    claims: tuple[Row, ...]
    warnings: tuple[OrderWarning, ...]


def preview(view: TableView, order: Order, *, up_to: int | None = None) -> Preview:
    """Return what ``order`` would do on every bid of at most ``up_to`` dice that can come.

    ``up_to`` is the view's ceiling when it is left out. It need not be the viewer's turn.

    :raises ValueError: the viewer has no dice in this round, or it is not being bid.
    """
    decided: dict[Bid | None, Decision] = {}

    def answer(bid: Bid | None) -> Bid | None:
        decided[bid] = decide(facing(view, bid), order)
        action = decided[bid].action
        return action.bid if isinstance(action, MakeBid) else None

    reached = reach(view, answer, up_to=view.bid_ceiling if up_to is None else up_to)
    answers = [(bid, decided[bid]) for bid in reached.faced]
    claims = list(_claims(view, order, reached.out_of_turn))
    return Preview(
        rows=tuple(_rows(view, order, answers)),
        claims=tuple(_rows(view, order, claims)),
        warnings=tuple(_warnings(view, order, reached, [*answers, *claims])),
    )


_Answer = tuple[Bid | None, Decision]
_Answers = Sequence[_Answer]


def _claims(view: TableView, order: Order, bids: Iterable[Bid]) -> Iterator[_Answer]:
    for bid in bids:
        if calza_claim(landed(view, bid), order):
            yield bid, decide(facing(view, bid), order)


def _rows(view: TableView, order: Order, answers: _Answers) -> Iterator[Row]:
    def shown(answer: _Answer) -> tuple[object, ...]:
        bid, decision = answer
        return bid is None, _shown(order.act_of(decision.clause), decision), decision.clause

    for _, group in groupby(answers, shown):
        found = list(group)
        bid, decision = found[0]
        row = Row(
            first=bid,
            last=found[-1][0],
            bids=0 if bid is None else len(found),
            action=_shown(order.act_of(decision.clause), decision),
            clause=decision.clause,
        )
        bids = [bid for bid, _ in found if bid is not None]
        if bids:
            held = [chance_for(view, bid) for bid in bids]
            exact = [chance_exact_for(view, bid) for bid in bids]
            row = replace(row, held=(min(held), max(held)), exact=(min(exact), max(exact)))
        yield row


def _shown(act: Act, decision: Decision) -> Shown:
    """Return what a row says: a raise that is another one over each bid is not spelled out."""
    if isinstance(decision.action, MakeBid) and (
        act is Call.LEAST or (isinstance(act, AtLeast) and decision.action.bid != act.bid)
    ):
        return act
    return decision.action


def _warnings(
    view: TableView, order: Order, reached: Reach, answers: _Answers
) -> Iterator[OrderWarning]:
    used = {decision.clause for _, decision in answers}
    played = {
        (decision.clause, decision.action.bid)
        for _, decision in answers
        if isinstance(decision.action, MakeBid)
    }
    legal = _legal_somewhere(view, order, reached.faced)
    no_calza = _why_never_calza(view, reached)
    for clause in (*range(len(order.clauses)), None):
        act = order.act_of(clause)
        if act is Call.CALZA and no_calza:
            yield OrderWarning("order.calza-refused", clause, refusal=no_calza)
        elif clause is not None and clause not in used:
            yield OrderWarning("order.unreachable", clause)
        elif isinstance(act, Rungs):
            for bid in act.bids:
                if bid not in legal:
                    yield OrderWarning("order.rung-illegal", clause, bid)
                elif clause in used and (clause, bid) not in played:
                    yield OrderWarning("order.rung-unused", clause, bid)


def _legal_somewhere(view: TableView, order: Order, faced: Iterable[Bid | None]) -> set[Bid]:
    """Return those rungs of ``order`` that are a legal raise over a bid that can come."""
    acts = [*(clause.act for clause in order.clauses), order.fallback]
    rungs = {bid for act in acts if isinstance(act, Rungs) for bid in act.bids}
    seat = seat_of(view)
    legal: set[Bid] = set()
    for state in [public_state(facing(view, bid)) for bid in faced]:
        legal |= {rung for rung in rungs - legal if why_not(state, MakeBid(seat, rung)) is None}
    return legal


def _why_never_calza(view: TableView, reached: Reach) -> str:
    """Return the code with which the rules refuse every calza of this seat here, or nothing.

    What decides it, the toggles, the mode of the round and the seats in, is the same for all bids.
    """
    for bid in reached.in_turn[:1]:
        refusal = why_not(public_state(facing(view, bid)), Calza(seat_of(view)))
        return "" if refusal is None else refusal.code
    return ""

"""Which bids can come to a seat in this round, when it plays by an order.

First the bids that the seats before it can make, each raising the one before; then, for as long as
that adds any, those they can make over what the order itself would bid. Bids are looked at up to a
quantity: of larger ones there are 60,000, and nobody means them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from games.orders.seen import public_state, right_of, seat_of, with_bid
from games.rules.bid import Bid
from games.rules.legal import legal_raises, may_change_face
from games.rules.state import Phase, PlacedBid, seats_from
from games.rules.view import TableView

MOST_DICE = 100
"""No table has so many dice; a larger bound on quantities is cut to it."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The bids that can come to a seat on its turn, and those that can land while it is not.

    Both are ordered by rank. ``opens`` says that the seat is to open the round itself.
    """

    opens: bool
    in_turn: tuple[Bid, ...]
    out_of_turn: tuple[Bid, ...]

    @property
    def faced(self) -> tuple[Bid | None, ...]:
        """Return what the seat may have to answer; None is its own opening."""
        return (None, *self.in_turn) if self.opens else self.in_turn


def reach(view: TableView, answers: Callable[[Bid | None], Bid | None], *, up_to: int) -> Reach:
    """Return the bids of at most ``up_to`` dice that can reach the viewer in this round.

    ``answers`` is what he bids over a bid, None for a call or no move at all; its argument None is
    his opening. The bid that stands now counts whatever its quantity.

    :raises ValueError: the viewer has no dice in this round, or it is not being bid.
    """
    return _Reaching(view, min(up_to, MOST_DICE)).by(answers)


class _Reaching:
    """The round as everybody sees it, and the seats between the viewer's turns."""

    def __init__(self, view: TableView, up_to: int) -> None:
        self.seat = seat_of(view)
        if view.phase is not Phase.BID:
            raise ValueError("an order is looked at while the round is being bid")
        self.view = view
        self.up_to = up_to
        self.state = public_state(view)
        self.others = list(seats_from(self.state.seats, self.seat))[1:]
        self.out_of_turn: set[Bid] = set()
        self._raises: dict[tuple[Bid | None, bool], frozenset[Bid]] = {}

    def by(self, answers: Callable[[Bid | None], Bid | None]) -> Reach:
        """Let bids come round until none is new."""
        standing = self.view.standing
        if standing is not None and self.seat not in (standing.seat, self.state.round.to_act):
            self.out_of_turn.add(standing.bid)
        before = self._seats_before()
        bid = None if standing is None else standing.bid
        if before or bid is not None:
            opens, fresh = False, self._passed_on([bid], before)
        else:
            opens, fresh = True, self._passed_on(_bids([answers(None)]), self.others)
        in_turn: set[Bid] = set()
        while fresh:
            in_turn |= fresh
            fresh = self._passed_on(_bids(map(answers, fresh)), self.others) - in_turn
        return Reach(opens, self._ordered(in_turn), self._ordered(self.out_of_turn))

    def _seats_before(self) -> list[int]:
        """Return the seats that act before the viewer's next turn."""
        to_act = self.state.round.to_act
        return [] if to_act == self.seat else self.others[self.others.index(to_act) :]

    def _passed_on(self, bids: Iterable[Bid | None], seats: Iterable[int]) -> set[Bid]:
        """Return what can have become of ``bids`` when each of ``seats`` has raised."""
        reached = set(bids)
        for seat in seats:
            raised: set[Bid] = set().union(*[self._raises_of(bid, seat) for bid in reached])
            if seat != self.others[-1]:  # after that one it is the viewer's turn
                self.out_of_turn |= raised
            reached = {*raised}
        return _bids(reached)

    def _raises_of(self, bid: Bid | None, seat: int) -> frozenset[Bid]:
        placed = None if bid is None else PlacedBid(right_of(self.state, seat), bid)
        state = with_bid(self.state, placed, to_act=seat)
        key = (bid, may_change_face(state, seat))
        if key not in self._raises:
            self._raises[key] = frozenset(legal_raises(state, seat, up_to=self.up_to))
        return self._raises[key]

    def _ordered(self, bids: set[Bid]) -> tuple[Bid, ...]:
        return tuple(sorted(bids, key=lambda bid: bid.rank(self.view.mode)))


def _bids(found: Iterable[Bid | None]) -> set[Bid]:
    return {bid for bid in found if bid is not None}

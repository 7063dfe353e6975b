"""What is on the table for everybody, rebuilt from one seat's view to ask the rules about it.

The rules judge a ``GameState``. A view holds all of it but the dice of others, and no judgement
that an order needs looks at dice: so the one engine answers here too, and nothing is written twice.
"""

from dataclasses import replace

from games.rules.bid import Bid
from games.rules.state import GameState, PlacedBid, RoundState, SeatState, seats_from
from games.rules.view import TableView, view_for


def public_state(view: TableView) -> GameState:
    """Return the position that ``view`` shows, without any dice."""
    return GameState(
        rules=view.rules,
        seats=tuple([SeatState(seat.remembered, place=seat.place) for seat in view.seats]),
        round=RoundState(
            number=view.round_number,
            mode=view.mode,
            opener=view.opener,
            to_act=view.opener if view.to_act is None else view.to_act,
            bids=view.bids,
        ),
        phase=view.phase,
    )


def with_bid(state: GameState, placed: PlacedBid | None, *, to_act: int) -> GameState:
    """Return the same round with ``placed`` standing alone and ``to_act`` to answer it."""
    bids = () if placed is None else (placed,)
    return replace(state, round=replace(state.round, bids=bids, to_act=to_act))


def facing(view: TableView, bid: Bid | None) -> TableView:
    """Return what the viewer will see when ``bid`` comes to him; None is his own opening.

    The bid is taken to be the one of the seat on his right: nothing that an order reads depends on
    who made it. Earlier bids are left out for the same reason.

    :raises ValueError: the viewer has no dice in this round.
    """
    seat = seat_of(view)
    state = public_state(view)
    placed = None if bid is None else PlacedBid(right_of(state, seat), bid)
    return replace(
        view_for(with_bid(state, placed, to_act=seat), seat),
        own_dice=view.own_dice,
    )


def seat_of(view: TableView) -> int:
    """Return the viewer's seat.

    :raises ValueError: the viewer has no dice in this round.
    """
    if view.viewer is None or view.own_dice is None or not view.own_dice:
        raise ValueError("an order belongs to a seat that has dice in this round")
    return view.viewer


def right_of(state: GameState, seat: int) -> int:
    """Return the seat that bids before ``seat``."""
    return list(seats_from(state.seats, seat))[-1]


def landed(view: TableView, bid: Bid) -> TableView:
    """Return what the viewer sees when the seat on his left has just made ``bid``.

    With more than two seats in this is out of turn.

    :raises ValueError: the viewer has no dice in this round.
    """
    seat = seat_of(view)
    state = public_state(view)
    bidder, *others = [*seats_from(state.seats, seat)][1:]
    out_of_turn = with_bid(state, PlacedBid(bidder, bid), to_act=[*others, seat][0])
    return replace(view_for(out_of_turn, seat), own_dice=view.own_dice)

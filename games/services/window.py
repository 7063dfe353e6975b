"""The time for calza: where a table keeps one, what follows a bid waits while it can be called.

It opens with a bid that somebody beside the next player may call exact, and ends two waking hours
later for the last of all who may, or as soon as all of them have spoken: the next player, whose
call comes before any other, by his move. Until then nothing follows: what the players do is kept as
orders, which nobody else sees, and the calls are weighed at the end (docs/rules.md R-52). Nothing
here writes; :mod:`games.services.moves` plays.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta

from games import orders, rules, timing
from games.models import Game, Seat

LENGTH = timedelta(hours=2)
"""How much of his waking time everybody has for his call."""


def ends_at(
    game: Game, seats: list[Seat], state: rules.GameState, *, now: datetime
) -> datetime | None:
    """Return until when the bid that stands since ``now`` is collected calls on, None if not."""
    if state.rules.calza.window is not rules.CalzaWindow.GRACE:
        return None
    awaited = list(_awaited(game, seats, state, now=now))
    if all(seat.number == state.round.to_act for seat in awaited):
        return None  # the next player may call on his turn, as always
    return max(timing.waking_hours(seat).add(now, LENGTH) for seat in awaited)


def is_waiting(game: Game, seats: list[Seat], state: rules.GameState, *, now: datetime) -> bool:
    """Return whether somebody has not said yet what he thinks of the bid."""
    return any(True for _ in _awaited(game, seats, state, now=now))


def holds(game: Game, action: rules.Move) -> bool:
    """Return whether a move has to wait until the time for calza is over.

    The next player sits nearest to the left of the bidder: his calza is heard before any other.
    """
    if game.calza_until is None or isinstance(action, rules.Resign):
        return False
    return not (isinstance(action, rules.Calza) and action.seat == game.to_act)


def as_order(game: Game, action: rules.Move) -> str:
    """Return a move as the order that makes it: of a bid, no other; of a call, on this bid alone.

    :raises ValueError: no order makes such a move.
    """
    match action:
        case rules.MakeBid(_, bid):
            said = f"bid {bid}"
        case rules.Dudo():
            said = "dudo"
        case rules.Calza():
            said = f"calza on {game.bid_quantity}x{game.bid_face}"
        case rules.Resign():
            raise ValueError("nobody leaves a game by an order")
    return str(orders.parse(said))


def _awaited(
    game: Game, seats: list[Seat], state: rules.GameState, *, now: datetime
) -> Iterator[Seat]:
    """Yield the seats that may call and have not spoken; the next player speaks by a move, too.

    Nobody waits for who is away, as announced or not, nor for bots, which call on their turn alone.
    """
    current = game.current_round
    spoken = set(current.calza_passes or ()) if current is not None else set()
    for seat in seats:
        if seat.number in spoken or seat.user_id is None or _has_moved(game, seat):
            continue
        if seat.is_absent or timing.is_away(game, seat, now=now):
            continue
        if rules.may_calza(state, seat.number):
            yield seat


def _has_moved(game: Game, seat: Seat) -> bool:
    """Return whether the next player has made the move that follows the calls."""
    order = seat.order if seat.number == game.to_act else None
    return order is not None and order.seen_version == game.version and bool(order.fires_at)

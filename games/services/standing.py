"""Standing orders against the rows: which one counts, what it says, and when it acts.

Nothing here writes. :mod:`games.services.moves` plays what an order decides, as any move.
"""

import secrets
from datetime import datetime, timedelta
from functools import lru_cache

from games import orders, rules, store, timing
from games.models import Game, Order, Seat
from games.selectors.orders import past_answers


def order_of(game: Game, seat: Seat) -> Order | None:
    """Return the order that counts for a seat of a locked game: one left in the open round."""
    current, order = game.current_round, seat.order
    if current is None or not current.is_rolled or order is None:
        return None
    return order if order.round_number == current.number else None


def is_pending(game: Game, seat: Seat) -> bool:
    """Return whether the seat to move has an order that has not asked its player in this turn."""
    order = order_of(game, seat)
    return order is not None and not has_asked(game, order)


def has_asked(game: Game, order: Order) -> bool:
    """Return whether an order has left this turn to its player."""
    return order.seen_version == game.version and order.fires_at is None


def decide(view: rules.TableView, order: Order) -> rules.Move | None:
    """Return what an order does for the seat of ``view``, which is to move; None: it asks."""
    policy = _read(order.text)
    action = None if policy is None else orders.decide(view, policy).action
    return None if isinstance(action, orders.Ask) else action


def first_call(game: Game, seats: list[Seat]) -> rules.Calza | None:
    """Return the calza of the order that is heard, of those that call the standing bid exact.

    Each order is asked on the view of its own seat. Without one that could call, no die is read.
    """
    found = [(seat, _caller(game, seat)) for seat in seats if seat.number != game.bid_seat]
    callers = [(seat, policy) for seat, policy in found if policy is not None]
    if game.bid_seat is None or not callers or not store.ruleset_of(game).calza.enabled:
        return None
    state = store.load_state(game, seats, with_dice=True)
    views = [(rules.view_for(state, seat.number), policy) for seat, policy in callers]
    heard = orders.first_claim(views)
    return None if heard is None else rules.Calza(heard)


def fires_at(game: Game, seat: Seat, order: Order, *, now: datetime) -> datetime:
    """Return when an order acts that is looked at for the first time in a turn.

    The delay is drawn from the player's past answers. All is reckoned in his waking time: a move
    in the middle of his night would tell everybody that he did not make it himself.
    """
    if not order.waits or seat.user_id is None or game.turn_deadline_at is None:
        return now
    awake = timing.waking_hours(seat)
    answers = [awake.between(start, end) for start, end in past_answers(seat.user_id)]
    wait = orders.delay(
        [answer.total_seconds() for answer in answers],
        luck=secrets.randbelow(10**9) / 10**9,
        time_left=awake.between(now, game.turn_deadline_at).total_seconds(),
    )
    return awake.add(now, timedelta(seconds=wait))


def moved_at(game: Game, seat: Seat, *, by: datetime) -> datetime | None:
    """Return when the seat to move has moved, if its move waits for no more than others' calls."""
    order = order_of(game, seat)
    if order is None or order.seen_version != game.version or order.fires_at is None:
        return None
    return order.fires_at if order.fires_at <= by else None


def made_at(game: Game, order: Order, *, now: datetime) -> datetime:
    """Return when the move of an order counts as made: when it was due, however late the sweep."""
    if game.turn_started_at is None or game.turn_deadline_at is None:
        raise ValueError(f"nobody is to move in game {game.pk}")
    seen = order.fires_at if order.seen_version == game.version else None
    due = seen or max(game.turn_started_at, order.made_at)
    return min(now, due, game.turn_deadline_at)


def _caller(game: Game, seat: Seat) -> orders.Order | None:
    """Return the order of a seat that has dice, if it could call a bid exact as it lands."""
    order = order_of(game, seat) if seat.dice else None
    policy = None if order is None else _read(order.text)
    if policy is None:
        return None
    calls = [each for each in policy.clauses if each.act is orders.Call.CALZA and each.conditions]
    return policy if calls else None


@lru_cache(maxsize=512)
def _read(text: str) -> orders.Order | None:
    """Return a stored order; one that the grammar of a later release cannot read asks."""
    try:
        return orders.parse(text)
    except orders.OrderError:
        return None

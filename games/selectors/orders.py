"""Standing orders, for the one person who may see each: its owner."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import OuterRef, Subquery

from games import orders, queries, store
from games.models import Event, Game, GameStatus, Order, Round, Seat
from games.rules import TableView, view_for
from games.selectors.own import own_events
from games.selectors.values import seat_infos
from games.selectors.visible import Viewer

MOST_ANSWERS = 50
"""So many of a player's answers tell how long he takes."""


@dataclass(frozen=True, slots=True)
class OwnOrder:
    """The viewer's order for the open round. ``has_asked`` says that it left this turn to him."""

    text: str
    waits: bool
    has_asked: bool


@dataclass(frozen=True, slots=True)
class OrderPage:
    """What a player needs to leave an order: his view of the round, and the order that he has."""

    code: str
    name: str
    view: TableView
    names: tuple[str, ...]
    is_my_turn: bool
    own: OwnOrder | None

    def preview(self, order: orders.Order) -> orders.Preview:
        """Return what ``order`` would do on each bid that can come."""
        return orders.preview(self.view, order)


def order_page(game: Game, viewer: Viewer) -> OrderPage | None:
    """Return the viewer's page, or None where no order can be left: no dice, or none rolled yet."""
    around = queries.around_table(game, viewer.user_id)
    rows = around.seats
    current = game.current_round
    me = next((seat for seat in rows if seat.user_id == viewer.user_id), None)
    is_under_way = game.status == GameStatus.ACTIVE and current is not None and current.is_rolled
    if current is None or not is_under_way or me is None or not me.dice:
        return None
    state = store.load_state(game, rows, bids=around.bids, cup_of=me.number)
    infos = seat_infos(rows, viewer_id=viewer.user_id, host_id=game.host_id)
    return OrderPage(
        code=game.code,
        name=game.name,
        view=view_for(state, me.number),
        names=tuple(seat.name for seat in infos),
        is_my_turn=game.to_act == me.number,
        own=own_order(game, current, me),
    )


def own_order(game: Game, current: Round | None, seat: Seat | None) -> OwnOrder | None:
    """Return the order of the viewer's own seat, if one counts in the open round."""
    order = None if seat is None else seat.order
    if order is None or current is None or order.round_number != current.number:
        return None
    seen = order.seen_version == game.version
    return OwnOrder(order.text, order.waits, has_asked=seen and order.fires_at is None)


def past_answers(user_id: int) -> tuple[tuple[datetime, datetime], ...]:
    """Return when a player's newest answers became his to give, and when he gave them.

    Those of the clock are not his, and a calza may have been out of turn.
    """
    before = Event.objects.filter(game=OuterRef("game"), seq=OuterRef("seq") - 1)
    own = (
        own_events(user_id)
        .filter(kind__in=("bid", "dudo"), is_auto=False)
        .annotate(asked_at=Subquery(before.values("made_at")[:1]))
    )
    newest = own.order_by("-made_at", "-pk")[:MOST_ANSWERS]
    return tuple(newest.values_list("asked_at", "made_at"))


def orders_of(user_id: int) -> list[dict[str, object]]:
    """Return the orders that ``user_id`` has left and that still stand, for himself."""
    rows = Order.objects.filter(seat__user_id=user_id).select_related("seat__game")
    return [
        {
            "game": row.seat.game.code,
            "round": row.round_number,
            "order": row.text,
            "waits": row.waits,
            "left_at": row.made_at.isoformat(),
        }
        for row in rows.order_by("pk")
    ]

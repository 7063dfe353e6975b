"""When the sweep has something to do for the seat whose clock runs: its order acts, or time is up.

Everything here changes a locked game.
"""

from datetime import datetime, timedelta

from games.models import Game, Order, Seat
from games.services import notices, standing

GRACE = timedelta(seconds=30)
"""How long the clock waits after a deadline for moves that arrived in time."""


def put_off(game: Game, order: Order, *, until: datetime) -> None:
    """Let the order of the seat to move act later in this turn."""
    _note(game, order, fires_at=until)
    game.wake_at = until
    game.save(update_fields=["wake_at"])


def ask(game: Game, seat: Seat, order: Order, *, now: datetime, is_there: bool) -> None:
    """Let an order leave this turn to its player.

    :param is_there: whether he is just looking, and needs no mail.
    """
    _note(game, order, fires_at=None)
    leave_to_player(game, seat, now=now, is_there=is_there)


def leave_to_player(game: Game, seat: Seat, *, now: datetime, is_there: bool) -> None:
    """Let the sweep wait for the player whose clock runs, and tell him what he was not told."""
    game.wake_at = wake_for(game, seat, now=now)
    game.save(update_fields=["wake_at"])
    if (deadline := game.turn_deadline_at) is not None:
        notices.save(
            notices.turn_left_to_player(game, seat, now=now, deadline=deadline, is_there=is_there)
        )


def wake_for(game: Game, seat: Seat, *, now: datetime) -> datetime:
    """Return when the sweep has something to do for the seat whose clock runs.

    That is when its time is up, or before that when its order is to be looked at, or acts.
    """
    if game.turn_deadline_at is None:
        raise ValueError(f"the clock of game {game.pk} does not run")
    order = standing.order_of(game, seat)
    if order is None or standing.has_asked(game, order):
        return game.turn_deadline_at + GRACE
    return order.fires_at if order.fires_at and order.seen_version == game.version else now


def _note(game: Game, order: Order, *, fires_at: datetime | None) -> None:
    order.seen_version, order.fires_at = game.version, fires_at
    order.save(update_fields=["seen_version", "fires_at"])

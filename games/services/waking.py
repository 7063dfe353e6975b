"""When the sweep has something to do for the seat whose clock runs: its order acts, or time is up.

Everything here changes a locked game.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.models import Game, Order, Seat
from games.services import attendance, notices, standing

GRACE = timedelta(seconds=30)
"""How long the clock waits after a deadline for moves that arrived in time."""


def put_off(game: Game, order: Order, *, until: datetime) -> None:
    """Let the order of the seat to move act later in this turn."""
    _note(game, order, fires_at=until)
    game.wake_at = no_later(game, game.calza_until or until)
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

    That is when its time is up, or before that when its order is to be looked at, or acts. While
    calls of calza are collected nothing else happens.
    """
    if game.turn_deadline_at is None:
        raise ValueError(f"the clock of game {game.pk} does not run")
    order = standing.order_of(game, seat)
    if order is not None and order.seen_version != game.version:
        return no_later(game, now)
    fires_at = None if order is None else order.fires_at
    at = game.calza_until or fires_at or game.turn_deadline_at + GRACE
    return no_later(game, at)


def wake_of(game: Game, seats: Sequence[Seat], *, now: datetime) -> datetime:
    """Return when the sweep has something to do in the turn that a rolled round has come to."""
    if game.to_act is None or game.turn_deadline_at is None:
        raise ValueError(f"nobody is to move in game {game.pk}")
    if game.running_since is None:
        return no_later(game, game.turn_deadline_at)
    return wake_for(game, seats[game.to_act], now=now)


def is_early(game: Game, seats: Sequence[Seat], *, now: datetime) -> bool:
    """Return whether nothing is due yet, and let the sweep wait for what is.

    It may have been going to retire a seat whose player has come back.
    """
    due = wake_of(game, seats, now=now)
    if due != game.wake_at:
        game.wake_at = due
        game.save(update_fields=["wake_at"])
    return due > now


def no_later(game: Game, at: datetime) -> datetime:
    """Return ``at``, or the moment before it at which a seat is to be retired."""
    retirements = [attendance.retires_at(seat) for seat in game.around]
    return min([at, *(due + GRACE for due in retirements if due is not None)])


def _note(game: Game, order: Order, *, fires_at: datetime | None) -> None:
    order.seen_version, order.fires_at = game.version, fires_at
    order.save(update_fields=["seen_version", "fires_at"])

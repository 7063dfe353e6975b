"""When a person goes for good."""

from datetime import datetime

from django.db import transaction

from games import rules
from games.models import GameStatus, Seat
from games.services import commit, lobby, moves


@transaction.atomic
def leave_everything(*, user_id: int, now: datetime) -> None:
    """Give up every seat of an account that closes, and forget the name it sat under.

    A waiting room is left (the host's is cancelled), a running game is resigned by its rule, and
    a finished one keeps the seat without saying whose it was.
    """
    seats = Seat.objects.filter(user_id=user_id).select_related("game").order_by("game_id")
    for seat in seats:
        if seat.game.status == GameStatus.OPEN:
            lobby.leave(game_id=seat.game_id, user_id=user_id, now=now)
        elif seat.game.status == GameStatus.ACTIVE and seat.dice:
            game, rows = moves.lock(seat.game_id)
            commit.advance(game, rows, rules.Resign(seat.number), commit.Entry(now))
    Seat.objects.filter(user_id=user_id).update(name="", is_absent=False)

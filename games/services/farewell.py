"""When a person goes for good."""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games.models import Game, GameStatus, Seat
from games.services import lobby, moves, ratings, takeovers

_LIVE = (GameStatus.OPEN, GameStatus.ACTIVE)


@transaction.atomic
def leave_everything(*, user_id: int, now: datetime) -> None:
    """Give up every seat of an account that closes; forget its name and what it called its games.

    A waiting room is left (the host's is cancelled), a running game is resigned by its rule, and
    a finished one keeps the seat without saying whose it was. A seat that he was to take over is
    free again, and one that he held once keeps its rounds and place.
    """
    ratings.hold([user_id])
    held = Q(user_id=user_id) | Q(heir_id=user_id)
    live = Seat.objects.filter(held, game__status__in=_LIVE).order_by("game_id")
    for game_id in list(live.values_list("game_id", flat=True)):
        game, seats = moves.lock(game_id)  # first: a waiting room may become a game meanwhile
        is_in = any(seat.user_id == user_id and seat.dice for seat in seats)
        if game.status == GameStatus.OPEN:
            lobby.leave(game_id=game_id, user_id=user_id, now=now)
        elif game.status == GameStatus.ACTIVE and is_in:
            moves.resign(game_id=game_id, user_id=user_id, now=now)
        elif any(seat.heir_id == user_id for seat in seats):
            takeovers.withdraw(game_id=game_id, user_id=user_id)
    Seat.objects.filter(user_id=user_id).update(name="", is_absent=False)
    # Usually it is "Alice’s game": what it is called then is its code.
    Game.objects.filter(host_id=user_id).update(name="")

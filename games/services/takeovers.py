"""Taking over a seat that nobody holds any more, and thinking better of it before one begins."""

from datetime import datetime

from django.db import transaction

from games.models import Game, GameStatus, Seat, Tenure
from games.services import attendance, commit, conduct, hours, places
from games.services.errors import SeatRefusal
from games.services.lobby import Player
from games.services.moves import lock


@transaction.atomic
def take_over(*, game_id: int, seat_id: int, player: Player, now: datetime) -> None:
    """Promise a retired seat to ``player``: he holds it from the next roll on.

    Until then it plays by itself and he sees no dice: those of this round were rolled for
    somebody else. Asked twice, it is promised once.

    :param seat_id: the row, which stays the same whoever sits on it.
    :raises SeatRefusal: somebody was quicker, he sits or sat in this game, or it is over.
    :raises LobbyRefusal: he may take no seat now, or none at this table, as in a waiting room.
    """
    own = conduct.ensure(player.user_id)
    game, seats = lock(game_id)
    seat = next((seat for seat in seats if seat.pk == seat_id), None)
    if seat is not None and player.user_id in (seat.user_id, seat.heir_id):
        return
    if game.status != GameStatus.ACTIVE:
        raise SeatRefusal("takeover.over")
    if any(player.user_id in (each.user_id, each.heir_id) for each in seats):
        raise SeatRefusal("takeover.seated")
    if Tenure.objects.filter(game=game, user_id=player.user_id).exists():
        raise SeatRefusal("takeover.former")
    if seat is None or not seat.is_free:
        raise SeatRefusal("takeover.taken")
    places.check(own, now=now)
    places.check_gate(own, game)
    hours.ensure(player.user_id)
    stood_still = attendance.abandoned_at(seats) is not None
    _promise(game, seat, player.user_id)
    is_rolled = game.current_round is not None and game.current_round.is_rolled
    if stood_still and is_rolled:  # somebody is there again to play against
        commit.go_on(game, seats, now=now)


@transaction.atomic
def withdraw(*, game_id: int, user_id: int) -> None:
    """Give back a seat that one was to take over; whoever has none promised is left as he is.

    :raises SeatRefusal: the dice have been rolled: he holds it by now.
    """
    game, seats = lock(game_id)
    if any(seat.user_id == user_id for seat in seats):
        raise SeatRefusal("takeover.begun")
    for seat in seats:
        if seat.heir_id == user_id:
            _promise(game, seat, None)


def _promise(game: Game, seat: Seat, user_id: int | None) -> None:
    seat.heir_id = user_id
    seat.save(update_fields=["heir"])
    game.handovers += 1
    game.save(update_fields=["handovers"])

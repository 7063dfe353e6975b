"""Standing orders: a player leaves one for the open round, changes it or takes it back."""

from datetime import datetime
from enum import StrEnum

from django.db import transaction

from games import orders, rules
from games.models import Game, GameStatus, Order, Seat
from games.services import moves, standing, waking
from games.services.errors import StaleMove, TurnExpired


class Left(StrEnum):
    """What became of an order as soon as it was left."""

    STANDS = "stands"
    PLAYED = "played"
    ASKS = "asks"


@transaction.atomic
def leave(
    *, game_id: int, user_id: int, text: str, waits: bool, round_number: int, now: datetime
) -> Left:
    """Leave ``text`` for the open round, in place of an earlier order, and let it act if it can.

    :param waits: whether it acts after a delay drawn from the player's own past answers.
    :param round_number: the round that the player saw: with other dice he would say another thing.
    :raises OrderError: the text is no order.
    :raises StaleMove: another round has begun.
    :raises TurnExpired: it is the player's turn, and his time is up.
    :raises RuleViolation: there is no such seat with dice in a round that is rolled.
    """
    policy = orders.parse(text)
    game, seats = moves.lock(game_id)
    seat = _seat_with_dice(game, seats, user_id)
    if game.current_round is None or game.current_round.number != round_number:
        raise StaleMove(game.version)
    deadline = game.turn_deadline_at
    if game.to_act == seat.number and deadline is not None and now > deadline:
        raise TurnExpired(game.version)
    order = Order(
        seat_id=seat.pk, round_number=round_number, text=str(policy), waits=waits, made_at=now
    )
    moves.keep_order(seat, order)
    answered = game.version
    moves.let_order_act(game, seats, seat, now=now)
    if game.version != answered:
        return Left.PLAYED
    asks = game.to_act == seat.number and standing.has_asked(game, order)
    return Left.ASKS if asks else Left.STANDS


@transaction.atomic
def cancel(*, game_id: int, user_id: int, now: datetime) -> None:
    """Take an order back, if there is one: from now on its player answers himself."""
    game, seats = moves.lock(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None or seat.order is None:
        return
    moves.drop_order(seat)
    # A seat whose clock does not run has its turn played in a moment, order or none.
    if game.to_act == seat.number and game.running_since is not None:
        waking.leave_to_player(game, seat, now=now, is_there=True)


def _seat_with_dice(game: Game, seats: list[Seat], user_id: int) -> Seat:
    """Return the player's seat.

    :raises RuleViolation: no order can be left for it.
    """
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None:
        raise rules.RuleViolation("seat.unknown")
    if game.status != GameStatus.ACTIVE or game.current_round is None:
        raise rules.RuleViolation("game.over")
    if not seat.dice:
        raise rules.RuleViolation("seat.out")
    if not game.current_round.is_rolled:
        raise rules.RuleViolation("round.not-rolled")
    return seat

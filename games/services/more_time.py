"""More time for a turn, and less patience with it: extensions, gifts, nudges.

Each names the deadline that its author saw. Sent twice, it finds that deadline moved and does
nothing more: nobody spends two extensions with a double click.
"""

from datetime import datetime

from django.db import transaction

from games import clock, timing
from games.clock import ClockRefusal
from games.models import Game, OutboxKind, Seat
from games.services import notices, retiming
from games.services.errors import StaleMove
from games.services.moves import lock


@transaction.atomic
def take_extension(*, game_id: int, user_id: int, deadline: datetime, now: datetime) -> None:
    """Give oneself 24 hours more for the turn that runs, from the two tokens of a game.

    :param deadline: the one that the player saw.
    :raises ClockRefusal: it is not his turn, it has run out, or there is no token left.
    :raises StaleMove: the deadline is another by now.
    """
    game, seat, on_turn = _turn(game_id, user_id, deadline)
    _refuse(clock.why_not_now(is_in=True, runs=seat is on_turn))
    _refuse(clock.why_not_token(used=seat.tokens_used))
    _extend(game, seat, now=now)
    seat.tokens_used += 1
    seat.token_turns = [*seat.token_turns, game.version]
    seat.save(update_fields=["tokens_used", "token_turns"])


@transaction.atomic
def give(*, game_id: int, user_id: int, deadline: datetime, now: datetime) -> None:
    """Give the player to move 24 hours more for this turn, once a game to each opponent.

    :param deadline: the one that the giver saw.
    :raises ClockRefusal: nobody's clock runs, he gave already, or it is his own turn.
    :raises StaleMove: the deadline is another by now.
    """
    game, seat, on_turn = _turn(game_id, user_id, deadline)
    refusal = clock.why_not_gift(giver=seat.number, to=on_turn.number, given_to=seat.gave_to)
    _refuse(refusal)
    _extend(game, on_turn, now=now)
    seat.gave_to = [*seat.gave_to, on_turn.number]
    seat.save(update_fields=["gave_to"])


@transaction.atomic
def nudge(*, game_id: int, user_id: int, deadline: datetime, now: datetime) -> None:
    """Write one mail to the player to move, who has used half of his time for the turn.

    :param deadline: the one that the other player saw.
    :raises ClockRefusal: it is too early, too soon again, or his own turn.
    :raises StaleMove: the deadline is another by now.
    """
    game, seat, on_turn = _turn(game_id, user_id, deadline)
    left = timing.remaining_of_turn(game, on_turn, now=now)
    refusal = clock.why_not_nudge(
        by=seat.number,
        to=on_turn.number,
        left_of_turn=left,
        length=timing.length_of_turn(game),
        nudged_at=on_turn.nudged_at,
        now=now,
    )
    _refuse(refusal)
    on_turn.nudged_at = now
    on_turn.save(update_fields=["nudged_at"])
    fresh = notices.tell(OutboxKind.NUDGE, game, [on_turn], now=now)
    for each in fresh:
        each.dedupe = f"{each.dedupe}:{now.timestamp():.0f}"
    notices.save(fresh)


def _turn(game_id: int, user_id: int, deadline: datetime) -> tuple[Game, Seat, Seat]:
    """Lock a game; return it, the seat of who asks, who is still in it, and the seat on the clock.

    :raises ClockRefusal: he is out of it, or no clock runs.
    :raises StaleMove: the deadline is another by now.
    """
    game, seats = lock(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id and seat.dice), None)
    on_turn = retiming.on_clock(game, seats)
    _refuse(clock.why_not_now(is_in=seat is not None, runs=on_turn is not None))
    if seat is None or on_turn is None or game.turn_deadline_at != deadline:
        raise StaleMove(game.version)
    return game, seat, on_turn


def _extend(game: Game, seat: Seat, *, now: datetime) -> None:
    def longer() -> None:
        timing.extend(game, seat, by=clock.TOKEN_TIME, now=now)

    retiming.change(game, seat, longer, now=now)


def _refuse(refusal: ClockRefusal | None) -> None:
    if refusal is not None:
        raise refusal

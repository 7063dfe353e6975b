"""Whether a move may be made: on the position that its player saw, in his time, by the rules."""

from datetime import datetime

from django.db import transaction

from games import queries, rules, store
from games.models import Game, GameStatus, Seat
from games.services.errors import StaleMove, TurnExpired


@transaction.atomic
def check(
    *, game_id: int, action: rules.Move, expected_version: int, at: datetime
) -> datetime | None:
    """Refuse a move that arrived at ``at`` as it would be if it were played, and play nothing.

    :returns: when the time of whoever is to move ends; None where no time is set.
    :raises StaleMove: the game moved on after the player looked.
    :raises TurnExpired: it arrived after the deadline.
    :raises RuleViolation: the rules refuse it.
    """
    game, seats = queries.lock_game(game_id)
    refuse_late(game, seats, action, expected_version=expected_version, at=at)
    refuse_illegal(game, seats, action)
    return game.turn_deadline_at


def has_moved_on(game: Game, *, expected_version: int) -> bool:
    """Return whether a position is gone."""
    return game.version != expected_version or game.status != GameStatus.ACTIVE


def refuse_late(
    game: Game, seats: list[Seat], action: rules.Move, *, expected_version: int, at: datetime
) -> None:
    """Refuse a move on a position, or in a time, that is gone.

    :raises StaleMove: the game moved on after the player looked, or his seat has been retired.
    :raises TurnExpired: it arrived after the deadline.
    """
    is_retired = any(seat.number == action.seat and seat.retired_at is not None for seat in seats)
    if has_moved_on(game, expected_version=expected_version) or is_retired:
        raise StaleMove(game.version)
    late = game.turn_deadline_at is not None and at > game.turn_deadline_at
    if late and action.seat == game.to_act and not isinstance(action, rules.Resign):
        raise TurnExpired(game.version)


def refuse_illegal(game: Game, seats: list[Seat], action: rules.Move) -> None:
    """Refuse a move that the rules do not allow.

    :raises RuleViolation: it is one.
    """
    refusal = rules.why_not(store.load_state(game, seats), action)
    if refusal is not None:
        raise refusal

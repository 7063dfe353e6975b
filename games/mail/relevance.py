"""Whether a notice is still worth sending. Read when it is sent, not when it was written."""

from datetime import datetime

from games.mail.recipients import Recipient, has_joined
from games.models import (
    Event,
    Game,
    GameStatus,
    Invitation,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    Seat,
)

_LATER_NEWS = (OutboxKind.TURN, OutboxKind.ROUND_OVER, OutboxKind.GAME_OVER)


def is_current(message: OutboxMessage, game: Game, seat: Seat, *, now: datetime) -> bool:
    """Return whether a notice to a player says something that he does not know better by now."""
    match OutboxKind(message.kind):
        case OutboxKind.TURN:
            return _may_answer(message, game, seat, now=now)
        case OutboxKind.REMINDER:
            # A deadline that moved has brought a reminder of its own.
            started = game.turn_started_at
            is_newest = started is not None and message.created_at >= started
            return is_newest and _may_answer(message, game, seat, now=now)
        case OutboxKind.STARTED | OutboxKind.ROUND_OVER:
            return game.status == GameStatus.ACTIVE and not _knows_more(message, seat)
        case OutboxKind.ABSENT:
            return game.status == GameStatus.ACTIVE and seat.is_absent and seat.dice > 0
        case OutboxKind.GAME_OVER:
            return game.status == GameStatus.FINISHED
        case OutboxKind.CANCELLED:
            return game.status == GameStatus.CANCELLED
        case OutboxKind.INVITATION:
            return False  # an invitation is for somebody who has no seat


def is_open_to(guest: Recipient, game: Game, invitation: Invitation, *, now: datetime) -> bool:
    """Return whether an invited person can still follow the link, and has a reason to."""
    return (
        game.status == GameStatus.OPEN
        and invitation.invited_by is not None
        and now < invitation.expires_at
        and not has_joined(game, guest)
    )


def _may_answer(message: OutboxMessage, game: Game, seat: Seat, *, now: datetime) -> bool:
    return (
        game.status == GameStatus.ACTIVE
        and game.version == message.version
        and game.to_act == seat.number
        and not seat.is_absent
        and game.turn_deadline_at is not None
        and now < game.turn_deadline_at
    )


def _knows_more(message: OutboxMessage, seat: Seat) -> bool:
    """Return whether the player has moved since, or a newer mail tells him this too."""
    moved = Event.objects.filter(
        game_id=message.game_id, seat=seat.number, is_auto=False, seq__gt=message.version
    )
    newer = OutboxMessage.objects.filter(
        seat=seat,
        kind__in=_LATER_NEWS,
        version__gt=message.version,
        status__in=(OutboxStatus.PENDING, OutboxStatus.SENT),
    )
    return moved.exists() or newer.exists()

"""Whether a notice is still worth sending. Read when it is sent, not when it was written."""

from datetime import datetime, timedelta

from django.db.models import Q

from games import clock, timing
from games.mail.recipients import Recipient, has_joined
from games.mail.stopping import address_digest
from games.models import (
    Channel,
    Event,
    Game,
    GameStatus,
    Invitation,
    Order,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    Seat,
    StoppedAddress,
)

JUST_NOW = timedelta(minutes=1)
"""Whoever looked at his very turn within this needs no mail that it has come."""

_STANDS = frozenset({"played", "held", "ordered"})
"""What became of a mail whose player is told that it counts: it may have been taken back since."""

_LATER_NEWS = (OutboxKind.TURN, OutboxKind.ROUND_OVER, OutboxKind.GAME_OVER)


def is_current(message: OutboxMessage, game: Game, seat: Seat, *, now: datetime) -> bool:
    """Return whether a notice to a player says something that he does not know better by now."""
    match OutboxKind(message.kind):
        case OutboxKind.TURN:
            sees_it = _has_looked(message, seat, since=now - JUST_NOW)
            return not sees_it and _may_answer(message, game, seat, now=now)
        case OutboxKind.NUDGE:
            return _may_answer(message, game, seat, now=now)
        case OutboxKind.VOTE:
            return _may_vote(game, seat, now=now)
        case OutboxKind.REMINDER:
            return _may_answer(message, game, seat, now=now) and _may_remind(
                message, game, seat, now=now
            )
        case OutboxKind.STARTED | OutboxKind.ROUND_OVER:
            return game.status == GameStatus.ACTIVE and not _knows_more(message, seat)
        case OutboxKind.ABSENT:
            return game.status == GameStatus.ACTIVE and seat.is_absent and seat.dice > 0
        case OutboxKind.RETIRED | OutboxKind.TOO_LATE:
            return True
        case OutboxKind.VACANT:
            return any(each.is_free for each in game.seats.all()) and seat.dice > 0
        case OutboxKind.GAME_OVER:
            return game.status == GameStatus.FINISHED
        case OutboxKind.CANCELLED:
            return game.status == GameStatus.CANCELLED
        case OutboxKind.CUP:
            return _has_cup(message, game, seat)
        case OutboxKind.ACK:
            return message.inbound is not None and message.inbound.outcome in _STANDS
        case OutboxKind.REFUSAL | OutboxKind.ANSWER | OutboxKind.CONFIRM | OutboxKind.WARNING:
            return True  # it says what became of a mail, whatever has happened since
        case OutboxKind.INVITATION | OutboxKind.DIGEST:
            return False  # the one is for somebody who has no seat, the other about no one game


def is_open_to(guest: Recipient, game: Game, invitation: Invitation, *, now: datetime) -> bool:
    """Return whether an invited person can still follow the link, and has a reason to."""
    return (
        game.status == GameStatus.OPEN
        and invitation.invited_by is not None
        and now < invitation.expires_at
        and not has_joined(game, guest)
        and not StoppedAddress.objects.filter(pk=address_digest(guest.address)).exists()
    )


def _has_cup(message: OutboxMessage, game: Game, seat: Seat) -> bool:
    """Return whether the dice that a player asked for still lie under his cup."""
    current = game.current_round
    return (
        game.status == GameStatus.ACTIVE
        and current is not None
        and current.number == message.round_number
        and current.is_rolled
        and seat.dice > 0
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


def _may_remind(message: OutboxMessage, game: Game, seat: Seat, *, now: datetime) -> bool:
    """Return whether a reminder is of the turn's newest deadline, and tells what is not known yet.

    Reminders are planned apart; a relay that was away may find two of them due at once.
    """
    started = game.turn_started_at
    if started is None or message.created_at < started:
        return False
    if _has_moved(message, seat):
        return False
    if message.stage == clock.ReminderKind.HALF and seat.seen_version == message.version:
        return False
    told = OutboxMessage.objects.filter(
        seat=seat, version=message.version, status=OutboxStatus.SENT, channel=Channel.MAIL
    )
    near = Q(kind=OutboxKind.REMINDER, sent_at__gt=now - clock.APART)
    late = Q(kind=OutboxKind.TURN, sent_at__gte=message.due_at)
    return not told.filter(near | late).exists()


def _has_moved(message: OutboxMessage, seat: Seat) -> bool:
    """Return whether the player has left a move that is about to be made in this very turn."""
    left = Order.objects.filter(seat=seat, seen_version=message.version, fires_at__isnull=False)
    return left.exists()


def _has_looked(message: OutboxMessage, seat: Seat, *, since: datetime) -> bool:
    """Return whether the player has looked at this very turn, and not before ``since``."""
    return (
        seat.seen_version == message.version and seat.seen_at is not None and seat.seen_at >= since
    )


def _may_vote(game: Game, seat: Seat, *, now: datetime) -> bool:
    vote = timing.vote_of(game, list(game.seats.all()), now=now)
    return vote is not None and seat.number in vote.silent


def _knows_more(message: OutboxMessage, seat: Seat) -> bool:
    """Return whether the player has moved since, or a newer mail tells him this too."""
    moved = Event.objects.filter(
        game_id=message.game_id, seat=seat.number, is_auto=False, seq__gt=message.version
    )
    newer = OutboxMessage.objects.filter(
        seat=seat,
        kind__in=_LATER_NEWS,
        channel=Channel.MAIL,
        version__gt=message.version,
        status__in=(OutboxStatus.PENDING, OutboxStatus.SENT),
    )
    return moved.exists() or newer.exists()

"""Whether a player wants a notice, and when. Asked when it is sent, not when it was written."""

from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from games.models import Game, Mode, OutboxKind, OutboxMessage, Seat, Wishes

_NEWS_OF_THE_TABLE = (OutboxKind.STARTED, OutboxKind.ROUND_OVER)
"""What the mail of one's next turn tells too."""

TIME_TO_ANSWER = timedelta(hours=1)
"""A digest that comes later than this before the deadline comes too late for that turn."""


class Way(Enum):
    """What becomes of a notice."""

    NOW = auto()
    WITH_DIGEST = auto()
    NOT_AT_ALL = auto()


def wishes_of(seat: Seat) -> Wishes:
    """Return the wishes of the player on ``seat``, whose account was read with them or not."""
    return getattr(seat.user, "wishes", None) or Wishes(user=seat.user)


def way_of(message: OutboxMessage, game: Game, seat: Seat, *, now: datetime) -> Way:
    """Return what the wishes of the player on ``seat`` make of a notice by mail."""
    wishes, kind = wishes_of(seat), OutboxKind(message.kind)
    if seat.mail_fails:
        return Way.NOT_AT_ALL
    if message.inbound_id is not None:
        # It answers a mail of his own. What ended his game he is told in any case.
        is_wanted = wishes.wants(kind) or not seat.dice
        return Way.NOW if is_wanted else Way.NOT_AT_ALL
    if not wishes.wants(kind):
        return Way.NOT_AT_ALL
    if kind is OutboxKind.DIGEST:
        return Way.NOW if wishes.mode == Mode.DIGEST else Way.NOT_AT_ALL
    if seat.is_muted:
        return Way.NOT_AT_ALL
    if wishes.mode == Mode.EACH:
        return Way.NOW
    if kind in _NEWS_OF_THE_TABLE:
        return Way.NOT_AT_ALL
    if kind is not OutboxKind.TURN:
        return Way.NOW
    if wishes.mode == Mode.DIGEST:
        ends = game.turn_deadline_at
        in_time = ends is None or digest_at(seat, after=now) + TIME_TO_ANSWER <= ends
        return Way.WITH_DIGEST if in_time else Way.NOW
    return Way.NOW if _has_returned(wishes) else Way.NOT_AT_ALL


def digest_at(seat: Seat, *, after: datetime) -> datetime:
    """Return the next hour at which the player on ``seat`` wants his digest, in UTC."""
    zone = seat.user.zone if seat.user else UTC
    at = wishes_of(seat).digest_at
    day = after.astimezone(zone).date()
    due = datetime.combine(day, at, zone).astimezone(UTC)
    if due <= after:
        due = datetime.combine(day + timedelta(days=1), at, zone).astimezone(UTC)
    return due


def _has_returned(wishes: Wishes) -> bool:
    """Return whether a player has looked at a turn of his since he was told of one."""
    if wishes.told_at is None:
        return True
    seats = Seat.objects.filter(user_id=wishes.user_id, seen_at__gt=wishes.told_at)
    return seats.exists()

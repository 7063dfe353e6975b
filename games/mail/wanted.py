"""Whether a player wants a notice, and when. Asked when it is sent, not when it was written."""

from datetime import UTC, date, datetime, timedelta
from enum import Enum, auto

from games.models import CAPPED, Game, Mode, OutboxKind, OutboxMessage, Seat, Wishes

_NEWS_OF_THE_TABLE = (OutboxKind.STARTED, OutboxKind.ROUND_OVER)
"""What the mail of one's next turn tells too."""

TIME_TO_ANSWER = timedelta(hours=1)
"""A digest that comes later than this before the deadline comes too late for that turn."""


MOST_A_DAY = 60
"""Mails to one player in a day of his; beyond them his turns come with a digest."""

_SAID_ONCE = (
    OutboxKind.ABSENT,
    OutboxKind.RETIRED,
    OutboxKind.TOO_LATE,
    OutboxKind.GAME_OVER,
    OutboxKind.CANCELLED,
)
"""What no later mail and no digest tells: a game has few of these, so it always goes."""

A_DAY = timedelta(days=1)


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
        is_wanted = wishes.mode == Mode.DIGEST or message.stage == CAPPED
        return Way.NOW if is_wanted else Way.NOT_AT_ALL
    if seat.is_muted:
        return Way.NOT_AT_ALL
    if mails_today(seat, now=now) >= MOST_A_DAY:
        return _beyond(kind, game, now=now)
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


def mails_today(seat: Seat, *, now: datetime) -> int:
    """Return how many mails the player on ``seat`` has got in this day of his."""
    wishes = wishes_of(seat)
    return wishes.mails_sent if wishes.mails_on == day_of(seat, now=now) else 0


def day_of(seat: Seat, *, now: datetime) -> date:
    """Return which day it is where the player on ``seat`` is."""
    return now.astimezone(seat.user.zone if seat.user else UTC).date()


def _beyond(kind: OutboxKind, game: Game, *, now: datetime) -> Way:
    """Return what becomes of a notice to a player who has got his mails of the day."""
    ends = game.turn_deadline_at
    if kind is OutboxKind.REMINDER and ends is not None and ends <= now + A_DAY:
        return Way.NOW
    if kind is OutboxKind.TURN:
        return Way.WITH_DIGEST
    return Way.NOW if kind in _SAID_ONCE else Way.NOT_AT_ALL


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

"""What players want to be told: stored, stopped by a link, and asked when something is sent."""

from collections.abc import Collection
from datetime import datetime, time
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import F

from games.mail.stopping import Stop, StopAddress, StopGame, StopReplies, StopTopic
from games.mail.wanted import Way, day_of, way_of, wishes_of
from games.mail.wanted import digest_at as next_digest
from games.models import (
    CAPPED,
    Game,
    GameStatus,
    Mode,
    OutboxKind,
    OutboxMessage,
    Seat,
    StoppedAddress,
    Topic,
    Wishes,
)
from games.models.ids import new_token
from games.services import tokens

LIVE = (GameStatus.OPEN, GameStatus.ACTIVE)


@transaction.atomic
def choose(
    *,
    user_id: int,
    mode: Mode,
    digest_at: time,
    topics: Collection[Topic],
    muted: Collection[str],
) -> None:
    """Store what a player wants to be told.

    :param topics: those that he wants; the others are stopped.
    :param muted: the codes of the games, of those under way, that he wants no notices about.
    """
    stopped = [topic.value for topic in Topic if topic not in topics]
    _write(user_id, mode=mode, digest_at=digest_at, stopped=stopped)
    mine = Seat.objects.filter(user_id=user_id, game__status__in=LIVE)
    mine.filter(game__code__in=muted).update(is_muted=True)
    mine.exclude(game__code__in=muted).update(is_muted=False)


@transaction.atomic
def stop(what: Stop, *, now: datetime) -> bool:
    """Do what a link in a mail stops; return False if its owner has revoked it, or is gone.

    Done twice, it is the same.
    """
    if isinstance(what, StopAddress):
        StoppedAddress.objects.get_or_create(pk=what.digest, defaults={"stopped_at": now})
        return True
    if not get_user_model().objects.select_for_update().filter(pk=what.user_id).exists():
        return False
    wishes = Wishes.objects.filter(pk=what.user_id).first()
    if what.version != (wishes.links_version if wishes else 0):
        return False
    match what:
        case StopTopic(topic=topic):
            before = wishes.stopped if wishes else []
            _write(what.user_id, stopped=[*before, *({topic.value} - set(before))])
        case StopGame(code=code):
            Seat.objects.filter(user_id=what.user_id, game__code=code).update(is_muted=True)
        case StopReplies(code=code):
            for seat in Seat.objects.filter(user_id=what.user_id, game__code=code):
                tokens.replace(seat, now=now)
                Seat.objects.filter(pk=seat.pk).update(takes_replies=False)
    return True


@transaction.atomic
def choose_replies(*, user_id: int, confirms: bool, holds: bool, by_mail: Collection[str]) -> None:
    """Store how a player plays by mail.

    :param confirms: whether each of his moves by mail waits until he presses a link.
    :param holds: whether each of those that do not waits a little, and may be taken back.
    :param by_mail: the codes of the games, of those under way, that take moves by mail from him.
    """
    _write(user_id, confirms_replies=confirms, holds_replies=holds)
    mine = Seat.objects.filter(user_id=user_id, game__status__in=LIVE)
    mine.filter(game__code__in=by_mail).update(takes_replies=True)
    mine.exclude(game__code__in=by_mail).update(takes_replies=False)


def revoke_links(*, user_id: int) -> None:
    """Make the stop links in all mails that a player has got worth nothing."""
    if not Wishes.objects.filter(pk=user_id).update(links_version=F("links_version") + 1):
        _write(user_id, links_version=1)


def renew_feeds(*, user_id: int) -> None:
    """Give a player's calendar and feed addresses that nobody knows; the old ones are gone."""
    _write(user_id, feed_token=new_token())


def queue_digest(message: OutboxMessage, *, now: datetime) -> None:
    """See to it that a turn that is told with the digest is told at its player's hour."""
    seat = _seat_of(message)
    game = Game.objects.get(pk=message.game_id)
    if seat is not None and way_of(message, game, seat, now=now) is Way.WITH_DIGEST:
        _add_digest(message, seat, now=now)


def note_sent(message: OutboxMessage, *, now: datetime) -> None:
    """Remember what a mail that went out means for those to come.

    It counts for his day, unless it answers one of his own. A player who wanted one mail has got
    it; after a digest there is one on the next day.
    """
    if message.inbound_id is not None or message.user_id is not None:
        return
    seat = _seat_of(message)
    if seat is None or seat.user_id is None:
        return
    _count(seat, user_id=seat.user_id, now=now)
    mode = wishes_of(seat).mode
    if message.kind == OutboxKind.TURN and mode == Mode.AWAY:
        _write(seat.user_id, told_at=now)
    elif message.kind == OutboxKind.DIGEST and mode == Mode.DIGEST:
        _add_digest(message, seat, now=now)


def _count(seat: Seat, *, user_id: int, now: datetime) -> None:
    today = day_of(seat, now=now)
    of_today = Wishes.objects.filter(pk=user_id, mails_on=today)
    if not of_today.update(mails_sent=F("mails_sent") + 1):
        _write(user_id, mails_on=today, mails_sent=1)


def _seat_of(message: OutboxMessage) -> Seat | None:
    seats = Seat.objects.select_related("user__wishes")
    return seats.filter(outboxmessage=message, user__isnull=False).first()


def _add_digest(cause: OutboxMessage, seat: Seat, *, now: datetime) -> None:
    """Write the row of a player's next digest, if there is none: one for all of his games.

    To a player who asked for none it comes once, for the turns that he was not told of.
    """
    due = next_digest(seat, after=now)
    stage = "" if wishes_of(seat).mode == Mode.DIGEST else CAPPED
    row = OutboxMessage(
        dedupe=f"digest:{seat.user_id}:{due.timestamp():.0f}{stage}",
        stage=stage,
        kind=OutboxKind.DIGEST,
        game_id=cause.game_id,
        seat_id=seat.pk,
        version=cause.version,
        due_at=due,
        created_at=now,
    )
    OutboxMessage.objects.bulk_create([row], ignore_conflicts=True)


def _write(user_id: int, **values: Any) -> None:
    Wishes.objects.update_or_create(pk=user_id, defaults=values)

"""Mails of ours that came back, and people who called them spam."""

import hashlib
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db import transaction

from games import clock, timing
from games.mail.stopping import address_digest
from games.models import (
    FaultKind,
    Game,
    GameStatus,
    MailFault,
    ReplyToken,
    Seat,
    StoppedAddress,
    Topic,
    Wishes,
)
from games.replies import Bounce, Severity
from games.services import retiming
from games.services.moves import lock

WEIGHT = {FaultKind.SOFT: 1, FaultKind.HARD: 2, FaultKind.COMPLAINT: 0}
ENOUGH = 4
"""At this score we write no more; a wrong address has it after two mails."""
MEMORY = timedelta(days=30)

_LIVE = (GameStatus.OPEN, GameStatus.ACTIVE)


@transaction.atomic
def note_bounce(token: ReplyToken, bounce: Bounce, *, source: str, now: datetime) -> None:
    """Count a mail that came back to the address that it was sent from (VERP)."""
    if bounce.severity is Severity.NONE or token.user_id is None:
        return
    kind = FaultKind.HARD if bounce.severity is Severity.HARD else FaultKind.SOFT
    _note(token.user_id, kind, address=token.subject, source=source, now=now)


@transaction.atomic
def note_complaint(token: ReplyToken, *, source: str, now: datetime) -> None:
    """Stop everything but account mails to somebody who called one spam. His seats stay his."""
    _complain(token.user_id, address=token.subject, source=source, now=now)


@transaction.atomic
def report(*, address: str, kind: FaultKind, source: str, now: datetime) -> None:
    """Note what a mail provider tells of a mail to ``address``.

    :param source: the provider's own name of this event: one that is told twice counts once.
    """
    people = get_user_model().objects.filter(email=address.strip().lower())
    user_id = people.values_list("pk", flat=True).first()
    digest = address_digest(address)
    if kind is FaultKind.COMPLAINT:
        _complain(user_id, address=digest, source=source, now=now)
    elif user_id is not None:
        _note(user_id, kind, address=digest, source=source, now=now)


@transaction.atomic
def try_again(*, user_id: int) -> None:
    """Write to a player again who says that his mailbox takes mail by now."""
    MailFault.objects.filter(user_id=user_id).exclude(kind=FaultKind.COMPLAINT).delete()
    Seat.objects.filter(user_id=user_id, mail_fails=True).update(mail_fails=False)


def _complain(user_id: int | None, *, address: str, source: str, now: datetime) -> None:
    StoppedAddress.objects.get_or_create(pk=address, defaults={"stopped_at": now})
    if user_id is None:
        return
    _write(user_id, FaultKind.COMPLAINT, address=address, source=source, now=now)
    stopped = [topic.value for topic in Topic]
    Wishes.objects.update_or_create(pk=user_id, defaults={"stopped": stopped})


def _note(user_id: int, kind: FaultKind, *, address: str, source: str, now: datetime) -> None:
    _write(user_id, kind, address=address, source=source, now=now)
    if _score(user_id, address=address, now=now) >= ENOUGH and _is_his(user_id, address):
        _stop(user_id, now=now)


def _write(user_id: int, kind: FaultKind, *, address: str, source: str, now: datetime) -> None:
    name = hashlib.sha256(source.encode()).hexdigest()
    row = MailFault(user_id=user_id, kind=kind, address=address, source=name, made_at=now)
    MailFault.objects.bulk_create([row], ignore_conflicts=True)


def _score(user_id: int, *, address: str, now: datetime) -> int:
    recent = MailFault.objects.filter(
        user_id=user_id, address=address, made_at__gt=now - MEMORY
    ).values_list("kind", flat=True)
    return sum(WEIGHT[FaultKind(kind)] for kind in recent)


def _is_his(user_id: int, address: str) -> bool:
    """Return whether that is still where his mail goes: an old address may bounce as it likes."""
    people = get_user_model().objects.filter(pk=user_id)
    return any(address_digest(email) == address for email in people.values_list("email", flat=True))


def _stop(user_id: int, *, now: datetime) -> None:
    """Write to a player no more, show it at his tables, and give his turn there more time, once."""
    failing = Seat.objects.filter(user_id=user_id, mail_fails=False, game__status__in=_LIVE)
    for seat_id, game_id in list(failing.order_by("game_id").values_list("pk", "game_id")):
        game, seats = lock(game_id)
        seat = Seat.objects.get(pk=seat_id)
        if seat.mail_fails:
            continue
        is_first = seat.mail_failed_at is None
        Seat.objects.filter(pk=seat_id).update(
            mail_fails=True, mail_failed_at=seat.mail_failed_at or now
        )
        on_turn = retiming.on_clock(game, seats)
        if is_first and on_turn is not None and on_turn.pk == seat_id:
            _give_time(game, on_turn, now=now)


def _give_time(game: Game, seat: Seat, *, now: datetime) -> None:
    def longer() -> None:
        timing.extend(game, seat, by=clock.TOKEN_TIME, now=now)

    try:
        retiming.change(game, seat, longer, now=now)
    except clock.ClockRefusal:
        return  # his time is up already: nothing is taken back

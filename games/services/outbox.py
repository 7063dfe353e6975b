"""Delivering the outbox: claim with a lease, send with no transaction open, mark with a fence."""

import logging
import smtplib
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q

from games.mail import render
from games.models import Channel, OutboxKind, OutboxMessage, OutboxStatus
from games.services import fanout, notices, tokens, wishes

logger = logging.getLogger(__name__)

BATCH = 50
LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 12
FIRST_PAUSE = timedelta(seconds=15)
LONGEST_PAUSE = timedelta(hours=6)
"""Pauses grow threefold, so that twelve attempts outlast a day without a willing mail server."""

PAUSE_WITHOUT_SERVER = timedelta(seconds=30)
MOST_FAILURES_IN_A_ROW = 3
"""After as many the fault is the server's, not the mails': the rest of the batch waits."""


class Fate(StrEnum):
    """What became of a claimed row. The first three settle it."""

    SENT = "sent"
    SUPERSEDED = "superseded"
    GIVEN_UP = "given up"
    PUT_OFF = "put off"
    NO_SERVER = "no server"
    RELEASED = "released"
    TAKEN = "taken by another relay"


_SETTLED = (Fate.SENT, Fate.SUPERSEDED, Fate.GIVEN_UP)
_FAILED = (Fate.PUT_OFF, Fate.GIVEN_UP)


class NotAccepted(Exception):
    """The mail backend took no mail and gave no reason."""


def relay(*, now: datetime, limit: int = BATCH) -> int:
    """Send what is due at ``now``, at most ``limit`` mails; return how many rows were settled."""
    return settled(deliver(now=now, limit=limit))


def deliver(*, now: datetime, limit: int = BATCH) -> Counter[Fate]:
    """Send what is due at ``now``, at most ``limit`` mails; return what became of the rows.

    Mails go over one connection. A notice whose turn has passed is marked superseded and not
    sent; a failure is tried again with growing pauses, and given up, loudly, after twelve or when
    the server refuses it for good. Without a server the whole batch waits, and no attempt counts.
    """
    messages = claim(now=now, limit=limit, channel=Channel.MAIL)
    if not messages:
        return Counter()
    # Before the first mail: the other ways do not wait for a mail server.
    fanout.spread(messages, now=now)
    connection = get_connection()
    try:
        return _deliver_all(messages, connection, clock=clock_from(now))
    finally:
        _close(connection)


def settled(fates: Counter[Fate]) -> int:
    """Return how many rows need no further attempt."""
    return sum(fates[fate] for fate in _SETTLED)


def retry_given_up(*, now: datetime) -> int:
    """Make every row that was given up due again; return how many."""
    return OutboxMessage.objects.filter(status=OutboxStatus.DEAD).update(
        status=OutboxStatus.PENDING, due_at=now, attempts=0, lease_until=None
    )


def stuck(*, now: datetime) -> Iterable[OutboxMessage]:
    """Return the rows that a person should look at: given up, failing, or long overdue."""
    failing = Q(status=OutboxStatus.PENDING) & ~Q(last_error="")
    overdue = Q(status=OutboxStatus.PENDING, due_at__lt=now - timedelta(minutes=10))
    return OutboxMessage.objects.filter(Q(status=OutboxStatus.DEAD) | failing | overdue)


@transaction.atomic
def claim(*, now: datetime, limit: int, channel: Channel) -> list[OutboxMessage]:
    """Take due rows of one channel that no other relay holds, and fence them."""
    free = Q(lease_until__isnull=True) | Q(lease_until__lt=now)
    due = list(
        OutboxMessage.objects.select_for_update(skip_locked=True)
        .filter(free, status=OutboxStatus.PENDING, due_at__lte=now, channel=channel)
        .order_by("due_at", "pk")
        .values_list("pk", flat=True)[:limit]
    )
    if not due:
        return []
    claimed = OutboxMessage.objects.filter(pk__in=due)
    claimed.update(lease_until=now + LEASE, fence=F("fence") + 1, attempts=F("attempts") + 1)
    return list(claimed.order_by("due_at", "pk"))


def clock_from(now: datetime) -> Callable[[], datetime]:
    """Return a clock that stood at ``now`` and runs on, for leases that a slow server eats up."""
    started = time.monotonic()
    return lambda: now + timedelta(seconds=time.monotonic() - started)


def _deliver_all(
    messages: Sequence[OutboxMessage],
    connection: BaseEmailBackend,
    *,
    clock: Callable[[], datetime],
) -> Counter[Fate]:
    fates: Counter[Fate] = Counter()
    waiting = deque(messages)
    failures = 0
    while waiting:
        fate = _deliver(waiting.popleft(), connection, now=clock())
        fates[fate] += 1
        failures = failures + 1 if fate in _FAILED else 0
        if fate is Fate.NO_SERVER or failures >= MOST_FAILURES_IN_A_ROW:
            for message in waiting:
                _release(message, "the mail server does not take mail", now=clock())
                fates[Fate.RELEASED] += 1
            break
    return fates


def _deliver(message: OutboxMessage, connection: BaseEmailBackend, *, now: datetime) -> Fate:
    # Still ours? A relay that was asleep finds out before it sends, not after.
    if not mark(message, lease_until=now + LEASE):
        return Fate.TAKEN
    try:
        if message.kind == OutboxKind.TURN:
            notices.plan_reminders(message, now=now)
        mail = render.render(message, now=now)
        if mail is not None:
            tokens.issue(mail.purposes, now=now)
    except Exception as error:  # noqa: BLE001 - recorded in the row, and the rest must go out
        return put_off(message, _reason(error), is_final=_is_final(error), now=now)
    if mail is None:
        if message.kind == OutboxKind.TURN:
            wishes.queue_digest(message, now=now)
        mark(message, status=OutboxStatus.SUPERSEDED, lease_until=None, last_error="")
        return Fate.SUPERSEDED
    try:
        connection.open()
    except OSError as error:  # also what smtplib raises: no server, no greeting, no log-in
        logger.warning("no mail server: %s", _reason(error))
        _release(message, _reason(error), now=now)
        return Fate.NO_SERVER
    try:
        _send(mail, connection)
    except Exception as error:  # noqa: BLE001 - recorded in the row, and the rest must go out
        _close(connection)
        return put_off(message, _reason(error), is_final=_is_final(error), now=now)
    if not mark(message, status=OutboxStatus.SENT, sent_at=now, lease_until=None, last_error=""):
        return Fate.TAKEN
    wishes.note_sent(message, now=now)
    return Fate.SENT


def _send(mail: EmailMultiAlternatives, connection: BaseEmailBackend) -> None:
    mail.connection = connection
    if not mail.send():
        raise NotAccepted


def put_off(
    message: OutboxMessage,
    reason: str,
    *,
    is_final: bool,
    now: datetime,
    at_least: timedelta = timedelta(0),
) -> Fate:
    """Try again later, not sooner than ``at_least`` from now, or give up and say so."""
    if message.attempts >= MOST_ATTEMPTS or is_final:
        logger.error("outbox %s given up after %s: %s", message.pk, message.attempts, reason)
        mark(message, status=OutboxStatus.DEAD, last_error=reason, lease_until=None)
        return Fate.GIVEN_UP
    logger.warning("outbox %s not sent: %s", message.pk, reason)
    pause = min(max(FIRST_PAUSE * 3 ** (message.attempts - 1), at_least), LONGEST_PAUSE)
    mark(message, due_at=now + pause, last_error=reason, lease_until=None)
    return Fate.PUT_OFF


def _release(message: OutboxMessage, reason: str, *, now: datetime) -> None:
    """Give a row back untried."""
    mark(
        message,
        due_at=now + PAUSE_WITHOUT_SERVER,
        attempts=F("attempts") - 1,
        last_error=reason,
        lease_until=None,
    )


def mark(message: OutboxMessage, **changes: object) -> bool:
    """Write what became of a row, unless another relay has taken it since."""
    mine = OutboxMessage.objects.filter(
        pk=message.pk, fence=message.fence, status=OutboxStatus.PENDING
    )
    return bool(mine.update(**changes))


def _is_final(error: Exception) -> bool:
    """Return whether the server refused this mail for good (RFC 5321, 4.2.1).

    What it says about our address or our log-in is no word about the mail.
    """
    if isinstance(error, smtplib.SMTPSenderRefused):
        return False
    return 500 <= _code(error) < 600


def _code(error: Exception) -> int:
    """Return the SMTP reply code of an error, or 0."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return max((code for code, _ in error.recipients.values()), default=0)
    return error.smtp_code if isinstance(error, smtplib.SMTPResponseException) else 0


def _reason(error: Exception) -> str:
    # The text of an SMTP error may quote the mail and its address: only its kind and code are kept.
    return f"{type(error).__name__} {_code(error) or ''}".strip()


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except OSError as error:
        logger.info("closing the mail connection: %s", type(error).__name__)

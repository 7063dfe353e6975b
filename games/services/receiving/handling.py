"""Handling a mail: once, in one transaction with all that it does, and again when that fails."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from games import replies
from games.models import InboundMail, MailState, OutboxKind, ReplyToken
from games.replies import Incoming
from games.services import tokens
from games.services.receiving import answers, holding, steps, strays
from games.services.receiving.commands import Result
from games.services.receiving.keeping import Parcel, open_parcel
from games.services.receiving.outcomes import Outcome

logger = logging.getLogger(__name__)

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 5
PAUSE = timedelta(seconds=30)
"""After an attempt that our own code failed in; it grows with each."""


def handle(*, mail_id: int, now: datetime) -> Outcome:
    """Handle a mail that was stored, once, and return what became of it.

    Safe to repeat and to kill: all that a mail does is done in one transaction with its outcome.
    """
    mail = _claim(mail_id, now=now)
    if mail is None:
        return _outcome_of(mail_id)
    try:
        parcel = open_parcel(mail)
        if mail.state == MailState.HELD:
            return _resume(mail, replies.read(parcel.raw), now=now)
        return _settle(mail.pk, replies.read(parcel.raw), parcel, now=now)
    except Exception as error:  # noqa: BLE001 - recorded in the row; the mail is tried again
        # No traceback: its values may hold the mail.
        logger.error("mail %s cannot be handled: %s", mail.pk, type(error).__name__)
        return _put_off(mail, now=now)


@transaction.atomic
def confirm(*, mail_id: int, now: datetime) -> Result | None:
    """Do what a mail asked for, now that its player has pressed the link that we sent him.

    It counts from this moment: nobody could tell before whether the mail was his.

    :returns: None when there is nothing to confirm any more: done already, or never his.
    """
    mail = InboundMail.objects.select_for_update().get(pk=mail_id)
    token = tokens.find(mail.recipient, now=now)
    if mail.outcome != Outcome.CONFIRMING or mail.sealed is None or token is None:
        return None
    case = steps.Case(mail, token, replies.read(open_parcel(mail).raw))
    result = steps.confirmed(case, now=now)
    # The page behind the link still says what it was about when nothing could be played.
    result.detail.setdefault("reading", mail.detail["reading"])
    _finish(case, result, now=now)
    return result


@transaction.atomic
def disown(*, mail_id: int, now: datetime) -> bool:
    """Drop a mail that its player says is not his; return whether there was one to drop."""
    waiting = InboundMail.objects.filter(pk=mail_id, outcome=Outcome.CONFIRMING)
    return bool(waiting.update(outcome=Outcome.WRONG_SENDER, handled_at=now))


def sweep(*, now: datetime, limit: int = 200) -> int:
    """Handle what no nudge has brought, the oldest first; return how many were handled."""
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    waiting = InboundMail.objects.filter(free, holding.is_due(now=now))
    waiting = waiting.order_by("received_at", "pk")
    # A mail that ends whoever handles it raises nothing: it must not hold up its game for ever.
    given_up = (
        waiting.order_by()
        .filter(attempts__gte=MOST_ATTEMPTS)
        .update(state=MailState.DEAD, outcome=Outcome.FAILED, handled_at=now, lease_until=None)
    )
    if given_up:
        logger.error("%s mails given up: whoever handled them came to an end", given_up)
    found = list(waiting.values_list("pk", flat=True)[:limit])
    return sum(handle(mail_id=pk, now=now) is not Outcome.WAITING for pk in found)


def has_mail() -> Q:
    """Return whether a game of a query has mail that is not done with: it may be in time."""
    own = ReplyToken.objects.filter(game=OuterRef(OuterRef("pk"))).values("pk")
    new = InboundMail.objects.filter(state=MailState.NEW, recipient__in=own)
    held = InboundMail.objects.filter(state=MailState.HELD, game=OuterRef("pk"))
    return Q(Exists(new)) | Q(Exists(held))


def _claim(mail_id: int, *, now: datetime) -> InboundMail | None:
    free = Q(lease_until=None) | Q(lease_until__lt=now)
    mine = InboundMail.objects.filter(free, holding.is_due(now=now), pk=mail_id)
    if not mine.update(lease_until=now + LEASE, attempts=F("attempts") + 1):
        return None
    return InboundMail.objects.get(pk=mail_id)


def _outcome_of(mail_id: int) -> Outcome:
    found = InboundMail.objects.filter(pk=mail_id).values_list("outcome", flat=True).first()
    return Outcome(found) if found else Outcome.WAITING


def _put_off(mail: InboundMail, *, now: datetime) -> Outcome:
    same = InboundMail.objects.filter(pk=mail.pk, state=mail.state, attempts=mail.attempts)
    if mail.attempts < MOST_ATTEMPTS:
        same.update(lease_until=now + PAUSE * mail.attempts)
        return Outcome.WAITING
    logger.error("mail %s given up", mail.pk)
    same.update(state=MailState.DEAD, outcome=Outcome.FAILED, handled_at=now, lease_until=None)
    return Outcome.FAILED


@transaction.atomic
def _settle(mail_id: int, incoming: Incoming, parcel: Parcel, *, now: datetime) -> Outcome:
    """Do what a mail asks for and write down what became of it."""
    mail = InboundMail.objects.select_for_update().get(pk=mail_id)
    if mail.state != MailState.NEW:
        return Outcome(mail.outcome)
    is_stray = not mail.recipient
    if is_stray:
        mail.recipient = strays.recipient_of(incoming, parcel)
    token = tokens.find(mail.recipient, now=now) if mail.recipient else None
    if token is None:
        return _drop(mail, Outcome.UNKNOWN, now=now)
    case = steps.Case(mail, token, incoming, is_stray=is_stray)
    result = steps.decide(case, parcel, now=now)
    _finish(case, result, now=now)
    return result.outcome


@transaction.atomic
def _resume(claimed: InboundMail, incoming: Incoming, *, now: datetime) -> Outcome:
    """Play the move of a mail that was held, unless it has been taken back."""
    # The address first: whoever takes the move back by another mail to it has locked that first.
    token = tokens.find(claimed.recipient, now=now)
    mail = InboundMail.objects.select_for_update().get(pk=claimed.pk)
    if mail.state != MailState.HELD:
        return Outcome(mail.outcome)
    if token is None:
        return _drop(mail, Outcome.GONE, now=now)
    case = steps.Case(mail, token, incoming)
    result = steps.resumed(case, now=now)
    # What answers it may not have gone out yet, and still says what was read.
    result.detail.setdefault("reading", mail.detail["reading"])
    if result.answer == OutboxKind.ACK:
        result = replace(result, answer=None)  # he has been told when it would be played
    _finish(case, result, now=now)
    return result.outcome


def _drop(mail: InboundMail, outcome: Outcome, *, now: datetime) -> Outcome:
    """Be done with a mail that nobody is told about."""
    mail.state, mail.outcome, mail.handled_at, mail.lease_until = MailState.DONE, outcome, now, None
    mail.save()
    return outcome


def _finish(case: steps.Case, result: Result, *, now: datetime) -> None:
    """Write down what became of a mail, and the mail that answers it."""
    mail = case.mail
    is_held = result.outcome is Outcome.HELD
    mail.state = MailState.HELD if is_held else MailState.DONE
    mail.outcome, mail.handled_at = result.outcome, now
    mail.lease_until, mail.detail = None, dict(result.detail)
    if result.answer is not None:
        answers.write(case.mail, result.answer, case.token, now=now)
    mail.save()

"""Moves by mail that wait a little, for players who want to be able to take them back.

Such a mail is checked as a move is, and stays as it came, sealed, until its moment: then it is read
once more and played as of when it arrived. Nothing of it stands in the game before.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from games import rules
from games.mail.wanted import wishes_of
from games.models import InboundMail, MailState, ReplyToken, Seat
from games.services import admission, nudges
from games.services.receiving.outcomes import Outcome

TIME_TO_CANCEL = timedelta(seconds=90)


def is_wanted(mail: InboundMail, seat: Seat, *, arrived_at: datetime | None) -> bool:
    """Return whether a move by mail waits: not one that has waited, nor one confirmed by a link."""
    is_new = mail.state == MailState.NEW and arrived_at is not None
    return is_new and wishes_of(seat).holds_replies


def hold(
    mail: InboundMail, seat: Seat, action: rules.Move, *, expected_version: int, now: datetime
) -> datetime | None:
    """Let the move of a mail wait, in place of one that waits already; return until when.

    The time runs from its arrival, and never beyond the deadline: it was in time, and is played
    before the clock acts.

    :returns: None if that time is over, so that it is to be played at once.
    :raises StaleMove: the game moved on after the player looked.
    :raises TurnExpired: it arrived after the deadline.
    :raises RuleViolation: the rules refuse it.
    """
    # Before the game: what plays a held move locks that first, too.
    earlier = list(_held_of(seat).select_for_update().values_list("pk", flat=True))
    deadline = admission.check(
        game_id=seat.game_id, action=action, expected_version=expected_version, at=mail.received_at
    )
    until = mail.received_at + TIME_TO_CANCEL
    if deadline is not None:
        until = min(until, deadline)
    _drop(earlier, now=now)
    if until <= now:
        return None
    mail.plays_at, mail.attempts = until, 0
    wait = (until - now).total_seconds()
    transaction.on_commit(lambda: nudges.mail(mail.pk, wait=wait), robust=True)
    return until


def take_back(seat: Seat, *, now: datetime) -> bool:
    """Take back the move of a seat that waits; return whether there was one."""
    return _drop(list(_held_of(seat).values_list("pk", flat=True)), now=now)


def is_due(*, now: datetime) -> Q:
    """Return which mails are to be handled: new ones, and moves whose time to wait is over.

    A mail of the same player that came within that time may take the move back: it goes first.
    """
    own = ReplyToken.objects.filter(user=OuterRef(OuterRef("user"))).values("pk")
    before = InboundMail.objects.filter(
        state=MailState.NEW, received_at__lte=OuterRef("plays_at"), recipient__in=own
    )
    return Q(state=MailState.NEW) | Q(~Exists(before), state=MailState.HELD, plays_at__lte=now)


def _held_of(seat: Seat) -> QuerySet[InboundMail]:
    return InboundMail.objects.filter(seat=seat, state=MailState.HELD)


def _drop(mails: list[int], *, now: datetime) -> bool:
    # Asked again: one of them may have been played since it was looked for.
    still = InboundMail.objects.filter(pk__in=mails, state=MailState.HELD)
    done = still.update(state=MailState.DONE, outcome=Outcome.TAKEN_BACK, handled_at=now)
    return bool(done)

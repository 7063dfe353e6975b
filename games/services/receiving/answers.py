"""Answers to mails: outbox rows, and how many of them one account may get.

Each is written in the transaction that handles the mail, and there is one row a mail and kind.
"""

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from games.models import InboundMail, OutboxKind, OutboxMessage, ReplyToken
from games.services import notices
from games.services.receiving.outcomes import Outcome

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
MOST_AUTOMATIC = 10
"""Answers to one account within an hour: two machines that talk to each other stop.

What says that a move was played is none of them: the game itself bounds those.
"""
MOST_REFUSALS = 6
"""Of an hour."""
MOST_OF_A_REASON = 4
"""Refusals for one and the same reason within a day: three, and then one more."""
MOST_CUPS = 5
"""Mails with a player's dice that he asked for, within an hour."""
MOST_TO_A_GAME = 30
"""Mails that a game's address takes from its player within a day."""


def may_answer(mail: InboundMail, kind: OutboxKind, *, reason: str = "", now: datetime) -> bool:
    """Return whether one more answer of this kind goes to the account that ``mail`` is of.

    What is not answered can still be seen on the page of one's notices.
    """
    if mail.outcome == Outcome.PLAYED:
        return True
    sent = _of_account(mail).exclude(answer="").exclude(outcome=Outcome.PLAYED)
    last_hour = sent.filter(handled_at__gt=now - HOUR)
    if last_hour.count() >= MOST_AUTOMATIC:
        return False
    if kind == OutboxKind.CUP:
        return last_hour.filter(answer=kind).count() < MOST_CUPS
    if kind not in (OutboxKind.REFUSAL, OutboxKind.WARNING):
        return True
    alike = sent.filter(answer=kind)
    if alike.filter(handled_at__gt=now - HOUR).count() >= MOST_REFUSALS:
        return False
    same = alike.filter(handled_at__gt=now - DAY, detail__reason=reason)
    return same.count() < MOST_OF_A_REASON


def is_over_share(mail: InboundMail, *, now: datetime) -> bool:
    """Return whether a game's address has had its share of the day."""
    same = InboundMail.objects.filter(recipient=mail.recipient, handled_at__gt=now - DAY)
    return same.exclude(pk=mail.pk).count() >= MOST_TO_A_GAME


def write(mail: InboundMail, kind: OutboxKind, token: ReplyToken, *, now: datetime) -> bool:
    """Write the row of one answer, unless this account has had its share; return whether it was.

    The mail's ``detail`` says what the answer tells; its ``seat`` may be another than the token's.
    """
    if not may_answer(mail, kind, reason=str(mail.detail.get("reason", "")), now=now):
        return False
    seat, game = mail.seat or token.seat, mail.game or token.game
    mail.answer = kind
    row = OutboxMessage(
        dedupe=f"mail:{mail.pk}:{kind}",
        kind=kind,
        game_id=game.pk,
        seat=seat,
        invitation=None if seat is not None else token.invitation,
        inbound=mail,
        version=game.version,
        round_number=game.current_round.number if game.current_round else 0,
        due_at=now,
        created_at=now,
    )
    notices.save([row])
    return True


def _of_account(mail: InboundMail) -> QuerySet[InboundMail]:
    """Return the mails of an account, or of an address that has none."""
    whose = Q(user_id=mail.user_id) if mail.user_id else Q(recipient=mail.recipient)
    return InboundMail.objects.filter(whose).exclude(pk=mail.pk)

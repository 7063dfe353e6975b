"""The outside of a mail: addresses, identifiers, threads, and the signs that a machine wrote it."""

import hashlib
from datetime import datetime
from email.utils import format_datetime, parseaddr

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from games.mail.recipients import Recipient
from games.models import Game, OutboxKind, OutboxMessage

_OF_A_ROUND = (OutboxKind.TURN, OutboxKind.REMINDER, OutboxKind.NUDGE, OutboxKind.ROUND_OVER)


def seal(
    message: OutboxMessage,
    game: Game,
    recipient: Recipient,
    *,
    subject: str,
    text: str,
    html: str,
    stop_url: str,
    now: datetime,
) -> EmailMultiAlternatives:
    """Return the mail to its one recipient, text part first.

    What identifies it depends on the notice alone, so a mail that is sent again after a failure
    is recognised as the same one. Its identifiers name it; they open nothing.

    :param stop_url: where mail programs stop mails of this list for their user, with one click and
        without a log-in (RFC 8058).
    """
    thread = message_id(game, f"{recipient.key}:{_thread(message)}")
    mail = EmailMultiAlternatives(
        subject=subject,
        body=text,
        to=[recipient.address],
        reply_to=[settings.DEFAULT_FROM_EMAIL],
        headers={
            "Date": format_datetime(now),
            "Message-ID": message_id(game, message.dedupe),
            "In-Reply-To": thread,
            "References": thread,
            "List-Id": _list_id(message, game),
            "List-Unsubscribe": f"<{stop_url}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            # RFC 3834; the second is what Exchange looks at. Nobody's holiday answers a turn.
            "Auto-Submitted": "auto-generated",
            "X-Auto-Response-Suppress": "All",
            "X-Perudo-Mail": str(message.kind),
        },
    )
    mail.attach_alternative(html, "text/html")
    return mail


def message_id(game: Game, name: str) -> str:
    """Return the Message-ID (RFC 5322, 3.6.4) of what ``name`` means within ``game``."""
    digest = hashlib.sha256(f"{game.gid}:{name}".encode()).hexdigest()[:32]
    return f"<{digest}@{mail_domain()}>"


def mail_domain() -> str:
    """Return the domain that the site writes from."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


def _list_id(message: OutboxMessage, game: Game) -> str:
    """Return the list that a mail is of (RFC 2919): a game's, that of digests, of invitations."""
    if message.kind == OutboxKind.DIGEST:
        return f"digest <digest.{mail_domain()}>"
    if message.kind == OutboxKind.INVITATION:
        return f"invitations <invitations.{mail_domain()}>"
    return f"{game.code} <{game.code}.games.{mail_domain()}>"


def _thread(message: OutboxMessage) -> str:
    """Return what a mail's conversation is about: a player's round, or one kind of news."""
    if message.kind in _OF_A_ROUND:
        return f"round:{message.round_number}"
    return str(message.kind)

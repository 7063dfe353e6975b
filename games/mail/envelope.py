"""The outside of a mail: addresses, identifiers, threads, and the signs that a machine wrote it."""

import hashlib
from datetime import datetime
from email.utils import format_datetime

from django.conf import settings
from django.core.mail import EmailMultiAlternatives

from games.mail.addresses import Addresses, Purpose, mail_domain, no_reply
from games.mail.recipients import Recipient
from games.models import Game, InboundMail, OutboxKind, OutboxMessage

_OF_A_ROUND = (OutboxKind.TURN, OutboxKind.REMINDER, OutboxKind.NUDGE, OutboxKind.ROUND_OVER)
_ANSWERS = (OutboxKind.ACK, OutboxKind.REFUSAL, OutboxKind.ANSWER, OutboxKind.CONFIRM)
_ALONE = (OutboxKind.CUP, OutboxKind.WARNING)
"""Mails that no thread leads to: what they hold is for one pair of eyes."""


class Letter(EmailMultiAlternatives):
    """A mail to one person, and what the addresses in it are for."""

    purposes: tuple[Purpose, ...] = ()


def seal(
    message: OutboxMessage,
    game: Game,
    recipient: Recipient,
    *,
    subject: str,
    text: str,
    html: str,
    stop_url: str,
    addresses: Addresses,
    now: datetime,
) -> Letter:
    """Return the mail to its one recipient, text part first.

    What identifies it depends on the notice alone, so a mail that is sent again after a failure
    is recognised as the same one. Its identifiers name it; they open nothing.

    :param stop_url: where mail programs stop mails of this list for their user, with one click and
        without a log-in (RFC 8058).
    """
    stops = [f"<{stop_url}>"]
    if addresses.leave is not None:
        stops.append(f"<mailto:{addresses.leave.address()}>")
    is_answer = message.kind in _ANSWERS
    letter = Letter(
        subject=subject,
        body=text,
        # The envelope's sender; who it is from stands in the header.
        from_email=addresses.bounce.address() if addresses.bounce else settings.DEFAULT_FROM_EMAIL,
        to=[recipient.address],
        reply_to=[_reply_to(message, addresses)],
        headers={
            "From": settings.DEFAULT_FROM_EMAIL,
            "Date": format_datetime(now),
            "Message-ID": message_id(game, message.dedupe),
            **_thread(message, game, recipient),
            "List-Id": _list_id(message, game),
            "List-Unsubscribe": ", ".join(stops),
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            # RFC 3834; the second is what Exchange looks at. Nobody's holiday answers a turn.
            "Auto-Submitted": "auto-replied" if is_answer else "auto-generated",
            "X-Auto-Response-Suppress": "All",
            "X-Perudo-Mail": str(message.kind),
        },
    )
    letter.attach_alternative(html, "text/html")
    letter.purposes = addresses.purposes()
    return letter


def message_id(game: Game, name: str) -> str:
    """Return the Message-ID (RFC 5322, 3.6.4) of what ``name`` means within ``game``."""
    digest = hashlib.sha256(f"{game.gid}:{name}".encode()).hexdigest()[:32]
    return f"<{digest}@{mail_domain()}>"


def thread_id(game: Game, recipient_key: str, *, round_number: int) -> str:
    """Return what all mails about one player's round refer to."""
    return message_id(game, f"{recipient_key}:round:{round_number}")


def _reply_to(message: OutboxMessage, addresses: Addresses) -> str:
    if addresses.reply is not None:
        return addresses.reply.address()
    return no_reply() if message.kind in _ALONE else settings.DEFAULT_FROM_EMAIL


def _list_id(message: OutboxMessage, game: Game) -> str:
    """Return the list that a mail is of (RFC 2919): a game's, that of digests, of invitations."""
    if message.kind == OutboxKind.DIGEST:
        return f"digest <digest.{mail_domain()}>"
    if message.kind == OutboxKind.INVITATION:
        return f"invitations <invitations.{mail_domain()}>"
    return f"{game.code} <{game.code}.games.{mail_domain()}>"


def _thread(message: OutboxMessage, game: Game, recipient: Recipient) -> dict[str, str]:
    """Return what a mail refers to: a player's round, one kind of news, the mail it answers."""
    if message.kind in _ALONE:
        return {}
    if message.kind in (*_OF_A_ROUND, *_ANSWERS):
        thread = thread_id(game, recipient.key, round_number=message.round_number)
    else:
        thread = message_id(game, f"{recipient.key}:{message.kind}")
    asked = _asked(message.inbound) if message.kind in _ANSWERS else ""
    return {
        "In-Reply-To": asked or thread,
        "References": f"{thread} {asked}".strip(),
    }


def _asked(mail: InboundMail | None) -> str:
    """Return the Message-ID of the mail that is answered, if it had one that can be repeated."""
    return mail.message_id if mail is not None else ""

"""Letters of players: what a mail program makes of an answer, and the way that it takes."""

from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.utils import make_msgid
from typing import Any, cast

from django.core import mail as django_mail
from django.core.mail import EmailMultiAlternatives

from games.models import Game, InboundMail, OutboxKind, OutboxMessage
from games.services import notices, outbox, receiving
from tests.cast import NOON, give_turn, seat_of, table


def opened_by(name: str, *others: str, **options: Any) -> Game:
    """Return a game that has just begun, in which ``name`` opens the first round."""
    game = table((name, *others), **options)
    give_turn(game, name)
    OutboxMessage.objects.filter(game=game).delete()
    notices.save(notices.tell(OutboxKind.TURN, game, [seat_of(game, name)], now=NOON))
    return game


def send_mails(*, now: datetime = NOON) -> list[EmailMultiAlternatives]:
    """Let the relay send what is due and return what it sent."""
    already = len(django_mail.outbox)
    outbox.deliver(now=now)
    return cast(list[EmailMultiAlternatives], django_mail.outbox[already:])


def mail_to(name: str, kind: str, *, now: datetime = NOON) -> EmailMultiAlternatives:
    """Return the newest mail of a kind that went to ``name``, after sending what is due."""
    send_mails(now=now)
    found = [
        sent
        for sent in cast(list[EmailMultiAlternatives], django_mail.outbox)
        if sent.to == [f"{name}@example.org"] and sent.extra_headers["X-Perudo-Mail"] == kind
    ]
    assert found, f"no {kind} mail went to {name}"
    return found[-1]


def mails_to(name: str) -> list[str]:
    """Return the kinds of all mails that went to ``name``, in their order."""
    return [
        sent.extra_headers["X-Perudo-Mail"]
        for sent in django_mail.outbox
        if sent.to == [f"{name}@example.org"]
    ]


def reply(
    sent: EmailMultiAlternatives,
    line: str,
    *,
    sender: str = "",
    to: str = "",
    headers: dict[str, str] | None = None,
) -> bytes:
    """Return an answer to one of our mails as a mail program writes it, with the quote below."""
    letter = EmailMessage()
    letter["From"] = sender or sent.to[0]
    letter["To"] = to or sent.reply_to[0]
    letter["Subject"] = f"Re: {sent.subject}"
    letter["Message-ID"] = make_msgid(domain="example.org")
    letter["In-Reply-To"] = sent.extra_headers["Message-ID"]
    letter["Date"] = "Mon, 4 May 2026 12:00:00 +0000"
    for name, value in (headers or {}).items():
        del letter[name]
        letter[name] = value
    quoted = "\n".join(f"> {each}" for each in str(sent.body).splitlines())
    letter.set_content(f"{line}\n\nOn Mon, 4 May 2026, Perudo wrote:\n{quoted}\n")
    return letter.as_bytes()


@dataclass(frozen=True)
class Handled:
    """What became of a letter."""

    outcome: receiving.Outcome
    row: InboundMail

    @property
    def reason(self) -> object:
        return self.row.detail.get("reason")


def deliver(
    raw: bytes,
    to: str,
    *,
    now: datetime = NOON,
    handled_at: datetime | None = None,
    sender: str = "player@example.org",
    door: str = "smtp",
    verdicts: dict[str, str] | None = None,
) -> Handled:
    """Take a letter in by the door and handle it."""
    mail_id = receiving.store(
        raw=raw, recipient=to, received_at=now, door=door, sender=sender, verdicts=verdicts
    )
    outcome = receiving.handle(mail_id=mail_id, now=handled_at or now)
    return Handled(outcome, InboundMail.objects.get(pk=mail_id))


def answer(name: str, kind: str, line: str, *, now: datetime = NOON, **how: Any) -> Handled:
    """Let ``name`` answer his newest mail of a kind with one line."""
    sent = mail_to(name, kind, now=now)
    return deliver(reply(sent, line), sent.reply_to[0], now=now, **how)


def rows_to(game: Game, kind: str) -> list[OutboxMessage]:
    """Return the outbox rows of a kind."""
    return list(OutboxMessage.objects.filter(game=game, kind=kind).order_by("pk"))

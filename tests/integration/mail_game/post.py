"""The way of a mail: our relay, real SMTP, the mailbox; an answer, the border, our listener."""

import email
import email.policy
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.message import EmailMessage

from pytest_django import Settings

from games.models import InboundMail
from games.services import outbox, receiving
from perudo_site.doors import taking
from perudo_site.mailbox.models import MailboxMessage
from tests.integration.doors.serving import listening, smtp

BORDER = "mx.play.example"


class Post:
    """Carries mails both ways over real SMTP, and lets the site do its work in between."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.sent: list[tuple[str, str, bytes]] = []
        """Every letter that a player sent: from whom, to whom, as it came to the border."""

    def work(self) -> None:
        """Handle what has come in, and send what is due, until nothing is left to do."""
        while receiving.sweep(now=_now()) + outbox.relay(now=_now()):
            pass

    def mails_to(self, address: str, *, kind: str = "") -> list[EmailMessage]:
        """Return what has come to an address, oldest first."""
        rows = MailboxMessage.objects.filter(envelope_to=f"\n{address}\n").order_by("pk")
        found = [read_mail(bytes(row.raw)) for row in rows]
        return [mail for mail in found if not kind or mail["X-Perudo-Mail"] == kind]

    def send(self, letter: bytes, *, to: str = "") -> None:
        """Take a letter over the border, which vouches for its sender, to the listener."""
        read = read_mail(letter)
        sender = read["From"].addresses[0].addr_spec
        domain = sender.partition("@")[2]
        stamp = f"Authentication-Results: {BORDER}; dmarc=pass header.from={domain}\r\n"
        self.hand_over(sender, to or str(read["To"]), stamp.encode() + letter)

    def hand_over(self, sender: str, to: str, raw: bytes) -> None:
        """Hand a mail to the listener as it is."""
        self.sent.append((sender, to, raw))
        with smtp(self.port) as client:
            client.sendmail(sender, [to], raw, mail_options=["BODY=8BITMIME"])

    def outcomes(self) -> list[str]:
        """Return what became of each mail that was taken in."""
        return list(InboundMail.objects.order_by("pk").values_list("outcome", flat=True))


@contextmanager
def post_office(settings: Settings) -> Iterator[Post]:
    """Send by real SMTP, and take mail in by the site's own listener."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.MAIL_AUTHSERV_ID = BORDER
    settings.MAIL_WITHOUT_BORDER = "confirm"
    with listening(taking.refuse, taking.deliver_by("smtp")) as port:
        settings.EMAIL_PORT = port
        yield Post(port)


def read_mail(raw: bytes) -> EmailMessage:
    """Return a mail, taken apart."""
    return email.message_from_bytes(raw, policy=email.policy.default)


def _now() -> datetime:
    return datetime.now(UTC)

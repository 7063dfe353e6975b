"""Answer a mail as its reader's mail program would, over real SMTP to this site's own listener."""

import smtplib
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid

from django.conf import settings

from perudo_site.mailbox import store
from perudo_site.mailbox.models import MailboxMessage
from perudo_site.mailbox.reading import read, read_outside

PATIENCE_SECONDS = 10


@dataclass(frozen=True, slots=True)
class NotTaken(Exception):
    """The listener did not take an answer. ``reply`` is what it said, in SMTP's words."""

    reply: str


def answer_to(message: MailboxMessage) -> str:
    """Return the address that an answer to ``message`` goes to, or nothing."""
    return read_outside(bytes(message.raw)).answer_to


def compose(message: MailboxMessage, *, text: str, now: datetime) -> EmailMessage:
    """Return the answer: from whom the mail was to, to its Reply-To, the mail quoted below.

    :raises ValueError: there is nobody to write to, or a header that no mail can have.
    """
    raw = bytes(message.raw)
    original, outside = read(raw), read_outside(raw)
    if not outside.answer_to:
        raise ValueError("nobody to write to")
    subject = outside.subject
    answer = EmailMessage(policy=SMTP)
    answer["From"] = outside.written_to or message.recipients[0]
    answer["To"] = outside.answer_to
    answer["Subject"] = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    answer["Date"] = format_datetime(now)
    answer["Message-ID"] = make_msgid(domain="mailbox.localhost")
    if outside.message_id:
        answer["In-Reply-To"] = outside.message_id
        answer["References"] = " ".join([*outside.references, outside.message_id])
    quoted = "\n".join([f"> {line}" for line in (original.text or "").splitlines()])
    day = format_datetime(message.received_at)
    answer.set_content(f"{text.strip()}\n\nOn {day}, {outside.written_by} wrote:\n{quoted}\n")
    return answer


def send(message: MailboxMessage, *, text: str, now: datetime) -> None:
    """Answer ``message``; a copy goes to its conversation, for nobody else shows what was sent.

    :raises NotTaken: the listener refused it, or is not there.
    :raises ValueError: it cannot be answered.
    """
    answer = compose(message, text=text, now=now)
    sender, recipient = str(answer["From"]), str(answer["To"])
    try:
        with smtplib.SMTP("127.0.0.1", settings.MAIL_PORT, timeout=PATIENCE_SECONDS) as smtp:
            smtp.send_message(answer, sender, [recipient])
    except smtplib.SMTPRecipientsRefused as error:
        code, words = error.recipients[recipient]
        raise NotTaken(f"{code} {words.decode(errors='replace')}") from error
    except smtplib.SMTPResponseException as error:
        raise NotTaken(f"{error.smtp_code} {error.smtp_error!r}") from error
    except (OSError, smtplib.SMTPException) as error:
        raise NotTaken(type(error).__name__) from error
    if recipient.lower().endswith(f"@{settings.INBOUND_DOMAIN}"):
        store.keep(envelope_from=sender, envelope_to=[recipient], raw=answer.as_bytes(), now=now)

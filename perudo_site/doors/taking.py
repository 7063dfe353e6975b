"""Which mail is for whom: players' answers to the games, everything else to the mailbox page."""

from collections.abc import Sequence
from datetime import datetime
from email.utils import parseaddr
from typing import Final

from django.conf import settings

from games.services import receiving
from perudo_site.doors.listener import Deliver
from perudo_site.mailbox import store

NOBODY: Final = "noreply"
UNKNOWN: Final = "550 5.1.1 No such address here"
UNREAD: Final = "550 5.7.1 Nobody reads this address; answer one of our mails instead"


def refuse(recipient: str) -> str | None:
    """Return the reply that refuses ``recipient``, or None when somebody takes his mail.

    Refused while the sender's server is still there: a bounce of ours would go to whoever the
    mail pretends to come from (backscatter).
    """
    local_part, _, domain = recipient.lower().rpartition("@")
    if local_part == NOBODY and domain in _our_domains():
        return UNREAD
    if receiving.knows(recipient=recipient) or _is_for_the_mailbox(domain):
        return None
    return UNKNOWN


def deliver_by(door: str) -> Deliver:
    """Return what keeps the mails that come in by ``door``."""

    def deliver(sender: str, recipients: Sequence[str], raw: bytes, received_at: datetime) -> None:
        others = []
        for recipient in recipients:
            if _is_for_the_mailbox(recipient.lower().rpartition("@")[2]) and not receiving.knows(
                recipient=recipient
            ):
                others.append(recipient)
                continue
            receiving.store(
                raw=raw, recipient=recipient, received_at=received_at, door=door, sender=sender
            )
        if others:
            store.keep(envelope_from=sender, envelope_to=others, raw=raw, now=received_at)

    return deliver


def _is_for_the_mailbox(domain: str) -> bool:
    """Return whether the page of a development site shows mail to ``domain``."""
    shown = settings.DEVELOPMENT and settings.MAILBOX_ENABLED
    return bool(shown and domain != settings.INBOUND_DOMAIN)


def _our_domains() -> set[str]:
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    return {settings.INBOUND_DOMAIN, sender.lower()}

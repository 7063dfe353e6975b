"""Keep received mails, the newest :data:`KEPT` of them."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from perudo_site.mailbox.models import MailboxMessage
from perudo_site.mailbox.reading import read_outside

KEPT = 500
SHOWN = 20
"""Mails of a conversation on one page."""


def keep(
    *, envelope_from: str, envelope_to: Sequence[str], raw: bytes, now: datetime
) -> MailboxMessage:
    """Store one mail and forget the oldest beyond :data:`KEPT`."""
    outside = read_outside(raw)
    addresses = "\n".join(_clean(address).lower() for address in envelope_to)
    with transaction.atomic():
        message = MailboxMessage.objects.create(
            envelope_from=_clean(envelope_from)[:320],
            envelope_to=f"\n{addresses}\n",
            subject=_clean(outside.subject)[:200],
            thread=_clean(outside.thread)[:250],
            received_at=now,
            raw=raw,
        )
        newest = MailboxMessage.objects.order_by("-pk").values_list("pk", flat=True)
        for last_dropped in newest[KEPT : KEPT + 1]:
            MailboxMessage.objects.filter(pk__lte=last_dropped).delete()
    return message


def newest_first(*, to: str = "") -> QuerySet[MailboxMessage]:
    """Return the mails, newest first, without their bodies; only those sent to ``to`` if given."""
    messages = MailboxMessage.objects.defer("raw").order_by("-pk")
    return messages.filter(envelope_to__contains=f"\n{to.strip().lower()}\n") if to else messages


def conversation(message: MailboxMessage) -> list[MailboxMessage]:
    """Return the newest mails of a mail's conversation and those that came to its reader since.

    Oldest first, at most :data:`SHOWN`, itself among them. Some mails are kept out of threads on
    purpose; who has just answered wants to see them all the same.
    """
    same = ~Q(thread="") & Q(thread=message.thread)
    since = Q(pk__gt=message.pk)
    for recipient in message.recipients[:1]:
        same |= since & Q(envelope_to__contains=f"\n{recipient}\n")
    others = MailboxMessage.objects.filter(same).exclude(pk=message.pk).order_by("-pk")
    return sorted([message, *others[: SHOWN - 1]], key=lambda mail: mail.pk)


def _clean(text: str) -> str:
    """Remove what a text column cannot hold or a list of addresses would misread."""
    return "".join(character for character in text if character.isprintable())

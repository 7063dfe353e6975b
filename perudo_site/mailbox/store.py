"""Keep received mails, the newest :data:`KEPT` of them."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from perudo_site.mailbox.models import MailboxMessage
from perudo_site.mailbox.reading import read_subject

KEPT = 500


def keep(
    *, envelope_from: str, envelope_to: Sequence[str], raw: bytes, now: datetime
) -> MailboxMessage:
    """Store one mail and forget the oldest beyond :data:`KEPT`."""
    addresses = "\n".join(_clean(address).lower() for address in envelope_to)
    with transaction.atomic():
        message = MailboxMessage.objects.create(
            envelope_from=_clean(envelope_from)[:320],
            envelope_to=f"\n{addresses}\n",
            subject=_clean(read_subject(raw))[:200],
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


def _clean(text: str) -> str:
    """Remove what a text column cannot hold or a list of addresses would misread."""
    return "".join(character for character in text if character.isprintable())

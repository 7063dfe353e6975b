"""Keeping mails as they came: encrypted, each once, and no longer than needed."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from games import keyring
from games.mail.addresses import read_address
from games.models import InboundMail, MailState
from games.services import nudges

KEPT = timedelta(days=14)
"""How long a mail is kept as it came; its outcome is kept after that."""

MOST_VERDICTS = 10
_LONGEST_WORD = 200


@dataclass(frozen=True, slots=True)
class Parcel:
    """A mail as it came, with what its door knows of the way. Nothing of it is ever logged.

    ``sender`` is that of the envelope: "" is the null sender of bounces, None is not known.
    """

    raw: bytes = field(repr=False)
    recipient: str = field(repr=False)
    sender: str | None = field(repr=False)
    verdicts: Mapping[str, str] | None


def store(
    *,
    raw: bytes,
    recipient: str,
    received_at: datetime,
    door: str,
    sender: str = "",
    verdicts: Mapping[str, str] | None = None,
) -> int:
    """Keep a mail and return its id; the same mail for the same recipient is the same one.

    :param recipient: that of the envelope, which may be nobody's.
    :param received_at: when our door took it: that decides whether it is in time.
    :param door: such as "smtp", "lmtp", "pipe" or a provider's name.
    :param sender: that of the envelope. "" is the null sender where the door speaks SMTP or LMTP,
        and not known elsewhere.
    :param verdicts: what a provider says of the sender, such as {"dmarc": "pass"}.
    """
    folded = recipient.strip().strip("<>").lower()
    key = hashlib.sha256(folded.encode() + b"\x00" + raw).hexdigest()
    known = InboundMail.objects.filter(key=key).values_list("pk", flat=True).first()
    if known is not None:
        return known
    around = {
        "recipient": folded[:_LONGEST_WORD],
        "sender": sender[:_LONGEST_WORD] if sender or door in ("smtp", "lmtp") else None,
        "verdicts": _bounded(verdicts),
    }
    sealed = keyring.seal(json.dumps(around).encode() + b"\n" + raw, bound_to=_bound_to(key))
    found = read_address(folded)
    mail = InboundMail(
        key=key,
        recipient=found[1] if found else "",
        door=door[:20],
        received_at=received_at,
        kid=sealed.kid,
        nonce=sealed.nonce,
        sealed=sealed.ciphertext,
    )
    try:
        with transaction.atomic():
            mail.save(force_insert=True)
            transaction.on_commit(lambda: nudges.mail(mail.pk), robust=True)
    except IntegrityError:  # another copy was quicker
        return InboundMail.objects.values_list("pk", flat=True).get(key=key)
    return mail.pk


def open_parcel(mail: InboundMail) -> Parcel:
    """Return a mail as it came.

    :raises KeyUnavailable: its key is missing.
    :raises ValueError: it is not kept any more.
    """
    if mail.sealed is None:
        raise ValueError(f"mail {mail.pk} is not kept any more")
    sealed = keyring.Sealed(mail.kid, bytes(mail.nonce), bytes(mail.sealed))
    head, _, raw = keyring.unseal(sealed, bound_to=_bound_to(mail.key)).partition(b"\n")
    around = json.loads(head)
    return Parcel(raw, around["recipient"], around["sender"], around["verdicts"])


def forget(*, now: datetime) -> int:
    """Drop mails of two weeks ago, and keep what became of them; return how many."""
    old = InboundMail.objects.filter(sealed__isnull=False, received_at__lt=now - KEPT)
    return old.exclude(state=MailState.NEW).update(sealed=None, nonce=b"")


def _bounded(verdicts: Mapping[str, str] | None) -> dict[str, str] | None:
    if verdicts is None:
        return None
    some = list(verdicts.items())[:MOST_VERDICTS]
    return {name[:_LONGEST_WORD]: value[:_LONGEST_WORD] for name, value in some}


def _bound_to(key: str) -> bytes:
    # A ciphertext that is moved to another row does not open.
    return b"mail\x00" + bytes.fromhex(key)

"""What mail servers report of mails of ours: delivery (RFC 3464) and complaints (RFC 5965)."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

from games.replies import fields
from games.replies.addresses import addresses, canonical
from games.replies.fields import Fields
from games.replies.incoming import Bounce, Complaint, Severity
from games.replies.mime import Part

_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}", re.ASCII)
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_MOST_RECIPIENTS: Final = 50
_ORIGINAL_PARTS: Final = frozenset({"message/rfc822", "message/global", "text/rfc822-headers"})


def bounce_of(header: Fields, parts: Sequence[Part]) -> Bounce | None:
    """Return what a delivery report says of the first recipient that it failed for."""
    report = next((part for part in parts if part.kind == "message/delivery-status"), None)
    if report is None:
        failed = addresses(header.first("x-failed-recipients"))
        return Bounce(Severity.SOFT, "", failed[0], _original(parts)) if failed else None
    found = [_recipient(block) for block in islice(_blocks(report.content), _MOST_RECIPIENTS)]
    named = [
        (severity, status, address) for severity, status, address in found if status or address
    ]
    if not named:
        return Bounce(Severity.NONE, "", "", _original(parts))
    worst = min(named, key=lambda each: list(Severity).index(each[0]))
    return Bounce(*worst, _original(parts))


def complaint_of(parts: Sequence[Part]) -> Complaint | None:
    """Return what an abuse report says, or None when there is none."""
    report = next((part for part in parts if part.kind == "message/feedback-report"), None)
    if report is None:
        return None
    said = fields.split(report.content)[0]
    kind = fields.words(said.first("feedback-type")).lower()[:40]
    return Complaint(kind, _address(said.first("original-rcpt-to")), _original(parts))


def message_ids(value: str) -> tuple[str, ...]:
    """Return the first few message identifiers of a field."""
    return tuple(_MESSAGE_ID.findall(value[:4_000])[:10])


def _blocks(report: bytes) -> list[Fields]:
    """Return the groups of fields of a report, that of the whole mail among them."""
    text = report.replace(b"\r\n", b"\n")[: fields.MOST_HEADER]
    return [fields.split(block)[0] for block in re.split(rb"\n[ \t]*\n", text.strip())]


def _recipient(block: Fields) -> tuple[Severity, str, str]:
    status = _STATUS.search(block.first("status"))
    action = block.first("action").strip().lower()
    said = status[0] if status else ""
    severity = {"5": Severity.HARD, "4": Severity.SOFT}.get(said[:1], Severity.NONE)
    if action not in ("failed", ""):  # a delay is told of while they go on trying
        severity = Severity.NONE
    address = _address(block.first("original-recipient")) or _address(
        block.first("final-recipient")
    )
    return severity, said, address


def _address(value: str) -> str:
    """Return the address of such a field as ``rfc822; alice@example.org``."""
    written = value.rpartition(";")[2].strip().strip("<>")
    return canonical(written[:400])


def _original(parts: Sequence[Part]) -> str:
    """Return the identifier of the mail that a report brings back."""
    for part in parts:
        if part.kind in _ORIGINAL_PARTS:
            header, rest, _ = fields.split(part.content)
            found = message_ids(header.first("message-id")) if header.items or rest else ()
            if found:
                return found[0]
    return ""

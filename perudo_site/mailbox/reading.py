"""Read mails that may be broken in any way: whatever comes in, a reading comes out.

The standard library's parser raises on some broken headers; each part is therefore read on its own,
and what cannot be read is left out. The source always remains to be looked at.
"""

import email
import email.policy
import logging
import re
from dataclasses import dataclass
from email.message import EmailMessage, Message
from email.utils import getaddresses

logger = logging.getLogger(__name__)

_MESSAGE_ID = re.compile(r"<[^<>\s]{1,248}>")
LONGEST_PART = 1_000_000
"""Characters of a part that a page shows."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a person may see of a mail."""

    headers: tuple[tuple[str, str], ...]
    text: str | None
    html: str | None
    attachments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Outside:
    """What a mail program needs of a mail to list it and to answer it; "" where there is none."""

    subject: str
    written_by: str
    written_to: str
    answer_to: str
    message_id: str
    references: tuple[str, ...]

    @property
    def thread(self) -> str:
        """Return the Message-ID that the conversation began with."""
        return (*self.references, self.message_id)[0]


def read_outside(raw: bytes) -> Outside:
    """Return what the header says; of repeated fields the first counts."""
    fields: dict[str, str] = {}
    for name, value in _headers(_parse(raw)):
        fields.setdefault(name.lower(), value)
    message_ids = _MESSAGE_ID.findall(fields.get("message-id", ""))
    references = _MESSAGE_ID.findall(fields.get("references") or fields.get("in-reply-to", ""))
    return Outside(
        subject=fields.get("subject", ""),
        written_by=fields.get("from", ""),
        written_to=_address(fields.get("to", "")),
        answer_to=_address(fields.get("reply-to", "")) or _address(fields.get("from", "")),
        message_id=message_ids[0] if message_ids else "",
        references=tuple(references),
    )


def read(raw: bytes) -> Reading:
    """Return what can be read of a mail."""
    message = _parse(raw)
    text: str | None = None
    html: str | None = None
    attachments: list[str] = []
    for part in _leaves(message):
        kind = part.get_content_type()
        name = _file_name(part)
        if name or kind not in {"text/plain", "text/html"}:
            attachments.append(name or kind)
        elif kind == "text/plain" and text is None:
            text = _content(part)
        elif kind == "text/html" and html is None:
            html = _content(part)
    return Reading(tuple(_headers(message)), text, html, tuple(attachments))


def read_source(raw: bytes) -> str:
    """Return the mail as it came, as text."""
    return raw.decode("utf-8", "replace").replace("\x00", "\N{REPLACEMENT CHARACTER}")


def _parse(raw: bytes) -> Message:
    try:
        return email.message_from_bytes(raw, policy=email.policy.default)
    except Exception:
        logger.exception("a mail could not be parsed")
        return EmailMessage()


def _headers(message: Message) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in message.raw_items():
        try:
            # One at a time: a broken one spoils itself only.
            text = str(message.policy.header_fetch_parse(name, value))
        except Exception:
            logger.exception("a mail header could not be parsed")
            text = str(value)
        found.append((name, " ".join(text.split())))
    return found


def _leaves(message: Message) -> list[Message]:
    try:
        return [part for part in message.walk() if not part.is_multipart()]
    except Exception:
        logger.exception("the parts of a mail could not be told apart")
        return []


def _address(field: str) -> str:
    return getaddresses([field])[0][1] if field else ""


def _file_name(part: Message) -> str:
    try:
        return part.get_filename() or ""
    except Exception:
        logger.exception("a file name in a mail could not be read")
        return "?"


def _content(part: Message) -> str:
    """Decode one part; an unknown or wrong character set costs characters, never the page."""
    try:
        payload = part.get_payload(decode=True)
        charset = part.get_content_charset("utf-8")
    except Exception:
        logger.exception("a part of a mail could not be decoded")
        return ""
    data = payload if isinstance(payload, bytes) else b""
    try:
        text = data.decode(charset, "replace")
    except (LookupError, ValueError):
        text = data.decode("utf-8", "replace")
    return text.replace("\x00", "\N{REPLACEMENT CHARACTER}")[:LONGEST_PART]


def open_links_elsewhere(html: str) -> str:
    """Make the links of a mail open in a tab of their own: in its frame they would be refused."""
    base = '<base target="_blank">'
    head = re.search(r"<head[^>]*>", html, re.IGNORECASE)
    if head is None:
        return base + html
    return html[: head.end()] + base + html[head.end() :]

"""The parts of a mail, as many and as deep as any real mail has."""

import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.replies import fields
from games.replies.charsets import decoded
from games.replies.fields import Fields
from games.replies.incoming import Trouble

MOST_PARTS: Final = 100
MOST_DEPTH: Final = 20


class TooMuchError(Exception):
    """Say that a mail has more parts than a mail has, or deeper ones."""

    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.value)


@dataclass(frozen=True, slots=True)
class Part:
    """One part; ``body`` is as it was sent, and empty for a part that is made of parts."""

    kind: str
    parameters: dict[str, str]
    header: Fields
    body: bytes

    @property
    def is_attachment(self) -> bool:
        shown, parameters = fields.with_parameters(self.header.first("content-disposition"))
        named = [*parameters, *self.parameters]
        return shown == "attachment" or any(each.startswith(("filename", "name")) for each in named)

    @property
    def content(self) -> bytes:
        """Return the bytes that the transfer encoding stands for; an unknown one is none."""
        encoding = self.header.first("content-transfer-encoding").strip().lower()
        if encoding == "base64":
            return fields.unbase64(self.body)
        return binascii.a2b_qp(self.body) if encoding == "quoted-printable" else self.body

    @property
    def text(self) -> str:
        return decoded(self.content, self.parameters.get("charset", ""))


def parts(header: Fields, body: bytes) -> Iterator[Part]:
    """Yield a mail and its parts, first to last; mails within the mail are not opened.

    :raises TooMuchError: there are over 100, or they are over 20 deep.
    """
    waiting = [(header, body, 0, "text/plain")]
    seen = 0
    while waiting:
        header, body, depth, usual = waiting.pop()
        seen += 1
        if seen > MOST_PARTS:
            raise TooMuchError(Trouble.TOO_MANY_PARTS)
        if depth > MOST_DEPTH:
            raise TooMuchError(Trouble.TOO_DEEP)
        kind, parameters = fields.with_parameters(header.first("content-type"))
        if "/" not in kind:
            kind = usual
        boundary = parameters.get("boundary", "")
        if not kind.startswith("multipart/") or not boundary:
            yield Part(kind, parameters, header, body)
            continue
        yield Part(kind, parameters, header, b"")
        usual = "message/rfc822" if kind == "multipart/digest" else "text/plain"
        children = [
            (*fields.split(inner)[:2], depth + 1, usual)
            for inner in _between(body, boundary, MOST_PARTS + 1 - seen)
        ]
        waiting += reversed(children)


def _between(body: bytes, boundary: str, most: int) -> list[bytes]:
    """Return what stands between the boundary's lines, ``most`` pieces at most."""
    mark = re.compile(
        rb"(?:^|\n)--" + re.escape(boundary.encode()) + rb"(--)?[ \t]*(?=\n|\Z)",
    )
    pieces: list[bytes] = []
    begun: int | None = None
    for found in mark.finditer(body):
        if begun is not None:
            pieces.append(body[begun : found.start()])
        if found[1] is not None or len(pieces) == most:
            return pieces
        begun = found.end() + 1
    if begun is not None:  # cut off on its way
        pieces.append(body[begun:])
    return pieces

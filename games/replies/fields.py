"""The header of a mail: fields in their order, unfolded, and what is written in them.

Python's own parser is left out on purpose: there are headers that make it raise, and others that
it needs minutes for. What is read here takes time in proportion to its length.
"""

import binascii
import re
from dataclasses import dataclass
from typing import Final

from games.replies.charsets import decoded
from games.replies.lines import LOST, clean

MOST_HEADER: Final = 64 * 1024
_MOST_VALUE: Final = 2_000
"""Characters of a field that are looked at for words and parameters."""

_END = re.compile(rb"(?:^|\n)\r*\n")
_NAME = re.compile(rb"([!-9;-~]{1,200})[ \t]*:")
_PARAMETER = re.compile(r';\s*([^\s=;"]{1,60})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))')
_ENCODED = re.compile(
    r"=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?]*)\?=", re.ASCII | re.IGNORECASE
)
_BETWEEN_ENCODED = re.compile(r"(?<=\?=)\s+(?==\?)")


@dataclass(frozen=True, slots=True)
class Fields:
    """Header fields, topmost first, their names in small letters."""

    items: tuple[tuple[str, str], ...] = ()

    def all(self, name: str) -> list[str]:
        return [value for each, value in self.items if each == name]

    def first(self, name: str) -> str:
        return next(iter(self.all(name)), "")

    def has(self, name: str) -> bool:
        return any(each == name for each, _ in self.items)


def split(data: bytes) -> tuple[Fields, bytes, bool]:
    """Return the header of ``data``, what follows it, and whether the header is too big.

    :param data: lines that end in LF. A lone CR within a field is a space, not a new field: what
        checked this mail on its way here saw no field there either.
    """
    found = _END.search(data, 0, MOST_HEADER + 2)
    too_big = found is None and len(data) > MOST_HEADER
    end = found.start() if found else min(len(data), MOST_HEADER)
    lines = data[:end].replace(b"\r", b" ").split(b"\n")
    fields: list[tuple[str, list[bytes]]] = []
    rest = data[found.end() :] if found else b""
    for number, line in enumerate(lines):
        match = _NAME.match(line)
        if line[:1] in (b" ", b"\t") and fields:
            fields[-1][1].append(line)
        elif match is not None:
            fields.append((match[1].decode("ascii").lower(), [line[match.end() :]]))
        elif line and not (number == 0 and line.startswith((b"From ", b">From "))):
            # No field and no blank line before it: the text has begun.
            rest = b"\n".join([*lines[number:], b"", rest])
            break
    return Fields(tuple([(name, _text(b" ".join(value))) for name, value in fields])), rest, too_big


def _text(value: bytes) -> str:
    try:
        return value.decode().strip()
    except UnicodeDecodeError:
        return value.decode("latin-1").strip()


def words(value: str) -> str:
    """Return the text of an unstructured field, its encoded words (RFC 2047) read, on one line."""
    joined = _BETWEEN_ENCODED.sub("", value[:_MOST_VALUE])
    return clean(_ENCODED.sub(_word, joined) + (LOST if len(value) > _MOST_VALUE else ""))


def _word(match: re.Match[str]) -> str:
    charset, encoding, content = match.groups()
    if encoding in "bB":
        raw = unbase64(content.encode("ascii", "ignore"))
    else:
        raw = binascii.a2b_qp(content.encode("ascii", "ignore"), header=True)
    return decoded(raw, charset)


def unbase64(data: bytes) -> bytes:
    """Return what base64 stands for, as far as it can be made out."""
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
    if len(letters) % 4 == 1:  # a letter alone stands for nothing
        letters = letters[:-1]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def with_parameters(value: str) -> tuple[str, dict[str, str]]:
    """Return what such a field as ``Content-Type`` says, in small letters, and its parameters."""
    value = value[:_MOST_VALUE]
    kind = re.split(r"[;\s(]", value.strip(), maxsplit=1)[0].lower()
    found: dict[str, str] = {}
    for name, quoted, plain in _PARAMETER.findall(value):
        found.setdefault(name.lower(), re.sub(r"\\(.)", r"\1", quoted) if quoted else plain)
    return kind, found

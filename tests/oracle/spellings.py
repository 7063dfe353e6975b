"""Every way to write 32 secret bytes, and a quick search for all of them at once.

A token is looked for by its first and its last eight bytes, so that half of it is found as well.
Text is cut into its long unbroken runs first: ordinary pages have few, and only those are looked
up, window by window, in one table of all spellings of all tokens.
"""

import base64
import binascii
import gzip
import html
import re
import zlib
from collections.abc import Iterable, Iterator
from urllib.parse import unquote_to_bytes

CHUNK = 8
HEX, BASE64, BASE32 = 16, 10, 12
"""Characters of a chunk that do not depend on what stands before and after it."""

DEEPEST = 4
"""How often something is unpacked that was packed within another."""

_RUN = re.compile(rb"[A-Za-z0-9+/_-]{12,}")
_HEX_RUN = re.compile(rb"[0-9a-f]{16,}")
_NUMBERS = re.compile(rb"(?:\b\d{1,3},\s{0,8}){7,}\d{1,3}\b")
_ADDRESS = re.compile(rb"\b[a-z]-[0-9a-z]{26}\b", re.IGNORECASE)
_DIGITS = re.compile(rb"\d{70,}")
_PERCENT = re.compile(rb"%[0-9A-Fa-f]{2}")
_ESCAPE = re.compile(rb"\\(?:x|u00)([0-9a-fA-F]{2})|\\([nrt'\"\\])")
_UNESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"'": b"'", b'"': b'"', b"\\": b"\\"}
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_PLAIN_ALPHABET = bytes.maketrans(b"-_", b"+/")
_PNG = b"\x89PNG"
_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")

Found = tuple[bytes, str]
"""A token, and how it was written."""


class Spellings:
    """The table of all spellings of the tokens that were added."""

    def __init__(self) -> None:
        self._table: dict[bytes, Found] = {}
        self._chunks: dict[bytes, bytes] = {}
        self._new: list[bytes] = []
        self._addresses: set[bytes] = set()

    def add(self, token: bytes) -> None:
        """Look for ``token`` from now on. Its spellings are worked out at the next search."""
        self._new.append(token)

    def add_address(self, local_part: str) -> None:
        """Look for an address that we gave to somebody, in small letters or capitals."""
        self._addresses.add(local_part.encode())

    def search(self, data: str | bytes) -> set[Found]:
        """Return which tokens are in ``data``, and how each was written."""
        self._work_out()
        found: set[Found] = set()
        if isinstance(data, str):
            found.update(self._in_wrong_text(data))
            data = data.encode("utf-8", "surrogatepass")
        found.update(self._in_bytes(data, DEEPEST, is_raw=True))
        return found

    def _work_out(self) -> None:
        while self._new:
            token = self._new.pop()
            for chunk in (token[:CHUNK], token[-CHUNK:]):
                self._chunks[chunk] = token
                for text, how in spellings_of(chunk):
                    self._table[text] = (token, how)

    def _in_wrong_text(self, text: str) -> Iterator[Found]:
        """Look for bytes that became a text by a wrong decoding: they bring control signs."""
        if not text.isascii() and _CONTROL.search(text):
            for encoding, errors in (("latin-1", "ignore"), ("utf-8", "surrogateescape")):
                try:
                    yield from self._raw(text.encode(encoding, errors))
                except UnicodeEncodeError:
                    continue

    def _raw(self, data: bytes) -> Iterator[Found]:
        # Every window once, however many tokens there are: a world's worth is thousands.
        chunks = self._chunks
        for start in range(len(data) - CHUNK + 1):
            if token := chunks.get(data[start : start + CHUNK]):
                yield token, "raw bytes"

    def _in_bytes(self, data: bytes, depth: int, *, is_raw: bool) -> Iterator[Found]:
        if is_raw and not _is_text(data):
            yield from self._raw(data)
        for run in _RUN.findall(data):
            yield from self._in_run(run, depth)
        for local_part in _ADDRESS.findall(data) if self._addresses else ():
            if local_part.lower() in self._addresses:
                yield local_part.lower(), "text"
        # A drawing is looked through as it is: what it has packed are its dots.
        if depth and not data.startswith(_PNG):
            for inner in _unpacked(data):
                yield from self._in_bytes(inner, depth - 1, is_raw=True)

    def _in_run(self, run: bytes, depth: int) -> Iterator[Found]:
        table = self._table
        plain = run.translate(_PLAIN_ALPHABET)
        for start in range(len(plain) - BASE64 + 1):
            if hit := table.get(plain[start : start + BASE64]):
                yield hit
        upper = run.upper()
        for start in range(len(upper) - BASE32 + 1):
            if hit := table.get(upper[start : start + BASE32]):
                yield hit
        for digits in _HEX_RUN.findall(run.lower()):
            for start in range(len(digits) - HEX + 1):
                if hit := table.get(digits[start : start + HEX]):
                    yield hit
        if depth and len(run) >= 16:
            # Raw bytes within have been found above, by their spelling.
            for inner in _from_base64(plain):
                yield from self._in_bytes(inner, depth - 1, is_raw=False)


def spellings_of(chunk: bytes) -> Iterator[Found]:
    """Yield the texts that eight bytes can be within, at any place of a longer encoded text."""
    yield chunk.hex().encode(), "hex"
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + chunk + bytes(3))
        start = -(-8 * shift // 6)
        yield text[start : start + BASE64], "base64"
    for shift in range(5):
        text = base64.b32encode(bytes(shift) + chunk + bytes(5))
        start = -(-8 * shift // 5)
        yield text[start : start + BASE32], "base32"


def _is_text(data: bytes) -> bool:
    """Return whether ``data`` reads as UTF-8: 32 bytes of chance never do."""
    if data.isascii():
        return not _CONTROL.search(data.decode("ascii"))
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _unpacked(data: bytes) -> Iterator[bytes]:
    """Yield what is written in ``data`` in another way: compressed, quoted, as numbers."""
    if data[:2] == b"\x1f\x8b":
        yield from _decompressed(data, gzip.decompress)
    elif data[:2] in _ZLIB:
        yield from _decompressed(data, zlib.decompress)
    if b"\\x" in data or b"\\u00" in data:
        yield _ESCAPE.sub(
            _unescape, html.unescape(data.decode("latin-1")).encode("latin-1", "ignore")
        )
    if b"%" in data and _PERCENT.search(data):
        yield unquote_to_bytes(data)
    for numbers in _NUMBERS.findall(data):
        values = [int(number) for number in numbers.split(b",")]
        if max(values) < 256:
            yield bytes(values)
    for digits in _DIGITS.findall(data):
        if len(digits) < 80:
            yield int(digits).to_bytes(34, "big")


def _decompressed(data: bytes, decompress: object) -> Iterator[bytes]:
    if not callable(decompress):
        raise TypeError
    try:
        yield decompress(data)
    except (OSError, EOFError, zlib.error):
        return


def _from_base64(run: bytes) -> Iterable[bytes]:
    """Return what a run could hold as base64, where that is text or compressed."""
    try:
        inner = base64.b64decode(run + b"=" * (-len(run) % 4))
    except binascii.Error:
        return ()
    is_worth_it = inner[:2] in (*_ZLIB, b"\x1f\x8b") or inner[:1] == b"\x80" or inner.isascii()
    return (inner,) if is_worth_it else ()


def _unescape(match: "re.Match[bytes]") -> bytes:
    if match[1]:
        return bytes.fromhex(match[1].decode())
    return _UNESCAPED[match[2]]

"""Read JSON Lines that may be cut, wrong or hostile.

Whatever the bytes, the answer is either lines of plain values or one :class:`RecordError` that
names a line and says what is the matter; the work is bounded by the size of the text. Stricter
than JSON: no fractions, no NaN, no key twice, no number that no game needs.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import NoReturn

MAX_BYTES = 2 * 1024 * 1024
MAX_LINES = 20_000
MAX_LINE_BYTES = 16 * 1024
MAX_DEPTH = 8
MAX_DIGITS = 9

# A string (perhaps without its end, so that the scan never starts over) or one bracket.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)


class RecordError(Exception):
    """The text is no game record: ``line`` (from 1) is where, ``reason`` is a sentence."""

    def __init__(self, line: int, reason: str) -> None:
        """Keep the place and the reason."""
        super().__init__(line, reason)
        self.line = line
        self.reason = reason

    def __str__(self) -> str:
        """Return place and reason as one sentence."""
        return f"line {self.line}: {self.reason}"


def split_lines(text: str | bytes) -> list[bytes]:
    """Return the lines of ``text`` without their ends; a last line may lack its newline.

    :raises RecordError: there is nothing in it, or more than a record may hold.
    """
    if len(text) > MAX_BYTES:
        raise RecordError(1, f"The text is longer than {MAX_BYTES} bytes.")
    try:
        data = text.encode() if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        line = error.object.count("\n", 0, error.start) + 1
        raise RecordError(line, "The text holds half a character (a lone surrogate).") from None
    if len(data) > MAX_BYTES:
        raise RecordError(1, f"The text is longer than {MAX_BYTES} bytes.")
    if not data.strip():
        raise RecordError(1, "The text is empty.")
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if len(lines) > MAX_LINES:
        raise RecordError(MAX_LINES + 1, f"There are more than {MAX_LINES} lines.")
    return [line.removesuffix(b"\r") for line in lines]


def read_object(number: int, line: bytes) -> dict[str, object]:
    """Return the JSON object on line ``number``: only dicts, lists, strings, ints, bools and None.

    :raises RecordError: it is anything else.
    """
    text = _decode(number, line)
    if _depth(text) > MAX_DEPTH:
        raise RecordError(number, f"The brackets are nested more than {MAX_DEPTH} deep.")
    try:
        value = _decoder(number).decode(text)
    except json.JSONDecodeError as error:
        fault = error.msg.removesuffix(" at")  # "Unterminated string starting at"
        reason = f"This is not JSON: {fault} at character {error.pos + 1}."
        raise RecordError(number, reason) from None
    if not isinstance(value, dict):
        raise RecordError(number, "A line must be a JSON object.")
    return value


def _decode(number: int, line: bytes) -> str:
    if len(line) > MAX_LINE_BYTES:
        raise RecordError(number, f"The line is longer than {MAX_LINE_BYTES} bytes.")
    if not line.strip():
        raise RecordError(number, "The line is empty.")
    if line.startswith(b"\xef\xbb\xbf"):
        raise RecordError(number, "The line begins with a byte order mark.")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise RecordError(number, f"Byte {error.start + 1} is not UTF-8.") from None


def _depth(text: str) -> int:
    """Return how deep the brackets outside of strings nest."""
    depth = deepest = 0
    for bracket in _brackets(text):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _brackets(text: str) -> Iterator[str]:
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return iter(())
    return (found for found in _STRING_OR_BRACKET.findall(text) if not found.startswith('"'))


def _decoder(number: int) -> json.JSONDecoder:
    """Return a decoder that refuses, as a fault of line ``number``, what JSON lets through."""

    def pairs(items: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(items)
        if len(found) < len(items):
            keys = Counter(key for key, _ in items)
            raise RecordError(number, f"The key {shown(keys.most_common(1)[0][0])} comes twice.")
        return found

    def integer(digits: str) -> int:
        if len(digits) > MAX_DIGITS:
            raise RecordError(number, f"A number has more than {MAX_DIGITS} digits.")
        return int(digits)

    def fraction(digits: str) -> NoReturn:
        raise RecordError(number, f"Only whole numbers are allowed, not {shown(digits)}.")

    return json.JSONDecoder(
        object_pairs_hook=pairs, parse_int=integer, parse_float=fraction, parse_constant=fraction
    )


def shown(value: object) -> str:
    """Return ``value`` for a sentence: short, and safe to print."""
    text = ascii(value)
    return text if len(text) <= 40 else text[:36] + "..."

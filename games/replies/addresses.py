"""Mail addresses out of a header field (RFC 5322, 3.4, with RFC 6532), strictly.

What can't be read for certain is the address ``""``: it is nobody's, and it still counts as one.
The address between angle brackets is the address, whatever the name before it looks like.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

MOST: Final = 50
"""Addresses of a field that are read."""

_MOST_CHARACTERS: Final = 16_000

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_PLAIN = re.compile(r'[^"(<>,;:=]+|=')
_ENCODED = re.compile(r"=\?[^?\s]{1,60}\?[bBqQ]\?[^?<>]{0,200}\?=")
_IN_COMMENT = re.compile(r"\\.|[()]")
_ADDRESS = re.compile(
    r'(?P<local>[^\s<>()\[\],;:\\"@]{1,64}|"(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f]){0,62}")'
    r"@(?P<domain>[\w-]{1,63}(?:\.[\w-]{1,63}){0,20}|\[[0-9a-fA-F:.]{2,60}\])"
)
_NEEDS_NO_QUOTES = re.compile(r"[^\s<>()\[\],;:\\\"@.]+(?:\.[^\s<>()\[\],;:\\\"@.]+)*")


def addresses(value: str) -> list[str]:
    """Return the addresses of a field in their order, 50 at most, each as ``canonical`` has it.

    A field of more than 16,000 characters has none.
    """
    if len(value) > _MOST_CHARACTERS:
        return []
    return [canonical(written) for written in islice(_written(value), MOST)]


def canonical(written: str) -> str:
    """Return an address to compare, its domain in small ASCII letters; ``""`` when it is none."""
    match = _ADDRESS.fullmatch(written.strip())
    if match is None or not written.isprintable() or "\ufffd" in written:
        return ""
    local, domain = match["local"], match["domain"].casefold()
    unquoted = re.sub(r"\\(.)", r"\1", local[1:-1]) if local.startswith('"') else local
    if _NEEDS_NO_QUOTES.fullmatch(unquoted):
        local = unquoted
    if not domain.isascii():
        # A name that IDNA refuses stays as it is: it then equals only itself.
        with suppress(UnicodeError):
            domain = domain.encode("idna").decode("ascii")
    return f"{local}@{domain}"


def domain_of(address: str) -> str:
    """Return the domain of a canonical address."""
    return address.rpartition("@")[2]


def _written(value: str) -> Iterator[str]:
    """Yield every address of a list as it was written, names and comments left out."""
    before, angled, at = "", "", 0
    while at < len(value):
        char = value[at]
        if char == "(":
            at = _after_comment(value, at)
            continue
        run = _QUOTED.match(value, at) or _ENCODED.match(value, at) or _PLAIN.match(value, at)
        if run is not None:
            # Words around angle brackets are a name in front, and nothing behind.
            before += run[0] if not angled else run[0].strip()
            at = run.end()
        elif char == "<" and not angled:
            end = value.find(">", at)
            if end < 0:
                before, angled = "?", "?"
                break
            before, angled, at = "", value[at : end + 1], end + 1
        elif char in ",;":
            if before.strip() or angled:
                yield _one(before, angled)
            before, angled, at = "", "", at + 1
        elif char == ":" and not angled and "@" not in before:
            before, at = "", at + 1  # a group's name
        else:
            before, at = before + "\0", at + 1
    if before.strip() or angled:
        yield _one(before, angled)


def _one(before: str, angled: str) -> str:
    if not angled:
        return before.strip()
    return angled[1:-1] if not before.strip() else "?"


def _after_comment(value: str, at: int) -> int:
    depth = 0
    for mark in _IN_COMMENT.finditer(value, at):
        depth += {"(": 1, ")": -1}.get(mark[0], 0)
        if depth == 0:
            return mark.end()
    return len(value)

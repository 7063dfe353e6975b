"""The lines of a part above our own text, and the first of them that says something."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from games.replies.incoming import Line
from games.replies.lines import BREAKS, clean, fold, one_of, shown
from games.replies.words import habits

MOST_LINES: Final = 60
"""Lines with text that are looked at: a forwarded mail begins within them, or there is none."""

_MOST_SCANNED: Final = 20_000
"""Lines, blank ones too, after which no more is looked for."""

_MARKER = re.compile(r"##-.{1,80}-##")
_PGP = "-----BEGIN PGP "


def _wrote(phrase: str) -> str:
    begins, ends = phrase.split(" ... ")
    return rf"{re.escape(begins)}\b.{{3,}}\b{re.escape(ends)}\b.{{0,60}}:"


_ATTRIBUTION: Final = re.compile("|".join(map(_wrote, habits("wrote"))))
_HEADER: Final = re.compile(
    rf"\*?(?:{one_of(habits('sender'))}) ?: ?\*? ?[^ ]"
    rf"|-{{2,}} ?(?:{one_of(habits('original'))}) ?-{{2,}}|_{{10,}}$"
)
_FORWARDED: Final = re.compile(
    rf"-{{2,}} ?(?:{one_of(habits('forwarded'))}) ?-{{2,}}|(?:{one_of(habits('forwarded'))}) ?:"
)


def plain_lines(text: str, *, flowed: bool, delsp: bool) -> Iterator[str]:
    """Yield the lines of plain text, those that were wrapped (RFC 3676) joined again."""
    paragraph: list[str] = []
    for line in _split(text.replace("\r\n", "\n").translate(BREAKS)):
        if not flowed:
            yield line
            continue
        if line.startswith(">"):
            yield "".join(paragraph)
            paragraph = []
            yield line  # of quotes we only look at where they begin
            continue
        content = line.removeprefix(" ")
        wraps = content.endswith(" ") and content != "-- "
        paragraph.append(content[:-1] if wraps and delsp else content)
        if not wraps:
            yield "".join(paragraph)
            paragraph = []
    yield "".join(paragraph)


def _split(text: str) -> Iterator[str]:
    """Yield lines one by one: a megabyte of line ends is no list of a million lines."""
    at = 0
    while at <= len(text):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        yield text[at:end]
        at = end + 1


def above_quote(lines: Iterable[str]) -> list[str]:
    """Return the first lines with text, up to the one that holds our marker."""
    return list(islice(_above_marker(lines), MOST_LINES))


def _above_marker(lines: Iterable[str]) -> Iterator[str]:
    armoured = False
    for line in islice(lines, _MOST_SCANNED):
        text = clean(line)
        if _MARKER.search(text):
            yield f"> {text}"  # ours, however deep it is quoted, and so is all below it
            return
        if text.startswith(f"{_PGP}SIGNED MESSAGE"):
            armoured = True
        elif armoured:
            armoured = bool(text)  # its own header ends with a blank line
        elif text:
            yield line


def first_line(lines: list[str]) -> Line | None:
    """Return the first line of those with text, or None where there is none."""
    if not lines:
        return None
    return Line(clean(lines[0]), shown(lines[0]), is_quote=_is_quote(lines))


def _is_quote(lines: list[str]) -> bool:
    """Say whether these lines begin with a quoted mail; its introduction may be wrapped."""
    first = clean(lines[0])
    if first.startswith(">") or _HEADER.match(fold(first)):
        return True
    joined = fold(" ".join([clean(line) for line in lines[:3]]))
    return bool(_ATTRIBUTION.match(joined))


def is_forwarded(lines: list[str]) -> bool:
    """Say whether a mail that somebody passed on begins within these lines."""
    return any(_FORWARDED.match(fold(line).lstrip("> ")) for line in lines)


def is_encrypted(line: Line | None) -> bool:
    """Say whether a text is an armoured PGP message."""
    return line is not None and line.text.startswith(f"{_PGP}MESSAGE")

"""One line of a mail: clean to keep, folded to compare, short to quote."""

import re
import unicodedata
from typing import Final

from games.replies.incoming import MOST_SHOWN

MOST_LINE: Final = 600
"""Characters of a line that are looked at, twice those of the longest command. One that has as many
has too many: nothing is ever cut to something that it doesn't say."""

BREAKS: Final = {ord(char): "\n" for char in "\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"}
"""What a reader sees as the end of a line, whatever its name."""

LOST: Final = "\ufffd"
"""Stands for what can't be read. No command holds it."""

_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("✕✖", "×"),
    }
)

_ACCENTS: Final = frozenset("\u0300\u0301\u0302\u0303\u0308\u0327")
"""Accents that our languages write. Others are kept: a word that is struck out is not that word."""

_TRIMMED: Final = " .!¡,;:*_\"'()[]{}"
"""What stands around a command without meaning anything. A question mark does."""


def clean(text: str) -> str:
    """Return a line in NFKC with plain quotes and hyphens, one space between words, nothing unseen.

    A line that is longer than :data:`MOST_LINE` comes back just as long as that, however much of
    it is blank.
    """
    text = text.strip()
    compatible = unicodedata.normalize("NFKC", text[:MOST_LINE].translate(_SAME)).translate(_SAME)
    seen = " ".join("".join([_seen(char) for char in compatible]).split())
    return seen[:MOST_LINE] if len(text) <= MOST_LINE else seen[:MOST_LINE].ljust(MOST_LINE, LOST)


def _seen(char: str) -> str:
    category = unicodedata.category(char)
    if category == "Cf":  # zero width, bidi
        return ""
    if category == "Cs":  # half a character: it could not even be written back
        return LOST
    return " " if category[0] in "ZC" else char


def shown(text: str) -> str:
    """Return at most 80 characters of a line as it was written, safe to print."""
    seen = "".join([_seen(char) for char in text[:MOST_LINE]])
    return " ".join(seen.split())[:MOST_SHOWN]


def fold(text: str) -> str:
    """Return a clean line without case and accents, to compare with words."""
    apart = unicodedata.normalize("NFD", clean(text).casefold())
    return "".join([char for char in apart if char not in _ACCENTS])


def trim(text: str) -> str:
    """Return a line without the marks around it."""
    return text.strip(_TRIMMED)


def spoken(phrases: str) -> tuple[str, ...]:
    """Return the folded phrases of a row of a word table; commas keep them apart."""
    return tuple([fold(phrase) for phrase in phrases.split(",") if phrase])


def one_of(phrases: tuple[str, ...]) -> str:
    """Return a regular expression for any of some folded phrases, the longest first."""
    return "|".join(
        re.escape(each) for each in sorted(phrases, key=lambda each: (-len(each), each))
    )

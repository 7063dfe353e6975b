"""Display names: what may be one, and when two of them look alike.

A display name is what the other players read. It is one line, made of visible characters, and two
people may not have names that a glance cannot tell apart.
"""

import re
import unicodedata
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

MIN_GRAPHEMES: Final = 2
MAX_GRAPHEMES: Final = 24
# Code points: a grapheme may carry accents, but not a tower of them.
MAX_LENGTH: Final = 64
MAX_KEY_LENGTH: Final = 128
MAX_MARKS: Final = 3

# Letters that look like Latin ones (a subset of Unicode's confusables.txt, UTS 39, that matters
# after case folding), and the digits and strokes people use in their place.
_LOOKALIKES: Final = str.maketrans(
    {
        # Cyrillic
        "а": "a", "в": "b", "с": "c", "ԁ": "d", "е": "e", "һ": "h", "і": "i", "ј": "j", "к": "k",
        "ӏ": "i", "м": "m", "н": "h", "о": "o", "р": "p", "ԛ": "q", "ѕ": "s", "т": "t", "у": "y",
        "ѵ": "v", "ԝ": "w", "х": "x", "ґ": "r", "г": "r", "п": "n", "ь": "b", "з": "3",
        # Greek
        "α": "a", "β": "b", "ε": "e", "η": "n", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p",
        "τ": "t", "υ": "u", "χ": "x", "γ": "y", "ω": "w", "μ": "u", "ζ": "z", "σ": "o",
        # Latin and strokes: one glyph in many a typeface
        "ı": "i", "l": "i", "1": "i", "|": "i", "!": "i", "ɩ": "i", "ɑ": "a", "ɡ": "g", "0": "o",
        "ɵ": "o", "ѳ": "o", "$": "s", "ꮪ": "s", "ⅼ": "i",
        # Armenian
        "օ": "o", "ո": "n", "ս": "u", "հ": "h", "յ": "j", "ց": "g", "ք": "p",
    }
)  # fmt: skip
_PAIRS: Final = (("rn", "m"), ("vv", "w"))
# Quotes, dots and dashes of a name are drawn in too many ways to tell people apart.
_IGNORED: Final = re.compile(r"[\s\-‐-―−._'’‘`´·,]+")
# Letters and symbols that are drawn as nothing at all.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
# What could be taken for an address or for mark-up where a name stands in a mail header.
_ADDRESS: Final = frozenset('@<>"\\')
# What mail programs turn into a link, in mails that this site vouches for.
_LINK: Final = re.compile(r"://|www\.|\w\.[^\W\d]{2,}", re.IGNORECASE)
_REGIONAL: Final = range(0x1F1E6, 0x1F200)
_SKIN: Final = range(0x1F3FB, 0x1F400)
_TITLES: Final = ("admin", "administrator", "moderator", "perudo", "root", "staff", "support",
                  "system", "webmaster")  # fmt: skip


def tidy_name(text: str) -> str:
    """Return ``text`` composed (NFC), with each run of spaces as one and none at the ends."""
    spaced = "".join(" " if unicodedata.category(char) == "Zs" else char for char in text)
    return re.sub(" +", " ", unicodedata.normalize("NFC", spaced)).strip(" ")


def display_key(name: str) -> str:
    """Return the key two names share when a glance cannot tell them apart.

    NFKC and case folding (Unicode 15, chapter 5.18), then look-alike letters are mapped to one
    and spaces, dashes, dots and quotes are dropped.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    # Folding can decompose, and dropping a space can bring a letter and a mark together: composing
    # again makes the key stable (UAX 31, R5).
    plain = _IGNORED.sub("", unicodedata.normalize("NFKC", folded).translate(_LOOKALIKES))
    key = unicodedata.normalize("NFC", plain)
    for pair, single in _PAIRS:
        key = key.replace(pair, single)
    return key


def count_graphemes(text: str) -> int:
    """Return how many characters a reader sees in ``text``.

    A short form of UAX 29 for text that :func:`validate_display_name` lets through: marks, emoji
    skin tones and variation selectors join the character before them, two regional indicators
    make one flag.
    """
    count = 0
    open_flag = False
    for char in text:
        if ord(char) in _REGIONAL:
            open_flag = not open_flag
            count += open_flag
            continue
        open_flag = False
        joins = unicodedata.category(char) in {"Mn", "Me", "Mc"} or ord(char) in _SKIN
        count += not (joins and count)
    return count


RESERVED_KEYS: Final = frozenset(display_key(title) for title in _TITLES)


def validate_display_name(name: str) -> None:
    """Check that ``name`` may stand in front of other players.

    :raises ValidationError: with code ``name.short``, ``name.long``, ``name.unprintable``,
        ``name.address``, ``name.link``, ``name.letters`` or ``name.reserved``.
    """
    if any(not _is_visible(char) for char in name) or name != tidy_name(name) or _towers(name):
        raise ValidationError(
            _("Use letters, digits and plain signs only, on one line."), code="name.unprintable"
        )
    if not _ADDRESS.isdisjoint(name):
        raise ValidationError(
            _('A name can’t contain any of these: @ < > " \\'), code="name.address"
        )
    if _LINK.search(name):
        raise ValidationError(
            _("A name can’t look like a web address: put a space after the dot."),
            code="name.link",
        )
    graphemes = count_graphemes(name)
    if graphemes < MIN_GRAPHEMES:
        raise ValidationError(
            ngettext_lazy(
                "Use at least %(count)d character.",
                "Use at least %(count)d characters.",
                MIN_GRAPHEMES,
            ),
            params={"count": MIN_GRAPHEMES},
            code="name.short",
        )
    key = display_key(name)
    if graphemes > MAX_GRAPHEMES or len(name) > MAX_LENGTH or len(key) > MAX_KEY_LENGTH:
        raise ValidationError(
            ngettext_lazy(
                "Use at most %(count)d character.",
                "Use at most %(count)d characters.",
                MAX_GRAPHEMES,
            ),
            params={"count": MAX_GRAPHEMES},
            code="name.long",
        )
    if not any(char.isalnum() for char in key):
        raise ValidationError(_("Use at least one letter or digit."), code="name.letters")
    if key in RESERVED_KEYS:
        raise ValidationError(_("This name is reserved."), code="name.reserved")


def _is_visible(char: str) -> bool:
    """Return whether ``char`` shows: no control, format (bidi, zero-width) or private character."""
    return (char == " " or unicodedata.category(char)[0] not in {"C", "Z"}) and char not in _BLANK


def _towers(name: str) -> bool:
    """Return whether a character carries more than ``MAX_MARKS`` marks, or a mark comes first."""
    marks = 0
    for position, char in enumerate(name):
        marks = marks + 1 if unicodedata.category(char) in {"Mn", "Me"} else 0
        if marks > MAX_MARKS or (marks and position == 0):
            return True
    return False

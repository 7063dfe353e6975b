"""Lines that people write and others read: on the table's page, and in mails to strangers."""

import re
import unicodedata
from itertools import groupby
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.rules.record.model import is_clean

MOST_MARKS: Final = 3
"""Marks that one letter may carry: more of them climb over the lines above."""
# Drawn as nothing at all, though Unicode has them among letters and symbols.
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
# What mail programs turn into a link, in mails that this site vouches for.
_LINK: Final = re.compile(r"://|www\.|\w\.[^\W\d]{2,}", re.IGNORECASE)


def tidy_line(text: str) -> str:
    """Return ``text`` composed and on one line, with single spaces.

    :raises ValidationError: with code ``line.unprintable`` (controls, turned directions, towers of
        marks) or ``line.link``.
    """
    line = " ".join(unicodedata.normalize("NFC", text).split())
    if not is_clean(line) or not _BLANK.isdisjoint(line) or _towers(line):
        raise ValidationError(
            _("This name has signs in it that cannot be shown."), code="line.unprintable"
        )
    if _LINK.search(line):
        raise ValidationError(
            _("A name can’t look like a web address: put a space after the dot."),
            code="line.link",
        )
    return line


def _towers(line: str) -> bool:
    marks = groupby(line, key=lambda sign: unicodedata.category(sign) in {"Mn", "Me"})
    return any(is_mark and len(list(run)) > MOST_MARKS for is_mark, run in marks)

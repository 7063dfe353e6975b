"""Bytes to text: as declared, else UTF-8, else Windows-1252. Never raises."""

import codecs
import encodings
import re
from encodings.aliases import aliases
from typing import Final

_TEXTS: Final = re.compile(
    r"ascii|latin_1|iso8859_\d{1,2}|cp\d{3,5}|koi8_[rtu]|mac_[a-z]{4,8}|tis_620|hp_roman8|kz1048"
    r"|utf_8|utf_8_sig|utf_16|utf_16_[bl]e|utf_32|utf_32_[bl]e"
    r"|gb2312|gbk|gb18030|hz|big5|big5hkscs|shift_jis(?:x0213|_2004)?|euc_(?:jp|kr|jisx0213)"
    r"|iso2022_(?:jp|kr)(?:_\w{1,4})?|johab"
)
"""What Python calls the charsets that texts are written in. Not all of its codecs are such: some
take their time in squares, some warn, and UTF-7 hides letters."""

_NAME: Final = re.compile(r"[A-Za-z0-9][\w.:+-]{0,39}", re.ASCII)


def decoded(raw: bytes, charset: str) -> str:
    """Return the text of ``raw``; bytes that stand for nothing become U+FFFD."""
    for name in (charset, "utf-8"):
        codec = known(name)
        if codec is not None:
            try:
                return codec.decode(raw)[0]
            except UnicodeError:
                continue
    return raw.decode("cp1252", "replace")


def known(charset: str) -> codecs.CodecInfo | None:
    """Return the codec of a charset's name, or None when it is no name of a charset."""
    if not _NAME.fullmatch(charset):
        return None
    name = encodings.normalize_encoding(charset).lower()
    name = aliases.get(name, name)
    if not _TEXTS.fullmatch(name):  # looking up any name would keep it for ever
        return None
    try:
        return codecs.lookup(name)
    except LookupError:
        return None

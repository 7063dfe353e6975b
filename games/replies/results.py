"""What a border found out about a mail: the Authentication-Results field (RFC 8601).

Parts of the field are the sender's own words: the local part of his envelope address, in a value
or in a comment. They are read so that no such word becomes a result.
"""

import re
from collections.abc import Sequence
from typing import Final

from games.replies.incoming import Verdict

_QUOTED: Final = r'"(?:[^"\\]|\\.)*+"'
_PIECE: Final = re.compile(rf'{_QUOTED}|\\.|[();"\\]|[^()";\\]++', re.DOTALL)
_PAIR: Final = re.compile(rf"([a-z0-9.-]{{1,60}})\s*=\s*((?:{_QUOTED}|[^\s;\"])+)", re.IGNORECASE)
_METHOD: Final = re.compile(r"([a-z0-9-]{1,40})(?:\s*/\s*\d+)?\s*=\s*([a-z]{1,40})", re.IGNORECASE)
_DOMAIN: Final = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+")
_WHOSE: Final = {"dmarc": "header.from", "dkim": "header.d", "spf": "smtp.mailfrom"}


def verdicts_of(results: Sequence[str], authserv_id: str) -> tuple[Verdict, ...] | None:
    """Return what the topmost field of ``authserv_id`` says, or None when there is no such field.

    :param results: the fields, topmost first. Those of other names are anybody's claim, and so is
        a second one of ours: the border takes off what came with the mail.
    """
    for field in results:
        statements = _statements(field)
        named = statements[0].split() if statements else []
        if named and named[0].strip('"').casefold() == authserv_id.casefold():
            return tuple([each for each in map(_verdict, statements[1:]) if each is not None])
    return None


def _statements(field: str) -> list[str]:
    """Return what semicolons keep apart, without comments; nothing where the quoting is odd."""
    found, depth = [""], 0
    for match in _PIECE.finditer(field):
        piece = match[0]
        if depth and '"' in piece:  # somebody's quoted words, of which we can't see the end
            return []
        if piece == "(":
            depth += 1
        elif piece == ")":
            if not depth:
                return []
            depth -= 1
            found[-1] += " "
        elif depth:
            continue
        elif piece == ";":
            found.append("")
        elif piece in ('"', "\\"):
            return []
        else:
            found[-1] += piece
    return [] if depth else [each.strip() for each in found]


def _verdict(statement: str) -> Verdict | None:
    method = _METHOD.match(statement)
    if method is None or method[1].lower() not in _WHOSE:
        return None
    name = method[1].lower()
    values: dict[str, str] = {}
    for key, value in _PAIR.findall(statement, method.end()):
        values.setdefault(key.lower(), value)
    # Some borders name the signature's identity alone: it is of the signing domain or below it.
    whose = values.get(_WHOSE[name], values.get("header.i", "") if name == "dkim" else "")
    return Verdict(name, method[2].lower(), _domain(whose))


def _domain(value: str) -> str:
    """Return the domain of a domain or an address, or ``""``."""
    bare = value[1:-1] if re.fullmatch(_QUOTED, value) else value
    domain = bare.rpartition("@")[2].strip("<>.").casefold()
    return domain if _DOMAIN.fullmatch(domain) else ""

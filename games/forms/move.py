"""A move as the table's page sends it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

ACTS = ("bid", "dudo", "calza")
MOST_VERSIONS = 2**31 - 1

_VERSION = re.compile(r"[0-9]{1,10}", re.ASCII)
_KEY = re.compile(r"[A-Za-z0-9_-]{1,24}", re.ASCII)
_MOST_BID = 10


@dataclass(frozen=True, slots=True)
class SentMove:
    """One move: the version it answers, its own key against being sent twice, and what to do.

    The page writes these fields itself (``components/ladder.html`` and ``move_buttons.html``) and
    never shows them again, so it is no Django form, which takes thirty times as long to read.
    """

    version: int
    idem_key: str
    act: str
    bid: str

    @classmethod
    def read(cls, sent: Mapping[str, str]) -> Self | None:
        """Return what was sent, or None when it has not the shape of a move."""
        version, key = sent.get("version", "").strip(), sent.get("idem_key", "").strip()
        act, bid = sent.get("act", ""), sent.get("bid", "").strip()
        if not _VERSION.fullmatch(version) or int(version) > MOST_VERSIONS:
            return None
        if not _KEY.fullmatch(key) or act not in ACTS or len(bid) > _MOST_BID:
            return None
        return cls(int(version), key, act, bid)

    def key_of_answer(self) -> str:
        """Return the key of this move as an answer to its version.

        A key that is used again for another version is another move, so it can never collide.
        """
        return f"{self.version}.{self.idem_key}"

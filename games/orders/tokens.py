"""Words, numbers and marks of a text, folded for matching and still knowing where they stood.

Folding takes away what players write differently without meaning anything by it: case, accents,
full width, curly quotes, characters that are not seen. Each folded character remembers the place
of the one that was written, so that an error can point at it.
"""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

_SAME = {"’": "'", "‘": "'", "–": "-", "−": "-", "✕": "×", "\n": ";", "\r": ";"}
_IGNORED = frozenset('"“”«»()[]!')
_UNSEEN = frozenset({"Mn", "Cf"})  # accents that came apart from their letter, and zero width


class Kind(Enum):
    """What a token is made of."""

    NUMBER = auto()
    WORD = auto()
    MARK = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word, number or mark, written from ``start`` to before ``end``."""

    kind: Kind
    text: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """Return the tokens of ``text``; any text has some, known or not."""
    tokens: list[Token] = []
    joined = 0  # where a character must stand to go on with the token before it
    for kind, letter, place in _letters(text):
        if kind is None:
            joined += place == joined
            continue
        last = tokens[-1] if tokens and place <= joined else None
        joined = place + 1
        if last is not None and (
            (kind is last.kind and kind is not Kind.MARK) or last.text + letter == ">="
        ):
            tokens[-1] = Token(kind, last.text + letter, last.start, joined)
        else:
            tokens.append(Token(kind, letter, place, joined))
    return tokens


def _letters(text: str) -> Iterator[tuple[Kind | None, str, int]]:
    """Yield every folded character, what it is (None: not seen), and where it was written."""
    for place, written in enumerate(text):
        for letter in unicodedata.normalize("NFKD", _SAME.get(written, written)).casefold():
            if unicodedata.category(letter) in _UNSEEN:
                yield None, "", place
            elif letter in "0123456789":
                yield Kind.NUMBER, letter, place
            elif not letter.isspace() and letter not in _IGNORED:
                yield Kind.WORD if letter.isalpha() else Kind.MARK, letter, place

"""Bids in words and digits, and what a line that is almost a bid might have meant.

A folded line is matched whole against patterns that are made of the word tables, so that there is
nothing it could be half of. Quantity first, always.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeVar

from games.orders import words as spoken
from games.orders.words import Phrases
from games.replies.command import Command, Reason, Unread, Verb
from games.replies.lines import one_of
from games.rules.bid import FACES, Bid

MOST_DICE: Final = 99
"""Quantities have one or two digits."""

Meaning = TypeVar("Meaning")


def phrases(table: Phrases[Meaning]) -> Mapping[str, Meaning]:
    """Return a word table of orders by its folded phrases, as they stand in a line."""
    found = {" ".join(tokens): meaning for tokens, meaning in table.meanings.items()}
    return MappingProxyType(
        {re.sub(r" ?(['-]) ?", r"\1", phrase): meaning for phrase, meaning in found.items()}
    )


QUANTITIES: Final = phrases(spoken.NUMBERS)
FACE_WORDS: Final = phrases(spoken.FACES)
LEADS: Final = tuple(phrases(spoken.LEAD))
JOINERS: Final = tuple(
    [each for each in phrases(spoken.JOINER) if each[0].isalpha() and each != "x"]
)

_LEAD: Final = rf"(?:(?:{one_of(LEADS)}) )?"
_QUANTITY: Final = rf"(?P<quantity>[0-9]+|{one_of(tuple(QUANTITIES))})"
# An x between letters would be a letter of theirs.
_SEPARATOR: Final = rf"(?P<separator> ?(?:(?<![a-z])x(?![a-z])|[×*/-]) ?| (?:{one_of(JOINERS)}) | )"
_FACE: Final = rf"(?:(?P<digit>[0-9]+)(?:'?s)?|(?P<face>{one_of(tuple(FACE_WORDS))}))"

_BIG_WORDS: Final = one_of(tuple([word for word, number in QUANTITIES.items() if number > 6]))

_BID: Final = re.compile(f"{_LEAD}{_QUANTITY}{_SEPARATOR}{_FACE}", re.ASCII)
_OTHER_FACE: Final = re.compile(rf"{_LEAD}{_QUANTITY}{_SEPARATOR}(?:{_BIG_WORDS})s?", re.ASCII)
_QUANTITY_ALONE: Final = re.compile(f"{_LEAD}{_QUANTITY}(?: dice| dadi| des| dados)?", re.ASCII)
_FACE_ALONE: Final = re.compile(f"{_LEAD}{_FACE}", re.ASCII)
_THREE: Final = re.compile("([1-9]) ([1-6]) ([1-6])", re.ASCII)
_ONE: Final = rf"([1-9]|{one_of((*FACE_WORDS, *QUANTITIES))})(?:'?s)?"
_TWO: Final = re.compile(rf"{_LEAD}(?:([1-9])([1-9])|{_ONE} ?[,.;:]? ?{_ONE})", re.ASCII)


def read_bid(line: str, *, most: int | None, is_alone: bool = True) -> Bid | Unread | None:
    """Return the bid that a folded line is, why it is none, or None when it is nothing like one.

    :param most: the most dice that it may name.
    :param is_alone: no courtesy follows it.
    """
    match = _BID.fullmatch(line)
    if match is None:
        return _almost(line)
    quantity = _number(match["quantity"])
    face = int(match["digit"][:5]) if match["digit"] else FACE_WORDS[match["face"]]
    limit = MOST_DICE if most is None else min(most, MOST_DICE)
    if face not in FACES:
        return Unread(Reason.BAD_FACE)
    if not 1 <= quantity <= limit or match["quantity"].startswith("0"):
        return Unread(Reason.BAD_QUANTITY, most=limit)
    bid = Bid(quantity, face)
    if _says_more(match, is_alone=is_alone):
        return Unread(Reason.TWO_READINGS, readings=_commands(bid))
    return bid


def _says_more(match: re.Match[str], *, is_alone: bool) -> bool:
    """Say whether words that make a bid are also good for something else."""
    quantity, separator, face = match["quantity"], match["separator"], match["face"]
    if quantity == "once":  # Spanish eleven, and an English word
        return not is_alone or face is None or separator != " "
    # "vingt-cinq" and "twenty five" are 25 of something.
    return (
        QUANTITIES.get(quantity) == 20
        and QUANTITIES.get(face or "") is not None
        and separator.strip() in ("", "-")
    )


def _almost(line: str) -> Unread | None:
    """Return why a line that is no bid looks like one, with what it might have meant."""
    if _OTHER_FACE.fullmatch(line):
        return Unread(Reason.BAD_FACE)
    if _QUANTITY_ALONE.fullmatch(line) and not _TWO.fullmatch(line):
        return Unread(Reason.NO_FACE)
    if _FACE_ALONE.fullmatch(line) and not _TWO.fullmatch(line):
        return Unread(Reason.NO_QUANTITY)
    pairs = _pairs(line)
    if not pairs:
        return None
    bids = [Bid(first, second) for first, second in dict.fromkeys(pairs) if second in FACES]
    return Unread(Reason.TWO_READINGS, readings=_commands(*bids))


def _pairs(line: str) -> tuple[tuple[int, int], ...]:
    """Return the pairs of numbers that a line without a clear separator may have meant."""
    three = _THREE.fullmatch(line)
    if three is not None:
        first, second, third = map(int, three.groups())
        return (first, second), (second, third)
    two = _TWO.fullmatch(line)
    if two is None:
        return ()
    first, second = [_value(word) for word in two.groups() if word]
    return (first, second), (second, first)


def _commands(*bids: Bid) -> tuple[Command, ...]:
    return tuple([Command(Verb.BID, bid=bid) for bid in bids])


def _number(word: str) -> int:
    # A longer one is out of every range, and reading it would cost.
    return QUANTITIES[word] if word in QUANTITIES else int(word[:4])


def _value(word: str) -> int:
    return FACE_WORDS.get(word) or _number(word)

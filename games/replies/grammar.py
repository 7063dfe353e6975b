"""The grammar of a line, in English, Italian, French and Spanish at once (docs/mail.md).

A line is one command or none. What could be two things is neither, and a line that is longer than
its command says something else.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from games import orders
from games.orders import Call
from games.orders import words as spoken
from games.replies import words
from games.replies.bids import phrases, read_bid
from games.replies.command import MOST_SAID, Command, Reason, Unread, Verb
from games.replies.lines import MOST_LINE, clean, fold, shown, trim

CALLS: Final = MappingProxyType(
    {
        **{
            phrase: Verb(call.value)
            for phrase, call in phrases(spoken.CALLS).items()
            if call in (Call.DUDO, Call.CALZA)
        },
        **dict.fromkeys(phrases(spoken.PASS), Verb.PASS),
    }
)
QUERIES: Final[Mapping[str, Verb]] = MappingProxyType(
    {
        phrase: verb
        for verb, row in (
            (Verb.CANCEL, "cancel"),
            (Verb.MY_DICE, "my_dice"),
            (Verb.STATUS, "status"),
            (Verb.HISTORY, "history"),
            (Verb.HELP, "help"),
            (Verb.STOP_MAIL, "stop_mail"),
            (Verb.ACCEPT, "accept"),
            (Verb.DECLINE, "decline"),
        )
        for phrase in words.every(row)
    }
)
_WHOLE: Final = MappingProxyType({**QUERIES, **CALLS})

NEXT: Final = frozenset(phrases(spoken.NEXT))
ORDERS: Final = NEXT | set(words.every("order"))
SAYS: Final = frozenset(words.every("say"))

_POLITE: Final = tuple([f" {phrase}" for phrase in words.every("polite")])
_CROCKFORD: Final = str.maketrans("oil", "011")
_BETWEEN: Final = re.compile(r" ?[,.;!/&]+ ?| (?:and|then|or|e|poi|o|et|puis|ou|y|luego) | ")
_MOST_OF_TWO: Final = 100
"""Characters that two commands have together, at most."""


def parse_command(
    line: str, *, most: int | None = None, codes: Collection[str] = ()
) -> Command | Unread:
    """Return the one thing that ``line`` says; never guess, never raise.

    :param most: the most dice that a bid may name (those on the table); None: 99.
    :param codes: the games that may be named in front of a command, as in ``friday: 5 fours``.
    """
    read = _parse(clean(line), most=most, codes=codes)
    return replace(read, shown=shown(line)) if isinstance(read, Unread) else read


def _parse(line: str, *, most: int | None, codes: Collection[str]) -> Command | Unread:
    """Read a clean line."""
    if len(line) == MOST_LINE:
        return Unread(Reason.TOO_LONG, most=orders.MOST_CHARACTERS)
    lead, colon, rest = line.partition(":")
    code = next((each for each in codes if colon and _same_code(each) == _same_code(lead)), None)
    if code is not None:
        line = rest.strip()
        lead, colon, rest = line.partition(":")
    read = (_led(trim(fold(lead)), rest) if colon else None) or _alone(line, most=most)
    return replace(read, code=code) if isinstance(read, Command) else read


def _same_code(code: str) -> str:
    """Return a code as Crockford's alphabet has it, in which people mistake no letter."""
    return trim(fold(code)).translate(_CROCKFORD)


def _led(lead: str, rest: str) -> Command | Unread | None:
    """Read what stands behind a word and a colon, or None where that word leads nothing."""
    if lead in SAYS:
        return _say(rest.strip())
    return _order(trim(rest)) if lead in ORDERS else None


def _alone(line: str, *, most: int | None) -> Command | Unread:
    folded = trim(fold(line))
    if not folded:
        return Unread(Reason.EMPTY)
    polite = next((each for each in _POLITE if folded.endswith(each)), "")
    bare = folded.removesuffix(polite).rstrip(" ,.!") if polite else folded
    return _move(bare, most=most, is_alone=not polite) or Unread(_why(bare))


def _move(folded: str, *, most: int | None, is_alone: bool) -> Command | Unread | None:
    verb = _WHOLE.get(folded)
    if verb is not None:
        return Command(verb)
    bid = read_bid(folded, most=most, is_alone=is_alone)
    return bid if bid is None or isinstance(bid, Unread) else Command(Verb.BID, bid=bid)


def _say(said: str) -> Command | Unread:
    if not said:
        return Unread(Reason.SAYS_NOTHING)
    if len(said) > MOST_SAID:
        return Unread(Reason.TOO_LONG, most=MOST_SAID)
    return Command(Verb.SAY, said=said)


def _order(text: str) -> Command | Unread:
    try:
        return Command(Verb.ORDER, order=orders.parse(text))
    except orders.OrderError as refused:
        return Unread(Reason.BAD_ORDER, order_error=refused)


def _why(folded: str) -> Reason:
    """Return why a folded line is no command at all."""
    if folded.endswith("?") and _is_command(folded.strip("? ¿")):
        return Reason.QUESTION
    if len(folded) > _MOST_OF_TWO:
        return Reason.UNKNOWN
    for between in _BETWEEN.finditer(folded):
        before, behind = folded[: between.start()], folded[between.end() :]
        others = [_is_command(trim(part)) for part in (before, *_BETWEEN.split(behind, maxsplit=1))]
        if others[0] and (any(others[1:]) or _is_command(trim(behind))):
            return Reason.TWO_COMMANDS
    return Reason.UNKNOWN


def _is_command(folded: str) -> bool:
    return isinstance(_move(folded, most=None, is_alone=True), Command)

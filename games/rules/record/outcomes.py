"""Read the result of a round back, as strictly as everything else in a record."""

from enum import StrEnum
from typing import TypeVar

from games.rules.bid import Mode
from games.rules.outcome import LiftedCup, OutcomeKind, RoundOutcome
from games.rules.record.fields import MAX_DICE, Fields
from games.rules.record.lines import RecordError, shown

Word = TypeVar("Word", bound=StrEnum)

MOST_MATCHING = 10 * MAX_DICE


def read_outcome(fields: Fields, seats: int) -> RoundOutcome:
    """Return the outcome that the line's fields spell; the caller asks for keys left over.

    :raises RecordError: a field is missing or of the wrong kind.
    """
    last = seats - 1
    return RoundOutcome(
        kind=_word(fields, "kind", OutcomeKind),
        caller=fields.integer("caller", 0, last),
        bid=fields.bid("bid") if fields.value("bid") is not None else None,
        bidder=fields.integer_or_none("bidder", 0, last),
        lifted=tuple(_lifted(fields, item, last) for item in fields.items("lifted", 0, seats)),
        count=fields.integer_or_none("count", 0, MOST_MATCHING),
        held=fields.flag_or_none("held"),
        loser=fields.integer_or_none("loser", 0, last),
        gainer=fields.integer_or_none("gainer", 0, last),
        out=fields.integer_or_none("out", 0, last),
        next_opener=fields.integer_or_none("next_opener", 0, last),
        next_mode=None if fields.value("next_mode") is None else _word(fields, "next_mode", Mode),
        winner=fields.integer_or_none("winner", 0, last),
    )


def _word(fields: Fields, key: str, words: type[Word]) -> Word:
    """Return the member of ``words`` that the field spells."""
    text = fields.text(key)
    for word in words:
        if word == text:
            return word
    raise RecordError(fields.line, f'"{key}" cannot be {shown(text)}.')


def _lifted(fields: Fields, item: object, last: int) -> LiftedCup:
    if not isinstance(item, dict):
        raise RecordError(fields.line, f'"lifted" must list objects, not {shown(item)}.')
    cup = Fields(fields.line, item)
    lifted = LiftedCup(
        seat=cup.integer("seat", 0, last),
        dice=cup.cup("dice", cup.value("dice")),
        matching=cup.integer("matching", 0, MAX_DICE),
    )
    cup.done()
    return lifted

"""The one exception of this package: a text that is no order, or an order that is too big.

As in ``games.rules.errors`` a code is stable, and its English sentence is filled from ``params``.
``expected`` is one of :data:`EXPECTED`, a code of its own, so that a translated sentence can say
what was wanted.
"""

from types import MappingProxyType

MESSAGES = MappingProxyType(
    {
        "order.empty": "There is nothing here: write an order such as “dudo below 30%”.",
        "order.too-long": "An order has at most {most} characters.",
        "order.too-many-clauses": "An order has at most {most} parts.",
        "order.too-many-rungs": "One part names at most {most} bids.",
        "order.too-many-conditions": "One part has at most {most} conditions.",
        "order.word": "“{word}” (character {position}) was not expected: we need {wanted} here.",
        "order.ends": "The text ends (character {position}) where we need {wanted}.",
        "order.bid": (
            "“{word}” (character {position}) is no bid: we need 1 to {most} dice and a face from "
            "1 to 6."
        ),
        "order.percent": (
            "“{word}” (character {position}) is no chance: we need 1 to 99 percent, with below, "
            "above or from."
        ),
        "order.after-else": (
            "“{word}” (character {position}) comes too late: nothing follows the last “else”."
        ),
        "order.pass": "“{word}” (character {position}): in Perudo nobody passes.",
    }
)
"""The English sentence of every code, as a ``str.format`` template over ``params``."""

EXPECTED = MappingProxyType(
    {
        "act": "what to do (bid, dudo, calza, least or ask)",
        "bid": "a bid such as 4x5",
        "condition": "a condition such as “below 30%”, “from 8” or “on 6x5”",
        "face": "a face from 1 to 6",
        "number": "a bid such as 7x5, a number of dice or a percentage",
        "end": "a semicolon or the end",
    }
)
"""What could have stood at the place of an error, by code."""

ALL_CODES = frozenset(MESSAGES)


class OrderError(Exception):
    """Say why a text is no order: a stable ``code``, a sentence, and the word and its place.

    Where a word is to blame, ``params`` holds ``word`` (as it was written, clipped) and
    ``position`` (its first character, counted from 1).
    """

    def __init__(self, code: str, **params: str | int) -> None:
        """Fill the sentence of ``code``; an unknown code is a programming error (KeyError)."""
        self.code = code
        self.params = params
        wanted = EXPECTED[str(params["expected"])] if "expected" in params else ""
        self.message = MESSAGES[code].format(wanted=wanted, **params)
        super().__init__(self.message)

    def __repr__(self) -> str:
        return f"OrderError({self.code!r}, {self.message!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # The default would rebuild from the sentence.
        return _rebuild, (self.code, self.params)


def _rebuild(code: str, params: dict[str, str | int]) -> OrderError:
    return OrderError(code, **params)

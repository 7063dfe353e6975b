"""The one exception of the rules, and the full list of its codes.

A code is stable: pages, mails and programs may depend on it, and a translation table is keyed by
it. The sentence is English and is filled from ``params``, so that a translated sentence can be
filled with the same numbers.
"""

from types import MappingProxyType

MESSAGES = MappingProxyType(
    {
        # reading a bid
        "bid.unreadable": "A bid is a quantity from 1 to {most} and a face from 1 to 6, like 4x5.",
        # judging a bid
        "bid.aces-opening": "A normal round may not be opened with a bid on aces.",
        "bid.not-a-raise": "{bid} does not raise {over}.",
        "bid.aces-half": "Going to aces from {over} takes at least {least} aces.",
        "bid.double-plus-one": "Leaving aces after {over} takes at least {least} dice.",
        "bid.face-locked": "In this palifico round you must keep the face {face}.",
        "bid.one-way": (
            "At this table a raise either adds dice of the same face, "
            "or keeps the quantity and takes a higher face."
        ),
        "bid.over-cap": "A bid may not name more than {cap} dice here.",
        "bid.over-hidden-cap": "A bid may not name more dice than are in play.",
        # whose turn, which phase
        "turn.not-yours": "It is not your turn.",
        "seat.unknown": "There is no such seat in this game.",
        "seat.out": "This seat is out of the game.",
        "game.over": "The game is over.",
        "game.seats": "This table takes from 2 to {most} seats.",
        "round.not-rolled": "The dice of this round have not been rolled yet.",
        "round.already-rolled": "The dice of this round have already been rolled.",
        "round.wrong-cups": "The rolled cups do not fit the dice that the seats have.",
        # dudo and calza
        "dudo.no-bid": "There is no bid to doubt yet.",
        "calza.disabled": "Calza is not played at this table.",
        "calza.no-bid": "There is no bid to call exact yet.",
        "calza.own-bid": "Nobody calls calza on his own bid.",
        "calza.turn-only": "At this table only the player whose turn it is may call calza.",
        "calza.two-players": "Calza is not allowed when only two players are left.",
        "calza.palifico": "Calza is not allowed in a palifico round.",
        "calza.needs-lost-die": "At this table only a player who has lost a die may call calza.",
        # rulesets
        "ruleset.unknown": "There is no ruleset of that name and version.",
        "ruleset.malformed": "A ruleset is an object with exactly the known keys; look at {key}.",
        "ruleset.value": "The value of {key} is not one of those that the ruleset knows.",
        "ruleset.option": "The preset {name} has no option {key}.",
        "ruleset.option-value": "The option {key} is switched with true or false.",
    }
)
"""The English sentence of every code, as a ``str.format`` template over ``params``."""

ALL_CODES = frozenset(MESSAGES)


class RuleViolation(Exception):
    """Say why the rules refuse something: a stable ``code``, a sentence and its numbers."""

    def __init__(self, code: str, **params: object) -> None:
        """Fill the sentence of ``code``; an unknown code is a programming error (KeyError)."""
        self.code = code
        self.params = params
        self.message = MESSAGES[code].format(**params)
        super().__init__(self.message)

    def __repr__(self) -> str:
        return f"RuleViolation({self.code!r}, {self.message!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # The default would rebuild from the sentence; a violation may cross a process boundary.
        return _rebuild, (self.code, self.params)


def _rebuild(code: str, params: dict[str, object]) -> RuleViolation:
    return RuleViolation(code, **params)

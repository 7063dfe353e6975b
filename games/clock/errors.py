"""The one exception of the clocks, and the full list of its codes.

As in ``games.rules.errors``: a code is stable, the sentence is English and filled from ``params``,
so that a translated sentence can be filled with the same values. Instants in ``params`` are aware
UTC datetimes; days, hours and turns are whole numbers.
"""

from types import MappingProxyType

MESSAGES = MappingProxyType(
    {
        # settings
        "clock.unknown": "There is no clock of that name and version.",
        "clock.malformed": "A clock is an object with exactly the known keys; look at {key}.",
        "clock.value": "The value of {key} is not one of those that a clock knows.",
        "clock.floor": "Without the night stop a turn takes at least {hours} hours.",
        "clock.night-floor": "Even with the night stop a turn takes at least {hours} hours.",
        "clock.bank-over-cap": "The bank at the start may not be above its cap.",
        "clock.increment-over-base": "A move may not bring more time than a turn has.",
        "clock.plain": "A plain clock has no bank, and no hours at which it stands still.",
        "clock.waking-needs-nights": "A clock for waking hours alone stops at night.",
        # one seat's clock
        "clock.run-out": "The time for this turn has run out.",
        # hours
        "hours.weekend": "A weekend is at most {most} days.",
        "hours.night-changed": (
            "The night can be changed once a week: next on {at:%Y-%m-%d %H:%M} UTC."
        ),
        "hours.weekend-changed": (
            "The weekend can be changed once a week: next on {at:%Y-%m-%d %H:%M} UTC."
        ),
        # absences
        "absence.refused": "At this table the clock goes on during an absence.",
        "absence.length": "An absence lasts from {least} to {most} days.",
        "absence.past": "An absence cannot begin in the past.",
        "absence.overlap": "This absence overlaps another one of yours.",
        "absence.allowance": "This absence takes {days} days and you have {left} left.",
        # more time
        "token.none-left": "Both of your extensions of this game, {most} in all, have been used.",
        "gift.own": "Nobody gives time to himself.",
        "gift.given": "You have already given time to this player in this game.",
        "nudge.own": "Nobody nudges himself.",
        "nudge.early": "A player may be nudged once half of his time has been used.",
        "nudge.again": "This player can be nudged again on {at:%Y-%m-%d %H:%M} UTC.",
        "emergency.new": "An emergency pause is for players who have finished {games} games.",
        "emergency.again": "Your next emergency pause is possible on {at:%Y-%m-%d %H:%M} UTC.",
        "time.not-in": "Only the players who are still in the game give time and nudge.",
        "time.stands": "No clock runs now, so that there is no time to give.",
        # votes
        "vote.another": "Another vote is still open.",
        "vote.not-yours": "Only the players who are still in the game vote.",
        "vote.again": "You have already voted.",
        "vote.closed": "This vote is closed.",
        "vote.no-seat": "No seat waits for a new player.",
        # gates
        "gate.turns": (
            "This table asks for {gate} % of turns in time. {turns} turns in time bring you there."
        ),
        "gate.new": "This table asks for {games} finished games.",
    }
)
"""The English sentence of every code, as a ``str.format`` template over ``params``."""

ALL_CODES = frozenset(MESSAGES)


class ClockRefusal(Exception):
    """Say why a clock, or a rule about time, refuses something: a stable ``code`` and values."""

    def __init__(self, code: str, **params: object) -> None:
        """Fill the sentence of ``code``; an unknown code is a programming error (KeyError)."""
        self.code = code
        self.params = params
        self.message = MESSAGES[code].format(**params)
        super().__init__(self.message)

    def __repr__(self) -> str:
        return f"ClockRefusal({self.code!r}, {self.message!r})"

    def __reduce__(self) -> tuple[object, ...]:
        # The default would rebuild from the sentence; a refusal may cross a process boundary.
        return _rebuild, (self.code, self.params)


def _rebuild(code: str, params: dict[str, object]) -> ClockRefusal:
    return ClockRefusal(code, **params)

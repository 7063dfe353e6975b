"""How far a player can be relied on: evidence that fades as he plays on.

There is no clock in here. The evidence changes when a turn of his is played or missed, and fades by
the days on which he plays, never by days that pass. Because what he kept and what he missed fade at
the same rate, their ratio stands still until the next turn: a good game never ages out to his harm,
and a turn in time never lowers it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from games.clock.errors import ClockRefusal
from games.clock.quiet import utc

HALF_LIFE = 60
"""After how many days of play older evidence counts half."""

PRIOR_KEPT, PRIOR_MISSED = 9.5, 0.5
"""What everybody begins with: ten turns, 95 % of them in time. It fades like the rest."""

NEW_BELOW = 5
"""Who has finished fewer games is new: a class of its own, and not a bad one."""

GATES = (75, 85, 92)
"""The percentages that a table may ask for."""

BANS = tuple(timedelta(days=days) for days in (1, 3, 7, 30))
BAN_FROM = 4
BAN_WINDOW = timedelta(days=180)


class Miss(StrEnum):
    """How a turn was missed, by the notice that was given."""

    ANNOUNCED = "announced"
    TOKEN = "token"  # noqa: S105 - an extension token
    SILENT = "silent"


WEIGHTS = {Miss.ANNOUNCED: 0.2, Miss.TOKEN: 0.5, Miss.SILENT: 1.0}
"""How much a miss counts; a turn in time counts 1."""

MINOR_MARK = 0.1
"""What the second extension in a game counts when it is taken without a word."""


class Standing(StrEnum):
    """The class that a profile shows, from the gates."""

    NEW = "new"
    GOOD = "good"
    FAIR = "fair"
    WEAK = "weak"
    POOR = "poor"


_CLASSES = (
    (GATES[2], Standing.GOOD),
    (GATES[1], Standing.FAIR),
    (GATES[0], Standing.WEAK),
    (0, Standing.POOR),
)


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next step up: so many turns in time, and so many finished games, bring you to ``to``."""

    to: Standing
    turns: int
    games: int = 0


@dataclass(frozen=True, slots=True)
class Reliability:
    """The faded numbers of turns kept and missed, and what is needed to carry them on."""

    kept: float = PRIOR_KEPT
    missed: float = PRIOR_MISSED
    games: int = 0
    played_on: date | None = None

    @property
    def score(self) -> float:
        """Return the share of turns in time, 0 to 1."""
        return self.kept / (self.kept + self.missed)

    @property
    def percent(self) -> int:
        """Return the whole percentage to show, rounded down: it never shows a gate not reached."""
        return next(n for n in range(100, -1, -1) if self._reaches(n))

    @property
    def standing(self) -> Standing:
        """Return the player's class."""
        return Standing.NEW if self.games < NEW_BELOW else self._judged

    @property
    def _judged(self) -> Standing:
        return next(standing for gate, standing in _CLASSES if self._reaches(gate))

    def after_turn(self, day: date) -> "Reliability":
        """Return the evidence after a turn in time on ``day``, the player's date.

        The first turn on a later day than the last makes a day of play.
        """
        new_day = self.played_on is None or day > self.played_on
        fade = 0.5 ** (1 / HALF_LIFE) if new_day and self.played_on is not None else 1.0
        return replace(
            self,
            kept=self.kept * fade + 1,
            missed=self.missed * fade,
            played_on=day if new_day else self.played_on,
        )

    def after_miss(self, miss: Miss) -> "Reliability":
        """Return the evidence after the clock ran out. Turns of an absent seat are no misses."""
        return replace(self, missed=self.missed + WEIGHTS[miss])

    def after_silent_extension(self) -> "Reliability":
        """Return the evidence after the second extension of a game was taken without a word."""
        return replace(self, missed=self.missed + MINOR_MARK)

    def after_game(self) -> "Reliability":
        """Return the evidence after a game that the player finished."""
        return replace(self, games=self.games + 1)

    def next_step(self) -> NextStep | None:
        """Return the next step up, None for who is good."""
        if self.standing is Standing.NEW:
            return NextStep(self._judged, turns=0, games=NEW_BELOW - self.games)
        above = [(gate, to) for gate, to in _CLASSES if not self._reaches(gate)]
        if not above:
            return None
        gate, to = above[-1]
        return NextStep(to, turns=self.turns_to(gate))

    def turns_to(self, percent: int) -> int:
        """Return how many turns in time, from now on, surely bring the score to ``percent``.

        On further days of play old misses fade, and fewer may do.
        """
        lacking = percent * (self.kept + self.missed) - 100 * self.kept
        turns = max(0, int(lacking / (100 - percent)) - 1)
        while not self._reaches(percent, turns):
            turns += 1
        return turns

    def _reaches(self, percent: int, turns: int = 0) -> bool:
        return (self.kept + turns) * 100 >= percent * (self.kept + self.missed + turns)


def why_not_gate(
    reliability: Reliability, *, percent: int, new_allowed: bool = True
) -> ClockRefusal | None:
    """Return why a player may not join a table that asks for ``percent``, or None when he may.

    :raises ValueError: there is no such gate.
    """
    if percent not in GATES:
        raise ValueError("no gate of that height is offered")
    if reliability.standing is Standing.NEW:
        return None if new_allowed else ClockRefusal("gate.new", games=NEW_BELOW)
    if turns := reliability.turns_to(percent):
        return ClockRefusal("gate.turns", gate=percent, turns=turns)
    return None


def banned_until(silent_retirements: Iterable[datetime]) -> datetime | None:
    """Return until when a player joins no game, None if he never lost the right to.

    ``silent_retirements``: when seats of his were retired without a word from him. From the fourth
    within 180 days on each one keeps him away for longer.
    """
    moments = sorted(utc(moment) for moment in silent_retirements)
    ends = []
    for moment in moments:
        count = sum(moment - BAN_WINDOW < other <= moment for other in moments)
        if count >= BAN_FROM:
            ends.append(moment + BANS[min(count - BAN_FROM, len(BANS) - 1)])
    return max(ends, default=None)

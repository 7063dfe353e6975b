"""When a player's next turn is likely to come, and when the game is likely to end.

A closed form and no simulation, so that page, mail and calendar say the same. Each seat answers by
the quartiles of its own past, in running time; its nights and days off are put back by walking
through its hours. The answers are taken as independent:

- a seat's mean ``m`` is a third of the sum of its quartiles, its spread ``s`` half of what lies
  between the outer two; where a share ``o`` of its turns is answered at once (standing orders),
  the mean is ``(1-o)·m`` and the squared spread ``(1-o)·s² + (0.674)²·o·(1-o)·m²``;
- means of successive turns add up to ``M``, squared spreads to ``S²``;
- the two ends are walked with every answer ``1 - S/M`` and ``1 + S/M`` times its mean: about every
  second forecast comes true within them. No answer takes longer than the seat's clock holds.

How many turns a game still has comes from measured games of 2 to 8 seats: all dice but those that
the winner keeps are lost one a round, and a round takes ``2.85 + 0.21·seats`` turns.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from math import sqrt
from typing import Self

from games.clock.quiet import Quiet, utc
from games.clock.settings import ZERO

LEAST_ANSWERS = 8
"""From how many past answers on a player's quartiles say anything: no forecast from less."""

QUARTILE = 0.674
"""The upper quartile of the normal distribution, in standard deviations."""

TURNS_SPREAD = 0.13
"""The half distance of the quartiles of a game's length in turns, as a share of it."""


@dataclass(frozen=True, slots=True)
class Answers:
    """The quartiles of ``count`` answers: how long turns took, in running time."""

    low: timedelta
    median: timedelta
    high: timedelta
    count: int

    @classmethod
    def of(cls, times: Sequence[timedelta]) -> Self | None:
        """Return the quartiles of ``times``, None if there are none.

        Between two answers it interpolates, the first being the 0th and the last the 4th quarter.
        """
        if not times:
            return None
        ordered = sorted(times)

        def at(quarter: int) -> timedelta:
            below, rest = divmod((len(ordered) - 1) * quarter, 4)
            above = ordered[min(below + 1, len(ordered) - 1)]
            return ordered[below] + (above - ordered[below]) * rest / 4

        return cls(at(1), at(2), at(3), len(ordered))

    def after(self, waited: timedelta) -> "Answers":
        """Return what is left of an answer that has been waited for.

        One that takes longer than usual may take as long again as the quartiles lie apart.
        """
        return Answers(
            max(self.low - waited, ZERO),
            max(self.median - waited, ZERO),
            max(self.high - waited, self.high - self.low),
            self.count,
        )


@dataclass(frozen=True, slots=True)
class SeatPace:
    """How a seat may answer.

    ``at_once``: the share of its turns that take no time, 0 to 1: by its orders, or all of them for
    a bot and an absent seat, which need no ``answers``. ``most``: what its clock holds at most.
    """

    answers: Answers | None
    quiet: Quiet = field(default_factory=Quiet)
    at_once: float = 0.0
    most: timedelta | None = None

    @property
    def is_known(self) -> bool:
        """Return whether there is enough to tell from."""
        return self.at_once >= 1 or (
            self.answers is not None and self.answers.count >= LEAST_ANSWERS
        )

    def moments(self, waited: timedelta = ZERO) -> tuple[float, float]:
        """Return the mean of an answer and its squared spread, in seconds."""
        if self.at_once >= 1 or self.answers is None:
            return 0.0, 0.0
        left = self.answers.after(waited)
        low, median, high = (
            (quartile if self.most is None else min(quartile, self.most)).total_seconds()
            for quartile in (left.low, left.median, left.high)
        )
        mean, spread = (low + median + high) / 3, (high - low) / 2
        slow = 1 - self.at_once
        return slow * mean, slow * spread**2 + QUARTILE**2 * self.at_once * slow * mean**2


@dataclass(frozen=True, slots=True)
class Forecast:
    """The interval in which something is likely to happen."""

    earliest: datetime
    latest: datetime


def next_turn(
    between: Sequence[SeatPace], *, now: datetime, waited: timedelta = ZERO
) -> Forecast | None:
    """Return when the turn comes to whoever sits behind ``between``, None from too little data.

    ``between`` are the seats that play before him, the one on turn first; ``waited``: for how much
    running time it has been waited for.
    """
    return _forecast(between, now=now, waited=waited)


def game_end(
    seats: Sequence[SeatPace], dice: Sequence[int], *, now: datetime, waited: timedelta = ZERO
) -> Forecast | None:
    """Return when the game ends, None from too little data.

    ``seats`` are those still in the game in the order of play, the one on turn first; ``dice`` are
    theirs.

    :raises ValueError: not as many dice counts as seats, or fewer than two seats.
    """
    if len(seats) != len(dice) or len(seats) < 2:
        raise ValueError("a game that goes on has two seats or more, and dice for each")
    turns = turns_left(dice)
    order = [seats[number % len(seats)] for number in range(turns)]
    return _forecast(order, now=now, waited=waited, spread=TURNS_SPREAD)


def turns_left(dice: Sequence[int]) -> int:
    """Return about how many turns a game has left in which the seats have ``dice``."""
    seats = len(dice)
    kept = min(max(dice), 3 if seats <= 3 else 2)
    return max(1, round((sum(dice) - kept) * (2.85 + 0.21 * seats)))


def _forecast(
    order: Sequence[SeatPace], *, now: datetime, waited: timedelta, spread: float = 0.0
) -> Forecast | None:
    """Return the forecast for all of ``order`` to have played; ``spread`` is that of its length."""
    if not all(seat.is_known for seat in order):
        return None
    moments = [seat.moments(ZERO if number else waited) for number, seat in enumerate(order)]
    total = sum(mean for mean, _ in moments)
    squared = sum(square for _, square in moments) + (spread * total) ** 2
    part = min(1.0, sqrt(squared) / total) if total else 0.0
    ends = []
    for factor in (1 - part, 1 + part):
        at = utc(now)
        for seat, (mean, _) in zip(order, moments, strict=True):
            answer = timedelta(seconds=round(mean * factor))
            at = seat.quiet.add(at, answer if seat.most is None else min(answer, seat.most))
        ends.append(at)
    return Forecast(*ends)

"""Time that players have beside their clocks: absences, extensions, gifts, emergencies; nudges.

Each ``why_not_...`` returns the reason to refuse, or None.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from games.clock.errors import ClockRefusal
from games.clock.quiet import Span, local_days, utc
from games.clock.settings import ZERO, ClockSettings

DAYS_AT_SIGN_UP = 14
PLAYED_FOR_A_DAY = 12
MOST_DAYS = 30
LENGTHS = range(1, 15)
"""How many days one absence may last."""

GAME_CAP = timedelta(days=7)
"""For how long the absences of one seat stop its clock in one game; then it plays at once."""

TOKENS = 2
TOKEN_TIME = GIFT_TIME = timedelta(hours=24)

NUDGE_EVERY = timedelta(hours=24)

EMERGENCY_EVERY = timedelta(days=180)
EMERGENCY_GAMES = 5
EMERGENCY_TIME = timedelta(hours=72)


# --- absences -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Allowance:
    """The days of absence a player has left, and the days played since the last one he earned."""

    days: int = DAYS_AT_SIGN_UP
    played: int = 0

    def after_playing(self, days: int = 1) -> "Allowance":
        """Return the allowance after ``days`` more on which he played; a full one earns nothing."""
        earned, played = divmod(self.played + days, PLAYED_FOR_A_DAY)
        return Allowance(min(MOST_DAYS, self.days + earned), played)

    def spend(self, days: int) -> "Allowance":
        """Return what is left after an absence of ``days``.

        :raises ValueError: there are not so many.
        """
        if days > self.days:
            raise ValueError("more days than the allowance has")
        return replace(self, days=self.days - days)

    def give_back(self, days: int) -> "Allowance":
        """Return the allowance with the days of an absence that was called off before them."""
        return replace(self, days=min(MOST_DAYS, self.days + days))


@dataclass(frozen=True, slots=True)
class Absence:
    """The days away from ``first`` to ``last``, both included, as the player's calendar has them.

    :raises ValueError: ``last`` is before ``first``.
    """

    first: date
    last: date

    def __post_init__(self) -> None:
        if self.last < self.first:
            raise ValueError("an absence ends after its start")

    @property
    def days(self) -> int:
        """Return how many days it takes off the allowance."""
        return (self.last - self.first).days + 1

    def span(self, zone: tzinfo) -> Span:
        """Return the instants between which the player is away."""
        return local_days(self.first, self.last, zone)


def why_not_absence(
    absence: Absence, *, booked: Iterable[Absence], allowance: Allowance, today: date
) -> ClockRefusal | None:
    """Return why ``absence`` may not be booked; ``today`` is the player's own date."""
    if absence.days not in LENGTHS:
        return ClockRefusal("absence.length", least=LENGTHS[0], most=LENGTHS[-1])
    if absence.first < today:
        return ClockRefusal("absence.past")
    if any(absence.first <= other.last and other.first <= absence.last for other in booked):
        return ClockRefusal("absence.overlap")
    if absence.days > allowance.days:
        return ClockRefusal("absence.allowance", days=absence.days, left=allowance.days)
    return None


def why_no_absences(settings: ClockSettings) -> ClockRefusal | None:
    """Return why absences do not stop the clock at this table, or None when they do."""
    return None if settings.absences else ClockRefusal("absence.refused")


def in_round(absences: Iterable[Span], *, rolled_at: datetime) -> tuple[Span, ...]:
    """Return the absences that count in a round: those that had begun when it was rolled.

    Nobody stops a clock with his dice in hand by going away.
    """
    return tuple(sorted(span for span in absences if span.start <= utc(rolled_at)))


def split_at_cap(absences: Iterable[Span]) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the parts of one seat's absences in one game: before the game's cap, and over it.

    In the first the clock stands still; in the second the seat plays at once, as an absent one.
    """
    standing: list[Span] = []
    over: list[Span] = []
    left = GAME_CAP
    for span in sorted(absences):
        turn = min(span.end, span.start + left)
        if turn > span.start:
            standing.append(Span(span.start, turn))
        if turn < span.end:
            over.append(Span(turn, span.end))
        left -= turn - span.start
    return tuple(standing), tuple(over)


# --- more time, and less patience ---------------------------------------------------------------


def why_not_now(*, is_in: bool, runs: bool) -> ClockRefusal | None:
    """Return why a turn gets no time and no nudge: who asks is out, or no clock runs."""
    if not is_in:
        return ClockRefusal("time.not-in")
    return None if runs else ClockRefusal("time.stands")


def why_not_token(*, used: int) -> ClockRefusal | None:
    """Return why a seat that has used ``used`` extensions in this game may not take another."""
    return ClockRefusal("token.none-left", most=TOKENS) if used >= TOKENS else None


def why_not_gift(*, giver: int, to: int, given_to: Iterable[int]) -> ClockRefusal | None:
    """Return why seat ``giver`` may not give time to seat ``to``.

    ``given_to`` are the seats to which he has given in this game.
    """
    if giver == to:
        return ClockRefusal("gift.own")
    return ClockRefusal("gift.given") if to in given_to else None


def why_not_nudge(
    *,
    by: int,
    to: int,
    left_of_turn: timedelta,
    length: timedelta,
    nudged_at: datetime | None,
    now: datetime,
) -> ClockRefusal | None:
    """Return why seat ``by`` may not nudge the seat on turn, ``to``.

    ``left_of_turn`` of the turn's ``length``, both without the bank; ``nudged_at`` is when anybody
    last nudged that seat in this game.
    """
    if by == to:
        return ClockRefusal("nudge.own")
    if max(length - left_of_turn, ZERO) * 2 < length:
        return ClockRefusal("nudge.early")
    if nudged_at is not None and utc(now) < utc(nudged_at) + NUDGE_EVERY:
        return ClockRefusal("nudge.again", at=utc(nudged_at) + NUDGE_EVERY)
    return None


def why_not_emergency(
    *, finished_games: int, last_at: datetime | None, now: datetime
) -> ClockRefusal | None:
    """Return why a player may not pause all his games for 72 hours."""
    if finished_games < EMERGENCY_GAMES:
        return ClockRefusal("emergency.new", games=EMERGENCY_GAMES)
    if last_at is not None and utc(now) < utc(last_at) + EMERGENCY_EVERY:
        return ClockRefusal("emergency.again", at=utc(last_at) + EMERGENCY_EVERY)
    return None

"""One seat's clock: what is left of this turn and of the bank, as durations.

What is left is never stored as an instant: a clock holds two durations and since when they run. A
pause stops it and a resumption starts it, and neither can give or take time. Whatever shows a
deadline and whatever enforces it asks :func:`deadline`.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from games.clock.errors import ClockRefusal
from games.clock.quiet import Quiet, utc
from games.clock.settings import ZERO, ClockSettings

GRACE_WEB = timedelta(seconds=30)
GRACE_MAIL = timedelta(minutes=10)
"""How long after the deadline the clock acts, so that what arrived in time can be processed.

No player has more time by it: whether a move counts is decided by when it arrived.
"""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """What a seat has left. ``base`` is this turn's and lapses with it; then the ``bank`` runs.

    ``running_since`` is None while it stands: between turns and during a pause.

    :raises ValueError: a duration is negative, or the clock of a seat that is not to move runs.
    """

    base: timedelta
    bank: timedelta
    on_turn: bool = False
    running_since: datetime | None = None

    def __post_init__(self) -> None:
        if self.base < ZERO or self.bank < ZERO:
            raise ValueError("no clock has less than nothing left")
        if self.running_since is not None:
            object.__setattr__(self, "running_since", utc(self.running_since))
        if not self.on_turn and (self.base or self.running_since):
            raise ValueError("only the clock of a seat on turn has time for a turn")

    @property
    def left(self) -> timedelta:
        """Return what was left when it was last stopped or started."""
        return self.base + self.bank


def new_clock(settings: ClockSettings) -> SeatClock:
    """Return a seat's clock at the start of the game, standing."""
    return SeatClock(base=ZERO, bank=settings.bank)


def start_turn(clock: SeatClock, settings: ClockSettings, *, now: datetime) -> SeatClock:
    """Return the clock running, with the whole time for a turn.

    :raises ValueError: the seat is on turn already.
    """
    if clock.on_turn:
        raise ValueError("this turn has started already")
    return SeatClock(settings.base, clock.bank, on_turn=True, running_since=now)


def deadline(clock: SeatClock, quiet: Quiet) -> datetime | None:
    """Return the instant at which the time runs out, None while the clock stands."""
    if clock.running_since is None:
        return None
    return quiet.add(clock.running_since, clock.left)


def bank_starts_at(clock: SeatClock, quiet: Quiet) -> datetime | None:
    """Return when the time for the turn is used up and the bank runs, None while it stands."""
    if clock.running_since is None:
        return None
    return quiet.add(clock.running_since, clock.base)


def remaining(clock: SeatClock, quiet: Quiet, *, now: datetime) -> timedelta:
    """Return the running time left at ``now``, never less than zero."""
    settled = settle(clock, quiet, now=now)
    return settled.base + settled.bank


def in_time(clock: SeatClock, quiet: Quiet, *, arrived_at: datetime) -> bool:
    """Return whether a move that arrived then counts: at the deadline itself it does."""
    ends = deadline(clock, quiet)
    return ends is None or utc(arrived_at) <= ends


def settle(clock: SeatClock, quiet: Quiet, *, now: datetime) -> SeatClock:
    """Return the same clock with what has run until ``now`` taken off.

    The turn's own time goes first, then the bank. To be called with the old hours before they
    change. It moves no deadline: a clock that has run out keeps the instant at which it did.
    """
    ends = deadline(clock, quiet)
    if clock.running_since is None or ends is None:
        return clock
    now = max(min(utc(now), ends), clock.running_since)
    ran = quiet.between(clock.running_since, now)
    base = max(clock.base - ran, ZERO)
    bank = clock.bank - max(ran - clock.base, ZERO)
    return replace(clock, base=base, bank=bank, running_since=now)


def pause(clock: SeatClock, quiet: Quiet, *, now: datetime) -> SeatClock:
    """Return the clock standing, with what it had left at ``now``.

    One that has run out goes on: a pause saves nobody whose time is over.
    """
    settled = settle(clock, quiet, now=now)
    if not in_time(clock, quiet, arrived_at=now):
        return settled
    return replace(settled, running_since=None)


def resume(clock: SeatClock, *, now: datetime) -> SeatClock:
    """Return the clock running on from ``now``; one that runs, or is not on turn, as it is."""
    if not clock.on_turn or clock.running_since is not None:
        return clock
    return replace(clock, running_since=now)


def extend(clock: SeatClock, quiet: Quiet, *, by: timedelta, now: datetime) -> SeatClock:
    """Return the clock with more time for this turn, from a token or an opponent.

    The bank is left as it is: what the turn does not need of the gift lapses with it.

    :raises ClockRefusal: ``clock.run-out``: what has run out is not brought back.
    :raises ValueError: the seat is not on turn, or ``by`` takes time away.
    """
    if not clock.on_turn or by < ZERO:
        raise ValueError("more time is given to the seat on turn")
    if not in_time(clock, quiet, arrived_at=now):
        raise ClockRefusal("clock.run-out")
    settled = settle(clock, quiet, now=now)
    return replace(settled, base=settled.base + by)


def stop_turn(
    clock: SeatClock, settings: ClockSettings, quiet: Quiet, *, arrived_at: datetime
) -> SeatClock:
    """Return the clock after a move: what ran is taken off, the increment added up to the cap.

    :raises ClockRefusal: ``clock.run-out``: the move arrived after the deadline.
    :raises ValueError: the seat is not on turn.
    """
    if not clock.on_turn:
        raise ValueError("only a turn that has started can stop")
    if not in_time(clock, quiet, arrived_at=arrived_at):
        raise ClockRefusal("clock.run-out")
    bank = settle(clock, quiet, now=arrived_at).bank
    return SeatClock(base=ZERO, bank=min(bank + settings.increment, settings.cap))


def drop_turn(clock: SeatClock, quiet: Quiet, *, now: datetime) -> SeatClock:
    """Return the clock of a turn that ended with no move of its player, as by a calza of another.

    What ran is taken off, and no increment is due.
    """
    return SeatClock(base=ZERO, bank=settle(clock, quiet, now=now).bank)


def expire(clock: SeatClock, quiet: Quiet, *, now: datetime) -> SeatClock:
    """Return the clock after a time-out: nothing left, no increment.

    :raises ValueError: the time has not run out at ``now``.
    """
    if in_time(clock, quiet, arrived_at=now):
        raise ValueError("this clock has not run out")
    return SeatClock(base=ZERO, bank=ZERO)

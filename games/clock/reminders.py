"""When a player on turn is reminded: a schedule that can be worked out again at any time.

The same clock and hours give the same schedule, so that a row for (seat, turn, deadline, kind) is
written once. Nothing falls into the player's night, and nothing after the deadline.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from games.clock.bank import SeatClock, deadline
from games.clock.quiet import Quiet, utc
from games.clock.settings import HOUR, ZERO, ClockSettings

APART = timedelta(minutes=90)
"""The least time between two reminders of a turn, and from its start to the first."""

MOST_A_TURN = 4

EVENING = HOUR
"""How long before the night a reminder is sent that would fall into it: there is time to move."""

SHORT_BASE = 12 * HOUR
LAST_BEFORE = 2 * HOUR
LAST_BEFORE_SHORT = HOUR


class ReminderKind(StrEnum):
    """What a reminder says of the turn."""

    HALF = "half"
    MOST = "most"
    BANK = "bank"
    LAST = "last"


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder to be sent at ``at``."""

    kind: ReminderKind
    at: datetime


def reminders(
    clock: SeatClock,
    settings: ClockSettings,
    own: Quiet,
    *,
    opened: bool,
    extended: timedelta = ZERO,
    sent: Iterable[datetime] = (),
    after: datetime,
) -> tuple[Reminder, ...]:
    """Return the reminders of a running turn that are still to be sent from ``after`` on, in order.

    When half of the turn's own time has been used and it was never ``opened``; when four fifths
    have; when the bank starts; two hours before the end, one at tables of at most 12 h a turn.
    ``own`` are the player's hours, of which those count that the table allows. ``extended``: the
    time that tokens and gifts added to this turn. ``sent``: when reminders of this turn went out.

    Where two are too near to each other, the last one before the end is kept first, then four
    fifths, the bank, the half.
    """
    quiet = own.at_table(settings)
    ends = deadline(clock, quiet)
    if clock.running_since is None or ends is None:
        return ()
    gone = [utc(instant) for instant in sent]
    kept: list[Reminder] = []
    for kind, run in _wanted(clock, settings, extended, opened=opened):
        moment = _awake(kind, quiet.add(clock.running_since, run), clock.running_since, ends, own)
        if moment is None or len(kept) + len(gone) >= MOST_A_TURN:
            continue
        if all(abs(moment - other) >= APART for other in [*gone, *(each.at for each in kept)]):
            kept.append(Reminder(kind, moment))
    return tuple(sorted((each for each in kept if each.at >= utc(after)), key=lambda each: each.at))


def _wanted(
    clock: SeatClock, settings: ClockSettings, extended: timedelta, *, opened: bool
) -> Iterator[tuple[ReminderKind, timedelta]]:
    """Yield each kind, the most important first, and after how much running time it is due."""
    length = settings.base + extended
    used = length - clock.base
    before = LAST_BEFORE_SHORT if settings.base <= SHORT_BASE else LAST_BEFORE
    due = [
        (ReminderKind.LAST, clock.left - before),
        (ReminderKind.MOST, length * 4 // 5 - used),
        (ReminderKind.BANK, clock.base if clock.bank else ZERO),
        (ReminderKind.HALF, ZERO if opened else length // 2 - used),
    ]
    return ((kind, run) for kind, run in due if run > ZERO)


def _awake(
    kind: ReminderKind, moment: datetime, since: datetime, ends: datetime, own: Quiet
) -> datetime | None:
    """Return ``moment``, or when to send instead if it falls into the player's night, or None."""
    nights = own.sleep_hours()
    night = nights.stop_at(moment)
    if night is None:
        return moment if moment - since >= APART or kind is ReminderKind.LAST else None
    evening = night.start - EVENING
    # The evening after all rather than nothing: the end may come before the morning.
    if evening - since >= APART or (kind is ReminderKind.LAST and evening > since):
        return evening
    return night.end if night.end < ends else None

"""When a player's clock stands still, and arithmetic on what is left.

Everything is computed on absolute instants. Wall-clock times are turned into instants one by one,
with the player's zone: a night from 22:30 to 07:30 takes eight hours when the clocks go forward in
it and ten when they go back, because the player gets up by the wall. A wall time that occurs twice
is the first of the two, one that is skipped lies as far behind the gap as it lay in it
(``fold=0``, PEP 495).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from heapq import merge
from itertools import count

from games.clock.errors import ClockRefusal
from games.clock.settings import DAY, ZERO, ClockSettings

NIGHT_LENGTH = timedelta(hours=9)
"""How long a night is, by the wall."""

DEFAULT_NIGHT = time(22, 30)
"""When a night begins unless its player says otherwise."""

MOST_WEEKEND_DAYS = 2

# Wall times of these many days before an instant can still reach it: a night ends on the day after
# it began, and Samoa once skipped a whole day.
_MARGIN = timedelta(days=3)

# A Friday night, a weekend and the night that leads out of it, and room to spare.
_LONGEST_DAILY = timedelta(days=6)

# A night by itself, whatever the clocks on the wall do in it.
_LONGEST_NIGHT = timedelta(days=2)


def utc(instant: datetime) -> datetime:
    """Return ``instant`` in UTC, the only zone in which subtraction counts elapsed time.

    :raises ValueError: it has no zone.
    """
    if instant.tzinfo is None:
        raise ValueError("an instant needs a zone")
    return instant.astimezone(UTC)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The time from ``start`` up to and without ``end``, both UTC.

    :raises ValueError: it is empty, or an end of it has no zone.
    """

    start: datetime
    end: datetime

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", utc(self.start))
        object.__setattr__(self, "end", utc(self.end))
        if self.start >= self.end:
            raise ValueError("a span ends after its start")

    @property
    def length(self) -> timedelta:
        """Return the elapsed time from its start to its end."""
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        """Return whether the two share any time; spans that only touch do not."""
        return self.start < other.end and other.start < self.end


def local_days(first: date, last: date, zone: tzinfo) -> Span:
    """Return the time from the first moment of ``first`` to the last of ``last`` in ``zone``.

    :raises ValueError: ``last`` is before ``first``, or the zone skipped those days.
    """
    midnight = datetime.combine(last, time()) + DAY
    return Span(_at(datetime.combine(first, time()), zone), _at(midnight, zone))


def _at(wall: datetime, zone: tzinfo) -> datetime:
    return wall.replace(tzinfo=zone).astimezone(UTC)


@lru_cache(maxsize=4096)
def _night_of(day: date, begins: time, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return a night's start and end. All players of a zone sleep through the same few nights."""
    start = datetime.combine(day, begins)
    return _at(start, zone), _at(start + NIGHT_LENGTH, zone)


def _days_from(first: date) -> Iterator[date]:
    return (first + timedelta(days=number) for number in count())


@dataclass(frozen=True, slots=True)
class Quiet:
    """The times at which one seat's clock stands still.

    ``night``: the wall time in ``zone`` at which a night of nine hours begins, None for none.
    ``weekend``: up to two days of the week, Monday is 0. ``absences`` and ``pauses`` are dated;
    the pauses are the table's. They may overlap in any way.

    :raises ClockRefusal: ``hours.weekend``.
    :raises ValueError: a value of the wrong kind.
    """

    zone: tzinfo = UTC
    night: time | None = None
    weekend: frozenset[int] = frozenset()
    absences: tuple[Span, ...] = ()
    pauses: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if self.night is not None and (self.night.tzinfo or self.night.fold):
            raise ValueError("a night begins at a bare wall time")
        if not self.weekend <= frozenset(range(7)):
            raise ValueError("a day of the week is from 0 to 6")
        if len(self.weekend) > MOST_WEEKEND_DAYS:
            raise ClockRefusal("hours.weekend", most=MOST_WEEKEND_DAYS)

    def at_table(self, settings: ClockSettings) -> "Quiet":
        """Return what of this counts at a table with ``settings``; the table's pauses always do."""
        night = DEFAULT_NIGHT if self.night is None and settings.waking_only else self.night
        return replace(
            self,
            night=night if settings.nights else None,
            weekend=self.weekend if settings.weekends else frozenset(),
            absences=self.absences if settings.absences else (),
        )

    def add(self, start: datetime, running: timedelta) -> datetime:
        """Return the first instant at which a clock has run for ``running`` since ``start``.

        This is the deadline. Time that runs out just as a quiet time begins ends there, not after.

        :raises ValueError: ``running`` is negative.
        """
        if running < ZERO:
            raise ValueError("a clock never runs backwards")
        at = utc(start)
        if not running or self._never_stops:
            return at + running
        for quiet_from, quiet_to in self._stops(at):
            if quiet_from - at >= running:
                break
            running -= max(quiet_from - at, ZERO)
            at = quiet_to
        return at + running

    def between(self, start: datetime, end: datetime) -> timedelta:
        """Return how long a clock runs from ``start`` to ``end``; zero if ``end`` is earlier."""
        at, end = utc(start), utc(end)
        if self._never_stops:
            return max(end - at, ZERO)
        ran = ZERO
        for quiet_from, quiet_to in self._stops(at):
            if quiet_from >= end:
                break
            ran += max(quiet_from - at, ZERO)
            at = quiet_to
        return ran + max(end - at, ZERO)

    def stop_at(self, instant: datetime) -> Span | None:
        """Return the whole unbroken quiet time that ``instant`` lies in, or None."""
        at = utc(instant)
        for start, end in self._stops(self._far_before(at)):
            if start > at:
                break
            if end > at:
                return Span(start, end)
        return None

    def wakes(self, instant: datetime) -> datetime:
        """Return the first instant from ``instant`` on at which the clock runs."""
        at = utc(instant)
        start, end = next(self._stops(at), (at, at))
        return end if start <= at else at

    def awake_from(self, instant: datetime) -> tuple[datetime, datetime | None]:
        """Return the next unbroken time in which the clock runs: its start and end, None for ever.

        It starts at ``instant`` if the clock runs then.
        """
        start = self.wakes(instant)
        return start, next((stop for stop, _ in self._stops(start)), None)

    def sleep_hours(self) -> "Quiet":
        """Return the hours in which nobody writes to the player: nights and nothing else.

        A player whose clock runs at night still sleeps: without a night of his own, the usual one.
        """
        return Quiet(self.zone, night=DEFAULT_NIGHT if self.night is None else self.night)

    @property
    def _never_stops(self) -> bool:
        return self.night is None and not (self.weekend or self.absences or self.pauses)

    def _far_before(self, at: datetime) -> datetime:
        """Return an instant before the start of any unbroken quiet time that reaches ``at``."""
        reach = at - (_LONGEST_DAILY if self.weekend else _LONGEST_NIGHT)
        for span in sorted(self._dated(), key=lambda span: span[1], reverse=True):
            if span[1] >= reach:
                reach = min(reach, span[0] - _LONGEST_DAILY)
        return reach

    def _dated(self) -> list[tuple[datetime, datetime]]:
        return sorted((span.start, span.end) for span in (*self.absences, *self.pauses))

    def _stops(self, since: datetime) -> Iterator[tuple[datetime, datetime]]:
        """Yield the quiet times that end after ``since``: in order, apart and unbroken.

        Endless for who keeps nights or a weekend, and lazy: a caller pays for what it walks over,
        three or fewer a day.
        """
        first = since.astimezone(self.zone).date() - _MARGIN
        current: tuple[datetime, datetime] | None = None
        for start, end in merge(self._nights(first), self._weekends(first), self._dated()):
            if end <= since:
                continue
            if current is None:
                current = start, end
            elif start <= current[1]:
                current = current[0], max(current[1], end)
            else:
                yield current
                current = start, end
        if current is not None:
            yield current

    def _nights(self, first: date) -> Iterator[tuple[datetime, datetime]]:
        if self.night is None:
            return
        for day in _days_from(first):
            start, end = _night_of(day, self.night, self.zone)
            if start < end:  # not so on a day that the zone skipped
                yield start, end

    def _weekends(self, first: date) -> Iterator[tuple[datetime, datetime]]:
        if not self.weekend:
            return
        for day in _days_from(first):
            if day.weekday() in self.weekend:
                midnight = datetime.combine(day, time())
                start, end = _at(midnight, self.zone), _at(midnight + DAY, self.zone)
                if start < end:
                    yield start, end

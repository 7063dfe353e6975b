"""Instants, zones, hours and clocks for the tests of time."""

from datetime import UTC, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import strategies as st

from games.clock.quiet import Quiet, Span
from games.clock.settings import ClockSettings, TimeOut

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ZERO = timedelta()
ROME = ZoneInfo("Europe/Rome")
HALF_PAST_TEN = time(22, 30)
SLEEPER = Quiet(zone=ROME, night=HALF_PAST_TEN)


def at(text: str, zone: ZoneInfo | None = None) -> datetime:
    """Return an instant: ``at("2026-03-28 22:30", ROME)``; UTC without a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=zone or UTC).astimezone(UTC)


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


class CountingZone(tzinfo):
    """Rome, and how often it was asked: what the arithmetic costs, on any machine."""

    def __init__(self) -> None:
        self.asked = 0

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        self.asked += 1
        return ROME.utcoffset(when)

    def dst(self, when: datetime | None) -> timedelta | None:
        return ROME.dst(when)

    def tzname(self, when: datetime | None) -> str | None:
        return ROME.tzname(when)


zones = st.sampled_from(sorted(available_timezones())).map(ZoneInfo)
instants = st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
durations = st.one_of(
    st.timedeltas(ZERO, 14 * DAY),
    st.integers(0, 14 * 24 * 4).map(lambda quarters: quarters * 15 * MINUTE),
)
"""Round ones too: they end on the edges of nights."""

nights = st.none() | st.times().map(lambda wall: wall.replace(fold=0))
weekends = st.frozensets(st.integers(0, 6), max_size=2)


@st.composite
def spans_near(draw: st.DrawFn, start: datetime, *, most: timedelta = 30 * DAY) -> Span:
    begins = start + draw(st.timedeltas(-10 * DAY, 40 * DAY))
    return Span(begins, begins + draw(st.timedeltas(timedelta(microseconds=1), most)))


@st.composite
def quiets_near(draw: st.DrawFn, start: datetime) -> Quiet:
    return Quiet(
        zone=draw(zones),
        night=draw(nights),
        weekend=draw(weekends),
        absences=tuple(draw(st.lists(spans_near(start), max_size=3))),
        pauses=tuple(draw(st.lists(spans_near(start, most=3 * DAY), max_size=2))),
    )


@st.composite
def starts_and_quiets(draw: st.DrawFn) -> tuple[datetime, Quiet]:
    start = draw(instants)
    return start, draw(quiets_near(start))


@st.composite
def clock_settings(draw: st.DrawFn) -> ClockSettings:
    stops = draw(st.booleans())
    base = draw(st.integers(4 if stops else 12, 14 * 24))
    cap = draw(st.integers(0, 14 * 24))
    return ClockSettings(
        name="custom",
        version=1,
        base=hours(base),
        bank=hours(draw(st.integers(0, cap))),
        increment=hours(draw(st.integers(0, base))),
        cap=hours(cap),
        nights=stops,
        weekends=draw(st.booleans()),
        absences=draw(st.booleans()),
        waking_only=stops and draw(st.booleans()),
        time_out=draw(st.sampled_from(TimeOut)),
    )

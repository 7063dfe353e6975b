"""A table's clock: time a turn, bank, stops, and what a time-out does.

A game keeps the full settings it began with, so that a later version of a preset never changes a
game under way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Self

from games.clock.errors import ClockRefusal

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
ZERO = timedelta()

LEAST_BASE = 12 * HOUR
"""The least time a turn where the clock runs through the night: one evening off is no miss."""

LEAST_BASE_WITH_NIGHTS = 4 * HOUR
"""The least time a turn where the clock stands still at night."""

LEAST_PLAIN_BASE = HOUR
"""The least time a turn of a plain clock, which is judged by no floor of the others."""

PLAIN = "plain"

MOST = 14 * DAY
"""The most time a turn, in a bank, and as its cap."""


class TimeOut(StrEnum):
    """What happens to a seat whose time has run out."""

    AUTO = "auto"
    LOSE_A_DIE = "lose_a_die"
    OUT = "out"


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """The time rules of a table, all of them shown before joining.

    ``base`` is given anew with each turn and what is left of it lapses; then the ``bank`` runs. It
    begins with ``bank``, and each move in time brings ``increment``, never above ``cap``.
    ``nights``: the clock stands still in the player's own night. ``waking_only``: also for players
    who keep no night. ``weekends``: it stands still on the two days he picked. ``absences``: it
    stands still while he is away as announced. ``name`` is a preset's, ``"plain"`` or ``"custom"``;
    a plain one has nothing but its base and no floor, for it was chosen before there were floors.

    :raises ClockRefusal: a value is of the wrong type or out of its range, or the clock is faster
        than a person who sleeps can play.
    """

    name: str
    version: int
    base: timedelta
    bank: timedelta = ZERO
    increment: timedelta = ZERO
    cap: timedelta = ZERO
    nights: bool = True
    weekends: bool = False
    absences: bool = True
    waking_only: bool = False
    time_out: TimeOut = TimeOut.AUTO

    def __post_init__(self) -> None:
        for item in fields(self):
            value = getattr(self, item.name)
            # Look-alikes ("auto", 1) would be equal to what they name and yet not act as it.
            if type(value) is not item.type or (
                isinstance(value, timedelta)
                and (value < ZERO or value > MOST or value.microseconds)
            ):
                raise ClockRefusal("clock.value", key=item.name)
        if not self.name or len(self.name) > 40:
            raise ClockRefusal("clock.value", key="name")
        if self.version < 1:
            raise ClockRefusal("clock.value", key="version")
        if self.base < LEAST_PLAIN_BASE:
            raise ClockRefusal("clock.value", key="base")
        if self.bank > self.cap:
            raise ClockRefusal("clock.bank-over-cap")
        if self.increment > self.base:
            raise ClockRefusal("clock.increment-over-base")
        if self.waking_only and not self.nights:
            raise ClockRefusal("clock.waking-needs-nights")
        if not self.is_plain:
            if refused := why_not_offered(self):
                raise refused
        elif self.cap or self.nights or self.weekends or self.absences:
            raise ClockRefusal("clock.plain")

    @property
    def is_plain(self) -> bool:
        """Return whether this is time a turn and nothing else, as the first games had it."""
        return self.name == PLAIN

    def to_dict(self) -> dict[str, object]:
        """Return the settings as JSON values; durations in seconds."""
        return {item.name: _plain(getattr(self, item.name)) for item in fields(self)}

    @classmethod
    def from_dict(cls, data: object) -> Self:
        """Read what :meth:`to_dict` wrote: exactly the known keys, each of a known value.

        :raises ClockRefusal: ``clock.malformed`` or as the constructor; params name the key.
        """
        if not isinstance(data, Mapping):
            raise ClockRefusal("clock.malformed", key="clock")
        known = {item.name: item.type for item in fields(cls)}
        for key in [*known, *data]:
            if key not in known or key not in data:
                raise ClockRefusal("clock.malformed", key=str(key)[:60])
        return cls(**{key: _read(kind, data[key], key=key) for key, kind in known.items()})


def _plain(value: object) -> object:
    if isinstance(value, timedelta):
        return value // timedelta(seconds=1)
    return str(value) if isinstance(value, StrEnum) else value


def _read(kind: Any, value: object, *, key: str) -> Any:
    if kind is timedelta:
        if type(value) is int and 0 <= value <= MOST.total_seconds():
            return timedelta(seconds=value)
    elif kind is TimeOut:
        if isinstance(value, str) and value in list(TimeOut):
            return TimeOut(value)
    elif type(value) is kind:  # not isinstance: True is no version
        return value
    raise ClockRefusal("clock.value", key=key)


def why_not_offered(settings: ClockSettings) -> ClockRefusal | None:
    """Return why a new table may not have this clock, or None when it may.

    A plain clock below the floor can be stored and played, and is offered to nobody any more.
    """
    if settings.nights and settings.base < LEAST_BASE_WITH_NIGHTS:
        return ClockRefusal("clock.night-floor", hours=LEAST_BASE_WITH_NIGHTS // HOUR)
    if not settings.nights and settings.base < LEAST_BASE:
        return ClockRefusal("clock.floor", hours=LEAST_BASE // HOUR)
    return None


def plain(seconds: int) -> ClockSettings:
    """Return the clock of a game that has ``seconds`` a turn, no bank and no stop of any kind.

    :raises ClockRefusal: ``clock.value``: not from one hour to fourteen days.
    """
    base = _read(timedelta, seconds, key="base")
    return ClockSettings(name=PLAIN, version=1, base=base, nights=False, absences=False)


# A correction appends a new version here and never edits an old one.
_VERSIONS: tuple[ClockSettings, ...] = (
    ClockSettings("standard", 1, base=24 * HOUR, bank=48 * HOUR, increment=4 * HOUR, cap=48 * HOUR),
    ClockSettings("brisk", 1, base=12 * HOUR, bank=24 * HOUR, increment=2 * HOUR, cap=24 * HOUR),
    ClockSettings(
        "day",
        1,
        base=4 * HOUR,
        bank=12 * HOUR,
        increment=HOUR,
        cap=12 * HOUR,
        waking_only=True,
    ),
    ClockSettings("relaxed", 1, base=72 * HOUR, bank=72 * HOUR, increment=6 * HOUR, cap=72 * HOUR),
)

PRESETS = MappingProxyType({settings.name: settings for settings in _VERSIONS})
"""The newest version of each preset, by name."""


def find_clock(name: str, version: int | None = None) -> ClockSettings:
    """Return the preset ``name``, the newest one unless ``version`` says otherwise.

    :raises ClockRefusal: ``clock.unknown``.
    """
    for settings in reversed(_VERSIONS):
        if settings.name == name and version in (None, settings.version):
            return settings
    raise ClockRefusal("clock.unknown")

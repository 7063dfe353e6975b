"""Time zones by their IANA names."""

from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

UTC: Final = "UTC"
# "Etc/GMT+5" is five hours *behind* UTC: nobody picks it rightly by hand, and no browser says it.
_HIDDEN: Final = ("Etc/", "SystemV/", "posix/", "right/")


@lru_cache(maxsize=1)
def zone_names() -> tuple[str, ...]:
    """Return the names people choose from, UTC first, then by region and city."""
    places = (name for name in available_timezones() if "/" in name)
    return (UTC, *sorted(name for name in places if not name.startswith(_HIDDEN)))


@lru_cache(maxsize=1)
def _known_names() -> frozenset[str]:
    # Browsers may report an old alias such as "US/Eastern" or "GMT": known is wider than offered.
    return frozenset(available_timezones() | {UTC})


def is_zone(name: str) -> bool:
    """Return whether ``name`` is a zone of the IANA database on this machine."""
    return name in _known_names()


def validate_zone(name: str) -> None:
    """Check a zone's name.

    :raises ValidationError: with code ``zone.unknown``.
    """
    if not is_zone(name):
        raise ValidationError(_("This time zone is not known."), code="zone.unknown")


def load_zone(name: str) -> ZoneInfo:
    """Return the zone ``name``, or UTC when this machine's database no longer has it."""
    return ZoneInfo(name) if is_zone(name) else ZoneInfo(UTC)

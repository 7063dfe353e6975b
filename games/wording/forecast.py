"""Forecasts and the times of moves in words, in the zone that is active.

A forecast is never told to the minute: a part of a day, a date, a number of days.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from types import MappingProxyType

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _

from games.clock import DayPart, Forecast, day_part

_PARTS = MappingProxyType(
    {
        DayPart.NIGHT: pgettext_lazy("part of a day: Thursday evening", "in the small hours"),
        DayPart.MORNING: pgettext_lazy("part of a day: Thursday evening", "morning"),
        DayPart.AFTERNOON: pgettext_lazy("part of a day: Thursday evening", "afternoon"),
        DayPart.EVENING: pgettext_lazy("part of a day: Thursday evening", "evening"),
    }
)
_A_WEEK = 6
"""So many days from today a weekday says which day is meant."""


def move_times(moments: Iterable[datetime], *, now: datetime, by_parts: bool) -> tuple[str, ...]:
    """Return when things were done: "Thu 14:05", or "Thursday evening" where minutes are hidden.

    What is a week away or more has its date.
    """
    zone, language = timezone.get_current_timezone(), get_language()
    # The words change with the day, not with the minute at which somebody looks.
    noon = now.astimezone(zone).replace(hour=12, minute=0, second=0, microsecond=0)
    return tuple([_move_time(at, noon, by_parts, zone, language) for at in moments])


@lru_cache(maxsize=4096)
def _move_time(
    at: datetime, now: datetime, by_parts: bool, zone: tzinfo, language: str | None
) -> str:
    return _part_text(at, now=now) if by_parts else _minute_text(at, now=now)


def prospect_sentences(
    next_turn: Forecast | None, end: Forecast | None, *, now: datetime
) -> tuple[str, ...]:
    """Tell when a player's next turn and the end of the game are likely to come, where known."""
    coming = next_turn_sentence(next_turn, now=now) if next_turn else ""
    ending = game_end_sentence(end, now=now) if end else ""
    return tuple(sentence for sentence in (coming, ending) if sentence)


def next_turn_sentence(coming: Forecast, *, now: datetime) -> str:
    """Tell a player when his next turn is likely to come."""
    if coming.latest <= now + timedelta(hours=1):
        return _("Your next turn: probably within the hour.")
    first = _part_text(max(coming.earliest, now), now=now)
    last = _part_text(coming.latest, now=now)
    if first == last:
        return _("Your next turn: probably %(when)s.") % {"when": first}
    said = {"first": first, "last": last}
    return _("Your next turn: probably between %(first)s and %(last)s.") % said


def game_end_sentence(end: Forecast, *, now: datetime) -> str:
    """Tell when a game is likely to end, in days."""
    first, last = timezone.localtime(max(end.earliest, now)), timezone.localtime(end.latest)
    if last.date() == timezone.localtime(now).date():
        return _("The game probably ends today.")
    pattern = pgettext("date format: 3 June", "j F")
    if first.date() == last.date():
        return _("The game ends about %(day)s.") % {"day": _date(last, pattern)}
    one_month = (first.year, first.month) == (last.year, last.month)
    bare = pgettext("date format: the 3 of “3 to 9 June”", "j")
    return _("The game ends about %(first)s to %(last)s.") % {
        "first": _date(first, bare if one_month else pattern),
        "last": _date(last, pattern),
    }


def length_sentence(least: timedelta, most: timedelta) -> str:
    """Tell how long a game is likely to take."""
    return _("A game here is likely to take %(length)s.") % {"length": length_text(least, most)}


def length_text(least: timedelta, most: timedelta) -> str:
    """Return how long something may take: in hours, days or weeks, as it may be."""
    hour, day, week = timedelta(hours=1), timedelta(days=1), timedelta(days=7)
    if most < 2 * day:
        said = _said(least, most, hour)
        text = ngettext("%(least)d to %(most)d hour", "%(least)d to %(most)d hours", said["most"])
    elif most < 3 * week:
        said = _said(least, most, day)
        text = ngettext("%(least)d to %(most)d day", "%(least)d to %(most)d days", said["most"])
    else:
        said = _said(least, most, week)
        text = ngettext("%(least)d to %(most)d week", "%(least)d to %(most)d weeks", said["most"])
    return text % said


def _said(least: timedelta, most: timedelta, unit: timedelta) -> dict[str, int]:
    """Return both ends in whole units: the first rounded down, the last up, never the same."""
    low = max(1, least // unit)
    return {"least": low, "most": max(-(-most // unit), low + 1)}


def _part_text(at: datetime, *, now: datetime) -> str:
    part = _PARTS[day_part(at, timezone.get_current_timezone())]
    local = timezone.localtime(at)
    if _is_near(at, now=now):
        day = _date(local, pgettext("date format: Thursday", "l"))
        said = {"day": day, "part": part}
        return pgettext("part of a day: Thursday evening", "%(day)s %(part)s") % said
    day = _date(local, pgettext("date format: 3 June", "j F"))
    return pgettext("part of a day: 3 June, evening", "%(day)s, %(part)s") % {
        "day": day,
        "part": part,
    }


def _minute_text(at: datetime, *, now: datetime) -> str:
    near = pgettext("date format: Thu 14:05", "D H:i")
    far = pgettext("date format: 3 June, 14:05", "j F, H:i")
    return _date(timezone.localtime(at), near if _is_near(at, now=now) else far)


def _date(local: datetime, pattern: str) -> str:
    text = date_format(local, pattern)
    # Django writes Italian days and months with a capital, which they never have in a sentence.
    return text.lower() if get_language() == "it" else text


def _is_near(at: datetime, *, now: datetime) -> bool:
    return abs((timezone.localtime(at).date() - timezone.localtime(now).date()).days) <= _A_WEEK

"""Spans of time in words."""

from datetime import datetime, timedelta

from django.utils.translation import gettext, ngettext


def time_left(left: timedelta) -> str:
    """Return a span of time in its two largest units: "1 day 3 hours", "less than a minute"."""
    minutes = max(0, int(left.total_seconds()) // 60)
    days, rest = divmod(minutes, 24 * 60)
    hours, minutes = divmod(rest, 60)
    parts = [
        ngettext("%(count)d day", "%(count)d days", days) % {"count": days} if days else "",
        ngettext("%(count)d hour", "%(count)d hours", hours) % {"count": hours} if hours else "",
        ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
        if minutes and not days
        else "",
    ]
    return " ".join([part for part in parts if part]) or gettext("less than a minute")


def pause_sentence(until: str) -> str:
    """Return that a table stands still until a moment that has been put into words."""
    return gettext("The table’s clocks stand still until %(when)s.") % {"when": until}


def abandoned_sentence(when: str) -> str:
    """Return that all are absent, and when the game is called off, put into words."""
    said = gettext(
        "All players are absent, so the game stands still. If nobody is back by %(when)s, it is "
        "called off."
    )
    return said % {"when": when}


def zone_text(local: datetime) -> str:
    """Return what the zone of a time in it is called: "CEST", or the place that it is named for."""
    short = local.tzname() or ""
    # Zones without an abbreviation of their own call themselves "-05": then the place says more.
    return short if short.isalpha() else str(local.tzinfo)

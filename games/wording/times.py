"""Spans of time in words."""

from datetime import timedelta

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

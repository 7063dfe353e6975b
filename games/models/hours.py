"""When a player's clocks stand still: his nights, his weekend, his absences."""

import datetime as dt

from django.conf import settings
from django.db import models

DEFAULT_NIGHT = dt.time(22, 30)


class Hours(models.Model):
    """One player's hours, in all his games. They change at most once a week.

    ``zone`` is the one that his nights are reckoned in. ``absences`` are dated, each as ``id``,
    ``first`` and ``last`` (days), ``start`` and ``end`` (instants), ``announced_at`` and, of one
    that was cut short, ``cut_at``, all in ISO form; they stand here, and not in a table of their
    own, because every move of a game reads them.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="hours"
    )
    zone = models.CharField(max_length=64, default="UTC")
    night = models.TimeField(null=True, blank=True, default=DEFAULT_NIGHT)
    night_changed_at = models.DateTimeField(null=True, blank=True)
    weekend = models.JSONField(default=list, blank=True)
    weekend_changed_at = models.DateTimeField(null=True, blank=True)
    absences = models.JSONField(default=list, blank=True)
    days_left = models.PositiveSmallIntegerField(default=14)
    days_played = models.PositiveSmallIntegerField(default=0)
    counted_on = models.DateField(
        null=True, blank=True, help_text="The last day that days_played knows of."
    )
    emergency_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id}"

"""How players have kept their turns: counted from the log once a round is over."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.clock.reliability import PRIOR_KEPT, PRIOR_MISSED


class Conduct(models.Model):
    """What one player's closed rounds say of him; :mod:`games.services.conduct` counts them.

    ``kept``, ``missed``, ``games`` and ``played_on`` are a :class:`games.clock.Reliability`.
    ``answers`` are the newest times that his turns took, in seconds of his waking time, the newest
    last; ``low``, ``median`` and ``high`` are the quartiles of those ``known``, so that a page
    needs no list. The row is worked out from the record, and can be at any time again.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="conduct"
    )
    kept = models.FloatField(default=PRIOR_KEPT)
    missed = models.FloatField(default=PRIOR_MISSED)
    games = models.PositiveIntegerField(default=0, help_text="Finished ones, against people.")
    played_on = models.DateField(null=True, blank=True)
    answers = models.JSONField(default=list, blank=True)
    known = models.PositiveSmallIntegerField(default=0)
    low = models.PositiveIntegerField(default=0)
    median = models.PositiveIntegerField(default=0)
    high = models.PositiveIntegerField(default=0)
    counted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["-counted_at"], name="conduct_newest", condition=Q(counted_at__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id}"

"""Who held a seat before the player who holds it now."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game, Seat


class Tenure(models.Model):
    """What one player held of a seat until it was retired. The seat itself tells who came after.

    The cups of the rounds from ``from_round`` to ``to_round`` were his, and what the seat did in
    them is his record. ``place`` is his in the game: below all who were still in at ``retired_at``,
    whatever becomes of the seat afterwards.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="tenures", db_index=False)
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="tenures")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tenures",
        db_index=False,
    )
    from_round = models.PositiveIntegerField()
    to_round = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField()
    retired_at = models.DateTimeField()

    class Meta:
        constraints = [
            # The user first: his games are looked up by it too.
            models.UniqueConstraint(
                fields=["user", "game"],
                name="tenure_one_per_user",
                condition=Q(user__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.seat_id} {self.from_round}-{self.to_round}"

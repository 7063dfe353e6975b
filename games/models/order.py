"""Standing orders: what a player has left to be played for him in the round that is open."""

from django.db import models

from games.orders import MOST_CHARACTERS


class Order(models.Model):
    """The order of one seat. Its owner sees it, and nobody else.

    It counts in round ``round_number`` alone, and is deleted when that ends.
    ``waits`` says that it acts after a delay drawn from its owner's past answers. When his turn
    comes it is looked at once: ``seen_version`` is the position it has been looked at in, and
    ``fires_at`` when it acts there. Without that it has asked its owner.

    Where calls of calza are collected, a call and the next player's move are kept as orders too.
    """

    seat = models.OneToOneField(
        "games.Seat", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    round_number = models.PositiveIntegerField()
    text = models.CharField(max_length=MOST_CHARACTERS, help_text="In the canonical form.")
    waits = models.BooleanField(default=False)
    seen_version = models.PositiveIntegerField(null=True, blank=True)
    fires_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        # A player's secret: no log and no error report quotes it.
        return f"{self.seat_id}"

"""What players add to a game's randomness while it waits for its start."""

from django.db import models

from games.models.game import Seat


class ContributionKind(models.TextChoices):
    """How the bytes came about. The values are those of the protocol (docs/pf1.md)."""

    RANDOM = "rand"
    TEXT = "text"
    NONE = "none"


class Contribution(models.Model):
    """One player's own randomness. It goes with his seat when he leaves; the start closes it."""

    seat = models.OneToOneField(
        Seat, on_delete=models.CASCADE, primary_key=True, related_name="contribution"
    )
    kind = models.CharField(max_length=4, choices=ContributionKind)
    raw = models.CharField(max_length=2000, help_text="In hex.")
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.seat_id} {self.kind}"

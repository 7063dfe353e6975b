"""The public log: what everybody at the table may know, and nothing else."""

from django.db import models

from games.models.game import Game


class Event(models.Model):
    """One accepted action. Rows are appended, never changed, and hold no hidden die.

    ``seq`` is the game's version after the action; ``idem_key`` is the caller's own key, so that
    an action that is sent twice is played once.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    round_number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    payload = models.JSONField()
    is_auto = models.BooleanField(default=False)
    idem_key = models.CharField(max_length=40, blank=True)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "seq"], name="event_seq_in_game"),
            models.UniqueConstraint(
                fields=["game", "seat", "idem_key"],
                name="event_idem_key",
                condition=~models.Q(idem_key=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seq} {self.kind}"

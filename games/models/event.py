"""The public log: what everybody at the table may know, and nothing else."""

from django.db import models

from games.models.game import Game


class Event(models.Model):
    """One event of the public log. Rows are appended, never changed, and hold no hidden die.

    ``seq`` is the game's version after it, and ``digest`` chains it to the one before
    (docs/pf1.md section 3). What a seat did has its ``seat``; ``idem_key`` is the caller's own key,
    so that an action that is sent twice is played once.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="events", db_index=False)
    seq = models.PositiveIntegerField()
    round_number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    payload = models.JSONField()
    digest = models.CharField(max_length=64, blank=True)
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

"""Rounds and the bids made in them."""

from datetime import timedelta

from django.db import models

from games.models.game import Game

VOTE_AFTER = timedelta(hours=24)
"""How long a round waits for its beacon before the table may vote to roll it without."""


class Round(models.Model):
    """One roll of all dice, from the opening bid to the die that is lost.

    ``mode``, ``opener`` and ``counts`` (dice under each seat's cup) are fixed when the round is
    created; ``result`` is written once, when it is closed, and holds what the rules made public.
    ``seal`` binds the dice and stands in the log at ``seal_seq``; ``epoch`` counts how often the
    round had to be rolled anew after a restore.

    ``misses`` says that its turns have been counted (:mod:`games.services.conduct`): how each
    missed one was, by the number of its event in the log.

    A round with a ``beacon_round`` waits for the beacon's signature of it and is not rolled before;
    ``fallback_votes`` are the seats that would rather roll without it.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="rounds", db_index=False)
    number = models.PositiveIntegerField()
    epoch = models.PositiveSmallIntegerField(default=0)
    mode = models.CharField(max_length=10)
    opener = models.PositiveSmallIntegerField()
    palifico_by = models.PositiveSmallIntegerField(null=True, blank=True)
    counts = models.JSONField()
    seal = models.CharField(max_length=64, blank=True)
    seal_seq = models.PositiveIntegerField(default=0)
    beacon_round = models.PositiveIntegerField(default=0)
    beacon_signature = models.CharField(max_length=96, blank=True, help_text="In hex.")
    fallback_votes = models.JSONField(null=True, blank=True)
    calza_passes = models.JSONField(
        null=True, blank=True, help_text="The seats whose calls nobody need wait for."
    )
    opened_at = models.DateTimeField()
    result = models.JSONField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by_clock = models.BooleanField(default=False)
    misses = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="round_number_in_game")
        ]
        indexes = [
            models.Index(
                fields=["closed_at"],
                name="round_uncounted",
                condition=models.Q(closed_at__isnull=False, misses__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"

    @property
    def is_rolled(self) -> bool:
        """Return whether there are dice under the cups of this round."""
        return not self.beacon_round or bool(self.beacon_signature)


class Bid(models.Model):
    """One bid, numbered from 1 within its round."""

    round = models.ForeignKey(Round, on_delete=models.CASCADE, related_name="bids", db_index=False)
    number = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    quantity = models.PositiveIntegerField()
    face = models.PositiveSmallIntegerField()
    is_auto = models.BooleanField(default=False)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="bid_number_in_round"),
            models.CheckConstraint(
                name="bid_is_a_bid",
                condition=models.Q(quantity__gte=1, face__gte=1, face__lte=6),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.quantity}x{self.face}"

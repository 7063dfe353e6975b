"""What rated games say of players' strength; :mod:`games.services.ratings` writes it."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game


class Rating(models.Model):
    """A player's rating today: a :class:`games.ratings.Rating`."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="rating"
    )
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.user_id}"


class RatingChange(models.Model):
    """What one game did to the rating of whoever began it on a seat; it is his ``nth``.

    ``place`` and ``players`` are the game's own. An account that closes leaves the numbers without
    saying whose they were, for what the others won or lost by them stays.
    """

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="rating_changes", db_index=False
    )
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="rating_changes",
        db_index=False,
    )
    nth = models.PositiveIntegerField()
    mu_before = models.FloatField()
    sigma_before = models.FloatField()
    mu = models.FloatField()
    sigma = models.FloatField()
    place = models.PositiveSmallIntegerField()
    players = models.PositiveSmallIntegerField()
    ended_at = models.DateTimeField(help_text="When the game ended.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "seat"], name="rating_change_once_a_game"),
            # Also the index by which a player's curve is read.
            models.UniqueConstraint(
                fields=["user", "nth"], name="rating_change_nth", condition=Q(user__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.seat}"


class Standing(models.Model):
    """A player's rated games on one leaderboard (:mod:`games.ratings.boards`).

    ``fair`` is how many of them he would have won by chance alone: the sum of one by the number of
    players. ``place`` is the one that he took when the boards were ranked last, none if he is not
    listed.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="standings",
        db_index=False,
    )
    board = models.CharField(max_length=20)
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    fair = models.FloatField(default=0)
    last_at = models.DateTimeField()
    place = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "board"], name="standing_one_a_board"),
        ]
        indexes = [
            models.Index(
                fields=["board", "place"], name="standing_place", condition=Q(place__isnull=False)
            )
        ]

    def __str__(self) -> str:
        return f"{self.board} {self.user_id}"


class RatingBook(models.Model):
    """The one row that whoever rates locks: games are rated one after the other.

    ``games`` is the number of the newest that was rated. It ``is_stale`` when a rating has changed
    since the boards were ranked.
    """

    games = models.PositiveIntegerField(default=0)
    is_stale = models.BooleanField(default=False)
    ranked_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.games}"

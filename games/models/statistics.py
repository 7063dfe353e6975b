"""What finished games say of players and of the site, in sums that add up game by game.

:mod:`games.services.statistics` writes these rows, and can make all of them anew from the games.
Only :class:`Privacy` is a person's own choice.
"""

from django.conf import settings
from django.db import models

from games.models.game import Game


class Career(models.Model):
    """All of one player's games among people.

    ``shown`` are sums of what everybody may know, ``own`` of what he himself may; ``rates`` are
    those of his style that have occasions enough. ``number`` is that of the game counted last.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="career"
    )
    number = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    shown = models.JSONField(default=dict, blank=True)
    own = models.JSONField(default=dict, blank=True)
    rates = models.JSONField(default=dict, blank=True)
    streaks = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = [models.Index(fields=["-number"], name="career_newest")]

    def __str__(self) -> str:
        return f"{self.user_id}"


class Tally(models.Model):
    """One player's games by one ruleset at tables of one size.

    ``among_people`` parts games with another person in them from those against bots alone.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies", db_index=False
    )
    ruleset = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    among_people = models.BooleanField()
    shown = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "ruleset", "seats", "among_people"], name="tally_one_of_a_kind"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.ruleset}/{self.seats}"


class Result(models.Model):
    """A player's place in a finished game; ``number`` is the game's in the order of counting."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="results", db_index=False
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="results")
    number = models.PositiveIntegerField()
    place = models.PositiveSmallIntegerField()
    seats = models.PositiveSmallIntegerField()
    among_people = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "number"], name="result_one_per_game")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.place}/{self.seats}"


class Rivalry(models.Model):
    """What one player's games say of him against another; the other has a row of his own."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rivalries", db_index=False
    )
    rival = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="rivals_of"
    )
    games = models.PositiveIntegerField(default=0)
    sums = models.JSONField(default=dict, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "rival"], name="rivalry_one_per_pair")
        ]
        indexes = [models.Index(fields=["user", "-games"], name="rivalry_most_games")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.rival_id}"


class Medal(models.Model):
    """Something that a player achieved for the first time, and the game that he did it in."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="medals", db_index=False
    )
    code = models.CharField(max_length=20)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "code"], name="medal_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.code}"


class SiteSums(models.Model):
    """The whole site's games in one row; whoever counts a game locks it, and takes a number."""

    number = models.PositiveIntegerField(default=0)
    sums = models.JSONField(default=dict, blank=True)

    def __str__(self) -> str:
        return f"{self.number}"


class Privacy(models.Model):
    """What a player wants others not to see on his page; without a row, nothing is hidden."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="privacy"
    )
    hides_statistics = models.BooleanField(default=False)
    hides_history = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"{self.user_id}"

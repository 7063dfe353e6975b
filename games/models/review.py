"""What is said of each decision in a finished game, as everybody may read it."""

from django.db import models

from games.models.game import Game


class Review(models.Model):
    """The review of a game, made once when it is over.

    ``told`` is as :func:`games.review.to_json` writes it, and reckoned from nothing but the cups
    that everybody may see: nothing in it tells a die that stays covered.
    """

    game = models.OneToOneField(
        Game, on_delete=models.CASCADE, primary_key=True, related_name="review"
    )
    told = models.JSONField()

    def __str__(self) -> str:
        return f"{self.game_id}"

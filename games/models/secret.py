"""The encrypted seed. Imported by :mod:`games.store` alone, and by Django to find the table."""

from django.db import models

from games.models.game import Game


class GameSecret(models.Model):
    """One seed per game, encrypted at rest. Every die is derived from it and stored nowhere."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True, related_name="+")
    kid = models.CharField(max_length=20)
    nonce = models.BinaryField(max_length=12)
    ciphertext = models.BinaryField(max_length=64)

    def __str__(self) -> str:
        return "a seed"

    def __repr__(self) -> str:
        return "<GameSecret>"

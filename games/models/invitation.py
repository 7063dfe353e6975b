"""Invitations by e-mail, and those who were asked to go."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game
from games.models.ids import new_token

INVITATION_LIFE = timedelta(days=7)
"""How long a mailed link may be used."""


class Invitation(models.Model):
    """Somebody who was asked to join: an address, or an account whose address stays private.

    The token opens the waiting room, no account.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    language = models.CharField(max_length=8)
    token = models.CharField(max_length=26, unique=True, default=new_token, editable=False)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "email"], name="invitation_per_address", condition=~Q(email="")
            ),
            models.UniqueConstraint(
                fields=["game", "user"],
                name="invitation_per_user",
                condition=Q(user__isnull=False),
            ),
            models.CheckConstraint(
                name="invitation_has_an_addressee",
                condition=~Q(email="") | Q(user__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.game_id}"

    @property
    def expires_at(self) -> datetime:
        """Return until when the link may be used."""
        return self.created_at + INVITATION_LIFE


class Removal(models.Model):
    """Somebody whom the host removed from a waiting room: he takes no seat in it again."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="removals")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="removal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.user_id}"

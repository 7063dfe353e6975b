"""Where a player wants his turns announced besides by mail."""

import secrets

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

MOST_SIGNS = 500


def new_key() -> str:
    """Return 32 random bytes in hex, with which payloads are signed."""
    return secrets.token_hex(32)


class WebhookForm(models.TextChoices):
    """How the announcement is written."""

    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    JSON = "json", _("plain JSON, signed")


class Webhook(models.Model):
    """One player's webhook. Its address is a secret: whoever knows it may write there.

    ``last_error`` is a code, of :mod:`games.outgoing` or "status" and a number; nothing since the
    last time that it worked.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="webhook"
    )
    form = models.CharField(max_length=8, choices=WebhookForm)
    url = models.CharField(max_length=MOST_SIGNS)
    key = models.CharField(max_length=64, default=new_key, editable=False)
    last_error = models.CharField(max_length=40, blank=True)
    failed_at = models.DateTimeField(null=True, blank=True)
    tested_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id}"

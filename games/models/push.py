"""The devices on which a player is shown that it is his turn."""

import hashlib

from django.conf import settings
from django.db import models

MOST_SIGNS = 1000
"""The longest address of a push service's mailbox that is taken; known ones have about 500."""


def endpoint_digest(endpoint: str) -> str:
    """Return the SHA-256 of an address, by which a device is known without telling it."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


class PushSubscription(models.Model):
    """One browser of a player that shows notifications (RFC 8030).

    ``endpoint`` is a secret: whoever knows it may write there. So are the keys: with them he may
    write what the browser believes. None of the three is dumped, logged or shown.
    ``failures`` counts what has not arrived since something last did; ``last_error`` says why, in
    a code of :mod:`games.outgoing` or "status" and a number.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions"
    )
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the endpoint.")
    endpoint = models.CharField(max_length=MOST_SIGNS, serialize=False)
    p256dh = models.CharField(max_length=100, serialize=False)
    auth = models.CharField(max_length=40, serialize=False)
    device = models.CharField(max_length=60, blank=True, help_text="Browser and system.")
    created_at = models.DateTimeField()
    last_ok_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0)
    failed_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=40, blank=True)
    tested_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.pk}"

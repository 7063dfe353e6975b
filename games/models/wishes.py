"""What a player wants to be told, when, and by which ways."""

import datetime as dt

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.outbox import OutboxKind

DIGEST_AT = dt.time(7, 30)
"""When a daily digest is sent, in the player's own zone, unless he says otherwise."""


class Mode(models.TextChoices):
    """How many mails the turns of a player make."""

    EACH = "each", _("every turn at once")
    AWAY = "away", _("one mail until I return")
    DIGEST = "digest", _("a daily digest")


class Topic(models.TextChoices):
    """What can be switched off by itself."""

    TURN = "turn", _("my turns")
    REMINDER = "reminder", _("reminders before my time ends")
    ROUND_OVER = "round_over", _("how rounds ended")
    GAME_OVER = "game_over", _("how games ended")
    NUDGE = "nudge", _("nudges and votes of the others")
    ACK = "ack", _("that a move came by mail")


TOPIC_OF = {
    OutboxKind.TURN: Topic.TURN,
    OutboxKind.DIGEST: Topic.TURN,
    OutboxKind.REMINDER: Topic.REMINDER,
    OutboxKind.ABSENT: Topic.REMINDER,
    OutboxKind.RETIRED: Topic.REMINDER,
    OutboxKind.VACANT: Topic.NUDGE,
    OutboxKind.TOO_LATE: Topic.GAME_OVER,
    OutboxKind.STARTED: Topic.ROUND_OVER,
    OutboxKind.ROUND_OVER: Topic.ROUND_OVER,
    OutboxKind.GAME_OVER: Topic.GAME_OVER,
    OutboxKind.CANCELLED: Topic.GAME_OVER,
    OutboxKind.NUDGE: Topic.NUDGE,
    OutboxKind.VOTE: Topic.NUDGE,
    OutboxKind.ACK: Topic.ACK,
}
"""What is not here answers somebody who asked, or warns him, and is not switched off."""


class Wishes(models.Model):
    """One player's wishes; whoever has no row wants everything at once, by mail.

    ``links_version`` is signed into the links that stop mails: counting it up revokes all of them.
    ``told_at`` is when the one mail went out that a player wanted until he returns.
    ``mails_sent`` went to him on the day ``mails_on`` of his zone, answers to his own aside.
    ``feed_token`` is the secret of the calendar's and the feed's addresses; empty, there are none.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="wishes"
    )
    mode = models.CharField(max_length=6, choices=Mode, default=Mode.EACH)
    digest_at = models.TimeField(default=DIGEST_AT)
    stopped = models.JSONField(default=list, blank=True, help_text="Topics switched off.")
    links_version = models.PositiveIntegerField(default=0)
    told_at = models.DateTimeField(null=True, blank=True)
    feed_token = models.CharField(max_length=26, unique=True, null=True, blank=True)
    confirms_replies = models.BooleanField(
        default=False, help_text="A move by mail is played by a link that we send."
    )
    holds_replies = models.BooleanField(
        default=False, help_text="A move by mail waits a little, and may be taken back."
    )

    mails_on = models.DateField(null=True, blank=True)
    mails_sent = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.user_id}"

    def wants(self, kind: OutboxKind) -> bool:
        """Return whether notices of this kind are wanted at all."""
        return TOPIC_OF.get(kind) not in self.stopped


class StoppedAddress(models.Model):
    """An address that wants no more invitations; what is kept of it is its SHA-256."""

    digest = models.CharField(max_length=64, primary_key=True)
    stopped_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest[:8]

"""Mails to be sent: written in the transaction of the move that causes them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.game import Game, Seat
from games.models.invitation import Invitation


class OutboxKind(models.TextChoices):
    INVITATION = "invitation", _("invitation")
    STARTED = "started", _("game started")
    TURN = "turn", _("your turn")
    REMINDER = "reminder", _("reminder")
    ABSENT = "absent", _("absent")
    RETIRED = "retired", _("seat retired")
    VACANT = "vacant", _("free seat")
    TOO_LATE = "too_late", _("seat gone")
    NUDGE = "nudge", _("nudge")
    VOTE = "vote", _("vote")
    ROUND_OVER = "round_over", _("round over")
    GAME_OVER = "game_over", _("game over")
    CANCELLED = "cancelled", _("game cancelled")
    DIGEST = "digest", _("daily digest")
    CUP = "cup", _("your dice")
    ACK = "ack", _("played by mail")
    REFUSAL = "refusal", _("not played by mail")
    ANSWER = "answer", _("answer to your mail")
    CONFIRM = "confirm", _("confirm your mail")
    WARNING = "warning", _("somebody else wrote in your name")


class Channel(models.TextChoices):
    MAIL = "mail", _("mail")
    WEBHOOK = "webhook", _("webhook")
    PUSH = "push", _("push message")


CAPPED = "cap"
"""The stage of a digest that tells of turns beyond what one day's mails may tell one by one."""


class OutboxStatus(models.TextChoices):
    PENDING = "pending", _("pending")
    SENT = "sent", _("sent")
    SUPERSEDED = "superseded", _("superseded")
    DEAD = "dead", _("given up, needs a person")


class OutboxMessage(models.Model):
    """A duty to tell one person one thing on one channel. The body is rendered when it is sent.

    A relay claims rows with a lease and a fencing number; only the holder of the newest fence
    may mark a row, so a relay that wakes up late changes nothing.
    """

    dedupe = models.CharField(max_length=80)
    kind = models.CharField(max_length=12, choices=OutboxKind)
    channel = models.CharField(max_length=8, choices=Channel, default=Channel.MAIL)
    stage = models.CharField(
        max_length=5, blank=True, help_text="Of a reminder or a digest: which it is."
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="outbox", db_index=False)
    seat = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.CASCADE)
    invitation = models.ForeignKey(
        Invitation, null=True, blank=True, on_delete=models.CASCADE, db_index=False
    )
    inbound = models.ForeignKey(
        "games.InboundMail",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        db_index=False,
        help_text="The mail that this one answers.",
    )
    device = models.ForeignKey(
        "games.PushSubscription",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        db_index=False,
        help_text="Where a push message goes.",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_index=False,
        help_text="Whom it is for, where that is not who holds the seat.",
    )
    version = models.PositiveIntegerField()
    round_number = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=10, choices=OutboxStatus, default=OutboxStatus.PENDING)
    due_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True, blank=True)
    fence = models.PositiveIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    last_error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dedupe"], name="outbox_dedupe"),
            models.CheckConstraint(
                name="outbox_has_one_recipient",
                condition=Q(seat__isnull=False, invitation__isnull=True)
                | Q(seat__isnull=True, invitation__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["due_at"], name="outbox_due", condition=Q(status="pending")),
            models.Index(
                fields=["device"], name="outbox_device", condition=Q(device__isnull=False)
            ),
            models.Index(fields=["user"], name="outbox_user", condition=Q(user__isnull=False)),
            models.Index(
                fields=["invitation"],
                name="outbox_invitation",
                condition=Q(invitation__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.dedupe

"""Mail that comes in: the addresses we gave out, what was sent to them, and what bounced."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game, Seat
from games.models.invitation import Invitation


class TokenKind(models.TextChoices):
    """What an address of ours is for. The value is the letter that it begins with."""

    MOVE = "m", "move"
    GAME = "g", "game"
    DIGEST = "d", "digest"
    INVITATION = "i", "invitation"
    LEAVE = "u", "leave"
    BOUNCE = "b", "bounce"


class ReplyToken(models.Model):
    """One address that we gave to one person; what is kept of it is its SHA-256.

    ``version`` is the game's at the turn that a move address answers, or that of its owner's stop
    links. ``subject`` is, of a leave address, the topic that it stops (nothing: the game), of a
    bounce address the digest of where the mail went. ``spent_by`` names the mail that used it up.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    kind = models.CharField(max_length=1, choices=TokenKind)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    seat = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.CASCADE)
    invitation = models.ForeignKey(Invitation, null=True, blank=True, on_delete=models.CASCADE)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    version = models.PositiveIntegerField(default=0)
    subject = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    spent_at = models.DateTimeField(null=True, blank=True)
    spent_by = models.CharField(max_length=64, blank=True)

    class Meta:
        indexes = [models.Index(fields=["expires_at"], name="reply_token_expiry")]

    def __str__(self) -> str:
        return f"{self.kind}-{self.digest[:8]}"


class MailState(models.TextChoices):
    """How far a mail that came in has got."""

    NEW = "new", "stored"
    HELD = "held", "read, to be played when its time to be taken back is over"
    DONE = "done", "handled"
    DEAD = "dead", "given up, needs a person"


class InboundMail(models.Model):
    """One mail as it came, encrypted, and what became of it.

    ``key`` is the SHA-256 of recipient and mail: stored twice it is one row. ``recipient`` is the
    digest of the address. ``received_at`` is when our door took it: arrival decides.
    ``plays_at`` is when a move is played that its player may take back until then.
    ``repeat_key`` is the same for every copy of one mail, whichever way each came.
    ``answer`` is the kind of the mail that answers it, and counts for the limits; ``detail`` is
    what that mail says: codes and public values, never a die. The mail is gone after 14 days.
    """

    key = models.CharField(max_length=64, unique=True)
    recipient = models.CharField(max_length=64)
    door = models.CharField(max_length=20)
    received_at = models.DateTimeField()
    kid = models.CharField(max_length=20)
    nonce = models.BinaryField(max_length=12)
    sealed = models.BinaryField(null=True, blank=True)

    state = models.CharField(max_length=4, choices=MailState, default=MailState.NEW)
    attempts = models.PositiveSmallIntegerField(default=0)
    lease_until = models.DateTimeField(null=True, blank=True)
    handled_at = models.DateTimeField(null=True, blank=True)
    plays_at = models.DateTimeField(null=True, blank=True)

    outcome = models.CharField(max_length=20, blank=True)
    answer = models.CharField(max_length=12, blank=True)
    detail = models.JSONField(default=dict, blank=True)
    first_line = models.CharField(max_length=80, blank=True)
    writer = models.CharField(max_length=120, blank=True, help_text="Such as a…@example.org.")
    message_id = models.CharField(max_length=250, blank=True)
    repeat_key = models.CharField(max_length=64, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    seat = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.SET_NULL)
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["repeat_key"], name="inbound_repeat_key", condition=~Q(repeat_key="")
            ),
        ]
        indexes = [
            models.Index(fields=["received_at"], name="inbound_new", condition=Q(state="new")),
            models.Index(fields=["plays_at"], name="inbound_held", condition=Q(state="held")),
            models.Index(
                fields=["received_at"], name="inbound_raw", condition=Q(sealed__isnull=False)
            ),
            models.Index(
                fields=["user", "handled_at"], name="inbound_of", condition=Q(user__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"mail {self.pk} {self.outcome or self.state}"


class FaultKind(models.TextChoices):
    """What came back of a mail of ours."""

    SOFT = "soft", "not delivered for now"
    HARD = "hard", "not delivered for good"
    COMPLAINT = "complaint", "called spam"


class MailFault(models.Model):
    """A mail to ``user`` that came back. Faults of the last 30 days decide whether we write to him.

    ``source`` names the report, so that one that comes twice counts once.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mail_faults"
    )
    kind = models.CharField(max_length=9, choices=FaultKind)
    address = models.CharField(max_length=64, help_text="The digest of where the mail went.")
    source = models.CharField(max_length=64)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "source"], name="mail_fault_source")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.kind}"


class Saying(models.Model):
    """A line that a player said at the table. Not part of the log: it goes with his account."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sayings"
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="sayings")
    version = models.PositiveIntegerField(help_text="The game's when it was said.")
    text = models.CharField(max_length=280)
    said_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} {self.version}"

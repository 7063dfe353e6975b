"""The mails that the listener received."""

from typing import ClassVar

from django.db import models


class MailboxMessage(models.Model):
    """One mail as it came over SMTP."""

    envelope_from = models.CharField(max_length=320, blank=True)
    # Lower case, one a line, with a line feed at both ends: "\nalice@example.org\n".
    envelope_to = models.TextField()
    subject = models.CharField(max_length=200, blank=True)
    thread = models.CharField(
        max_length=250, blank=True, help_text="The Message-ID that its conversation began with."
    )
    received_at = models.DateTimeField()
    raw = models.BinaryField()

    objects: ClassVar[models.Manager["MailboxMessage"]] = models.Manager()

    class Meta:
        indexes = [
            models.Index(fields=["thread"], name="mailbox_thread", condition=~models.Q(thread=""))
        ]

    def __str__(self) -> str:
        return f"mail {self.pk}"

    @property
    def recipients(self) -> list[str]:
        """The addresses that it was sent to."""
        return self.envelope_to.split()

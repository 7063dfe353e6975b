"""What nobody needs any more is deleted, a little at a time."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import QuerySet

from games.models import GameStatus, Invitation, OutboxMessage, OutboxStatus
from games.models.invitation import INVITATION_LIFE

KEPT = timedelta(days=90)
"""How long what is settled is kept, for whoever asks whether a mail went out."""

BATCH = 500
MOST_BATCHES = 20
"""What is left after as many is deleted the next time: nobody waits for it."""


def purge(*, now: datetime) -> int:
    """Delete what was settled, or has expired, more than 90 days ago; return how many rows.

    Of a game that is open or under way every notice stays: the next mail tells what has happened
    since the last one, and what was written twice is known by the first row.
    """
    over = OutboxMessage.objects.exclude(game__status__in=(GameStatus.OPEN, GameStatus.ACTIVE))
    settled = over.filter(
        status__in=(OutboxStatus.SENT, OutboxStatus.SUPERSEDED), created_at__lt=now - KEPT
    )
    expired = Invitation.objects.filter(created_at__lt=now - INVITATION_LIFE - KEPT)
    return _delete(settled) + _delete(expired)


def _delete(rows: QuerySet[Any]) -> int:
    """Delete rows, the oldest first, in transactions of their own; return how many."""
    deleted = 0
    for _batch in range(MOST_BATCHES):
        keys = list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])
        rows.model._default_manager.filter(pk__in=keys).delete()
        deleted += len(keys)
        if len(keys) < BATCH:
            break
    return deleted

"""A turn on other ways than mail: their rows are written when the mail's row is due.

So a move writes nothing for them, and what is written twice is one row.
"""

from datetime import datetime

from games.models import Channel, OutboxMessage, Webhook


def spread(message: OutboxMessage, *, now: datetime) -> None:
    """Write the rows of the other ways on which the player wants to hear of a turn."""
    if not Webhook.objects.filter(user__seats=message.seat_id).exists():
        return
    row = OutboxMessage(
        dedupe=f"{message.dedupe}:{Channel.WEBHOOK}",
        kind=message.kind,
        channel=Channel.WEBHOOK,
        game_id=message.game_id,
        seat_id=message.seat_id,
        version=message.version,
        round_number=message.round_number,
        due_at=message.due_at,
        created_at=now,
    )
    OutboxMessage.objects.bulk_create([row], ignore_conflicts=True)

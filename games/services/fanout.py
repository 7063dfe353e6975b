"""A turn on other ways than mail: their rows are written when the mail's row is due.

So a move writes nothing for them, and what is written twice is one row.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.conf import settings

from games.mail.relevance import is_current
from games.mail.wanted import wishes_of
from games.models import Channel, Game, OutboxKind, OutboxMessage, Seat


def spread(messages: Iterable[OutboxMessage], *, now: datetime) -> None:
    """Write the rows of the other ways on which players want to hear of the turns among these."""
    turns = [message for message in messages if message.kind == OutboxKind.TURN]
    if not turns:
        return
    hooks: set[int] = set()
    devices: dict[int, set[int]] = {}
    # Outer joins: who has neither has one row, with nothing in it.
    ways: Any = Seat.objects.filter(pk__in={turn.seat_id for turn in turns}).values_list(
        "pk", "user__webhook", "user__push_subscriptions"
    )
    for seat_id, hook, device in ways:
        if hook is not None:
            hooks.add(seat_id)
        if device is not None and settings.VAPID_KEY:
            devices.setdefault(seat_id, set()).add(device)
    rows = []
    for turn in turns:
        if turn.seat_id in hooks:
            rows.append(_row(turn, Channel.WEBHOOK, now=now))
        for device in sorted(devices.get(turn.seat_id or 0, ())):
            rows.append(_row(turn, Channel.PUSH, device_id=device, now=now))
    OutboxMessage.objects.bulk_create(rows, ignore_conflicts=True)


def is_wanted(message: OutboxMessage, game: Game, seat: Seat, *, now: datetime) -> bool:
    """Return whether its player wants to be told of a turn at all, and does not know it yet."""
    is_silent = seat.is_muted or not wishes_of(seat).wants(OutboxKind(message.kind))
    return not is_silent and is_current(message, game, seat, now=now)


def _row(
    turn: OutboxMessage, channel: Channel, *, now: datetime, device_id: int | None = None
) -> OutboxMessage:
    suffix = "" if device_id is None else f":{device_id}"
    return OutboxMessage(
        dedupe=f"{turn.dedupe}:{channel}{suffix}",
        kind=turn.kind,
        channel=channel,
        game_id=turn.game_id,
        seat_id=turn.seat_id,
        device_id=device_id,
        version=turn.version,
        round_number=turn.round_number,
        due_at=turn.due_at,
        created_at=now,
    )

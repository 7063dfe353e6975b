"""What players have said at a table: one line each, newest last."""

from dataclasses import dataclass
from datetime import datetime

from games.models import (
    Channel,
    Game,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    Saying,
    Seat,
)

MOST = 5
"""As many lines are told in a mail."""

_TOLD_IN = (OutboxKind.TURN, OutboxKind.ROUND_OVER)


@dataclass(frozen=True, slots=True)
class Said:
    """One line, and who said it."""

    name: str
    text: str
    said_at: datetime


def talk_of(game: Game, *, since: datetime | None = None, most: int = 100) -> tuple[Said, ...]:
    """Return the last lines that were said at a table, the oldest of them first."""
    rows = Saying.objects.filter(game=game).select_related("user").order_by("-said_at", "-pk")
    if since is not None:
        rows = rows.filter(said_at__gt=since)
    return tuple(
        Said(row.user.display_name, row.text, row.said_at) for row in reversed(rows[:most])
    )


def talk_for(game: Game, seat: Seat) -> tuple[Said, ...]:
    """Return what was said since the last mail that told a player what happened."""
    told = OutboxMessage.objects.filter(
        seat=seat, kind__in=_TOLD_IN, channel=Channel.MAIL, status=OutboxStatus.SENT
    )
    since = told.order_by("-sent_at").values_list("sent_at", flat=True).first()
    return talk_of(game, since=since, most=MOST)


def said_by(user_id: int) -> list[dict[str, object]]:
    """Return what an account has said at tables, for himself."""
    rows = Saying.objects.filter(user_id=user_id).select_related("game").order_by("pk")
    return [
        {"game": row.game.code, "text": row.text, "said_at": row.said_at.isoformat()}
        for row in rows
    ]

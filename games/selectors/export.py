"""What the games keep about one person, for that person."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from django.db.models import F

from games.models import Event, Invitation, Seat

_MOVES = ("bid", "dudo", "calza", "resign")


def games_of(user_id: int) -> list[dict[str, Any]]:
    """Return every seat of ``user_id`` with the moves made on it, made of what JSON knows.

    No dice: those of a running game are seen on its page, and a finished game has its record.
    """
    own = Event.objects.filter(
        game__seats__user_id=user_id, seat=F("game__seats__number"), kind__in=_MOVES
    )
    moves: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for event in own.order_by("game_id", "seq"):
        moves[event.game_id].append(
            {
                "number": event.seq,
                "round": event.round_number,
                "move": event.kind,
                "bid": event.payload.get("bid") if event.kind == "bid" else None,
                "by_the_clock": event.is_auto,
                "made_at": event.made_at.isoformat(),
            }
        )
    seats = Seat.objects.filter(user_id=user_id).select_related("game").order_by("game_id")
    return [
        {
            "game": seat.game.code,
            "name": seat.game.name,
            "rules": seat.game.ruleset.get("name"),
            "status": seat.game.status,
            "hosted": seat.game.host_id == user_id,
            "created_at": seat.game.created_at.isoformat(),
            "started_at": _moment(seat.game.started_at),
            "finished_at": _moment(seat.game.finished_at),
            "seat": seat.number,
            "joined_at": seat.joined_at.isoformat(),
            "place": seat.place,
            "resigned": seat.has_resigned,
            "moves": moves[seat.game_id],
        }
        for seat in seats
    ]


def invitations_by(user_id: int) -> list[dict[str, Any]]:
    """Return the invitations that ``user_id`` sent to addresses that he typed."""
    sent = Invitation.objects.filter(invited_by_id=user_id).exclude(email="")
    return [
        {"game": row.game.code, "email": row.email, "sent_at": row.created_at.isoformat()}
        for row in sent.select_related("game").order_by("pk")
    ]


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None

"""What the games keep about one person, for that person."""

from collections import defaultdict
from datetime import datetime
from typing import Any

from games.models import Contribution, ContributionKind, Game, Invitation, Seat, Tenure
from games.selectors.log import CLOSINGS
from games.selectors.own import earlier_events, own_events

_MOVES = ("bid", *CLOSINGS)


def games_of(user_id: int) -> list[dict[str, Any]]:
    """Return every seat that ``user_id`` holds or held, with his moves, made of what JSON knows.

    No dice: those of a running game are seen on its page, and a finished game has its record.
    """
    moves: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for own in (own_events(user_id), earlier_events(user_id)):
        for event in own.filter(kind__in=_MOVES).order_by("game_id", "seq"):
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
    seats = (
        Seat.objects.filter(user_id=user_id)
        .select_related("game", "contribution")
        .order_by("game_id")
    )
    held = (
        Tenure.objects.filter(user_id=user_id)
        .select_related("game", "seat__contribution")
        .order_by("game_id")
    )
    return [
        *(
            {
                **_game(seat.game, user_id),
                "seat": seat.number,
                "joined_at": seat.joined_at.isoformat(),
                "place": seat.place,
                "resigned": seat.has_resigned,
                "retired_at": None,
                "added_to_the_dice": _added(seat, is_first=not seat.held_from),
                "moves": moves[seat.game_id],
            }
            for seat in seats
        ),
        *(
            {
                **_game(tenure.game, user_id),
                "seat": tenure.seat.number,
                "joined_at": None,
                "place": tenure.place,
                "resigned": False,
                "retired_at": tenure.retired_at.isoformat(),
                "added_to_the_dice": _added(tenure.seat, is_first=tenure.from_round <= 1),
                "moves": moves[tenure.game_id],
            }
            for tenure in held
        ),
    ]


def _added(seat: Seat, *, is_first: bool) -> str | None:
    """Return the phrase, or bytes in hex, that whoever held ``seat`` first added to the dice."""
    given: Contribution | None = getattr(seat, "contribution", None)
    if given is None or not is_first:
        return None
    return bytes.fromhex(given.raw).decode() if given.kind == ContributionKind.TEXT else given.raw


def _game(game: Game, user_id: int) -> dict[str, Any]:
    return {
        "game": game.code,
        "name": game.name,
        "rules": game.ruleset.get("name"),
        "status": game.status,
        "hosted": game.host_id == user_id,
        "created_at": game.created_at.isoformat(),
        "started_at": _moment(game.started_at),
        "finished_at": _moment(game.finished_at),
    }


def invitations_by(user_id: int) -> list[dict[str, Any]]:
    """Return the invitations that ``user_id`` sent to addresses that he typed."""
    sent = Invitation.objects.filter(invited_by_id=user_id).exclude(email="")
    return [
        {"game": row.game.code, "email": row.email, "sent_at": row.created_at.isoformat()}
        for row in sent.select_related("game").order_by("pk")
    ]


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None

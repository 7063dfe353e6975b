"""Outbox rows: whom to tell what, written in the transaction that causes it."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from games import rows
from games.models import Game, Invitation, OutboxKind, OutboxMessage, OutboxStatus, Seat
from games.services import nudges

REMIND_AFTER = 0.8
"""The share of a turn's time after which its player is reminded, once."""


def tell(
    kind: OutboxKind,
    game: Game,
    seats: Iterable[Seat],
    *,
    now: datetime,
    due_at: datetime | None = None,
    round_number: int | None = None,
) -> list[OutboxMessage]:
    """Return unsaved notices of one kind for those of ``seats`` that have a person.

    :param round_number: the round it is about; the current one when not given.
    """
    if round_number is None:
        round_number = game.current_round.number if game.current_round else 0
    return [
        OutboxMessage(
            dedupe=_key(game, seat, kind, due_at),
            kind=kind,
            game_id=game.pk,
            seat_id=seat.pk,
            version=game.version,
            round_number=round_number,
            due_at=due_at or now,
            created_at=now,
        )
        for seat in seats
        if seat.user_id is not None
    ]


def _key(game: Game, seat: Seat, kind: OutboxKind, due_at: datetime | None) -> str:
    """Return what makes a notice one of its kind; a deadline that moves brings a new reminder."""
    moment = f":{due_at.timestamp():.0f}" if due_at else ""
    return f"{game.pk}:{game.version}:{seat.pk}:{kind}{moment}"


def turn_notices(
    game: Game, seat: Seat, *, now: datetime, deadline: datetime
) -> list[OutboxMessage]:
    """Return the unsaved turn notice and reminder for ``seat``."""
    remind_at = now + (deadline - now) * REMIND_AFTER
    return [
        *tell(OutboxKind.TURN, game, [seat], now=now),
        *tell(OutboxKind.REMINDER, game, [seat], now=now, due_at=remind_at),
    ]


def withdraw_reminders(game: Game, seat: Seat) -> None:
    """Take back the reminders of a turn whose deadline moves."""
    OutboxMessage.objects.filter(
        game=game, seat=seat, kind=OutboxKind.REMINDER, status=OutboxStatus.PENDING
    ).update(status=OutboxStatus.SUPERSEDED)


def invitation_notice(game: Game, invitation: Invitation, *, now: datetime) -> OutboxMessage:
    """Return the unsaved mail that asks somebody to join."""
    return OutboxMessage(
        dedupe=f"{game.pk}:invitation:{invitation.pk}",
        kind=OutboxKind.INVITATION,
        game=game,
        invitation=invitation,
        version=game.version,
        due_at=now,
        created_at=now,
    )


def save(messages: list[OutboxMessage]) -> None:
    """Write the rows and, once they are committed, nudge the relay."""
    rows.run(writes(messages))


def writes(messages: list[OutboxMessage]) -> list[rows.Statement]:
    """Return what writes the rows, if there are any; once it is committed, nudge the relay."""
    if not messages:
        return []
    transaction.on_commit(nudges.relay, robust=True)
    return [rows.insertion(messages)]

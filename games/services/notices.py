"""Outbox rows: whom to tell what, written in the transaction that causes it.

Whether somebody wants to be told, and how, is asked when a notice is sent: a move writes the same
rows for everybody.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction

from games import clock, queries, rows, timing
from games.models import Game, Invitation, OutboxKind, OutboxMessage, OutboxStatus, Seat
from games.services import nudges
from games.sql import Statement

AT_THE_TABLE = timedelta(minutes=5)
"""Whoever looked at a turn of his within this may well have the page open."""
HELD_BACK = timedelta(seconds=45)
"""For how long his next turn is told by that page alone: less than a look at it counts for."""

REMIND_AFTER = 0.8
"""The share of a turn too short for any other schedule after which its player is reminded."""


def tell(
    kind: OutboxKind,
    game: Game,
    seats: Iterable[Seat],
    *,
    now: datetime,
    round_number: int | None = None,
    suffix: str = "",
) -> list[OutboxMessage]:
    """Return unsaved notices of one kind for those of ``seats`` that have a person.

    :param round_number: the round it is about; the current one when not given.
    :param suffix: what tells them from others of their kind in the same position.
    """
    if round_number is None:
        round_number = game.current_round.number if game.current_round else 0
    return [
        rows.new(
            OutboxMessage,
            dedupe=f"{game.pk}:{game.version}:{seat.pk}:{kind}{suffix}",
            kind=kind,
            game_id=game.pk,
            seat_id=seat.pk,
            version=game.version,
            round_number=round_number,
            due_at=_due(kind, seat, now=now),
            created_at=now,
        )
        for seat in seats
        if seat.user_id is not None
    ]


def _due(kind: OutboxKind, seat: Seat, *, now: datetime) -> datetime:
    """Return when a notice is sent: at once, but a turn later to whoever sits at the table.

    His page shows it within seconds, and what he has looked at is not sent: people who play at
    once, one after the other, get no mail for each of their turns.
    """
    looked = seat.seen_at if kind is OutboxKind.TURN else None
    is_there = looked is not None and looked >= now - AT_THE_TABLE
    return now + HELD_BACK if is_there else now


def tell_person(
    kind: OutboxKind, game: Game, seat: Seat, *, user_id: int | None, now: datetime
) -> list[OutboxMessage]:
    """Return the unsaved notice about a seat to a person who does not hold it, if there is one."""
    if user_id is None:
        return []
    return [
        rows.new(
            OutboxMessage,
            dedupe=f"{game.pk}:{game.version}:{seat.pk}:{kind}:{user_id}",
            kind=kind,
            game_id=game.pk,
            seat_id=seat.pk,
            user_id=user_id,
            version=game.version,
            round_number=game.current_round.number if game.current_round else 0,
            due_at=now,
            created_at=now,
        )
    ]


def reminders(
    game: Game,
    seat: Seat,
    *,
    now: datetime,
    deadline: datetime,
    sent: Iterable[datetime] = (),
) -> list[OutboxMessage]:
    """Return the unsaved reminders of a running turn that are still to come.

    :param sent: when reminders of this turn went out.
    """
    if seat.user_id is None:
        return []
    number = game.current_round.number if game.current_round else 0
    ends = f"{deadline.timestamp():.0f}"
    return [
        OutboxMessage(
            dedupe=f"{game.pk}:{game.version}:{seat.pk}:{OutboxKind.REMINDER}:{each.kind}:{ends}",
            kind=OutboxKind.REMINDER,
            stage=each.kind.value,
            game_id=game.pk,
            seat_id=seat.pk,
            version=game.version,
            round_number=number,
            due_at=each.at,
            created_at=now,
        )
        for each in _schedule(game, seat, now=now, deadline=deadline, sent=sent)
    ]


def _schedule(
    game: Game, seat: Seat, *, now: datetime, deadline: datetime, sent: Iterable[datetime]
) -> list[clock.Reminder]:
    """Return when to remind: by the schedule, or once in a plain turn too short for it."""
    own, settings = timing.seat_clock(game, seat), timing.clock_of(game)
    planned = clock.reminders(
        own,
        settings,
        timing.own_hours(game, seat),
        opened=seat.seen_version == game.version,
        extended=game.turn_extra,
        sent=sent,
        after=now,
    )
    # An announced absence may end a turn before its time is used up.
    planned = tuple(each for each in planned if each.at < deadline)
    if planned or not settings.is_plain or own.running_since is None or any(sent):
        return list(planned)
    at = own.running_since + (deadline - own.running_since) * REMIND_AFTER
    return [clock.Reminder(clock.ReminderKind.MOST, at)] if at >= now else []


def turn_left_to_player(
    game: Game, seat: Seat, *, now: datetime, deadline: datetime, is_there: bool
) -> list[OutboxMessage]:
    """Return the unsaved notices of a running turn that no order plays any more: what is missing.

    :param is_there: whether he knows of it, so that reminders are enough.
    """
    if is_there:
        missing = reminders(game, seat, now=now, deadline=deadline)
    else:
        missing = tell(OutboxKind.TURN, game, [seat], now=now)
    wanted = {each.dedupe: each for each in missing}
    written = OutboxMessage.objects.filter(dedupe__in=wanted).values_list("dedupe", flat=True)
    known = set(written)
    return [notice for dedupe, notice in wanted.items() if dedupe not in known]


@transaction.atomic
def plan_reminders(message: OutboxMessage, *, now: datetime) -> None:
    """Write the reminders of the turn that a notice tells of, unless it is over.

    They come with the notice and not with the move: most moves are answered before the first is
    due, and whoever moves should not wait while they are written.
    """
    game, seats = queries.lock_game(message.game_id)
    if game.version != message.version or game.to_act is None:
        return
    if seats[game.to_act].pk == message.seat_id:
        move_reminders(game, seats[game.to_act], now=now)


def move_reminders(game: Game, seat: Seat, *, now: datetime) -> None:
    """Put the reminders of a turn where its new deadline wants them; none if no clock runs."""
    turn = OutboxMessage.objects.filter(
        game=game, seat=seat, kind=OutboxKind.REMINDER, version=game.version
    )
    turn.filter(status=OutboxStatus.PENDING).update(status=OutboxStatus.SUPERSEDED)
    deadline = game.turn_deadline_at
    if game.running_since is None or deadline is None or deadline <= now:
        return
    gone = list(turn.filter(status=OutboxStatus.SENT).values_list("sent_at", flat=True))
    sent = [at for at in gone if at is not None]
    fresh = reminders(game, seat, now=now, deadline=deadline, sent=sent)
    planned = {each.dedupe: each for each in fresh}
    # A deadline that came back to where it was wants the reminders that were withdrawn.
    known = turn.filter(dedupe__in=planned)
    for row in known.filter(status=OutboxStatus.SUPERSEDED):
        due = planned[row.dedupe].due_at
        turn.filter(pk=row.pk).update(status=OutboxStatus.PENDING, due_at=due, created_at=now)
    written = set(known.values_list("dedupe", flat=True))
    save([each for dedupe, each in planned.items() if dedupe not in written])


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


def writes(messages: list[OutboxMessage]) -> list[Statement]:
    """Return what writes the rows, if there are any; once it is committed, nudge the relay."""
    if not messages:
        return []
    transaction.on_commit(nudges.relay, robust=True)
    return [rows.insertion(messages)]

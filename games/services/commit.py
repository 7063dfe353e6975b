"""What a move writes: bid, round, seats, log, clock and mails, in the caller's transaction.

Only :mod:`games.services.moves` and the start of a game call this, with the game's row locked.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import cast

from django.conf import settings
from django.db import transaction

from games import rows, rules, store
from games.models import Bid, Event, Game, GameStatus, OutboxKind, OutboxMessage, Round, Seat
from games.services import log, notices, nudges
from games.services.errors import StaleMove
from games.services.log import Entry

MISSES_TO_ABSENCE = 2
"""Missed turns in a row after which a seat plays at once, until its player comes back."""

GRACE = timedelta(seconds=30)
"""How long the clock waits after a deadline for moves that arrived in time."""

_KINDS = {rules.MakeBid: "bid", rules.Dudo: "dudo", rules.Calza: "calza", rules.Resign: "resign"}
_MOVE_FIELDS = (
    "version",
    "log_hash",
    "status",
    "current_round",
    "to_act",
    "bids_made",
    "bid_seat",
    "bid_quantity",
    "bid_face",
    "turn_started_at",
    "turn_deadline_at",
    "wake_at",
    "finished_at",
)
_RESULT_FIELDS = ("result", "closed_at", "closed_by_clock")
_SEAT_FIELDS = (
    "dice",
    "palifico_done",
    "place",
    "has_resigned",
    "missed_in_a_row",
    "is_absent",
)


def turn_of(game: Game) -> int:
    """Return the number of the seat to move in a game that is under way."""
    if game.to_act is None:
        raise ValueError(f"game {game.pk} is not under way")
    return game.to_act


def advance(game: Game, seats: list[Seat], action: rules.Move, entry: Entry) -> None:
    """Apply ``action`` to a locked game and write everything that follows from it.

    :raises RuleViolation: the rules refuse it; nothing is written.
    """
    dice = None if isinstance(action, rules.MakeBid) else store.open_dice(game)
    applied = rules.apply(store.load_state(game, seats, dice=dice), action)
    played_in = cast(Round, game.current_round)
    answered = game.version
    before = [_snapshot(seat) for seat in seats]
    actor = seats[action.seat]
    _note_presence(actor, action, is_auto=entry.is_auto)
    messages: list[OutboxMessage] = []
    if isinstance(action, rules.MakeBid):
        events = [_log_bid(game, action, entry)]
        writes = [rows.insertion([_place(game, action, entry)])]
        game.to_act = applied.state.round.to_act
    else:
        outcome, dice = cast(rules.RoundOutcome, applied.outcome), cast(store.Dice, dice)
        events = [_log_outcome(game, outcome, dice, entry, seat=action.seat)]
        after, messages = _close_round(game, seats, applied.state, outcome, dice, entry)
        events += after
        writes = [rows.change(played_in, _RESULT_FIELDS)]
    writes += _seat_changes(seats, applied.state, before)
    writes.append(rows.insertion(events))
    if entry.is_auto and actor.missed_in_a_row == MISSES_TO_ABSENCE:
        messages += notices.tell(OutboxKind.ABSENT, game, [actor], now=entry.now)
    if game.status == GameStatus.ACTIVE:
        messages += _start_turn(game, seats[turn_of(game)], now=entry.now)
    turn = rows.change(game, _MOVE_FIELDS, version=answered)
    if not rows.run([turn, *writes, *notices.writes(messages)]):
        raise StaleMove(answered)
    nudge_sweep(game, now=entry.now)


def begin(
    game: Game,
    seats: list[Seat],
    state: rules.GameState,
    payload: Mapping[str, object],
    dice: store.Dice,
    *,
    now: datetime,
) -> None:
    """Start a locked game whose seats have just been drawn: first round, clock and mails."""
    for seat in seats:
        seat.dice = state.seats[seat.number].dice
    Seat.objects.bulk_update(seats, ["dice"])
    game.status, game.started_at = GameStatus.ACTIVE, now
    start = log.append(game, "start", payload, Entry(now))
    sealed = _open_round(game, state, dice, Entry(now))
    rows.run([rows.insertion([start, sealed])])
    turn = seats[turn_of(game)]
    messages = _start_turn(game, turn, now=now)
    others = [seat for seat in seats if seat is not turn]
    messages += notices.tell(OutboxKind.STARTED, game, others, now=now)
    game.save()
    notices.save(messages)
    nudge_sweep(game, now=now)


def roll_again(game: Game, seats: list[Seat], dice: store.Dice, *, now: datetime) -> None:
    """Roll the open round anew in its next epoch, without the bids that were made in it."""
    row = cast(Round, game.current_round)
    row.epoch, row.opened_at = row.epoch + 1, now
    Bid.objects.filter(round=row).delete()
    entry = Entry(now)
    void = log.append(game, "epoch", {"round": row.number, "epoch": row.epoch}, entry)
    sealed = log.seal(game, row, dice, entry)
    rows.run([rows.insertion([void, sealed])])
    row.save()
    game.to_act = row.opener
    _without_bids(game)
    messages = _start_turn(game, seats[row.opener], now=now)
    game.save()
    notices.save(messages)
    nudge_sweep(game, now=now)


def restart_turn(game: Game, seat: Seat, *, now: datetime) -> None:
    """Give the seat to move its full time again."""
    notices.withdraw_reminders(game, seat)
    messages = _start_turn(game, seat, now=now)
    game.save(update_fields=["turn_started_at", "turn_deadline_at", "wake_at"])
    notices.save([message for message in messages if message.kind == OutboxKind.REMINDER])


def is_entry_of(event: Event, action: rules.Move) -> bool:
    """Return whether a log entry is what ``action``, played by its seat, has left there."""
    said = str(action.bid) if isinstance(action, rules.MakeBid) else event.payload["bid"]
    return event.kind == _KINDS[type(action)] and event.payload["bid"] == said


def nudge_sweep(game: Game, *, now: datetime) -> None:
    """Ask Celery to wake up when a bot has thought; the sweep finds it anyway."""
    if game.wake_at is not None and game.wake_at - now <= bot_delay():
        transaction.on_commit(nudges.bots, robust=True)


def bot_delay() -> timedelta:
    """Return how long a bot thinks, and an absent seat waits for its player to come back."""
    return timedelta(seconds=settings.BOT_DELAY_SECONDS)


def _log_bid(game: Game, action: rules.MakeBid, entry: Entry) -> Event:
    return log.act(game, "bid", {"bid": str(action.bid)}, entry, seat=action.seat)


def _log_outcome(
    game: Game, outcome: rules.RoundOutcome, dice: store.Dice, entry: Entry, *, seat: int
) -> Event:
    """Return the event of a closed round, with the keys of the cups that the rules have lifted."""
    row = cast(Round, game.current_round)
    keys = {cup.seat: dice.cup_key(row, cup.seat) for cup in outcome.lifted}
    payload = log.outcome_payload(outcome, keys)
    return log.act(game, outcome.kind.value, payload, entry, seat=seat)


def _place(game: Game, action: rules.MakeBid, entry: Entry) -> Bid:
    """Let a bid stand and return its unsaved row."""
    game.bids_made += 1
    game.bid_seat = action.seat
    game.bid_quantity, game.bid_face = action.bid.quantity, action.bid.face
    return Bid(
        round_id=cast(Round, game.current_round).pk,
        number=game.bids_made,
        seat=action.seat,
        quantity=action.bid.quantity,
        face=action.bid.face,
        is_auto=entry.is_auto,
        made_at=entry.now,
    )


def _close_round(
    game: Game,
    seats: list[Seat],
    state: rules.GameState,
    outcome: rules.RoundOutcome,
    dice: store.Dice,
    entry: Entry,
) -> tuple[list[Event], list[OutboxMessage]]:
    """Fill in the result, roll the next round or end the game; return events and notices."""
    closed = cast(Round, game.current_round)
    now = entry.now
    closed.result, closed.closed_at, closed.closed_by_clock = outcome.to_dict(), now, entry.is_auto
    if state.phase is rules.Phase.OVER:
        game.status, game.finished_at = GameStatus.FINISHED, now
        game.to_act = game.turn_started_at = game.turn_deadline_at = game.wake_at = None
        events = log.disclose(game, dice, "finished", Entry(now))
        return events, notices.tell(OutboxKind.GAME_OVER, game, seats, now=now)
    sealed = _open_round(game, state, dice, Entry(now))
    # The opener reads the same story in the mail that asks for his bid.
    listeners = [
        seat
        for seat in seats
        if seat.dice and seat.number != game.to_act and not (seat.is_absent or seat.has_resigned)
    ]
    told = notices.tell(OutboxKind.ROUND_OVER, game, listeners, now=now, round_number=closed.number)
    return [sealed], told


def _open_round(game: Game, state: rules.GameState, dice: store.Dice, entry: Entry) -> Event:
    """Create and roll the round that ``state`` waits for; return the event that seals it."""
    opened = store.round_row(game, state, now=entry.now)
    sealed = log.seal(game, opened, dice, entry)
    rows.insert_with_key(opened)
    game.current_round = opened
    game.to_act = state.round.to_act
    _without_bids(game)
    return sealed


def _without_bids(game: Game) -> None:
    game.bids_made = 0
    game.bid_seat = game.bid_quantity = game.bid_face = None


def _start_turn(game: Game, seat: Seat, *, now: datetime) -> list[OutboxMessage]:
    """Start the clock of ``seat`` and return its notices.

    A bot thinks a moment and an absent seat plays at once; neither is told.
    """
    game.turn_started_at = now
    if seat.bot or seat.is_absent:
        game.turn_deadline_at = game.wake_at = now + bot_delay()
        return []
    game.turn_deadline_at = now + timedelta(seconds=game.turn_seconds)
    game.wake_at = game.turn_deadline_at + GRACE
    return notices.turn_notices(game, seat, now=now, deadline=game.turn_deadline_at)


def _note_presence(actor: Seat, action: rules.Move, *, is_auto: bool) -> None:
    """Count a missed turn, or end an absence: a player comes back by playing."""
    if isinstance(action, rules.Resign):
        actor.has_resigned = True
    if is_auto:
        actor.missed_in_a_row = min(actor.missed_in_a_row + 1, 1000)
        actor.is_absent = actor.missed_in_a_row >= MISSES_TO_ABSENCE
    else:
        actor.missed_in_a_row, actor.is_absent = 0, False


def _snapshot(seat: Seat) -> tuple[object, ...]:
    return tuple(getattr(seat, name) for name in _SEAT_FIELDS)


def _seat_changes(
    seats: list[Seat], state: rules.GameState, before: list[tuple[object, ...]]
) -> list[rows.Statement]:
    """Fill in the seats and return what changed: a presence, a loser's dice, a winner's place."""
    for seat, value in zip(seats, state.seats, strict=True):
        seat.dice, seat.palifico_done, seat.place = value.dice, value.palifico_done, value.place
    return [
        rows.change(seat, _SEAT_FIELDS)
        for seat, old in zip(seats, before, strict=True)
        if _snapshot(seat) != old
    ]

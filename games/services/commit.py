"""What a move writes: bid, round, seats, log, clock and mails, in the caller's transaction.

Only :mod:`games.services.moves` and the start of a game call this, with the game's row locked.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from operator import itemgetter
from typing import cast

from django.conf import settings
from django.db import transaction

from games import beacon, rows, rules, store, timing
from games.models import (
    Bid,
    Event,
    Game,
    GameStatus,
    Order,
    OutboxKind,
    OutboxMessage,
    Round,
    Seat,
)
from games.services import (
    attendance,
    log,
    notices,
    nudges,
    rounds,
    standing,
    tenures,
    waking,
    window,
)
from games.services.errors import StaleMove
from games.services.log import Entry
from games.sql import Statement

_KINDS = {rules.MakeBid: "bid", rules.Dudo: "dudo", rules.Calza: "calza", rules.Resign: "resign"}
_TURN_FIELDS = (
    "turn_base",
    "turn_extra",
    "running_since",
    "turn_started_at",
    "turn_deadline_at",
    "wake_at",
)
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
    "calza_until",
    *_TURN_FIELDS,
    "finished_at",
)
_RESULT_FIELDS = ("result", "closed_at", "closed_by_clock")
_ROLL_FIELDS = ("opened_at", "seal", "seal_seq", "beacon_round", "beacon_signature")
_SEAT_FIELDS = (
    "dice",
    "palifico_done",
    "place",
    "has_resigned",
    "missed_in_a_row",
    "is_absent",
    "absent_since",
    "bank",
)
_SEAT_VALUES = itemgetter(*_SEAT_FIELDS)


def turn_of(game: Game) -> int:
    """Return the number of the seat to move in a game that is under way."""
    if game.to_act is None:
        raise ValueError(f"game {game.pk} is not under way")
    return game.to_act


def advance(game: Game, seats: list[Seat], action: rules.SeatAction, entry: Entry) -> None:
    """Apply ``action`` to a locked game and write everything that follows from it.

    :raises RuleViolation: the rules refuse it; nothing is written.
    """
    dice = None if isinstance(action, rules.MakeBid) else store.open_dice(game)
    applied = rules.apply(store.load_state(game, seats, dice=dice), action)
    played_in = cast(Round, game.current_round)
    answered = game.version
    before = [_snapshot(seat) for seat in seats]
    actor = seats[action.seat]
    _stop_clock(game, seats[turn_of(game)], action, entry)
    attendance.note(actor, action, entry)
    _fill_in(seats, applied.state)
    messages: list[OutboxMessage] = []
    game.calza_until = None
    if isinstance(action, rules.MakeBid):
        events = [_log_bid(game, action, entry)]
        writes = [rows.insertion([_place(game, action, entry)])]
        game.to_act = applied.state.round.to_act
        game.calza_until = window.ends_at(game, seats, applied.state, now=entry.now)
    else:
        outcome, dice = cast(rules.RoundOutcome, applied.outcome), cast(store.Dice, dice)
        events = [_log_outcome(game, outcome, dice, entry, seat=action.seat)]
        after, messages = _close_round(game, seats, applied.state, outcome, dice, entry)
        events += after
        writes = [rows.change(played_in, _RESULT_FIELDS)]
    writes += _seat_changes(seats, before)
    writes.append(rows.insertion(events))
    if entry.is_auto and actor.missed_in_a_row == attendance.MISSES_TO_ABSENCE:
        messages += notices.tell(OutboxKind.ABSENT, game, [actor], now=entry.now)
    if game.status == GameStatus.ACTIVE:
        messages += _go_on(game, seats, now=entry.now)
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
        seat.dice, seat.bank = state.seats[seat.number].dice, timing.clock_of(game).bank
    Seat.objects.bulk_update(seats, ["dice", "bank"])
    game.status, game.started_at = GameStatus.ACTIVE, now
    start = log.append(game, "start", payload, Entry(now))
    opening = rounds.open_round(game, state, dice, Entry(now))
    rows.run([rows.insertion([start, opening])])
    messages = [*_go_on(game, seats, now=now), *rounds.news(game, seats, None, now=now)]
    game.save()
    notices.save(messages)
    nudge_sweep(game, now=now)


def roll(game: Game, seats: list[Seat], entry: Entry, *, without_beacon: bool = False) -> None:
    """Roll the round of a locked game that waited for its beacon, and start its first turn.

    Its clock and its mails begin here. The beacon's signature stands in the round already.
    """
    waited = cast(Round, game.current_round)
    waited.opened_at = entry.now
    answered = game.version
    events = [log.fall_back(game, waited, entry)] if without_beacon else []
    events.append(log.seal(game, waited, store.open_dice(game), entry))
    closed = Round.objects.filter(game=game, number=waited.number - 1).first()
    messages = tenures.sit_down(game, seats, now=entry.now)
    messages += rounds.news(game, seats, closed, now=entry.now)
    messages += _go_on(game, seats, now=entry.now)
    turn = rows.change(game, _MOVE_FIELDS, version=answered)
    writes = [rows.change(waited, _ROLL_FIELDS), rows.insertion(events)]
    if not rows.run([turn, *writes, *notices.writes(messages)]):
        raise StaleMove(answered)
    nudge_sweep(game, now=entry.now)


def roll_again(game: Game, seats: list[Seat], dice: store.Dice, *, now: datetime) -> None:
    """Roll the open round anew in its next epoch, without the bids and orders made in it."""
    row = cast(Round, game.current_round)
    row.epoch, row.opened_at = row.epoch + 1, now
    Bid.objects.filter(round=row).delete()
    _let_orders_lapse(seats)
    game.calza_until = row.calza_passes = None
    entry = Entry(now)
    void = log.append(game, "epoch", {"round": row.number, "epoch": row.epoch}, entry)
    rows.run([rows.insertion([void, rounds.bind(game, row, dice, entry)])])
    row.save()
    game.to_act = row.opener
    rounds.without_bids(game)
    tenures.void_roll(game, row.number)
    messages = tenures.sit_down(game, seats, now=now)
    messages += _go_on(game, seats, now=now)
    game.save()
    notices.save(messages)
    nudge_sweep(game, now=now)


def go_on(game: Game, seats: list[Seat], *, now: datetime) -> None:
    """Start the turn of a locked game that stood still because nobody was there."""
    messages = _go_on(game, seats, now=now)
    game.save(update_fields=_TURN_FIELDS)
    notices.save(messages)
    nudge_sweep(game, now=now)


def restart_turn(game: Game, seat: Seat, *, now: datetime) -> None:
    """Give the seat to move its full time again."""
    _start_turn(game, seat, now=now)
    game.save(update_fields=_TURN_FIELDS)
    notices.move_reminders(game, seat, now=now)


def is_entry_of(event: Event, action: rules.Move) -> bool:
    """Return whether a log entry is what ``action``, played by its seat, has left there."""
    said = str(action.bid) if isinstance(action, rules.MakeBid) else event.payload["bid"]
    return event.kind == _KINDS[type(action)] and event.payload["bid"] == said


def nudge_sweep(game: Game, *, now: datetime) -> None:
    """Ask Celery to wake up when a bot has thought, or a game is over; the sweep finds both."""
    if game.status == GameStatus.FINISHED:
        transaction.on_commit(nudges.statistics, robust=True)
        if game.is_rated:
            transaction.on_commit(nudges.ratings, robust=True)
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
    return rows.new(
        Bid,
        round_id=cast(Round, game.current_round).pk,
        number=game.bids_made,
        seat=action.seat,
        quantity=action.bid.quantity,
        face=action.bid.face,
        is_auto=entry.is_auto,
        made_at=entry.made_at,
    )


def _close_round(
    game: Game,
    seats: list[Seat],
    state: rules.GameState,
    outcome: rules.RoundOutcome,
    dice: store.Dice,
    entry: Entry,
) -> tuple[list[Event], list[OutboxMessage]]:
    """Fill in the result, open the next round or end the game; return events and notices."""
    closed = cast(Round, game.current_round)
    now = entry.now
    closed.result, closed.closed_at = outcome.to_dict(), entry.made_at
    closed.closed_by_clock = entry.is_auto
    _let_orders_lapse(seats)
    if state.phase is rules.Phase.OVER:
        game.status, game.finished_at = GameStatus.FINISHED, now
        game.to_act = game.turn_started_at = game.turn_deadline_at = game.wake_at = None
        timing.start_nothing(game)
        events = log.disclose(game, dice, "finished", Entry(now))
        over = notices.tell(OutboxKind.GAME_OVER, game, seats, now=now)
        return events, [*over, *tenures.sit_down(game, seats, now=now)]
    opening = rounds.open_round(game, state, dice, Entry(now))
    late = tenures.sit_down(game, seats, now=now)
    return [opening], [*late, *rounds.news(game, seats, closed, now=now)]


def _let_orders_lapse(seats: list[Seat]) -> None:
    """Forget the orders that were left in the round that ends."""
    left = [seat for seat in seats if seat.order is not None]
    if left:
        Order.objects.filter(pk__in=[seat.pk for seat in left]).delete()
    for seat in left:
        seat.order = None


def _go_on(game: Game, seats: list[Seat], *, now: datetime) -> list[OutboxMessage]:
    """Start the next turn and return its notices; before the roll nobody's clock runs."""
    current = cast(Round, game.current_round)
    ends = attendance.abandoned_at(seats)
    if current.is_rolled and ends is not None:
        # Nobody is there to play against: the dice are left as they lie.
        timing.start_nothing(game)
        game.turn_started_at, game.turn_deadline_at = now, max(ends, now)
        game.wake_at = waking.no_later(game, game.turn_deadline_at)
        return []
    if current.is_rolled:
        return _start_turn(game, seats[turn_of(game)], now=now)
    due = beacon.CHAINS[game.chain].published_at(current.beacon_round)
    timing.start_nothing(game)
    game.turn_started_at = game.turn_deadline_at = None
    game.wake_at = datetime.fromtimestamp(due, UTC)
    return []


def _start_turn(game: Game, seat: Seat, *, now: datetime) -> list[OutboxMessage]:
    """Start the clock of ``seat`` and return its notices.

    A bot thinks a moment and an absent seat plays at once; neither is told. Whoever has left an
    order gets the same time, and is told of his turn when the order asks him.
    """
    game.turn_started_at = now
    if seat.bot or seat.is_absent or timing.is_over_cap(game, seat, now=now):
        timing.start_nothing(game)
        game.turn_deadline_at = max(now + bot_delay(), game.calza_until or now)
        game.wake_at = waking.no_later(game, game.turn_deadline_at)
        return []
    timing.start(game, seat, now=now)
    game.turn_deadline_at = deadline = timing.deadline_for(game, seat)
    if deadline is None:
        raise ValueError(f"the clock of game {game.pk} does not run")
    game.wake_at = waking.wake_for(game, seat, now=now)
    if standing.is_pending(game, seat):
        return []
    return notices.tell(OutboxKind.TURN, game, [seat], now=now)


def _stop_clock(game: Game, on_turn: Seat, action: rules.SeatAction, entry: Entry) -> None:
    """Take off what ran. Only a move of the seat on turn, by its player, brings it a bonus.

    One that had to wait for others' calls counts, though one of them was heard instead of it.
    """
    is_own = action.seat == on_turn.number and not entry.is_auto
    waited = standing.moved_at(game, on_turn, by=entry.made_at)
    if is_own and not isinstance(action, rules.Resign):
        timing.stop(game, on_turn, arrived_at=entry.made_at)
    elif waited is not None and action.seat != on_turn.number:
        timing.stop(game, on_turn, arrived_at=waited)
    else:
        timing.drop(game, on_turn, now=entry.made_at)


def _snapshot(seat: Seat) -> object:
    return _SEAT_VALUES(seat.__dict__)


def _fill_in(seats: list[Seat], state: rules.GameState) -> None:
    for seat, value in zip(seats, state.seats, strict=True):
        seat.dice, seat.palifico_done, seat.place = value.dice, value.palifico_done, value.place


def _seat_changes(seats: list[Seat], before: list[object]) -> list[Statement]:
    """Return what changed of the seats: a presence, a loser's dice, a winner's place."""
    changed = [seat for seat, old in zip(seats, before, strict=True) if _snapshot(seat) != old]
    return [rows.change_all(changed, _SEAT_FIELDS)] if changed else []

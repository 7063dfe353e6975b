"""The one door: every move of every person, bot and clock is played here.

A move locks its game, proves that it answers the position its author saw, asks the rules, and
writes the bid, the round, the log, the next deadline and the mails in one transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.db import transaction

from games import queries, rules, store
from games.models import Bid, Event, Game, GameStatus, Order, Round, Seat
from games.services import (
    admission,
    attendance,
    commit,
    ending,
    log,
    standing,
    tenures,
    voting,
    waking,
    window,
)
from games.services.errors import SeatRefusal, StaleMove


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a move: the game's version now, and whether it had been played before.

    ``held_until``: it is kept, and seen by nobody else, until calls of calza have been collected.
    """

    version: int
    repeated: bool = False
    held_until: datetime | None = None


@transaction.atomic
def play(
    *,
    game_id: int,
    action: rules.Move,
    expected_version: int,
    now: datetime,
    idem_key: str = "",
    arrived_at: datetime | None = None,
) -> Played:
    """Play ``action`` for its seat and record whom to tell.

    :param expected_version: the version that the player looked at.
    :param now: when the move arrived, if it is played at once: arrival decides.
    :param arrived_at: when it arrived, where it is played later than that, as a mail is: it counts
        from then, and what follows it from ``now``.
    :param idem_key: the caller's own key; the same move sent twice is played once. Another move
        under the same key, such as the form's other button, is as stale as any.
    :raises StaleMove: the game moved on after the player looked.
    :raises TurnExpired: it arrived after the deadline.
    :raises RuleViolation: the rules refuse it.
    """
    game, seats = lock(game_id)
    gone = admission.has_moved_on(game, expected_version=expected_version)
    if gone and idem_key and _was_played(game, action, idem_key):
        return Played(game.version, repeated=True)
    admission.refuse_late(
        game, seats, action, expected_version=expected_version, at=arrived_at or now
    )
    if window.holds(game, action):
        _hold(game, seats, action, made_at=arrived_at or now, now=now)
        if game.calza_until is not None or game.version != expected_version:
            return Played(game.version, held_until=game.calza_until)
        # He was the last to speak and nobody has called: his move is played at once.
    _advance(game, seats, action, log.Entry(now, idem_key, arrived_at=arrived_at))
    drop_order(seats[action.seat])
    return Played(game.version)


@transaction.atomic
def play_for_seat(
    *,
    game_id: int,
    expected_version: int,
    choose: Callable[[rules.TableView, Seat], rules.Move],
    now: datetime,
) -> Played:
    """Let ``choose`` act for the seat to move, seeing what that seat sees and nothing else.

    A standing order of its player goes first: it moves, puts its move off, or asks him. A game
    that all its people have left for 72 hours is called off instead, and where a seat is to be
    retired, that is done and nothing else.

    :raises StaleMove: the game moved on, or the turn is not due yet.
    """
    game, seats = lock(game_id)
    is_due = _has_dice(game) and game.wake_at is not None and game.wake_at <= now
    if game.version != expected_version or game.status != GameStatus.ACTIVE or not is_due:
        raise StaleMove(game.version)
    ends = attendance.abandoned_at(seats)
    if ends is not None and ends <= now:
        ending.call_off(game, seats, why=ending.ABANDONED, now=now)
        return Played(game.version)
    if tenures.retire_due(game, seats, now=now):
        voting.count_again(game, seats, now=now)
        return Played(game.version)
    if waking.is_early(game, seats, now=now):
        return Played(game.version)
    if game.calza_until is not None and game.calza_until <= now:
        _end_window(game, seats, now=now)
        if game.version != expected_version or (game.wake_at or now) > now:
            return Played(game.version)
    seat = seats[commit.turn_of(game)]
    view = _view_of(game, seats, seat)
    if not _follow_order(game, seats, seat, view, now=now) and not _wait_on(game):
        action = attendance.penalty(game, seat, now=now) or choose(view, seat)
        _advance(game, seats, action, log.Entry(now, is_auto=not seat.bot))
    return Played(game.version)


@transaction.atomic
def resign(*, game_id: int, user_id: int, now: datetime) -> None:
    """Give up an account's seat for good. Leaving answers no position, so it names no version.

    :raises RuleViolation: the game is over, or the seat is out already.
    """
    game, seats = lock(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if game.status != GameStatus.ACTIVE:
        raise rules.RuleViolation("game.over")
    if seat is None:
        raise rules.RuleViolation("seat.unknown")
    _apply(game, seats, rules.Resign(seat.number), log.Entry(now))
    drop_order(seat)


@transaction.atomic
def come_back(*, game_id: int, user_id: int, now: datetime) -> None:
    """End a player's absence: his next turn has its full time again, and so has this one.

    :raises SeatRefusal: his seat has been retired.
    """
    game, seats = lock(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None:
        raise SeatRefusal("takeover.retired")
    if not seat.is_absent or game.status != GameStatus.ACTIVE:
        return
    stood_still = attendance.abandoned_at(seats) is not None
    attendance.return_to(seat)
    seat.save(update_fields=["is_absent", "absent_since", "missed_in_a_row"])
    if game.to_act == seat.number and _has_dice(game):
        commit.restart_turn(game, seat, now=now)
    elif stood_still and _has_dice(game):
        commit.go_on(game, seats, now=now)
    elif _has_dice(game):
        waking.is_early(game, seats, now=now)


@transaction.atomic
def pass_calza(*, game_id: int, user_id: int, round_number: int, now: datetime) -> None:
    """Say that a player will call no calza in the open round, so that nobody waits for him.

    He may still change his mind: it only says that there is no need to wait for his call.

    :param round_number: the round that he saw.
    :raises StaleMove: another round has begun.
    :raises RuleViolation: he has no seat, or no dice left.
    """
    game, seats = lock(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None or not seat.dice:
        raise rules.RuleViolation("seat.unknown" if seat is None else "seat.out")
    current = game.current_round
    if game.status != GameStatus.ACTIVE or current is None or current.number != round_number:
        raise StaleMove(game.version)
    _speak(game, seats, seat, now=now)


def let_order_act(game: Game, seats: list[Seat], seat: Seat, *, now: datetime) -> None:
    """Let the order of ``seat``, left a moment ago in a locked game, do what it can do by now."""
    if game.calza_until is None and _hear_orders(game, seats, log.Entry(now)):
        return
    # A seat whose clock does not run has its turn played in a moment, order or none.
    if game.to_act == seat.number and game.running_since is not None:
        _follow_order(game, seats, seat, _view_of(game, seats, seat), now=now, is_there=True)


def drop_order(seat: Seat) -> None:
    """Forget the order of a seat whose player answers himself."""
    if seat.order is not None:
        Order.objects.filter(pk=seat.pk).delete()
        seat.order = None


def keep_order(seat: Seat, order: Order) -> None:
    """Let an order of ``seat`` stand, in place of an earlier one."""
    seat.order = order
    values = ("round_number", "text", "waits", "seen_version", "fires_at", "made_at")
    Order.objects.update_or_create(
        seat_id=seat.pk, defaults={name: getattr(order, name) for name in values}
    )


def lock(game_id: int) -> tuple[Game, list[Seat]]:
    """Lock a game until the transaction ends; return it with its seats in their order."""
    return queries.lock_game(game_id)


def _apply(game: Game, seats: list[Seat], action: rules.SeatAction, entry: log.Entry) -> None:
    """Play a move; whoever goes out by it counts no more in a vote that is open."""
    commit.advance(game, seats, action, entry)
    voting.count_again(game, seats, now=entry.now)


def _advance(game: Game, seats: list[Seat], action: rules.SeatAction, entry: log.Entry) -> None:
    """Play a move; when it is a bid, those whose orders call it exact are heard at once."""
    _apply(game, seats, action, entry)
    if isinstance(action, rules.MakeBid) and game.calza_until is None:
        _hear_orders(game, seats, entry)


def _hear_orders(game: Game, seats: list[Seat], entry: log.Entry) -> bool:
    """Let the order that is heard call the standing bid exact; return whether one did."""
    call = standing.first_call(game, seats)
    if call is not None:
        _apply(game, seats, call, log.Entry(entry.now, arrived_at=entry.arrived_at))
    return call is not None


def _hold(
    game: Game, seats: list[Seat], action: rules.Move, *, made_at: datetime, now: datetime
) -> None:
    """Keep a move as its player's order until the time for calza is over.

    :raises RuleViolation: the rules refuse it.
    """
    admission.refuse_illegal(game, seats, action)
    seat, is_call = seats[action.seat], isinstance(action, rules.Calza)
    order = Order(
        seat_id=seat.pk,
        round_number=cast(Round, game.current_round).number,
        text=window.as_order(game, action),
        seen_version=None if is_call else game.version,
        fires_at=None if is_call else made_at,
        made_at=made_at,
    )
    keep_order(seat, order)
    if is_call:
        _speak(game, seats, seat, now=now)
    else:
        _wait_on(game)
        _end_if_all_have_spoken(game, seats, now=now)


def _speak(game: Game, seats: list[Seat], seat: Seat, *, now: datetime) -> None:
    """Wait no longer for the call of ``seat``, and for nothing if it was the last."""
    current = cast(Round, game.current_round)
    current.calza_passes = sorted({*(current.calza_passes or ()), seat.number})
    current.save(update_fields=["calza_passes"])
    _end_if_all_have_spoken(game, seats, now=now)


def _end_if_all_have_spoken(game: Game, seats: list[Seat], *, now: datetime) -> None:
    if game.calza_until is None:
        return
    if not window.is_waiting(game, seats, store.load_state(game, seats), now=now):
        _end_window(game, seats, now=now)
        commit.nudge_sweep(game, now=now)


def _end_window(game: Game, seats: list[Seat], *, now: datetime) -> None:
    """Hear the calls that were collected; without any, what waited may go on."""
    over_at, game.calza_until = min(now, game.calza_until or now), None
    if _hear_orders(game, seats, log.Entry(now, arrived_at=over_at)):
        return
    game.wake_at = now
    if game.running_since is not None:
        game.wake_at = waking.wake_for(game, seats[commit.turn_of(game)], now=now)
    game.save(update_fields=["calza_until", "wake_at"])


def _wait_on(game: Game) -> bool:
    """Let the sweep come back at the end of the time for calza; return False if there is none."""
    if game.calza_until is None:
        return False
    game.wake_at = waking.no_later(game, game.calza_until)
    game.save(update_fields=["wake_at"])
    return True


def _follow_order(
    game: Game,
    seats: list[Seat],
    seat: Seat,
    view: rules.TableView,
    *,
    now: datetime,
    is_there: bool = False,
) -> bool:
    """Do what an order says for the seat to move; return False where it leaves that to the clock.

    :param is_there: whether its player is just looking.
    """
    order = standing.order_of(game, seat)
    if order is None or standing.has_asked(game, order):
        return False
    runs = game.running_since is not None
    action = standing.decide(view, order)
    if action is None:
        if runs:
            waking.ask(game, seat, order, now=now, is_there=is_there)
        return runs
    if runs and order.seen_version != game.version:
        due = standing.fires_at(game, seat, order, now=now)
        if due > now or window.holds(game, action):
            waking.put_off(game, order, until=due)
            return True
    elif window.holds(game, action):
        return _wait_on(game)
    made_at = standing.made_at(game, order, now=now)
    # It may be a move that waited for others' calls: that was one move, and no order for more.
    collects = view.rules.calza.window is rules.CalzaWindow.GRACE
    is_used_up = collects and order.text == window.as_order(game, action)
    _advance(game, seats, action, log.Entry(now, arrived_at=made_at))
    if is_used_up:
        drop_order(seat)
    return True


def _view_of(game: Game, seats: list[Seat], seat: Seat) -> rules.TableView:
    # The automatic move looks at the standing bid alone: what led to it need not be read.
    bids = _bids(game) if seat.bot or seat.order is not None else None
    state = store.load_state(game, seats, bids=bids, with_dice=True)
    return rules.view_for(state, seat.number)


def _has_dice(game: Game) -> bool:
    return game.current_round is not None and game.current_round.is_rolled


def _bids(game: Game) -> list[Bid]:
    return queries.bids_of(game.current_round_id) if game.current_round_id else []


def _was_played(game: Game, action: rules.Move, idem_key: str) -> bool:
    found = Event.objects.filter(game=game, seat=action.seat, idem_key=idem_key).first()
    return found is not None and commit.is_entry_of(found, action)

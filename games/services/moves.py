"""The one door: every move of every person, bot and clock is played here.

A move locks its game, proves that it answers the position its author saw, asks the rules, and
writes the bid, the round, the log, the next deadline and the mails in one transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from games import queries, rules, store, timing
from games.clock import TimeOut
from games.models import Bid, Event, Game, GameStatus, Order, Seat
from games.services import attendance, commit, ending, log, standing, waking
from games.services.errors import StaleMove, TurnExpired


@dataclass(frozen=True, slots=True)
class Played:
    """What became of a move: the game's version now, and whether it had been played before."""

    version: int
    repeated: bool = False


@transaction.atomic
def play(
    *,
    game_id: int,
    action: rules.Move,
    expected_version: int,
    now: datetime,
    idem_key: str = "",
) -> Played:
    """Play ``action`` for its seat and record whom to tell.

    :param expected_version: the version that the player looked at.
    :param now: when the move arrived, not when it is processed: arrival decides.
    :param idem_key: the caller's own key; the same move sent twice is played once. Another move
        under the same key, such as the form's other button, is as stale as any.
    :raises StaleMove: the game moved on after the player looked.
    :raises TurnExpired: it arrived after the deadline.
    :raises RuleViolation: the rules refuse it.
    """
    game, seats = lock(game_id)
    if game.version != expected_version or game.status != GameStatus.ACTIVE:
        if idem_key and _was_played(game, action, idem_key):
            return Played(game.version, repeated=True)
        raise StaleMove(game.version)
    late = game.turn_deadline_at is not None and now > game.turn_deadline_at
    if late and action.seat == game.to_act and not isinstance(action, rules.Resign):
        raise TurnExpired(game.version)
    _advance(game, seats, action, log.Entry(now, idem_key))
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
    that all its people have left for 72 hours is called off instead.

    :raises StaleMove: the game moved on, or the turn is not due yet.
    """
    game, seats = lock(game_id)
    is_due = _has_dice(game) and game.wake_at is not None and game.wake_at <= now
    if game.version != expected_version or game.status != GameStatus.ACTIVE or not is_due:
        raise StaleMove(game.version)
    if attendance.abandoned_at(seats) is not None:
        ending.call_off(game, seats, why=ending.ABANDONED, now=now)
        return Played(game.version)
    seat = seats[commit.turn_of(game)]
    view = _view_of(game, seats, seat)
    if not _follow_order(game, seats, seat, view, now=now):
        is_out = _is_out(game, seat, now=now)
        action = rules.Resign(seat.number) if is_out else choose(view, seat)
        _advance(game, seats, action, log.Entry(now, is_auto=not seat.bot))
        if is_out:
            drop_order(seat)
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
    commit.advance(game, seats, rules.Resign(seat.number), log.Entry(now))
    drop_order(seat)


@transaction.atomic
def come_back(*, game_id: int, user_id: int, now: datetime) -> None:
    """End a player's absence: his next turn has its full time again, and so has this one."""
    game, seats = lock(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None or not seat.is_absent or game.status != GameStatus.ACTIVE:
        return
    stood_still = attendance.abandoned_at(seats) is not None
    attendance.return_to(seat)
    seat.save(update_fields=["is_absent", "absent_since", "missed_in_a_row"])
    if game.to_act == seat.number and _has_dice(game):
        commit.restart_turn(game, seat, now=now)
    elif stood_still and _has_dice(game):
        commit.go_on(game, seats, now=now)


def let_order_act(game: Game, seats: list[Seat], seat: Seat, *, now: datetime) -> None:
    """Let the order of ``seat``, left a moment ago in a locked game, do what it can do by now."""
    if _hear_orders(game, seats, log.Entry(now)):
        return
    # A seat whose clock does not run has its turn played in a moment, order or none.
    if game.to_act == seat.number and game.running_since is not None:
        _follow_order(game, seats, seat, _view_of(game, seats, seat), now=now, is_there=True)


def drop_order(seat: Seat) -> None:
    """Forget the order of a seat whose player answers himself."""
    if seat.order is not None:
        Order.objects.filter(pk=seat.pk).delete()
        seat.order = None


def lock(game_id: int) -> tuple[Game, list[Seat]]:
    """Lock a game until the transaction ends; return it with its seats in their order."""
    return queries.lock_game(game_id)


def _advance(game: Game, seats: list[Seat], action: rules.Move, entry: log.Entry) -> None:
    """Play a move; when it is a bid, those whose orders call it exact are heard at once."""
    commit.advance(game, seats, action, entry)
    if isinstance(action, rules.MakeBid):
        _hear_orders(game, seats, entry)


def _hear_orders(game: Game, seats: list[Seat], entry: log.Entry) -> bool:
    """Let the order that is heard call the standing bid exact; return whether one did."""
    call = standing.first_call(game, seats)
    if call is not None:
        commit.advance(game, seats, call, log.Entry(entry.now, arrived_at=entry.arrived_at))
    return call is not None


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
        if due > now:
            waking.put_off(game, order, until=due)
            return True
    made_at = standing.made_at(game, order, now=now)
    _advance(game, seats, action, log.Entry(now, arrived_at=made_at))
    return True


def _view_of(game: Game, seats: list[Seat], seat: Seat) -> rules.TableView:
    # The automatic move looks at the standing bid alone: what led to it need not be read.
    bids = _bids(game) if seat.bot or seat.order is not None else None
    state = store.load_state(game, seats, bids=bids, with_dice=True)
    return rules.view_for(state, seat.number)


def _is_out(game: Game, seat: Seat, *, now: datetime) -> bool:
    """Return whether the clock that has run out puts its seat out: this table chose it so.

    Whoever is away as announced is not put out by it.
    """
    ran_out = game.running_since is not None and not timing.is_over_cap(game, seat, now=now)
    return ran_out and timing.clock_of(game).time_out is TimeOut.OUT


def _has_dice(game: Game) -> bool:
    return game.current_round is not None and game.current_round.is_rolled


def _bids(game: Game) -> list[Bid]:
    return queries.bids_of(game.current_round_id) if game.current_round_id else []


def _was_played(game: Game, action: rules.Move, idem_key: str) -> bool:
    found = Event.objects.filter(game=game, seat=action.seat, idem_key=idem_key).first()
    return found is not None and commit.is_entry_of(found, action)

"""The one door: every move of every person, bot and clock is played here.

A move locks its game, proves that it answers the position its author saw, asks the rules, and
writes the bid, the round, the log, the next deadline and the mails in one transaction.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from games import queries, rules, store
from games.models import Bid, Event, Game, GameStatus, Seat
from games.services import commit, log
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
    commit.advance(game, seats, action, log.Entry(now, idem_key))
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

    :raises StaleMove: the game moved on, or the turn is not due yet.
    """
    game, seats = lock(game_id)
    is_due = _has_dice(game) and game.wake_at is not None and game.wake_at <= now
    if game.version != expected_version or game.status != GameStatus.ACTIVE or not is_due:
        raise StaleMove(game.version)
    seat = seats[commit.turn_of(game)]
    state = store.load_state(game, seats, bids=_bids(game), with_dice=True)
    action = choose(rules.view_for(state, seat.number), seat)
    commit.advance(game, seats, action, log.Entry(now, is_auto=not seat.bot))
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


@transaction.atomic
def come_back(*, game_id: int, user_id: int, now: datetime) -> None:
    """End a player's absence: his next turn has its full time again, and so has this one."""
    game, seats = lock(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None or not seat.is_absent or game.status != GameStatus.ACTIVE:
        return
    Seat.objects.filter(pk=seat.pk).update(is_absent=False, absent_since=None, missed_in_a_row=0)
    seat.is_absent, seat.absent_since, seat.missed_in_a_row = False, None, 0
    if game.to_act == seat.number and _has_dice(game):
        commit.restart_turn(game, seat, now=now)


def lock(game_id: int) -> tuple[Game, list[Seat]]:
    """Lock a game until the transaction ends; return it with its seats in their order."""
    return queries.lock_game(game_id)


def _has_dice(game: Game) -> bool:
    return game.current_round is not None and game.current_round.is_rolled


def _bids(game: Game) -> list[Bid]:
    return queries.bids_of(game.current_round_id) if game.current_round_id else []


def _was_played(game: Game, action: rules.Move, idem_key: str) -> bool:
    found = Event.objects.filter(game=game, seat=action.seat, idem_key=idem_key).first()
    return found is not None and commit.is_entry_of(found, action)

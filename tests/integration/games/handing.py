"""Seats that change hands: how tests bring a table there."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from games import rules
from games.clock import find_clock
from games.models import Game, OutboxMessage, OutboxStatus, Seat, Tenure
from games.services import commit, deadlines, lobby, moves, takeovers
from games.services.errors import SeatRefusal
from games.services.log import Entry
from games.services.waking import GRACE
from tests.cast import NOON, act, give_turn, person, player, seat_of

WEEK = timedelta(days=7)


def retire(game: Game, name: str, *, now: datetime = NOON) -> Seat:
    """Let the seat of ``name`` be retired by the sweep, after a week without him."""
    make_absent(game, name, since=now - WEEK - GRACE, now=now)
    Game.objects.filter(pk=game.pk).update(wake_at=now)
    assert deadlines.expire_turns(now=now) == 1
    return vacant(game, name)


def make_absent(game: Game, name: str, *, since: datetime, now: datetime = NOON) -> None:
    """Let ``name`` have been absent: no clock runs for him."""
    seat = seat_of(game, name)
    Seat.objects.filter(pk=seat.pk).update(is_absent=True, absent_since=since, missed_in_a_row=2)
    Game.objects.filter(pk=game.pk, to_act=seat.number).update(
        running_since=None,
        turn_base=timedelta(),
        turn_started_at=now,
        turn_deadline_at=now + commit.bot_delay(),
        wake_at=now + commit.bot_delay(),
    )


def vacant(game: Game, name: str) -> Seat:
    """Return the seat that ``name`` held once."""
    return Tenure.objects.get(game=game, user__email=f"{name}@example.org").seat


def claim(game: Game, name: str, seat: Seat, *, now: datetime = NOON) -> None:
    """Let ``name`` ask for a seat."""
    takeovers.take_over(game_id=game.pk, seat_id=seat.pk, player=player(person(name)), now=now)


def end_round(game: Game, caller: str, *, bidder: str = "alice", now: datetime = NOON) -> Game:
    """Let ``bidder`` bid far too much and ``caller`` call dudo: the next dice are rolled."""
    give_turn(game, bidder)
    Game.objects.filter(pk=game.pk).update(turn_deadline_at=now + timedelta(days=1))
    game = act(game, rules.MakeBid(seat_of(game, bidder).number, rules.Bid.parse("20x4")), now=now)
    number = seat_of(game, caller).number
    Game.objects.filter(pk=game.pk).update(to_act=number)
    return act(game, rules.Dudo(number), now=now)


def play_for(game: Game, action: rules.SeatAction, *, now: datetime = NOON) -> Game:
    """Let the clock make this move for a seat that nobody holds."""
    Game.objects.filter(pk=game.pk).update(to_act=action.seat)
    with transaction.atomic():
        locked, seats = moves.lock(game.pk)
        commit.advance(locked, seats, action, Entry(now, is_auto=True))
    return Game.objects.select_related("current_round").get(pk=game.pk)


def handed_over(game: Game, old: str, new: str, *, now: datetime = NOON) -> Game:
    """Let ``new`` hold the seat of ``old`` from the next round on."""
    seat = retire(game, old, now=now)
    claim(game, new, seat, now=now)
    return end_round(game, "bob", now=now)


def with_clock(name: str) -> Game:
    """Return a game of alice, bob and carol that is played with one of the clocks."""
    users = [player(person(each)) for each in ("alice", "bob", "carol")]
    new = lobby.NewGame(rules.find_ruleset("bga"), seats=3, clock=find_clock(name))
    game = lobby.create_game(host=users[0], new=new, now=NOON)
    for user in users[1:]:
        lobby.join(game_id=game.pk, player=user, now=NOON)
        lobby.set_ready(game_id=game.pk, user_id=user.user_id, is_ready=True, now=NOON)
    return Game.objects.select_related("current_round").get(pk=game.pk)


def pending(kind: str) -> list[str]:
    """Return to whom mails of a kind about the newest position are about to go."""
    rows = OutboxMessage.objects.filter(
        kind=kind, status=OutboxStatus.PENDING, version=F("game__version")
    )
    people = [row.user or (row.seat.user if row.seat else None) for row in rows]
    return sorted(user.display_name for user in people if user)


def refused(code: str, action: Callable[..., object], **fields: Any) -> None:
    """Prove that a seat is refused, and why."""
    with pytest.raises(SeatRefusal) as refusal:
        action(**fields)
    assert refusal.value.code == code

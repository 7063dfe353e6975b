"""A small site whose chance and time are a test's own, and what is true of all of its games."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count
from random import Random
from typing import Any, NoReturn

import pytest
from django.core import mail as mailbox
from django.db import transaction
from django.db.models import Min

from games import rules, store, timing
from games.clock import ClockRefusal, allowance
from games.models import Game, GameStatus, Order, Seat
from games.rules.record import replay
from games.selectors import (
    Viewer,
    happened_since,
    history,
    my_games,
    order_page,
    record_of,
    table_page,
    time_page,
)
from games.selectors.log import transcript
from games.services import deadlines
from games.services.ending import ABANDONED, BY_VOTE
from games.services.errors import LobbyRefusal, SeatRefusal, StaleMove
from tests.cast import NOON, person
from tests.integration.games.invariants import check_game, snapshot
from tests.oracle import book, statements
from tests.unit.fairness.forgery import failures

CAST = ("alice", "bob", "carol", "dave", "erin")
REFUSALS = (StaleMove, LobbyRefusal, SeatRefusal, rules.RuleViolation, ClockRefusal)
LIVE = (GameStatus.OPEN, GameStatus.ACTIVE)

MOST_DAYS = 100
"""A game that everybody has left ends within so many days and the pauses that were agreed on.

Four people miss two turns each, the slowest clock gives twice six days and a bank of six, by day
and on working days alone; they may be away for a week and have an emergency.
"""
MOST_SWEEPS = 3000


@dataclass
class Site:
    """Everything happens at ``now``; what chance decides is the same in each run."""

    now: datetime = NOON

    def __post_init__(self) -> None:
        self.patch = pytest.MonkeyPatch()
        self.checked: list[tuple[object, ...]] = []
        self.over: set[int] = set()
        chance, numbers = Random(20), count()
        self.patch.setattr(secrets, "randbelow", chance.randrange)
        self.patch.setattr(secrets, "choice", chance.choice)
        self.patch.setattr(secrets, "token_bytes", chance.randbytes)
        self.patch.setattr(secrets, "token_hex", lambda size=16: f"{next(numbers):0{2 * size}x}")
        # Nobody here lives to finish five games.
        self.patch.setattr(allowance, "EMERGENCY_GAMES", 0)
        self.patch.setattr(deadlines.logger, "error", _broken)
        book.clear()  # the same seeds are dealt in each run, and opened at the end of some
        statements.forget()
        self.transaction = transaction.atomic()
        self.transaction.__enter__()

    def close(self) -> None:
        """Let nothing of it have been."""
        transaction.set_rollback(True)
        self.transaction.__exit__(None, None, None)
        self.patch.undo()
        mailbox.outbox.clear()

    # --- what happens ---------------------------------------------------------------------------

    def games(self, *states: GameStatus) -> list[Game]:
        return list(
            Game.objects.filter(status__in=states).select_related("current_round").order_by("pk")
        )

    def attempt(self, do: Callable[..., object], /, **fields: Any) -> bool:
        """Do something that changes nothing if it is refused; return whether it was done."""
        before = snapshot()
        try:
            do(**fields)
        except REFUSALS:
            assert snapshot() == before
            return False
        return True

    def sweep(self) -> int:
        return deadlines.expire_turns(now=self.now)

    def next_wake(self) -> datetime | None:
        """Return when the first of the games under way is due."""
        found: datetime | None = Game.objects.filter(status=GameStatus.ACTIVE).aggregate(
            at=Min("wake_at")
        )["at"]
        return found

    def vacant(self) -> list[Seat]:
        """Return the seats under way that nobody holds."""
        retired = Seat.objects.filter(retired_at__isnull=False, game__status=GameStatus.ACTIVE)
        return list(retired.order_by("pk"))

    def look(self, game: Game, number: int) -> rules.TableView:
        """Return what a seat sees."""
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        return rules.view_for(store.load_state(game, seats, with_dice=True), number)

    # --- what is true ---------------------------------------------------------------------------

    def check(self) -> None:
        """Look through everything that may have changed."""
        rows = snapshot()
        if rows == self.checked:
            return
        self.checked = rows
        for game in self.games(*GameStatus):
            if game.pk in self.over:
                continue
            check_game(game.pk)
            if game.status == GameStatus.ACTIVE:
                self._check_time(game)
            elif game.status != GameStatus.OPEN:
                self.over.add(game.pk)
        for order in Order.objects.select_related("seat__game__current_round"):
            self._check_is_hidden(order)

    def _check_time(self, game: Game) -> None:
        """Somebody, or the sweep, has something to do; no clock is fuller than it may be."""
        assert game.wake_at is not None
        assert game.turn_deadline_at is not None
        cap = timing.clock_of(game).cap
        seats = list(Seat.objects.filter(game=game))
        assert all(timedelta() <= seat.bank <= cap for seat in seats)
        assert game.turn_base >= timedelta()
        assert game.turn_base <= timing.length_of_turn(game)

    def _check_is_hidden(self, order: Order) -> None:
        """Nobody but its owner sees anything that is different without the order."""
        game = order.seat.game
        others = game.seats.exclude(pk=order.seat_id).filter(user__isnull=False)
        viewers = [Viewer(seat.user_id) for seat in others[:2]]
        viewers.append(Viewer(None) if not game.is_private else Viewer(person("zoe").pk))
        seen = [self._seen(game, viewer) for viewer in viewers]
        owner = Viewer(order.seat.user_id)
        own = self._seen(game, owner)
        with transaction.atomic():
            Order.objects.filter(pk=order.pk).delete()
            assert [self._seen(game, viewer) for viewer in viewers] == seen
            assert self._seen(game, owner) != own
            transaction.set_rollback(True)

    def _seen(self, game: Game, viewer: Viewer) -> str:
        """Return all that the pages of a game tell ``viewer``, written out."""
        game = Game.objects.select_related("current_round").get(pk=game.pk)
        told = [
            table_page(game, viewer),
            time_page(game, viewer, now=self.now),
            order_page(game, viewer),
            history(game, viewer),
            my_games(viewer),
            happened_since(game, 0),
            transcript(game),
        ]
        return repr(told)  # refusals in it are errors, and each of those is its own

    # --- the end --------------------------------------------------------------------------------

    def run_out(self) -> None:
        """Let nobody act any more: every game ends by itself, in time and for a reason."""
        left_at = self.now
        pauses = max([0, *(len(game.pauses) for game in self.games(GameStatus.ACTIVE))])
        most = timedelta(days=MOST_DAYS + 3 * pauses)
        for _ in range(MOST_SWEEPS):
            due = self.next_wake()
            if due is None:
                break
            self.now = max(self.now, due)
            assert self.sweep() >= 1, "it woke up for nothing, and would do so for ever"
            assert self.now - left_at < most
        assert not self.games(GameStatus.ACTIVE)
        for game in self.games(GameStatus.FINISHED, GameStatus.CANCELLED):
            check_game(game.pk)
            assert not failures(transcript(game).encode())
            if game.status == GameStatus.FINISHED:
                assert not replay(record_of(game))
            elif game.started_at is not None:
                assert game.ended_by in (ABANDONED, BY_VOTE)
        book.settle()
        assert not book.leaks


def _broken(message: str, *details: object) -> NoReturn:
    raise AssertionError(message % details)

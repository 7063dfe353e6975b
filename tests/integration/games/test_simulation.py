"""Weeks of several games at once: random people, bots, clocks and mistakes, through the services.

After every step each game that may have changed is looked through (``invariants``); whatever was
refused must have changed nothing. A seed that fails says so in the test's name, and fails again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta
from random import Random
from typing import Any

import pytest
from django.db import transaction

from accounts import services as accounts
from games import rules, store
from games.clock import ClockRefusal, ClockSettings, Question, TimeOut, find_clock
from games.models import Game, GameStatus, Hours, Order, Seat
from games.rules.record import replay
from games.selectors import record_of
from games.services import (
    commit,
    deadlines,
    hours,
    lobby,
    more_time,
    moves,
    orders,
    outbox,
    takeovers,
    voting,
)
from games.services.errors import LobbyRefusal, SeatRefusal, StaleMove
from games.services.waking import GRACE
from tests.cast import NOON, person, player
from tests.integration.games.invariants import check_game, snapshot
from tests.unit.random_games import random_rules

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CAST = ("alice", "bob", "carol", "dave", "erin")
STEPS = 110
REFUSALS = (StaleMove, LobbyRefusal, SeatRefusal, rules.RuleViolation, ClockRefusal)
WEEK = timedelta(days=7)
CLOCKS = (None, None, *(find_clock(name) for name in ("standard", "brisk", "day")))

ORDERS = (
    "dudo below 40%; else least",
    "bid 2x3, 3x3, 4x3; else ask",
    "calza from 20%; else least",
    "calza on 2x4; ask from 3; else bid 2x4",
    "dudo",
    "ask",
    "least",
)


@dataclass
class World:
    """A site, its people and its clock."""

    chance: Random
    now: datetime = NOON
    people: list[str] = field(default_factory=lambda: list(CAST))
    played: dict[str, Any] | None = None

    def step(self) -> None:
        """Let one thing happen."""
        what = self.chance.choices(
            [self.move, self.be_wrong, self.click_again, self.wait, self.room, self.open_room,
             self.come_back, self.resign, self.mails, self.close_account, self.order,
             self.take_back, self.let_pass, self.hours, self.time, self.vote, self.stay_away,
             self.take_over],
            [40, 12, 8, 16, 14, 12, 5, 2, 2, 0.5, 14, 3, 8, 8, 8, 5, 8, 8],
        )[0]  # fmt: skip
        what()

    def games(self, *states: GameStatus) -> list[Game]:
        return list(
            Game.objects.filter(status__in=states).select_related("current_round").order_by("pk")
        )

    def refused(self, **move: Any) -> None:
        """Prove that a move is refused and leaves no trace."""
        before = snapshot()
        with pytest.raises(REFUSALS):
            moves.play(**move)
        assert snapshot() == before

    def open_room(self) -> None:
        if len(self.games(GameStatus.OPEN)) + len(self.games(GameStatus.ACTIVE)) > 3:
            return
        ruleset = random_rules(self.chance)
        ruleset = replace(ruleset, start_dice=self.chance.randint(1, 3), first_starter=(
            self.chance.choice(list(rules.FirstStarter))))  # fmt: skip
        seats = self.chance.randint(2, 4)
        new = lobby.NewGame(
            ruleset=ruleset,
            seats=seats,
            turn_seconds=3600,
            is_private=False,
            bots=self.chance.randrange(seats),
            clock=self.any_clock(),
        )
        host, *guests = self.chance.sample(self.people, len(self.people))
        game = lobby.create_game(host=player(person(host)), new=new, now=self.now)
        for guest in guests[: new.seats - new.bots - 1]:
            lobby.join(game_id=game.pk, player=player(person(guest)), now=self.now)
            if self.chance.random() < 0.6:
                user_id = person(guest).pk
                lobby.set_ready(game_id=game.pk, user_id=user_id, is_ready=True, now=self.now)

    def room(self) -> None:
        """Somebody comes, goes, gets ready, removes somebody or starts; or may not."""
        rooms = self.games(GameStatus.OPEN) or self.games(GameStatus.FINISHED)
        if not rooms:
            return
        game, name = self.chance.choice(rooms), self.anybody()
        user, any_seat = person(name), self.chance.choice(list(game.seats.all()))
        mine = {"game_id": game.pk, "user_id": user.pk, "now": self.now}
        hosts = {"game_id": game.pk, "host_id": user.pk, "now": self.now}
        before = snapshot()
        try:
            match self.chance.randrange(16):
                case 0 | 14:
                    lobby.leave(**mine)
                case 1:
                    lobby.remove_seat(seat_id=any_seat.pk, **hosts)
                case 2:
                    lobby.add_bot(**hosts)
                case 3 | 4:
                    lobby.rematch(game=game, player=player(user), now=self.now)
                case 5 | 6:
                    lobby.start(opener=any_seat.number, **hosts)
                case 7 | 8 | 9 | 10:
                    lobby.join(game_id=game.pk, player=player(user), now=self.now)
                case _:
                    lobby.set_ready(is_ready=self.chance.random() < 0.9, **mine)
        except LobbyRefusal:
            assert snapshot() == before

    def move(self) -> None:
        """Play a legal move on some table, rarely a calza out of turn."""
        active = self.games(GameStatus.ACTIVE)
        if not active:
            return
        game = self.chance.choice(active)
        seat, view = self.look(game)
        action: rules.Move = rules.Dudo(seat)
        if not view.may_dudo or (view.least_raises and self.chance.random() < 0.55):
            action = rules.MakeBid(seat, self.chance.choice(view.least_raises))
        everybody = range(len(view.seats))
        others = [number for number in everybody if self.look(game, number)[1].may_calza]
        if others and self.chance.random() < 0.3:
            action = rules.Calza(self.chance.choice(others))
        if game.calza_until and game.seats.get(number=action.seat).user_id is None:
            return  # a bot moves in the sweep alone, and leaves no order
        move: dict[str, Any] = {
            "game_id": game.pk,
            "action": action,
            "expected_version": game.version,
            "now": self.now,
            "idem_key": f"{self.chance.getrandbits(60):x}",
        }
        late = game.turn_deadline_at is not None and self.now > game.turn_deadline_at
        is_nobodys = game.seats.filter(number=action.seat, retired_at__isnull=False).exists()
        if is_nobodys or (late and action.seat == game.to_act):
            self.refused(**move)
            return
        # A bid is one event; what closes a round is followed by the next seal, or by the seed. An
        # order that calls the bid exact closes the round behind it.
        added = {1, 3} if isinstance(action, rules.MakeBid) else {2}
        played = moves.play(**move)
        if played.held_until is not None:
            assert played == moves.Played(game.version, held_until=game.calza_until)
        else:
            assert played.version - game.version in added
            self.played = move

    def be_wrong(self) -> None:
        """Move out of turn, too low, too late, for nobody, or on an old position."""
        active = self.games(GameStatus.ACTIVE)
        if not active:
            return
        game = self.chance.choice(active)
        seat, view = self.look(game)
        wrong: list[tuple[rules.Move, int]] = [
            (rules.Dudo((seat + 1) % len(view.seats)), 0),
            (rules.Dudo(seat), -1),
            (rules.Resign(seat), 1),
            (rules.Dudo(99), 0),
        ]
        if view.standing is not None:
            wrong.append((rules.MakeBid(seat, view.standing.bid), 0))
        action, off = self.chance.choice(wrong)
        self.refused(
            game_id=game.pk, action=action, expected_version=game.version + off, now=self.now
        )

    def click_again(self) -> None:
        """Send the last move once more: the same answer, and nothing else happens."""
        if self.played is None:
            return
        before = snapshot()
        assert moves.play(**self.played).repeated
        assert snapshot() == before

    def wait(self) -> None:
        """Let time pass, seldom a lot of it, and sweep: late, twice or not at all."""
        self.now += timedelta(seconds=self.chance.choice([4, 4, 60, 1200, 3700, 3700, 90_000]))
        for _ in range(self.chance.randint(0, 2)):
            deadlines.expire_turns(now=self.now)

    def come_back(self) -> None:
        for seat in Seat.objects.filter(is_absent=True, user__isnull=False)[:2]:
            moves.come_back(game_id=seat.game_id, user_id=seat.user_id, now=self.now)

    def order(self) -> None:
        """Leave an order for the open round, or fail to and leave none."""
        active = self.games(GameStatus.ACTIVE)
        if not active:
            return
        game, user = self.chance.choice(active), person(self.anybody())
        before = snapshot()
        try:
            orders.leave(
                game_id=game.pk,
                user_id=user.pk,
                text=self.chance.choice(ORDERS),
                waits=self.chance.random() < 0.4,
                round_number=game.current_round.number - (self.chance.random() < 0.1),
                now=self.now,
            )
        except REFUSALS:
            assert snapshot() == before

    def let_pass(self) -> None:
        """Somebody says that he will call no calza in an open round; or may not."""
        for game in self.games(GameStatus.ACTIVE)[:2]:
            number = game.current_round.number - (self.chance.random() < 0.1)
            user_id = person(self.anybody()).pk
            self.attempt(moves.pass_calza, game_id=game.pk, user_id=user_id, round_number=number)

    def take_back(self) -> None:
        for order in Order.objects.select_related("seat").order_by("pk")[:1]:
            seat = order.seat
            orders.cancel(game_id=seat.game_id, user_id=seat.user_id, now=self.now)

    def resign(self) -> None:
        for game in self.games(GameStatus.ACTIVE)[:1]:
            user = person(self.anybody())
            if game.seats.filter(user=user, dice__gt=0).exists():
                moves.resign(game_id=game.pk, user_id=user.pk, now=self.now)

    def any_clock(self) -> ClockSettings | None:
        settings = self.chance.choice(CLOCKS)
        if settings is None:
            return None
        time_out = self.chance.choice([TimeOut.AUTO, TimeOut.LOSE_A_DIE, TimeOut.OUT])
        return replace(settings, weekends=self.chance.random() < 0.3, time_out=time_out)

    def attempt(self, action: Callable[..., object], **fields: Any) -> None:
        """Do something that may be refused, and then changes nothing."""
        before = snapshot()
        try:
            action(now=self.now, **fields)
        except REFUSALS:
            assert snapshot() == before

    def hours(self) -> None:
        """Somebody moves his night or weekend, goes away, comes back, or has an emergency."""
        user_id = person(self.anybody()).pk
        today = self.now.date()
        match self.chance.randrange(4):
            case 0:
                night = self.chance.choice([None, time(self.chance.randrange(24))])
                days = self.chance.sample(range(7), self.chance.randrange(4))
                zone = self.chance.choice(["UTC", "Europe/Rome", "Pacific/Apia"])
                fields = {"zone": zone, "night": night, "weekend": days}
                self.attempt(hours.set_week, user_id=user_id, **fields)
            case 1:
                first = today + timedelta(days=self.chance.randrange(-1, 3))
                last = first + timedelta(days=self.chance.randrange(12))
                self.attempt(hours.go_away, user_id=user_id, first=first, last=last)
            case 2:
                for own in Hours.objects.filter(pk=user_id):
                    for each in own.absences:
                        self.attempt(hours.call_off, user_id=user_id, absence_id=each["id"])
            case _:
                self.attempt(hours.stop_everything, user_id=user_id)

    def time(self) -> None:
        """Somebody takes an extension, gives one or nudges; or may not."""
        for game in self.games(GameStatus.ACTIVE)[:2]:
            action = self.chance.choice([more_time.take_extension, more_time.give, more_time.nudge])
            deadline = game.turn_deadline_at or self.now
            user_id = person(self.anybody()).pk
            self.attempt(action, game_id=game.pk, user_id=user_id, deadline=deadline)

    def vote(self) -> None:
        for game in self.games(GameStatus.ACTIVE)[:2]:
            asked = {"game_id": game.pk, "user_id": person(self.anybody()).pk}
            weights = [1 if each is Question.CANCEL else 4 for each in Question]
            question = self.chance.choices(list(Question), weights)[0]
            if game.vote is not None:
                question = Question(game.vote["question"])
                aye = self.chance.random() < 0.6
                self.attempt(voting.cast, question=question, aye=aye, **asked)
            else:
                self.attempt(voting.propose, question=question, **asked)

    @transaction.atomic
    def stay_away(self) -> None:
        """Somebody has been absent for a week by now: his seat is due to be retired."""
        active = [each for each in self.games(GameStatus.ACTIVE) if each.current_round.is_rolled]
        if not active:
            return
        game, seats = moves.lock(self.chance.choice(active).pk)
        there = [seat for seat in seats if seat.user_id and seat.dice and not seat.is_absent]
        if len(there) < 2:
            return
        away = self.chance.choice(there)
        away.is_absent, away.absent_since = True, self.now - WEEK - GRACE
        away.missed_in_a_row = 2
        away.save(update_fields=["is_absent", "absent_since", "missed_in_a_row"])
        if game.to_act == away.number:
            commit.restart_turn(game, away, now=self.now)
        Game.objects.filter(pk=game.pk, wake_at__gt=self.now).update(wake_at=self.now)

    def take_over(self) -> None:
        """Somebody asks for a seat that is free, or that is not; or gives back what he got."""
        seats = Seat.objects.filter(retired_at__isnull=False, game__status=GameStatus.ACTIVE)
        for seat in list(seats.order_by("pk")[:2]):
            user = person(self.anybody())
            if seat.heir_id is not None and self.chance.random() < 0.3:
                takeovers.withdraw(game_id=seat.game_id, user_id=seat.heir_id)
            asked = {"game_id": seat.game_id, "seat_id": seat.pk, "player": player(user)}
            self.attempt(takeovers.take_over, **asked)

    def mails(self) -> None:
        outbox.relay(now=self.now, limit=5)

    def close_account(self) -> None:
        if len(self.people) > 2:
            name = self.anybody()
            self.people.remove(name)
            accounts.close_account(user=person(name), now=self.now)

    def anybody(self) -> str:
        return self.chance.choice(self.people)

    def look(self, game: Game, number: int | None = None) -> tuple[int, rules.TableView]:
        """Return the seat to move, or the one asked for, and what it sees."""
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        seat = game.to_act if number is None else number
        assert seat is not None
        return seat, rules.view_for(store.load_state(game, seats, with_dice=True), seat)

    def check(self) -> None:
        for game_id in Game.objects.values_list("pk", flat=True):
            check_game(game_id)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_every_game_stays_whole_and_ends(seed: int) -> None:
    world = World(Random(seed))
    world.open_room()
    for _ in range(STEPS):
        world.step()
        world.check()
    for _ in range(900):  # nobody comes any more: the clock and the bots end all of them
        if not world.games(GameStatus.ACTIVE):
            break
        world.now += timedelta(hours=4)
        deadlines.expire_turns(now=world.now)
    world.check()
    finished = world.games(GameStatus.FINISHED)
    assert finished or Game.objects.exclude(ended_by="").exists()
    assert not world.games(GameStatus.ACTIVE)
    for game in finished:
        assert not replay(record_of(game))

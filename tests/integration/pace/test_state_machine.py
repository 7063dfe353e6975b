"""No sequence of what people, clocks and accidents do leaves a game without a deadline or an end.

Hypothesis draws the sequences and shortens those that fail. Bounded here; ``make fuzz`` goes on for
longer (FUZZ_EXAMPLES).
"""

import os
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import time, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from games import rules
from games.clock import Question
from games.models import Game, GameStatus, Hours, Seat
from games.services import (
    hours,
    lobby,
    more_time,
    moves,
    orders,
    outbox,
    restore,
    takeovers,
    voting,
)
from games.services.waking import GRACE
from tests.cast import person, player
from tests.integration.games.handing import WEEK, make_absent
from tests.integration.pace.draws import ORDERS, SECONDS, TABLE, often, which, who, yes
from tests.integration.pace.site import CAST, LIVE, Site

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(0)]

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "250")) // 10
STEPS = 40


class Tables(RuleBasedStateMachine):
    """Five people, up to two games at a time, and the sweeps."""

    def __init__(self) -> None:
        super().__init__()
        self.site = Site()

    def teardown(self) -> None:
        try:
            if sys.exc_info()[0] is None:
                self.site.run_out()
        finally:
            self.site.close()

    @invariant()
    def everything_is_as_it_has_to_be(self) -> None:
        self.site.check()

    # --- which game, whose seat -----------------------------------------------------------------

    def game(self, number: int, *states: GameStatus, swept: bool = False) -> Game | None:
        """Return one of the games, of those under way unless others are asked for."""
        if swept:
            self.site.sweep()
        found = self.site.games(*(states or (GameStatus.ACTIVE,)))
        return found[number % len(found)] if found else None

    def try_in(self, number: int, do: Callable[..., object], name: str, /, **fields: Any) -> None:
        """Let ``name`` try something in a game under way."""
        game = self.game(number)
        if game is not None:
            own = {"game_id": game.pk, "user_id": person(name).pk, "now": self.site.now}
            self.site.attempt(do, **own, **fields)

    # --- the waiting room -----------------------------------------------------------------------

    @initialize(people=st.integers(2, 4), bots=st.integers(0, 2), **TABLE)
    def begin(self, people: int, bots: int, **choices: Any) -> None:
        self.open(people, bots, full=True, **choices)

    @precondition(lambda self: len(self.site.games(*LIVE)) < 2)
    @rule(people=st.integers(2, 3), bots=st.integers(0, 1), missing=st.integers(-2, 1), **TABLE)
    def open_another(self, people: int, bots: int, missing: int, **choices: Any) -> None:
        self.open(people, bots, full=missing < 1, **choices)

    def open(self, people: int, bots: int, *, full: bool, **choices: Any) -> None:
        ruleset = rules.with_start_dice(rules.find_ruleset("bga"), choices["dice"])
        calling = replace(ruleset.calza, enabled=True, window=choices["calza"])
        clock = choices["settings"]
        if clock is not None:
            weekends, time_out = choices["weekends"], choices["time_out"]
            clock = replace(clock, weekends=weekends, time_out=time_out)
        new = lobby.NewGame(
            ruleset=replace(ruleset, calza=calling),
            seats=people + bots,
            bots=bots,
            turn_seconds=86_400,
            is_private=False,
            clock=clock,
        )
        host = player(person("alice"))
        if not self.site.attempt(lobby.create_game, host=host, new=new, now=self.site.now):
            return  # there are games enough that alice has not finished
        game = Game.objects.order_by("-pk")[0]
        for name in CAST[1 : people if full else people - 1]:
            user = person(name)
            own = {"game_id": game.pk, "now": self.site.now}
            lobby.join(player=player(user), **own)
            lobby.set_ready(user_id=user.pk, is_ready=True, **own)

    @precondition(lambda self: self.site.games(GameStatus.OPEN))
    @rule(name=who, what=st.sampled_from(["join", "ready", "unready", "leave", "start", "bot"]))
    def come_and_go(self, name: str, what: str) -> None:
        game = self.game(0, GameStatus.OPEN)
        assert game is not None
        user = person(name)
        room: dict[str, Any] = {"game_id": game.pk, "now": self.site.now}
        match what:
            case "join":
                self.site.attempt(lobby.join, player=player(user), **room)
            case "ready" | "unready":
                ready = what == "ready"
                self.site.attempt(lobby.set_ready, user_id=user.pk, is_ready=ready, **room)
            case "leave":
                self.site.attempt(lobby.leave, user_id=user.pk, **room)
            case "start":
                self.site.attempt(lobby.start, host_id=user.pk, **room)
            case "bot":
                self.site.attempt(lobby.add_bot, host_id=user.pk, **room)

    # --- moves ----------------------------------------------------------------------------------

    def play(self, game: Game, action: rules.Move) -> None:
        seat = Seat.objects.get(game=game, number=action.seat)
        if game.calza_until and seat.user_id is None:
            return  # a bot moves in the sweep alone, and leaves no order
        move = {"game_id": game.pk, "action": action, "expected_version": game.version}
        key = f"{game.version} {type(action).__name__} {action.seat}"
        if self.site.attempt(moves.play, **move, now=self.site.now, idem_key=key):
            newest = Game.objects.get(pk=game.pk)
            late = game.turn_deadline_at is not None and self.site.now > game.turn_deadline_at
            assert not (late and action.seat == game.to_act), "it came after the deadline"
            assert newest.version > game.version or newest.calza_until is not None

    @rule(number=which, chosen=st.lists(which, min_size=1, max_size=3), swept=often)
    def bid(self, number: int, chosen: list[int], swept: bool) -> None:
        """Let those on turn bid, one after the other."""
        for each in chosen:
            game = self.game(number, swept=swept)
            if game is None or game.to_act is None:
                return
            raises = self.site.look(game, game.to_act).least_raises
            if raises:
                self.play(game, rules.MakeBid(game.to_act, raises[each % len(raises)]))

    @rule(number=which, swept=often)
    def dudo(self, number: int, swept: bool) -> None:
        game = self.game(number, swept=swept)
        if game is not None and game.to_act is not None:
            self.play(game, rules.Dudo(game.to_act))

    @rule(number=which, seat=which)
    def calza(self, number: int, seat: int) -> None:
        game = self.game(number)
        if game is not None:
            self.play(game, rules.Calza(seat % game.seats.count()))

    @rule(number=which, name=who)
    def pass_calza(self, number: int, name: str) -> None:
        game = self.game(number)
        if game is not None and game.current_round is not None:
            self.try_in(number, moves.pass_calza, name, round_number=game.current_round.number)

    @rule(number=which, name=who)
    def resign(self, number: int, name: str) -> None:
        self.try_in(number, moves.resign, name)

    @rule(number=which, name=who)
    def come_back(self, number: int, name: str) -> None:
        self.try_in(number, moves.come_back, name)

    @rule(number=which, name=who, text=st.sampled_from(ORDERS), waits=yes)
    def leave_order(self, number: int, name: str, text: str, waits: bool) -> None:
        game = self.game(number)
        if game is None or game.current_round is None:
            return
        fields = {"text": text, "waits": waits, "round_number": game.current_round.number}
        self.try_in(number, orders.leave, name, **fields)

    @rule(number=which, name=who)
    def cancel_order(self, number: int, name: str) -> None:
        self.try_in(number, orders.cancel, name)

    # --- time that stands still, or is given ----------------------------------------------------

    @rule(name=who, comes_in=st.integers(0, 2), days=st.integers(1, 13))
    def go_away(self, name: str, comes_in: int, days: int) -> None:
        first = self.site.now.date() + timedelta(days=comes_in)
        fields = {"first": first, "last": first + timedelta(days=days - 1), "now": self.site.now}
        self.site.attempt(hours.go_away, user_id=person(name).pk, **fields)

    @rule(name=who)
    def come_home(self, name: str) -> None:
        user_id = person(name).pk
        for own in Hours.objects.filter(pk=user_id):
            for each in own.absences[-1:]:
                now = self.site.now
                self.site.attempt(hours.call_off, user_id=user_id, absence_id=each["id"], now=now)

    @rule(name=who)
    def have_an_emergency(self, name: str) -> None:
        self.site.attempt(hours.stop_everything, user_id=person(name).pk, now=self.site.now)

    @rule(
        name=who,
        zone=st.sampled_from(["UTC", "Europe/Rome", "Pacific/Apia"]),
        night=st.sampled_from([None, time(1), time(22, 30)]),
        weekend=st.lists(st.integers(0, 6), max_size=2, unique=True),
    )
    def keep_other_hours(self, name: str, **week: Any) -> None:
        self.site.attempt(hours.set_week, user_id=person(name).pk, now=self.site.now, **week)

    @rule(number=which, name=who, action=st.sampled_from(["take_extension", "give", "nudge"]))
    def ask_for_time(self, number: int, name: str, action: str) -> None:
        game = self.game(number)
        if game is not None:
            deadline = game.turn_deadline_at or self.site.now
            self.try_in(number, getattr(more_time, action), name, deadline=deadline)

    @rule(number=which, name=who, question=st.sampled_from(list(Question)))
    def propose(self, number: int, name: str, question: Question) -> None:
        self.try_in(number, voting.propose, name, question=question)

    @rule(number=which, name=who, aye=yes)
    def vote(self, number: int, name: str, aye: bool) -> None:
        game = self.game(number)
        if game is not None and game.vote is not None:
            question = Question(game.vote["question"])
            self.try_in(number, voting.cast, name, question=question, aye=aye)

    # --- seats that change hands ----------------------------------------------------------------

    @rule(number=which, name=who)
    def stay_away_for_a_week(self, number: int, name: str) -> None:
        """Let somebody have been absent for a week by now, while others were there."""
        game = self.game(number)
        if game is None:
            return
        there = game.seats.filter(user__isnull=False, is_absent=False, dice__gt=0)
        his = game.seats.filter(user=person(name), dice__gt=0)
        if his.exists() and there.exclude(user=person(name)).exists():
            make_absent(game, name, since=self.site.now - WEEK - GRACE, now=self.site.now)
            Game.objects.filter(pk=game.pk).update(wake_at=self.site.now)
            assert self.site.sweep() >= 1
            assert not his.exists()

    @precondition(lambda self: self.site.vacant())
    @rule(name=st.sampled_from((*CAST, "frank", "gina")), chosen=which)
    def take_over(self, name: str, chosen: int) -> None:
        found = self.site.vacant()
        seat = found[chosen % len(found)]
        asked = {"game_id": seat.game_id, "seat_id": seat.pk, "now": self.site.now}
        self.site.attempt(takeovers.take_over, player=player(person(name)), **asked)

    @precondition(lambda self: self.site.vacant())
    @rule(chosen=which)
    def think_better_of_it(self, chosen: int) -> None:
        found = self.site.vacant()
        seat = found[chosen % len(found)]
        if seat.heir_id is not None:
            takeovers.withdraw(game_id=seat.game_id, user_id=seat.heir_id)

    # --- time, and what happens in it -----------------------------------------------------------

    @rule(seconds=st.sampled_from(SECONDS), sweeps=st.integers(0, 2))
    def time_passes(self, seconds: int, sweeps: int) -> None:
        self.site.now += timedelta(seconds=seconds)
        for _ in range(sweeps):
            self.site.sweep()

    @rule(times=st.integers(1, 2))
    def sleep_until_something_happens(self, times: int) -> None:
        for _ in range(times):
            due = self.site.next_wake()
            if due is not None:
                self.site.now = max(self.site.now, due)
                assert self.site.sweep() >= 1

    @rule()
    def relay(self) -> None:
        outbox.relay(now=self.site.now, limit=8)

    @rule(number=which)
    def restore_a_backup(self, number: int) -> None:
        game = self.game(number)
        if game is not None:
            moment = self.site.now
            restore.roll_anew(code=game.code, restored_at=moment, now=moment)


def test_nothing_that_can_happen_leaves_a_game_without_a_deadline_or_an_end() -> None:
    run_state_machine_as_test(
        Tables,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )

"""Whole games in which people stay away: every rung of the ladder, down and up again."""

from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games import rules
from games.clock import Question, TimeOut, find_clock
from games.clock.automatic import automatic_move
from games.models import Conduct, Event, Game, GameStatus, OutboxMessage, Seat, Tenure
from games.rules.record import replay
from games.selectors import record_of
from games.services import conduct, moves, takeovers, voting
from games.services.waking import GRACE
from games.store import load_state
from tests.cast import person, player, seat_of
from tests.integration.pace.wall import BANK, BASE, Wall
from tests.integration.pace.watch import Watch, sit_down

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ROME = ZoneInfo("Europe/Rome")
STANDARD = find_clock("standard")
MONDAY = datetime(2026, 6, 1, 9, tzinfo=ROME)
DAY = timedelta(days=1)
AN_HOUR = timedelta(hours=1)
MOST_STEPS = 600


def watched(*names: str, time_out: TimeOut = TimeOut.AUTO, dice: int = 5) -> Watch:
    walls = {name: Wall(ROME) for name in names}
    return sit_down(walls, replace(STANDARD, time_out=time_out), now=MONDAY, dice=dice)


def step(watch: Watch, *there: str, pause: timedelta = AN_HOUR) -> None:
    """Let one turn pass: who is ``there`` moves, who is not runs out of time or plays at once."""
    if watch.ledger is None:
        watch.sweep()
    elif watch.on_turn in there:
        watch.move(at=min(watch.now + pause, watch.deadline))
    else:
        watch.miss()


def go_on(watch: Watch, *there: str, until: str = "", pause: timedelta = AN_HOUR) -> None:
    """Let turns pass until it is the turn of ``until``, or to the end of the game."""
    for _ in range(MOST_STEPS):
        watch.look()
        if watch.is_over or (until and watch.on_turn == until):
            return
        step(watch, *there, pause=pause)
    raise AssertionError("this game has no end")


def told(game_id: int, kind: str) -> int:
    return OutboxMessage.objects.filter(game=game_id, kind=kind).count()


def declared(watch: Watch) -> rules.Move:
    """Return the move that the clock has declared to make, from the seat's own dice."""
    game = watch.game
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    assert game.to_act is not None
    return automatic_move(rules.view_for(load_state(game, seats, with_dice=True), game.to_act))


def test_who_misses_two_turns_plays_at_once_comes_back_and_is_given_his_whole_time_again() -> None:
    watch = watched("alice", "bob", dice=7)
    for missed in (1, 2):
        go_on(watch, "alice", until="bob")
        move = declared(watch)
        watch.miss()
        event = Event.objects.filter(game=watch.game_id, is_auto=True).order_by("-seq")[0]
        assert (event.kind == "dudo") == isinstance(move, rules.Dudo)
        if isinstance(move, rules.MakeBid):
            assert event.payload["bid"] == str(move.bid)
        bob = seat_of(watch.game, "bob")
        assert (bob.missed_in_a_row, bob.is_absent) == (missed, missed == 2)
        assert told(watch.game_id, "absent") == (missed == 2)
    # From now on he costs nobody a minute.
    go_on(watch, "alice", until="bob")
    before = watch.now
    watch.sweep()
    assert watch.now - before < timedelta(minutes=1)
    go_on(watch, "alice", until="bob")
    moves.come_back(game_id=watch.game_id, user_id=person("bob").pk, now=watch.now)
    watch.sync()
    watch.look()
    assert watch.left() == BASE + watch.banks["bob"]
    watch.move(at=watch.now + AN_HOUR)
    assert seat_of(watch.game, "bob").missed_in_a_row == 0
    while not watch.is_over:
        step(watch, "alice", "bob")
    watch.look()
    assert watch.game.status == GameStatus.FINISHED
    assert not replay(record_of(watch.game))


def test_seats_left_for_a_week_are_retired_and_go_to_a_person_and_to_a_bot() -> None:
    watch = watched("alice", "bob", "carol", dice=8)
    person("dave", time_zone="Europe/Rome")
    # Alice takes her time: an absent seat plays at once, and the game must outlast the week.
    for name in ("bob", "carol"):
        while not seat_of(watch.game, name).is_absent:
            watch.look()
            step(watch, *{"alice", "carol", "dave"} - {name}, pause=AN_HOUR)
        since = seat_of(watch.game, name).absent_since
        assert since is not None
        if name == "bob":
            _outlast(watch, since + 7 * DAY + GRACE)
            (tenure,) = Tenure.objects.filter(game=watch.game_id)
            assert (tenure.user_id, tenure.place) == (person("bob").pk, 3)
            assert told(watch.game_id, "retired") == 1
            _dave_takes_over(watch, tenure.seat)
    _outlast(watch, since + 7 * DAY + GRACE)
    ask = {"game_id": watch.game_id, "question": Question.BOT, "now": watch.now}
    voting.propose(user_id=person("alice").pk, **ask)
    voting.cast(user_id=person("dave").pk, aye=True, **ask)
    while not watch.is_over:
        step(watch, "alice", "dave")
    watch.look()
    assert watch.game.status == GameStatus.FINISHED
    seats = Seat.objects.filter(game=watch.game_id)
    assert sorted(bool(seat.bot) for seat in seats) == [False, False, True]
    assert Tenure.objects.filter(game=watch.game_id).count() == 2
    assert not replay(record_of(watch.game))


def _outlast(watch: Watch, moment: datetime) -> None:
    """Let who is there take all his time until ``moment``, at which a seat is retired."""
    retired = Tenure.objects.filter(game=watch.game_id).count()
    for _ in range(MOST_STEPS):
        watch.look()
        if watch.ledger is None or watch.game.wake_at <= min(watch.deadline, moment):
            watch.sweep()
        else:
            watch.move(at=watch.deadline)
        if Tenure.objects.filter(game=watch.game_id).count() > retired:
            break
    assert watch.now - moment < timedelta(minutes=1)


def _dave_takes_over(watch: Watch, seat: Seat) -> None:
    """Let dave take the seat: he holds it, with a full bank, from the next roll on."""
    asked = {"seat_id": seat.pk, "player": player(person("dave"))}
    takeovers.take_over(game_id=watch.game_id, now=watch.now, **asked)
    watch.walls["dave"], watch.banks["dave"] = Wall(ROME), BANK
    round_number = watch.round_number
    del watch.walls["bob"]
    while watch.round_number == round_number:
        watch.look()
        step(watch, "alice", "carol")
    seat.refresh_from_db()
    assert (seat.user_id, seat.held_from) == (person("dave").pk, watch.round_number)


def test_where_a_miss_costs_a_die_the_second_makes_absent_and_then_none_is_lost_by_it() -> None:
    watch = watched("alice", "bob", time_out=TimeOut.LOSE_A_DIE)
    go_on(watch, "alice", until="bob")
    lost = []
    for _ in range(2):
        go_on(watch, "alice", until="bob")
        dice = seat_of(watch.game, "bob").dice
        watch.miss()
        lost.append(dice - seat_of(watch.game, "bob").dice)
    assert lost == [1, 1]
    assert seat_of(watch.game, "bob").is_absent
    go_on(watch, "alice")
    assert watch.game.status == GameStatus.FINISHED
    assert Event.objects.filter(game=watch.game_id, kind="forfeit").count() == 2
    assert not replay(record_of(watch.game))


def test_where_a_miss_is_the_end_whoever_misses_is_out_and_the_last_one_wins() -> None:
    watch = watched("alice", "bob", "carol", time_out=TimeOut.OUT)
    go_on(watch, "alice")
    assert watch.game.status == GameStatus.FINISHED
    assert seat_of(watch.game, "alice").place == 1
    assert Event.objects.filter(game=watch.game_id, kind="resign", is_auto=True).count() == 2


def test_a_table_that_everybody_has_left_is_called_off_after_72_hours_unrated() -> None:
    watch = watched("alice", "bob", "carol")
    go_on(watch)
    game: Game = watch.game
    assert (game.status, game.ended_by) == (GameStatus.CANCELLED, "abandoned")
    last = max(seat_of(game, name).absent_since for name in watch.walls)
    assert game.finished_at == last + timedelta(hours=72)
    conduct.count_rounds(now=watch.now)
    assert not Conduct.objects.filter(games__gt=0).exists()
    assert told(game.pk, "cancelled") == 3

"""Two at once, with real threads on a real database: exactly one wins, nothing is half done."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection

from games import rows, rules
from games.models import Bid, Event, Game, GameStatus, Order, OutboxMessage, Round, Seat
from games.services import deadlines, lobby, moves, orders, rolling
from games.services.errors import LobbyRefusal, StaleMove
from games.sql import Statement
from tests import drand
from tests.cast import NOON, act, give_turn, later, person, player, seat_of, table
from tests.integration.games.beacons import kinds, relay

__all__ = ["relay"]

pytestmark = pytest.mark.django_db(transaction=True)

REFUSALS = (StaleMove, LobbyRefusal, rules.RuleViolation)


def at_once(jobs: Sequence[Callable[[], object]]) -> list[object]:
    """Start every job at the same moment; return what each gave back, or the refusal it met."""
    barrier = threading.Barrier(len(jobs))
    results: list[object] = [None] * len(jobs)

    def run(index: int) -> None:
        try:
            barrier.wait(timeout=20)
            results[index] = jobs[index]()
        except REFUSALS as refusal:
            results[index] = refusal
        except Exception as error:  # noqa: BLE001 - handed to the test, which fails on it
            results[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    unexpected = [r for r in results if isinstance(r, Exception) and not isinstance(r, REFUSALS)]
    assert not unexpected, unexpected
    return results


def winners(results: list[object]) -> list[object]:
    return [result for result in results if not isinstance(result, REFUSALS)]


def move(game: Game, action: rules.Move, **extra: str) -> Callable[[], object]:
    return lambda: moves.play(
        game_id=game.pk, action=action, expected_version=game.version, now=NOON, **extra
    )


def bid(seat: Seat, text: str) -> rules.MakeBid:
    return rules.MakeBid(seat.number, rules.Bid.parse(text))


def assert_consistent(game: Game) -> None:
    """The version, the log and the bids tell the same story."""
    game.refresh_from_db()
    events = list(Event.objects.filter(game=game).order_by("seq").values_list("seq", "kind"))
    assert [seq for seq, _ in events] == list(range(game.version + 1))
    assert Bid.objects.filter(round__game=game).count() == [k for _, k in events].count("bid")
    closed = Round.objects.filter(game=game, result__isnull=False).count()
    assert closed == sum(kind in ("dudo", "calza", "resign") for _, kind in events)


def test_a_double_click_plays_once_and_both_get_the_same_answer() -> None:
    game = table()
    give_turn(game, "alice")
    same = move(game, bid(seat_of(game, "alice"), "3x4"), idem_key="one-form")
    results = at_once([same] * 8)
    assert winners(results) == results
    assert {result.version for result in results} == {3}
    assert [result.repeated for result in results].count(False) == 1
    assert_consistent(game)


def test_two_tabs_with_different_moves_play_one_of_them() -> None:
    game = table()
    give_turn(game, "alice")
    alice = seat_of(game, "alice")
    texts = ["3x4", "3x5", "4x2", "4x6", "2x6", "5x3"]
    results = at_once([move(game, bid(alice, text)) for text in texts])
    assert len(winners(results)) == 1
    assert Bid.objects.count() == 1
    assert_consistent(game)


def test_a_calza_against_a_raise_lets_exactly_one_through() -> None:
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    for _ in range(5):
        game = table(("alice", "bob", "carol"), ruleset=ruleset)
        give_turn(game, "alice")
        game = act(game, bid(seat_of(game, "alice"), "3x4"))
        to_act = Seat.objects.get(game=game, number=game.to_act)
        other = Seat.objects.exclude(number__in=[to_act.number, game.bid_seat]).get(game=game)
        results = at_once([move(game, bid(to_act, "4x4")), move(game, rules.Calza(other.number))])
        assert len(winners(results)) == 1
        assert_consistent(game)
        closed = Round.objects.get(game=game, number=1).result
        if closed:  # the calza won: it judged the bid that it named
            assert (closed["bid"], closed["caller"]) == ("3x4", other.number)


def test_a_dudo_and_two_calzas_at_once_cost_one_die_at_most() -> None:
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    game = table(("alice", "bob", "carol", "dave"), ruleset=ruleset)
    give_turn(game, "alice")
    game = act(game, bid(seat_of(game, "alice"), "9x4"))
    others = Seat.objects.filter(game=game).exclude(number__in=[game.to_act, game.bid_seat])
    calls = [move(game, rules.Calza(seat.number)) for seat in others]
    results = at_once([move(game, rules.Dudo(game.to_act)), *calls])
    assert len(winners(results)) == 1
    dice = sum(Seat.objects.filter(game=game).values_list("dice", flat=True))
    assert dice in (19, 20)
    assert_consistent(game)


def test_the_deadline_against_a_move_in_time_plays_one_of_them() -> None:
    for _ in range(5):
        game = table(turn_seconds=3600)
        give_turn(game, "alice")
        alice = seat_of(game, "alice")
        results = at_once(
            [
                lambda game=game, alice=alice: moves.play(
                    game_id=game.pk,
                    action=bid(alice, "3x4"),
                    expected_version=game.version,
                    now=later(minutes=59),
                ),
                lambda: deadlines.expire_turns(now=later(hours=1, minutes=1)),
            ]
        )
        assert_consistent(game)
        (played,) = Bid.objects.filter(round__game=game)
        assert played.is_auto is isinstance(results[0], StaleMove)
        Game.objects.filter(pk=game.pk).update(wake_at=later(days=30))


def test_eight_sweepers_act_once_in_each_game() -> None:
    games = [table(turn_seconds=3600) for _ in range(3)]
    results = at_once([lambda: deadlines.expire_turns(now=later(hours=2))] * 8)
    assert sum(results) == 3
    for game in games:
        assert_consistent(game)
        assert game.version == 3


def with_order(text: str, *names: str, **choices: Any) -> Game:
    """Return a game in which bob has left an order and alice is to open."""
    game = table(names or ("alice", "bob"), **choices)
    give_turn(game, "alice")
    leave_order(game, "bob", text)()
    return game


def leave_order(game: Game, name: str, text: str) -> Callable[[], object]:
    user_id = person(name).pk
    return lambda: orders.leave(
        game_id=game.pk, user_id=user_id, text=text, waits=False, round_number=1, now=NOON
    )


def test_an_order_against_a_move_by_hand_plays_one_of_them() -> None:
    for _ in range(5):
        game = with_order("bid 4x6")
        game = act(game, bid(seat_of(game, "alice"), "3x4"))
        results = at_once(
            [move(game, bid(seat_of(game, "bob"), "4x5")), lambda: deadlines.expire_turns(now=NOON)]
        )
        assert_consistent(game)
        last = Bid.objects.filter(round__game=game).order_by("number").last()
        assert str(last) == ("4x6" if isinstance(results[0], StaleMove) else "4x5")
        assert Bid.objects.filter(round__game=game).count() == 2
        assert Order.objects.filter(seat__game=game).exists() == (str(last) == "4x6")
        Game.objects.filter(pk=game.pk).update(wake_at=later(days=30))


@pytest.mark.parametrize("text", ["bid 4x6", "ask"])
def test_eight_sweepers_follow_an_order_once(text: str) -> None:
    game = with_order(text)
    game = act(game, bid(seat_of(game, "alice"), "3x4"))
    results = at_once([lambda: deadlines.expire_turns(now=NOON)] * 8)
    assert sum(results) == 1
    assert_consistent(game)
    assert Bid.objects.count() == (2 if text == "bid 4x6" else 1)
    assert OutboxMessage.objects.filter(kind="turn", version=3).count() == (text == "ask")


def test_taking_an_order_back_against_the_sweep_plays_it_or_not_at_all() -> None:
    for _ in range(5):
        game = with_order("bid 4x6")
        game = act(game, bid(seat_of(game, "alice"), "3x4"))
        bob = person("bob").pk
        at_once(
            [
                lambda game=game, bob=bob: orders.cancel(game_id=game.pk, user_id=bob, now=NOON),
                lambda: deadlines.expire_turns(now=NOON),
            ]
        )
        assert_consistent(game)
        assert not Order.objects.filter(seat__game=game).exists()
        assert Bid.objects.filter(round__game=game).count() in (1, 2)
        Game.objects.filter(pk=game.pk).update(wake_at=later(days=30))


def test_a_calza_order_left_against_a_raise_calls_one_bid_at_most() -> None:
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    for _ in range(5):
        game = table(("alice", "bob", "carol"), ruleset=ruleset)
        give_turn(game, "alice")
        game = act(game, bid(seat_of(game, "alice"), "3x4"))
        others = Seat.objects.filter(game=game).exclude(number__in=[game.to_act, game.bid_seat])
        name = others.get().user.display_name.lower()
        raiser = Seat.objects.get(game=game, number=game.to_act)
        at_once([leave_order(game, name, "calza on 3x4"), move(game, bid(raiser, "4x4"))])
        assert_consistent(game)
        closed = Round.objects.get(game=game, number=1).result
        assert closed is None or closed["bid"] == "3x4"


def test_the_last_seat_is_taken_once() -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=3600)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    lobby.join(game_id=game.pk, player=player(person("bob")), now=NOON)
    rivals = [player(person(name)) for name in ("carol", "dave", "erin", "mallory")]
    results = at_once(
        [
            lambda rival=rival: lobby.join(game_id=game.pk, player=rival, now=NOON)
            for rival in rivals
        ]
    )
    assert len(winners(results)) == 1
    assert {result.code for result in results if result} == {"lobby.full"}
    assert Seat.objects.filter(game=game).count() == 3


def test_the_last_two_who_get_ready_start_the_game_once() -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=3600)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    users = [person("bob"), person("carol")]
    for user in users:
        lobby.join(game_id=game.pk, player=player(user), now=NOON)
    at_once(
        [
            lambda user=user: lobby.set_ready(
                game_id=game.pk, user_id=user.pk, is_ready=True, now=NOON
            )
            for user in users
        ]
    )
    game.refresh_from_db()
    assert game.status == GameStatus.ACTIVE
    assert Round.objects.filter(game=game).count() == 1
    assert_consistent(game)


def test_a_rematch_asked_for_by_all_at_once_is_one_game() -> None:
    game = table(("alice", "bob", "carol"))
    for name in ("alice", "bob"):
        game = act(game, rules.Resign(seat_of(game, name).number))
    players = [player(person(name)) for name in ("alice", "bob", "carol")]
    results = at_once(
        [lambda one=one: lobby.rematch(game=game, player=one, now=NOON).pk for one in players]
    )
    assert len(set(results)) == 1
    assert Seat.objects.filter(game_id=results[0]).count() == 3


def test_a_move_that_fails_half_way_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = table()
    give_turn(game, "alice")
    mails = OutboxMessage.objects.count()

    def fail(statements: Sequence[Statement]) -> int:
        run(statements[:-1])
        raise RuntimeError("power cut")

    run = rows.run
    monkeypatch.setattr(rows, "run", fail)
    with pytest.raises(RuntimeError, match="power cut"):
        act(game, bid(seat_of(game, "alice"), "3x4"))
    assert_consistent(game)
    assert (game.version, OutboxMessage.objects.count()) == (2, mails)


def test_two_sweepers_roll_a_round_that_waited_for_the_beacon_once(relay: drand.Relay) -> None:
    game = table()
    due = game.wake_at
    results = at_once([lambda: deadlines.expire_turns(now=due)] * 4)
    assert sum(results) == 1
    assert kinds(game) == ["create", "start", "intent", "seal"]
    assert OutboxMessage.objects.filter(game=game, kind="turn").count() == 1
    assert_consistent(game)


def test_the_beacon_against_the_deciding_vote_rolls_once(relay: drand.Relay) -> None:
    for _ in range(3):
        relay.trouble = "away"
        game = table()
        ids = [person(name).pk for name in ("alice", "bob")]
        rolling.vote(game_id=game.pk, user_id=ids[0], now=later(days=1))
        relay.trouble = ""
        at_once(
            [
                lambda game=game, ids=ids: rolling.vote(
                    game_id=game.pk, user_id=ids[1], now=later(days=1)
                ),
                lambda: deadlines.expire_turns(now=later(days=1)),
            ]
        )
        assert kinds(game).count("seal") == 1
        assert_consistent(game)


def test_leaving_against_the_beacon_leaves_one_round_to_be_played(relay: drand.Relay) -> None:
    for _ in range(3):
        game = table(("alice", "bob", "carol"))
        due = game.wake_at
        bob = person("bob").pk
        at_once(
            [
                lambda game=game, bob=bob, due=due: moves.resign(
                    game_id=game.pk, user_id=bob, now=due
                ),
                lambda due=due: deadlines.expire_turns(now=due),
            ]
        )
        assert kinds(game) in (
            ["create", "start", "intent", "seal", "resign", "intent"],
            ["create", "start", "intent", "resign", "intent"],
        )
        assert_consistent(game)

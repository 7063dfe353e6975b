"""Standing orders in real games: what they play, when they ask, and what ends them."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from games import rules
from games.models import Bid, Event, Game, Hours, Order, OutboxMessage, Round, Seat
from games.orders import OrderError
from games.selectors import orders_of
from games.services import commit, deadlines, moves, orders, restore
from games.services.errors import StaleMove, TurnExpired
from games.services.orders import Left
from games.services.waking import GRACE
from tests.cast import (
    NOON,
    act,
    eliminate,
    give_turn,
    later,
    person,
    seat_of,
    set_dice,
    table,
    veteran,
)
from tests.integration.games.beacons import relay
from tests.integration.games.invariants import check_game
from tests.integration.games.mailing import bid

__all__ = ["relay"]

pytestmark = pytest.mark.django_db

CALZA = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
SECOND = timedelta(seconds=1)


def leave(game: Game, name: str, text: str, *, at: datetime = NOON, **how: Any) -> Left:
    """Let ``name`` leave an order for the open round."""
    game.refresh_from_db()
    settings: dict[str, Any] = {"waits": False, "round_number": open_round(game).number, **how}
    return orders.leave(game_id=game.pk, user_id=person(name).pk, text=text, now=at, **settings)


def open_round(game: Game) -> Round:
    return Round.objects.get(pk=Game.objects.get(pk=game.pk).current_round_id)


def opened(*names: str, said: str = "2x3", **choices: Any) -> Game:
    """Return a game in which alice has bid."""
    game = table(names or ("alice", "bob"), **choices)
    give_turn(game, "alice")
    return act(game, bid(game, "alice", said))


def next_after(game: Game, name: str) -> str:
    """Return who sits to the left of ``name``."""
    seats = list(Seat.objects.filter(game=game).select_related("user").order_by("number"))
    me = next(seat.number for seat in seats if seat.user.display_name.lower() == name)
    return seats[(me + 1) % len(seats)].user.display_name.lower()


def sweep(at: datetime) -> int:
    return deadlines.expire_turns(now=at)


def said(game: Game) -> list[str]:
    """Return the log's moves: who did what, and whether the clock did it."""
    names = {seat.number: seat.user.display_name.lower() for seat in
             Seat.objects.filter(game=game).select_related("user")}  # fmt: skip
    acts = Event.objects.filter(game=game, seat__isnull=False).order_by("seq")
    return [
        f"{names[event.seat]} {event.payload['bid'] if event.kind == 'bid' else event.kind}"
        f"{' (auto)' if event.is_auto else ''}"
        for event in acts
    ]


def told(game: Game, name: str) -> list[str]:
    """Return the kinds of notices that wait for ``name`` or were sent, about this turn."""
    rows = OutboxMessage.objects.filter(seat=seat_of(game, name), version=fresh(game).version)
    return sorted(set(rows.values_list("kind", flat=True)))


def fresh(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


# --- on one's turn -------------------------------------------------------------------------------


def test_an_order_moves_as_soon_as_the_turn_comes_and_the_log_says_nothing_of_it() -> None:
    game = table()
    give_turn(game, "alice")
    assert leave(game, "bob", "bid 3x4 if below 3x4; else dudo") is Left.STANDS
    game = act(game, bid(game, "alice", "2x3"), now=later(hours=1))
    assert game.turn_deadline_at == later(hours=25)
    assert game.wake_at == later(hours=1)
    assert told(game, "bob") == []
    check_game(game.pk)
    assert sweep(later(hours=1, seconds=3)) == 1
    assert said(game) == ["alice 2x3", "bob 3x4"]
    moved = Event.objects.get(game=game, seq=4)
    assert (moved.is_auto, moved.idem_key) == (False, "")
    assert moved.payload == {"bid": "3x4", "seat": seat_of(game, "bob").number, "auto": False}
    check_game(game.pk)


def test_an_order_stands_for_the_whole_round_and_answers_each_turn_in_it() -> None:
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "dudo from 6x6; else least")
    for text in ("2x3", "3x3", "4x3"):
        game = act(game, bid(game, "alice", text))
        assert sweep(NOON) == 1
        game = fresh(game)
    assert said(game)[1::2] == ["bob 2x4", "bob 3x4", "bob 4x4"]


def test_an_order_that_asks_leaves_the_turn_to_its_player_with_all_of_its_time() -> None:
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "bid 2x2; ask from 2x3")
    game = act(game, bid(game, "alice", "2x3"))
    assert sweep(later(seconds=2)) == 1
    game = fresh(game)
    assert (game.version, said(game)) == (3, ["alice 2x3"])
    assert (game.turn_deadline_at, game.wake_at) == (later(days=1), later(days=1) + GRACE)
    assert told(game, "bob") == ["turn"]
    assert sweep(later(seconds=8)) == 0
    check_game(game.pk)
    game = act(game, bid(game, "bob", "3x3"), now=later(hours=3))
    assert not Order.objects.exists()


def test_an_order_asks_where_the_rules_refuse_its_move() -> None:
    game = table()
    give_turn(game, "alice")
    set_dice(game, alice=1)
    Round.objects.filter(pk=game.current_round_id).update(mode="palifico", palifico_by=0)
    leave(game, "bob", "bid 2x5")
    game = act(game, bid(game, "alice", "1x3"))
    sweep(NOON)
    assert said(game) == ["alice 1x3"]
    assert told(game, "bob") == ["turn"]


def test_who_was_asked_and_does_not_answer_has_the_automatic_move() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    leave(game, "bob", "ask")
    game = act(game, bid(game, "alice", "2x3"))
    sweep(NOON)
    assert sweep(later(hours=1)) == 0
    assert sweep(later(hours=1, seconds=31)) == 1
    assert said(game)[1].endswith("(auto)")
    assert seat_of(game, "bob").missed_in_a_row == 1
    check_game(game.pk)


def test_an_order_moves_for_the_one_who_opens_the_round() -> None:
    game = table()
    give_turn(game, "alice")
    assert leave(game, "alice", "bid 3x4 if opening; else dudo") is Left.PLAYED
    assert said(game) == ["alice 3x4"]


def test_an_order_left_on_ones_own_turn_acts_at_once() -> None:
    game = opened()
    assert leave(game, "bob", "dudo") is Left.PLAYED
    assert said(game) == ["alice 2x3", "bob dudo"]
    assert leave(opened(), "bob", "ask") is Left.ASKS
    check_game(game.pk)


# --- after a while -------------------------------------------------------------------------------


def test_an_order_that_waits_moves_after_a_delay_within_half_of_the_time() -> None:
    Hours.objects.all().delete()
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "least", waits=True)
    game = act(game, bid(game, "alice", "2x3"))
    assert sweep(later(seconds=1)) == 1
    order, game = Order.objects.get(), fresh(game)
    assert order.seen_version == game.version
    assert order.fires_at == game.wake_at
    assert later(minutes=2) <= order.fires_at <= later(hours=1, seconds=1)
    assert game.turn_deadline_at == later(days=1)
    assert sweep(order.fires_at - SECOND) == 0
    assert sweep(order.fires_at + timedelta(hours=5)) == 1, "a sweep that was away for hours"
    moved = Event.objects.get(game=game, seq=game.version + 1)
    assert moved.made_at == Bid.objects.get(number=2).made_at == order.fires_at
    assert fresh(game).turn_started_at == order.fires_at + timedelta(hours=5)
    check_game(game.pk)


def test_the_delay_is_drawn_from_the_players_own_answers() -> None:
    veteran("alice", "bob")
    for turn in range(9):
        game = opened()
        act(game, bid(game, "bob", "3x3"), now=later(minutes=40 + turn))
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "least", waits=True)
    game = act(game, bid(game, "alice", "2x3"))
    sweep(NOON)
    waited = Order.objects.get().fires_at - NOON
    assert timedelta(minutes=40) <= waited <= timedelta(minutes=48)


def test_what_waits_does_not_move_in_its_players_night(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.services.standing.secrets.randbelow", lambda _most: 10**9 - 1)
    game = table()
    give_turn(game, "alice")
    Hours.objects.filter(user=person("bob")).update(zone="UTC", night="12:30")
    leave(game, "bob", "least", waits=True)
    act(game, bid(game, "alice", "2x3"))
    sweep(NOON)
    fires_at = Order.objects.get().fires_at
    assert later(hours=9, minutes=30) < fires_at < later(hours=10)


def test_an_order_that_waits_asks_without_waiting() -> None:
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "ask", waits=True)
    game = act(game, bid(game, "alice", "2x3"))
    sweep(NOON)
    assert told(game, "bob") == ["turn"]
    assert fresh(game).wake_at == later(days=1) + GRACE


def test_a_sweep_after_the_deadline_still_plays_the_order_and_takes_no_time_off() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    leave(game, "bob", "least")
    game = act(game, bid(game, "alice", "2x3"))
    late = later(hours=7)
    assert sweep(late) == 1
    assert said(game) == ["alice 2x3", "bob 2x4"]
    game = fresh(game)
    assert Event.objects.get(game=game, seq=4).made_at == NOON
    assert (game.turn_started_at, game.turn_deadline_at) == (late, late + timedelta(hours=1))
    assert seat_of(game, "bob").missed_in_a_row == 0
    check_game(game.pk)


# --- what ends an order --------------------------------------------------------------------------


def test_a_move_by_hand_drops_the_order() -> None:
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "dudo")
    game = act(game, bid(game, "alice", "2x3"))
    game = act(game, bid(game, "bob", "3x3"))
    assert not Order.objects.exists()
    game = act(game, bid(game, "alice", "4x3"))
    assert sweep(later(minutes=1)) == 0
    assert told(game, "bob") == ["turn"]


def test_a_refused_move_leaves_the_order_where_it_is() -> None:
    game = opened()
    leave(game, "alice", "dudo")
    with pytest.raises(rules.RuleViolation):
        act(game, bid(game, "alice", "3x3"))
    assert Order.objects.exists()


def test_resigning_drops_the_order() -> None:
    game = opened("alice", "bob", "carol")
    leave(game, "alice", "dudo")
    moves.resign(game_id=game.pk, user_id=person("alice").pk, now=NOON)
    assert not Order.objects.exists()


def test_an_order_lapses_when_the_cups_are_lifted() -> None:
    game = opened()
    leave(game, "alice", "least")
    game = act(game, rules.Dudo(game.to_act))
    assert not Order.objects.exists()
    give_turn(game, "bob")
    game = act(game, bid(game, "bob", "2x3"))
    assert told(game, "alice") == ["turn"]
    assert sweep(later(minutes=1)) == 0
    leave(game, "alice", "least")
    assert Order.objects.get().round_number == 2


def test_an_order_is_void_when_the_round_is_rolled_anew() -> None:
    game = opened()
    leave(game, "alice", "least")
    restore.roll_anew(code=game.code, restored_at=later(hours=1), now=later(hours=2))
    assert not Order.objects.exists()


def test_an_order_taken_back_leaves_the_turn_to_its_player() -> None:
    game = opened()
    leave(game, "bob", "least", waits=True)
    assert Order.objects.get().fires_at is not None
    orders.cancel(game_id=game.pk, user_id=person("bob").pk, now=later(minutes=1))
    assert not Order.objects.exists()
    assert fresh(game).wake_at == later(days=1) + GRACE
    assert told(game, "bob") == ["reminder", "turn"]
    assert sweep(later(hours=23)) == 0
    check_game(game.pk)


def test_another_order_takes_the_place_of_one_that_waits() -> None:
    game = opened()
    leave(game, "bob", "least", waits=True)
    assert leave(game, "bob", "bid 5x5", at=later(minutes=1)) is Left.PLAYED
    assert said(game) == ["alice 2x3", "bob 5x5"]


def test_a_text_that_a_later_release_cannot_read_asks() -> None:
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "least")
    Order.objects.update(text="dudo when the moon is full")
    game = act(game, bid(game, "alice", "2x3"))
    sweep(NOON)
    assert told(game, "bob") == ["turn"]


# --- absence -------------------------------------------------------------------------------------


def absent(game: Game, name: str) -> None:
    Seat.objects.filter(pk=seat_of(game, name).pk).update(
        is_absent=True, missed_in_a_row=2, absent_since=NOON
    )


def test_the_order_of_an_absent_seat_goes_before_the_automatic_move() -> None:
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "bid 7x6", waits=True)
    absent(game, "bob")
    game = act(game, bid(game, "alice", "2x3"))
    assert game.turn_deadline_at == game.wake_at == NOON + commit.bot_delay()
    assert sweep(NOON + commit.bot_delay()) == 1
    assert said(game) == ["alice 2x3", "bob 7x6"]
    assert not seat_of(game, "bob").is_absent, "as after any move of his own"
    check_game(game.pk)


def test_where_the_order_of_an_absent_seat_asks_the_automatic_move_is_made() -> None:
    game = table()
    give_turn(game, "alice")
    leave(game, "bob", "ask")
    absent(game, "bob")
    game = act(game, bid(game, "alice", "2x3"))
    assert sweep(NOON + commit.bot_delay()) == 1
    assert said(game)[1].endswith("(auto)")


# --- calza ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("callers", [(1, 2, 3), (2, 3), (3,), (3, 2)])
def test_of_several_orders_the_nearest_to_the_left_of_the_bidder_calls(
    callers: tuple[int, ...],
) -> None:
    game = table(("alice", "bob", "carol", "dave"), ruleset=CALZA)
    give_turn(game, "alice")
    seats = ["alice"]
    for _ in range(3):
        seats.append(next_after(game, seats[-1]))
    for place in callers:
        leave(game, seats[place], "calza on 5x5")
    act(game, bid(game, "alice", "5x5"), now=later(minutes=3))
    assert said(game) == ["alice 5x5", f"{seats[min(callers)]} calza"]
    called = Event.objects.get(game=game, kind="calza")
    assert (called.is_auto, called.made_at) == (False, later(minutes=3))
    assert open_round(game).number == 2
    check_game(game.pk)


def test_a_bid_that_no_order_calls_stands() -> None:
    game = table(("alice", "bob", "carol"), ruleset=CALZA)
    give_turn(game, "alice")
    other = next_after(game, next_after(game, "alice"))
    leave(game, other, "calza on 5x5")
    game = act(game, bid(game, "alice", "5x4"))
    assert said(game) == ["alice 5x4"]


def test_the_bid_of_an_order_is_called_by_another_order() -> None:
    game = table(("alice", "bob", "carol"), ruleset=CALZA)
    give_turn(game, "alice")
    second = next_after(game, "alice")
    third = next_after(game, second)
    leave(game, second, "bid 4x4")
    leave(game, third, "calza on 4x4")
    game = act(game, bid(game, "alice", "2x3"))
    sweep(NOON)
    assert said(game) == ["alice 2x3", f"{second} 4x4", f"{third} calza"]


def test_an_order_left_while_its_bid_stands_calls_at_once() -> None:
    game = opened("alice", "bob", "carol", ruleset=CALZA)
    other = next_after(game, next_after(game, "alice"))
    assert leave(game, other, "calza on 2x3") is Left.PLAYED
    assert said(game) == ["alice 2x3", f"{other} calza"]


def test_where_calza_is_not_played_no_order_calls_and_no_die_is_read() -> None:
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    other = next_after(game, next_after(game, "alice"))
    leave(game, other, "calza on 2x3")
    act(game, bid(game, "alice", "2x3"))
    assert said(game) == ["alice 2x3"]


# --- who may leave one, and when -----------------------------------------------------------------


def test_no_order_is_left_for_another_round_or_after_the_deadline() -> None:
    game = opened(turn_seconds=3600)
    with pytest.raises(StaleMove):
        leave(game, "bob", "dudo", round_number=2)
    with pytest.raises(TurnExpired):
        leave(game, "bob", "dudo", at=later(hours=1, seconds=1))
    assert not Order.objects.exists()


def test_no_order_is_left_without_a_seat_dice_or_sense() -> None:
    game = opened("alice", "bob", "carol")
    with pytest.raises(rules.RuleViolation, match="no such seat"):
        leave(game, "mallory", "dudo")
    eliminate(game, "carol")
    with pytest.raises(rules.RuleViolation) as refused:
        leave(game, "carol", "dudo")
    assert refused.value.code == "seat.out"
    with pytest.raises(OrderError):
        leave(game, "alice", "pass")
    assert not Order.objects.exists()


def test_no_order_is_left_before_the_dice_are_rolled(relay: object) -> None:
    game = table()
    with pytest.raises(rules.RuleViolation) as refused:
        leave(game, "alice", "dudo")
    assert refused.value.code == "round.not-rolled"
    sweep(game.wake_at)
    game = fresh(game)
    give_turn(game, "alice")
    assert leave(game, "alice", "bid 2x4", at=game.turn_started_at) is Left.PLAYED


def test_an_order_needs_a_game_under_way() -> None:
    game = opened()
    moves.resign(game_id=game.pk, user_id=person("alice").pk, now=NOON)
    with pytest.raises(rules.RuleViolation) as refused:
        orders.leave(
            game_id=game.pk, user_id=person("bob").pk, text="dudo", waits=False, round_number=1,
            now=NOON,
        )  # fmt: skip
    assert refused.value.code == "game.over"


def test_a_player_gets_a_copy_of_his_own_orders_alone() -> None:
    game = opened()
    leave(game, "alice", "dudo below 30%", waits=True)
    assert orders_of(person("alice").pk) == [
        {"game": game.code, "round": 1, "order": "dudo below 30%; else ask", "waits": True,
         "left_at": NOON.isoformat()}
    ]  # fmt: skip
    assert orders_of(person("bob").pk) == []
    assert str(Order.objects.get()) == str(seat_of(game, "alice").pk), "a log quotes no order"

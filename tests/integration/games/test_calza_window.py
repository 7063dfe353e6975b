"""The time for calza: calls are collected unseen, weighed at its end, and nothing else counts."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from games import rules
from games.clock import find_clock
from games.mail.relevance import is_current
from games.models import Event, Game, Hours, Order, OutboxMessage, Round, Seat
from games.services import lobby, moves, orders, restore
from games.services.commit import bot_delay
from games.services.errors import StaleMove, TurnExpired
from games.services.orders import Left
from games.services.waking import GRACE
from tests.cast import NOON, eliminate, give_turn, later, person, player, seat_of, set_dice, table
from tests.integration.games.invariants import check_game
from tests.integration.games.test_orders import fresh, leave, open_round, said, sweep, told

pytestmark = pytest.mark.django_db

BGA = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
WINDOW = replace(BGA, name="custom", calza=replace(BGA.calza, window=rules.CalzaWindow.GRACE))
NAMES = ("alice", "bob", "carol", "dave")
TWO_HOURS = later(hours=2)


def opened(*names: str, bid: str = "2x3", ruleset: rules.Ruleset = WINDOW) -> Game:
    """Return a game in which alice has bid at noon; nobody keeps a night."""
    game = table(names or NAMES, ruleset=ruleset)
    Hours.objects.update(night=None)
    give_turn(game, "alice")
    play(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse(bid)))
    return fresh(game)


def play(game: Game, action: rules.Move, *, at: datetime = NOON) -> moves.Played:
    game.refresh_from_db()
    return moves.play(
        game_id=game.pk, action=action, expected_version=game.version, now=at, idem_key="k"
    )


def around(game: Game) -> list[str]:
    """Return the names to the left of alice, the next player first."""
    seats = Seat.objects.filter(game=game).select_related("user").order_by("number")
    names = [seat.user.display_name.lower() for seat in seats if seat.user]
    first = names.index("alice")
    return [*names[first + 1 :], *names[:first]]


def number(game: Game, name: str) -> int:
    return seat_of(game, name).number


def call(game: Game, name: str, *, at: datetime = NOON) -> moves.Played:
    return play(game, rules.Calza(number(game, name)), at=at)


def raise_to(game: Game, name: str, text: str, *, at: datetime = NOON) -> moves.Played:
    return play(game, rules.MakeBid(number(game, name), rules.Bid.parse(text)), at=at)


def let_pass(game: Game, *names: str, at: datetime = NOON) -> None:
    for name in names:
        moves.pass_calza(
            game_id=game.pk,
            user_id=person(name).pk,
            round_number=open_round(game).number,
            now=at,
        )


# --- calls are collected --------------------------------------------------------------------------


def test_a_call_is_sealed_and_heard_at_the_end() -> None:
    game = opened()
    _, far, _ = around(game)
    played = call(game, far, at=later(minutes=5))
    assert played.held_until == TWO_HOURS
    assert said(game) == ["alice 2x3"]
    assert sweep(later(hours=1, minutes=59)) == 0
    assert sweep(TWO_HOURS) == 1
    assert said(game) == ["alice 2x3", f"{far} calza"]
    event = Event.objects.get(game=game, kind="calza")
    assert event.made_at == TWO_HOURS, "not when it was laid: nobody is to know"
    assert not Order.objects.exists()
    assert fresh(game).calza_until is None
    check_game(game.pk)


def test_of_several_calls_the_nearest_to_the_left_of_the_bidder_is_heard() -> None:
    game = opened()
    _, near, far = around(game)
    call(game, far, at=later(minutes=5))
    call(game, near, at=later(minutes=90))
    sweep(TWO_HOURS)
    assert said(game)[1:] == [f"{near} calza"]


def test_the_next_player_is_nearest_of_all_and_heard_at_once() -> None:
    game = opened()
    following, near, _ = around(game)
    call(game, near, at=later(minutes=5))
    assert call(game, following, at=later(minutes=6)).held_until is None
    assert said(game)[1:] == [f"{following} calza"]
    check_game(game.pk)


def test_a_quick_next_player_takes_nobodys_call_away() -> None:
    game = opened()
    following, _, far = around(game)
    assert raise_to(game, following, "3x3", at=later(minutes=1)).held_until == TWO_HOURS
    call(game, far, at=later(minutes=119))
    sweep(TWO_HOURS)
    assert said(game)[1:] == [f"{far} calza"]
    check_game(game.pk)


def test_a_calza_order_is_weighed_with_the_calls() -> None:
    game = opened()
    _, near, far = around(game)
    leave(game, near, "calza on 2x3; else least", at=later(minutes=1))
    call(game, far, at=later(minutes=2))
    assert said(game) == ["alice 2x3"]
    sweep(TWO_HOURS)
    assert said(game)[1:] == [f"{near} calza"]


def test_a_call_can_be_taken_back_before_the_end() -> None:
    game = opened()
    following, near, _ = around(game)
    call(game, near, at=later(minutes=5))
    orders.cancel(game_id=game.pk, user_id=person(near).pk, now=later(minutes=6))
    sweep(TWO_HOURS)
    assert said(game) == ["alice 2x3"]
    assert fresh(game).to_act == number(game, following)


@pytest.mark.parametrize("refused", ["alice", "out"])
def test_a_call_that_the_rules_refuse_is_refused_at_once(refused: str) -> None:
    game = opened()
    name = "alice" if refused == "alice" else around(game)[2]
    if refused == "out":
        eliminate(game, name)
    with pytest.raises(rules.RuleViolation):
        call(game, name)
    assert not Order.objects.exists()


# --- the next player ------------------------------------------------------------------------------


def test_the_next_players_move_counts_at_the_end_from_when_he_made_it() -> None:
    game = opened()
    following, *_ = around(game)
    raise_to(game, following, "3x3", at=later(minutes=10))
    assert said(game) == ["alice 2x3"]
    assert fresh(game).to_act == number(game, following)
    sweep(TWO_HOURS)
    assert said(game) == ["alice 2x3", f"{following} 3x3"]
    newest = Event.objects.get(game=game, seat=number(game, following))
    assert (newest.made_at, newest.is_auto) == (later(minutes=10), False)
    assert fresh(game).calza_until == later(hours=4)
    assert not Order.objects.exists(), "it was one move, and it is made"
    check_game(game.pk)


def test_he_may_think_again_until_then() -> None:
    game = opened()
    following, *_ = around(game)
    raise_to(game, following, "3x3", at=later(minutes=10))
    play(game, rules.Dudo(number(game, following)), at=later(minutes=20))
    sweep(TWO_HOURS)
    assert said(game)[1:] == [f"{following} dudo"]


def test_a_move_that_the_rules_refuse_is_refused_at_once() -> None:
    game = opened(bid="4x3")
    following, near, _ = around(game)
    with pytest.raises(rules.RuleViolation):
        raise_to(game, following, "2x3")
    with pytest.raises(rules.RuleViolation):
        raise_to(game, near, "5x3")
    assert not Order.objects.exists()


def test_who_moves_after_the_end_moves_at_once() -> None:
    game = opened()
    following, *_ = around(game)
    sweep(TWO_HOURS)
    assert fresh(game).calza_until is None
    assert fresh(game).wake_at == later(days=1) + GRACE
    assert raise_to(game, following, "3x3", at=later(hours=3)).held_until is None
    assert said(game)[1:] == [f"{following} 3x3"]


def test_after_the_end_the_first_call_is_heard() -> None:
    game = opened()
    *_, far = around(game)
    sweep(TWO_HOURS)
    assert call(game, far, at=later(hours=3)).held_until is None
    assert said(game)[1:] == [f"{far} calza"]


def test_his_order_acts_at_the_end_and_counts_from_when_it_was_due() -> None:
    game = table(NAMES, ruleset=WINDOW)
    Hours.objects.update(night=None)
    give_turn(game, "alice")
    following, *_ = around(game)
    leave(game, following, "least")
    raise_to(game, "alice", "2x3")
    assert sweep(later(seconds=5)) == 1, "it is looked at"
    assert said(game) == ["alice 2x3"]
    assert sweep(TWO_HOURS) == 1
    assert said(game) == ["alice 2x3", f"{following} 2x4"]
    made_at = Event.objects.get(game=game, seat=number(game, following)).made_at
    assert made_at == later(seconds=5)
    check_game(game.pk)


def test_an_order_that_asks_asks_at_once() -> None:
    game = table(NAMES, ruleset=WINDOW)
    Hours.objects.update(night=None)
    give_turn(game, "alice")
    following, *_ = around(game)
    leave(game, following, "ask")
    raise_to(game, "alice", "2x3")
    assert told(game, following) == []
    sweep(later(seconds=5))
    assert "turn" in told(game, following)
    assert fresh(game).wake_at == TWO_HOURS


def test_an_order_left_while_calls_are_collected_waits_too() -> None:
    game = opened()
    following, *_ = around(game)
    assert leave(game, following, "dudo", at=later(minutes=3)) is Left.STANDS
    assert said(game) == ["alice 2x3"]
    sweep(TWO_HOURS)
    assert said(game)[1:] == [f"{following} dudo"]


def test_the_clock_waits_for_the_calls_too() -> None:
    game = opened()
    Hours.objects.filter(user=person(around(game)[1])).update(zone="UTC")
    game = fresh(game)
    game.calza_until = later(days=2)
    game.wake_at = later(days=1) + GRACE
    game.save()
    following, near, _ = around(game)
    with pytest.raises(TurnExpired):
        raise_to(game, following, "3x3", at=later(days=1, seconds=1))
    sweep(later(days=1) + GRACE)
    assert said(game) == ["alice 2x3"]
    call(game, near, at=later(days=1, hours=1))
    sweep(later(days=2))
    assert said(game)[1:] == [f"{near} calza"]


def test_a_move_that_was_made_in_time_costs_no_time_though_a_call_came_before_it() -> None:
    new = lobby.NewGame(ruleset=WINDOW, seats=3, clock=find_clock("standard"))
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    for name in ("bob", "carol"):
        lobby.join(game_id=game.pk, player=player(person(name)), now=NOON)
        lobby.set_ready(game_id=game.pk, user_id=person(name).pk, is_ready=True, now=NOON)
    Hours.objects.update(night=None)
    game.refresh_from_db()
    give_turn(game, "alice")
    raise_to(game, "alice", "2x3")
    following, far = around(game)
    Seat.objects.filter(game=game).update(bank=timedelta(hours=10))
    raise_to(game, following, "3x3", at=later(minutes=10))
    call(game, far, at=later(minutes=20))
    assert said(game)[1:] == [f"{far} calza"], "all have spoken"
    assert seat_of(game, following).bank == timedelta(hours=14)


# --- how long -------------------------------------------------------------------------------------


def test_everybody_has_two_hours_that_he_is_awake_in() -> None:
    game = table(NAMES, ruleset=WINDOW)
    Hours.objects.update(night=None)
    give_turn(game, "alice")
    _, near, _ = around(game)
    late = datetime.combine(NOON.date(), datetime.min.time(), NOON.tzinfo) + timedelta(hours=11)
    Hours.objects.filter(user=person(near)).update(zone="UTC", night=late.time())
    raise_to(game, "alice", "2x3", at=NOON)
    # It is night for her from 11:00 to 20:00.
    assert fresh(game).calza_until == later(hours=10)


def test_it_ends_when_all_have_spoken() -> None:
    game = opened()
    following, near, far = around(game)
    raise_to(game, following, "3x3", at=later(minutes=1))
    let_pass(game, near, at=later(minutes=2))
    assert said(game) == ["alice 2x3"]
    let_pass(game, far, at=later(minutes=3))
    assert fresh(game).wake_at <= later(minutes=3)
    sweep(later(minutes=3))
    assert said(game)[1:] == [f"{following} 3x3"]
    check_game(game.pk)


def test_a_call_from_farther_off_waits_for_the_next_player() -> None:
    game = opened("alice", "bob", "carol")
    following, other = around(game)
    call(game, other, at=later(minutes=1))
    sweep(later(hours=1))
    assert said(game) == ["alice 2x3"], "who sits nearest may be asleep"
    play(game, rules.Calza(number(game, following)), at=later(hours=1))
    assert said(game)[1:] == [f"{following} calza"]


def test_the_next_players_move_ends_the_wait_for_him() -> None:
    game = opened("alice", "bob", "carol")
    following, other = around(game)
    call(game, other, at=later(minutes=1))
    raise_to(game, following, "3x3", at=later(minutes=5))
    assert said(game)[1:] == [f"{other} calza"]


def test_who_passes_passes_for_the_round_and_may_think_again() -> None:
    game = opened()
    following, near, far = around(game)
    let_pass(game, following, near, far, at=later(minutes=1))
    assert raise_to(game, following, "3x3", at=later(minutes=2)).held_until is None
    assert fresh(game).calza_until == later(hours=2, minutes=2), "alice may call now"
    assert call(game, far, at=later(minutes=3)).held_until == later(hours=2, minutes=2)
    let_pass(game, "alice", at=later(minutes=4))
    assert said(game)[1:] == [f"{following} 3x3", f"{far} calza"]
    assert Round.objects.get(game=game, number=2).calza_passes is None


def test_where_nobody_else_may_call_there_is_none() -> None:
    duel = opened("alice", "bob")
    assert duel.calza_until is None, "bob is the next player"
    rich = replace(WINDOW, calza=replace(WINDOW.calza, needs_lost_die=True))
    game = opened(ruleset=rich)
    assert game.calza_until is None
    following, near, _ = around(game)
    set_dice(game, **{near: 4})
    let_pass(game, "alice")
    raise_to(game, following, "3x3")
    assert fresh(game).calza_until is None, "it is near's turn"


def test_nobody_waits_for_who_is_not_there() -> None:
    game = table(("alice", "bob"), bots=2, ruleset=WINDOW)
    give_turn(game, "alice")
    raise_to(game, "alice", "2x3")
    bob_follows = fresh(game).to_act == number(game, "bob")
    assert (fresh(game).calza_until is None) == bob_follows
    game = table(NAMES, ruleset=WINDOW)
    give_turn(game, "alice")
    Seat.objects.filter(game=game).exclude(user=person("alice")).update(
        is_absent=True, absent_since=NOON
    )
    raise_to(game, "alice", "2x3")
    assert fresh(game).calza_until is None


def test_a_bot_waits_for_the_calls() -> None:
    game = table(("alice", "bob"), bots=1, ruleset=WINDOW)
    Hours.objects.update(night=None)
    bot = Seat.objects.exclude(bot="").get(game=game).number
    before = Seat.objects.get(game=game, number=(bot - 1) % 3)
    assert before.user is not None
    name = before.user.display_name.lower()
    give_turn(game, name)
    raise_to(game, name, "2x3")
    game = fresh(game)
    assert game.turn_deadline_at == game.wake_at == TWO_HOURS
    assert sweep(NOON + bot_delay()) == 0
    sweep(TWO_HOURS)
    assert len(said_by(game, bot)) == 1


def said_by(game: Game, seat: int) -> list[str]:
    return list(Event.objects.filter(game=game, seat=seat).values_list("kind", flat=True))


def test_a_pass_for_a_round_that_is_over_is_refused() -> None:
    game = opened()
    with pytest.raises(StaleMove):
        moves.pass_calza(game_id=game.pk, user_id=person("bob").pk, round_number=7, now=NOON)
    for name in ("mallory", around(game)[0]):
        if name != "mallory":
            eliminate(game, name)
        with pytest.raises(rules.RuleViolation):
            let_pass(game, name)


def test_leaving_needs_no_wait_and_ends_it() -> None:
    game = opened()
    _, near, _ = around(game)
    call(game, near)
    moves.resign(game_id=game.pk, user_id=person("alice").pk, now=later(minutes=1))
    assert fresh(game).calza_until is None
    assert not Order.objects.exists()
    assert said(game)[1:] == ["alice resign"]


def test_a_round_that_is_rolled_anew_collects_nothing() -> None:
    game = opened()
    _, near, _ = around(game)
    call(game, near)
    at = later(minutes=1)
    assert restore.roll_anew(code=game.code, restored_at=at, now=at)
    assert fresh(game).calza_until is None
    assert not Order.objects.exists()
    assert open_round(game).calza_passes is None


def test_no_reminder_goes_to_who_has_moved() -> None:
    game = opened()
    following, *_ = around(game)
    seat = seat_of(game, following)
    row = OutboxMessage(
        kind="reminder", stage="most", game=game, seat=seat, version=game.version,
        created_at=later(seconds=1), due_at=later(minutes=5),
    )  # fmt: skip
    assert is_current(row, fresh(game), seat, now=later(minutes=5))
    raise_to(game, following, "3x3", at=later(minutes=10))
    assert not is_current(row, fresh(game), seat, now=later(minutes=15))

"""Tables where a time-out costs a die: what is lost, what goes on, and who can never do it."""

from dataclasses import replace
from datetime import timedelta

import pytest

from games import orders as pure
from games import rules, store
from games.clock import ClockSettings, TimeOut, find_clock, plain
from games.models import Event, Game, GameStatus, Order, OutboxMessage, Round
from games.rules.record import dump, load, replay
from games.selectors import Viewer, record_of, round_page, table_page
from games.selectors.export import games_of
from games.services import deadlines, hours, moves
from games.services.commit import bot_delay
from games.wording import outcome_story
from tests.cast import act, person, seat_of, set_dice
from tests.integration.fairness.checking import kinds
from tests.integration.games.invariants import check_game
from tests.integration.games.mailing import html_of, sent_mail
from tests.integration.games.pages import address, browser, live_table, text
from tests.integration.games.test_abandoned import run_out
from tests.integration.games.test_clocks import at, bid
from tests.integration.games.test_hours import hers, newest
from tests.integration.games.test_orders import leave
from tests.oracle import Book

pytestmark = pytest.mark.django_db

COSTLY = replace(plain(86_400), time_out=TimeOut.LOSE_A_DIE)


def dice_of(game: Game) -> dict[str, int]:
    return {name: seat_of(game, name).dice for name in ("alice", "bob")}


def costly(settings: ClockSettings = COSTLY) -> Game:
    """Return a game in which alice is to move and a time-out costs a die."""
    return hers(settings)


# --- what it costs --------------------------------------------------------------------------------


def test_whoever_lets_the_time_run_out_loses_a_die_and_opens_the_next_round() -> None:
    game = run_out(bid(costly(), "alice", "2x3", at=at(10, 13)))
    assert dice_of(game) == {"alice": 5, "bob": 4}
    bob = seat_of(game, "bob")
    event = Event.objects.get(game=game, kind="forfeit")
    assert (event.seat, event.is_auto, event.round_number) == (bob.number, True, 1)
    assert event.payload == {
        "kind": "forfeit", "seat": bob.number, "auto": True, "keys": [], "caller": bob.number,
        "bid": "2x3", "bidder": seat_of(game, "alice").number, "lifted": [], "count": None,
        "held": None, "loser": bob.number, "gainer": None, "out": None,
        "next_opener": bob.number, "next_mode": "normal", "winner": None,
    }  # fmt: skip
    assert kinds(game) == ["create", "start", "seal", "bid", "forfeit", "seal"]
    assert (newest(game).to_act, game.current_round.number) == (bob.number, 2)
    assert (bob.missed_in_a_row, bob.is_absent) == (1, False)
    check_game(game.pk)


def test_an_opener_who_says_nothing_forfeits_too() -> None:
    game = run_out(costly())
    assert dice_of(game) == {"alice": 4, "bob": 5}
    assert Event.objects.get(game=game, kind="forfeit").payload["bid"] is None
    check_game(game.pk)


def test_a_move_that_came_in_time_costs_nothing() -> None:
    game = costly()
    assert game.turn_deadline_at is not None
    assert deadlines.expire_turns(now=game.turn_deadline_at + timedelta(seconds=29)) == 0
    bid(game, "alice", "2x3", at=game.turn_deadline_at)
    assert dice_of(game) == {"alice": 5, "bob": 5}


def test_the_last_die_is_lost_like_any_other() -> None:
    game = costly()
    set_dice(game, alice=1)
    game = run_out(game)
    assert (game.status, seat_of(game, "alice").place) == (GameStatus.FINISHED, 2)
    assert not seat_of(game, "alice").has_resigned
    assert kinds(game)[-2:] == ["forfeit", "open"]


def test_a_forfeit_down_to_one_die_opens_a_palifico_round() -> None:
    game = costly()
    set_dice(game, alice=2)
    game = run_out(game)
    assert game.current_round is not None
    assert game.current_round.mode == "palifico"


# --- who is away ----------------------------------------------------------------------------------


def test_two_in_a_row_make_the_seat_absent_and_cost_it_no_third_die() -> None:
    game = run_out(run_out(costly()))
    alice = seat_of(game, "alice")
    assert (alice.dice, alice.is_absent) == (3, True)
    assert game.to_act == alice.number
    assert game.turn_started_at is not None
    assert game.wake_at == game.turn_started_at + bot_delay()
    assert deadlines.expire_turns(now=game.wake_at) == 1
    assert kinds(game)[-1] == "bid"
    assert seat_of(game, "alice").dice == 3
    assert newest(game).to_act == seat_of(game, "bob").number
    assert OutboxMessage.objects.filter(game=game, kind="absent", seat=alice).count() == 1
    check_game(game.pk)


def test_whoever_comes_back_pays_again_only_when_time_runs_out_again() -> None:
    game = run_out(run_out(costly()))
    now = game.turn_started_at
    assert now is not None
    moves.come_back(game_id=game.pk, user_id=person("alice").pk, now=now)
    assert newest(game).turn_deadline_at == now + timedelta(days=1)
    game = run_out(game)
    alice = seat_of(game, "alice")
    assert (alice.dice, alice.missed_in_a_row, alice.is_absent) == (2, 1, False)


def test_nobody_forfeits_for_an_absence_that_he_announced() -> None:
    settings = replace(find_clock("standard"), time_out=TimeOut.LOSE_A_DIE)
    costly(settings)
    first, last = at(11, 0).date(), at(21, 0).date()
    hours.go_away(user_id=person("alice").pk, first=first, last=last, now=at(10, 13))
    game = hers(settings, now=at(11, 12))
    game = run_out(game)
    assert kinds(game)[-1] == "bid"
    assert dice_of(game) == {"alice": 5, "bob": 5}


def test_an_order_moves_for_its_player_and_he_forfeits_nothing() -> None:
    game = bid(costly(), "alice", "2x3", at=at(10, 13))
    leave(game, "bob", "least", at=at(10, 14))
    assert kinds(game)[-1] == "bid"
    assert dice_of(game) == {"alice": 5, "bob": 5}


def test_an_order_that_asks_leaves_its_player_to_the_clock_and_lapses() -> None:
    game = bid(costly(), "alice", "2x3", at=at(10, 13))
    leave(game, "bob", "ask", at=at(10, 14))
    game = run_out(game)
    assert dice_of(game) == {"alice": 5, "bob": 4}
    assert not Order.objects.exists()
    check_game(game.pk)


def test_a_bot_forfeits_nothing() -> None:
    game = live_table("alice", bots=1)
    Game.objects.filter(pk=game.pk).update(clock=COSTLY.to_dict())
    alice = seat_of(game, "alice").number
    if game.to_act == alice:
        game = act(game, rules.MakeBid(alice, rules.Bid(1, 2)), now=game.turn_started_at)
    assert game.wake_at is not None
    deadlines.expire_turns(now=game.wake_at)
    (event,) = Event.objects.filter(game=game).exclude(seat=None).exclude(seat=alice)
    assert event.kind != "forfeit"


# --- how it is told -------------------------------------------------------------------------------


def test_a_forfeit_is_told_on_every_page_and_in_the_mails() -> None:
    game = run_out(bid(costly(), "alice", "2x3", at=at(10, 13)))
    story = (
        "Bob ran out of time, so the round ends and no cup is lifted.",
        "Bob loses a die.",
        "Bob opens the next round.",
    )
    page = table_page(game, Viewer(person("alice").pk))
    assert page.last is not None
    assert outcome_story(page.last.outcome, page.names, automatic=True) == story
    for path in ("", "rounds/", "rounds/1/"):
        assert story[0] in text(browser("alice").get(address(game, path))), path
    for kind, name in (("round_over", "alice"), ("turn", "bob")):
        mail = sent_mail(game, kind, name, now=at(11, 14))
        assert story[0] in str(mail.body)
        assert story[0] in html_of(mail)
    (mine,) = [each for each in games_of(person("bob").pk) if each["game"] == game.code]
    assert [(each["move"], each["by_the_clock"]) for each in mine["moves"]] == [("forfeit", True)]


def test_the_turn_mail_and_the_rules_of_the_table_say_what_time_costs() -> None:
    game = bid(costly(), "alice", "2x3", at=at(10, 13))
    mail = sent_mail(game, "turn", "bob", now=at(10, 14))
    assert "you lose a die" in str(mail.body)
    assert "loses a die, no cup is lifted" in text(browser("alice").get(address(game, "rules/")))


def test_the_record_of_a_game_with_forfeits_replays() -> None:
    game = costly()
    for _ in range(200):
        if newest(game).status != GameStatus.ACTIVE:
            break
        game = run_out(game)
        moves_back(game)
    record = record_of(newest(game))
    assert replay(load(dump(record))) == []
    ended = [entry.move for entry in record.entries if isinstance(entry, rules.MoveEntry)]
    assert any(isinstance(move, rules.Forfeit) for move in ended)
    check_game(game.pk)


def moves_back(game: Game) -> None:
    """Let everybody say that he is there, so that each time-out costs a die."""
    game = newest(game)
    for name in ("alice", "bob"):
        now = game.turn_started_at or at(10, 12)
        moves.come_back(game_id=game.pk, user_id=person(name).pk, now=now)


def test_the_cups_of_a_forfeited_round_stay_covered(oracle: Book) -> None:
    game = run_out(bid(costly(), "alice", "2x3", at=at(10, 13)))
    row = Round.objects.get(game=game, number=1)
    for seat in (0, 1):
        assert not oracle.is_public(bytes.fromhex(store.open_dice(game).cup_key(row, seat)))
    page = round_page(game, 1, Viewer(None))
    assert (page.closed.covered, page.covered_cups, page.own_cup) == ((0, 1), (), None)


# --- who can never do it --------------------------------------------------------------------------


def test_no_form_makes_a_forfeit() -> None:
    game = live_table()
    name = "alice" if game.to_act == seat_of(game, "alice").number else "bob"
    before = Event.objects.filter(game=game).count()
    sent = {"version": game.version, "idem_key": "k", "act": "forfeit", "bid": "forfeit"}
    for path in ("play/", "order/"):
        answer = browser(name).post(address(game, path), sent)
        assert answer.status_code in (200, 422), path
    assert Event.objects.filter(game=game).count() == before


@pytest.mark.parametrize("said", ["forfeit", "forfeit; else least", "dudo; else forfeit"])
def test_no_order_makes_a_forfeit(said: str) -> None:
    with pytest.raises(pure.OrderError):
        pure.parse(said)


def test_a_sweep_makes_it_once() -> None:
    game = bid(costly(), "alice", "2x3", at=at(10, 13))
    game = run_out(game)
    assert game.turn_started_at is not None
    assert deadlines.expire_turns(now=game.turn_started_at) == 0
    assert kinds(game).count("forfeit") == 1
    act(game, rules.MakeBid(seat_of(game, "bob").number, rules.Bid(1, 2)), now=at(11, 14))
    assert dice_of(game) == {"alice": 5, "bob": 4}

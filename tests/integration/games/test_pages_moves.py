"""Moves by the table's form: played once, or refused with the reason and nothing lost."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Bid, Event, Game
from games.rules import ALL_CODES, find_ruleset, with_options
from games.views import access
from tests.cast import give_turn, seat_of
from tests.integration.games.pages import (
    address,
    bid,
    browser,
    inputs,
    live_table,
    move,
    offered,
    text,
    ticked,
)

pytestmark = pytest.mark.django_db
CALZA = with_options(find_ruleset("bga"), {"calza": True})


def test_a_bid_leads_back_to_the_table() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    alice = browser("alice")
    answer = alice.post(address(game, "play/"), move(alice, game, act="bid", bid="3x4"))
    assert (answer.status_code, answer["Location"]) == (303, address(game))
    assert str(Bid.objects.get()) == "3x4"
    assert "Bob is to move" in text(alice.get(address(game)))


def test_htmx_gets_the_fragment_alone() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    alice = browser("alice")
    form = move(alice, game, act="bid", bid="3x4")
    answer = alice.post(address(game, "play/"), form, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert 'id="game"' in text(answer)
    assert "Bob is to move" in text(answer)
    assert "<html" not in text(answer)


def test_a_stale_move_keeps_what_was_chosen_and_tells_what_happened() -> None:
    game = live_table("alice", "bob", ruleset=CALZA)
    give_turn(game, "alice")
    alice = browser("alice")
    old = move(alice, game, act="bid", bid="5x4")
    game = bid(game, "alice", "2x3")
    game = bid(game, "bob", "3x3")
    answer = alice.post(address(game, "play/"), old)
    html = text(answer)
    assert answer.status_code == 409
    assert "Your bid was not played: the game had moved on." in html
    assert "Alice bid 2 threes. Bob bid 3 threes." in html
    assert ticked(html) == ["5x4"]
    assert inputs(html, "version")[0]["value"] == "4"
    assert Bid.objects.count() == 2


def test_a_stale_choice_that_is_not_legal_any_more_is_named() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    alice = browser("alice")
    old = move(alice, game, act="bid", bid="2x3")
    bid(game, "alice", "2x4")
    bid(game, "bob", "3x4")
    html = text(alice.post(address(game, "play/"), old))
    assert ticked(html) == []
    assert "You had chosen 2 threes. That cannot be bid now." in html


def test_the_form_sent_twice_is_played_once() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    alice = browser("alice")
    form = move(alice, game, act="bid", bid="3x4")
    answers = [alice.post(address(game, "play/"), form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [303, 303]
    assert Bid.objects.count() == 1


def test_a_key_that_was_used_before_does_no_harm_in_another_answer() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    alice = browser("alice")
    form = move(alice, game, act="bid", bid="3x4")
    alice.post(address(game, "play/"), form)
    bid(game, "bob", "4x4")
    answer = alice.post(address(game, "play/"), {**form, "version": 4, "bid": "5x4"})
    assert answer.status_code == 303
    assert Bid.objects.count() == 3


def test_calza_out_of_turn_beats_the_raise_that_comes_after_it() -> None:
    game = live_table("alice", "bob", "carol", ruleset=CALZA)
    give_turn(game, "alice")
    game = bid(game, "alice", "3x4")
    waiting = next(name for name in ("bob", "carol") if seat_of(game, name).number != game.to_act)
    mover = "carol" if waiting == "bob" else "bob"
    caller, raiser = browser(waiting), browser(mover)
    html = text(caller.get(address(game)))
    assert "exactly 3 fours" in html
    assert not offered(html)
    late = move(raiser, game, act="bid", bid="4x4")
    answer = caller.post(address(game, "play/"), move(caller, game, act="calza"))
    assert answer.status_code == 303
    answer = raiser.post(address(game, "play/"), late)
    assert answer.status_code == 409
    assert f"{waiting.title()} called calza on 3 fours by Alice" in text(answer)
    assert Event.objects.filter(kind="calza").count() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"act": "bid", "bid": "1x2"}, "1 two does not raise 2 fours."),
        ({"act": "bid", "bid": "9999999"}, "A bid is a number of dice"),
        ({"act": "bid"}, "A bid is a number of dice"),
        ({"act": "calza"}, "Calza is not played at this table."),
        ({"act": "raise"}, "This move could not be read."),
        ({"act": "dudo", "version": ""}, "This move could not be read."),
        ({"act": "dudo", "version": "9" * 40}, "This move could not be read."),
    ],
)
def test_a_refused_move_says_why_and_changes_nothing(fields: dict[str, str], sentence: str) -> None:
    game = live_table("alice", "bob")
    give_turn(game, "bob")
    game = bid(game, "bob", "2x4")
    alice = browser("alice")
    answer = alice.post(address(game, "play/"), move(alice, game, **fields))
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert Bid.objects.count() == 1


def test_a_bid_out_of_turn_is_refused() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "bob")
    form = {"version": game.version, "idem_key": "k", "act": "bid", "bid": "3x4"}
    answer = browser("alice").post(address(game, "play/"), form)
    assert answer.status_code == 422
    assert "It is not your turn." in text(answer)


def test_every_refusal_of_the_rules_has_a_sentence() -> None:
    from games.wording.refusals import _SENTENCES

    assert set(_SENTENCES) == set(ALL_CODES)


def test_a_move_after_the_deadline_says_so_and_the_page_offers_none() -> None:
    game = live_table("alice", "bob", turn_seconds=3600)
    give_turn(game, "alice")
    alice = browser("alice")
    form = move(alice, game, act="bid", bid="3x4")
    past = timezone.now() - timedelta(seconds=1)
    Game.objects.filter(pk=game.pk).update(turn_deadline_at=past)
    answer = alice.post(address(game, "play/"), form)
    assert answer.status_code == 409
    assert "arrived after your time was up" in text(answer)
    assert "You had chosen 3 fours." in text(answer)
    assert not offered(text(answer))
    assert "Your time is up." in text(alice.get(address(game)))


def test_a_move_sent_before_the_seats_are_drawn_is_played_for_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Mallory guesses the first version while the host starts the game: no seat is hers yet."""
    game = live_table("alice", "mallory")
    give_turn(game, "alice")
    stale = Game.objects.get(pk=game.pk)
    stale.status, stale.version = "open", 0
    before = (stale, seat_of(game, "alice").number)  # her number in the waiting room
    monkeypatch.setattr(access, "find_seated_game", lambda *_: before)
    form = {"version": 1, "idem_key": "k", "act": "bid", "bid": "3x4"}
    assert browser("mallory").post(address(game, "play/"), form).status_code == 409
    assert not Bid.objects.exists()

"""The table's page: what it shows, what may be done there, and what a refused move leaves."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games import rules
from games.models import Bid, Event, Game, OutboxMessage, Seat
from games.rules import ALL_CODES, find_ruleset, with_options
from tests.cast import act, cups, eliminate, give_turn, seat_of, set_dice
from tests.integration.games.pages import (
    address,
    bid,
    browser,
    dudo,
    inputs,
    live_table,
    move,
    offered,
    text,
    ticked,
)

pytestmark = pytest.mark.django_db
CALZA = with_options(find_ruleset("bga"), {"calza": True})


def shown_dice(html: str) -> list[str]:
    """Return the faces of the large dice: one's own."""
    return re.findall(r'class="die die-large" role="img" aria-label="(\w+)"', html)


def names_of(cup: tuple[int, ...]) -> list[str]:
    return [("ace", "two", "three", "four", "five", "six")[face - 1] for face in cup]


def test_the_player_to_move_sees_his_own_dice_and_only_legal_bids() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "bob")
    game = bid(game, "bob", "2x4")
    html = text(browser("alice").get(address(game)))
    assert shown_dice(html) == names_of(cups(game)[seat_of(game, "alice").number])
    assert "It is your turn" in html
    assert "Bob bids" in html
    assert offered(html)[:5] == ["2x5", "2x6", "3x2", "3x3", "3x4"]
    assert "2x4" not in offered(html)
    assert "2x1" in offered(html)
    assert "1x1" in offered(html)  # half of two fours
    assert "I doubt 2 fours" in html
    assert 'value="calza"' not in html


def test_who_waits_sees_his_dice_and_no_form() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "bob")
    html = text(browser("alice").get(address(game)))
    assert "Bob is to move" in html
    assert len(shown_dice(html)) == 5
    assert not offered(html)
    assert 'name="act"' not in html


def test_an_onlooker_sees_no_dice_and_no_form() -> None:
    game = live_table("alice", "bob", is_private=False)
    give_turn(game, "alice")
    game = bid(game, "alice", "2x4")
    for name in ("mallory", ""):
        html = text(browser(name).get(address(game)))
        assert "Alice bids" in html
        assert not shown_dice(html)
        assert 'name="act"' not in html
        assert "Leave the game" not in html


def test_who_is_out_sees_no_dice() -> None:
    game = live_table("alice", "bob", "carol")
    eliminate(game, "carol")
    give_turn(game, "alice")
    html = text(browser("carol").get(address(game)))
    assert not shown_dice(html)
    assert "Leave the game" not in html


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


def test_a_dudo_shows_the_lifted_cups_until_the_next_bid() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    bid(game, "alice", "9x4")
    bob = browser("bob")
    answer = bob.post(address(game, "play/"), move(bob, game, act="dudo"))
    assert answer.status_code == 303
    html = text(bob.get(address(game)))
    assert "How round 1 ended" in html
    assert "Bob called dudo on 9 fours by Alice" in html
    assert re.search(r'<details class="card last-round" open>', html)
    game.refresh_from_db()
    opener = "alice" if seat_of(game, "alice").number == game.to_act else "bob"
    bid(game, opener, "1x2")
    html = text(bob.get(address(game)))
    assert "How round 1 ended" in html
    assert not re.search(r'<details class="card last-round" open>', html)


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
    assert inputs(html, "version")[0]["value"] == "3"
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
    answer = alice.post(address(game, "play/"), {**form, "version": 3, "bid": "5x4"})
    assert answer.status_code == 303
    assert Bid.objects.count() == 3


def test_calza_out_of_turn_beats_the_raise_that_comes_after_it() -> None:
    game = live_table("alice", "bob", "carol", ruleset=CALZA)
    give_turn(game, "alice")
    game = bid(game, "alice", "3x4")
    waiting = next(
        name for name in ("bob", "carol") if seat_of(game, name).number != game.to_act
    )
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
def test_a_refused_move_says_why_and_changes_nothing(
    fields: dict[str, str], sentence: str
) -> None:
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


def test_piatnik_prints_no_count_but_ones_own() -> None:
    game = live_table("alice", "bob", "carol", ruleset=find_ruleset("piatnik"))
    set_dice(game, bob=3)
    give_turn(game, "alice")
    html = text(browser("alice").get(address(game)))
    assert html.count("dice not shown") == 2
    assert 'class="pile pile-3"' not in html
    assert 'class="pile pile-5"' in html
    assert "15x6" in offered(html)  # the ceiling is the start's, and tells nothing


def test_a_player_with_one_die_may_change_the_face_in_a_piatnik_palifico() -> None:
    game = live_table("alice", "bob", "carol", ruleset=find_ruleset("piatnik"))
    set_dice(game, alice=1)
    give_turn(game, "bob")
    type(game.current_round).objects.filter(pk=game.current_round_id).update(
        mode="palifico", palifico_by=seat_of(game, "bob").number
    )
    game = bid(game, "bob", "2x4")
    following = seat_of(game, "alice").number
    if game.to_act != following:
        game = bid(game, "carol", "3x4")
        least = "3x5"
    else:
        least = "2x5"
    html = text(browser("alice").get(address(game)))
    assert least in offered(html)
    set_dice(game, alice=2)
    faces = {value[-1] for value in offered(text(browser("alice").get(address(game))))}
    assert faces == {"4"}
    assert "palifico" in html


def test_polling_gets_nothing_until_something_changed() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    bob = browser("bob")
    since = address(game, f"?since={game.version}")
    assert bob.get(since, headers={"HX-Request": "true"}).status_code == 204
    bid(game, "alice", "3x4")
    answer = bob.get(since, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "It is your turn" in text(answer)
    assert f"?since={game.version + 1}" in text(answer)
    assert "<html" not in text(answer)


def test_polling_keeps_what_was_ticked() -> None:
    game = live_table("alice", "bob", "carol", ruleset=CALZA)
    give_turn(game, "alice")
    html = text(browser("alice").get(address(game, "?since=0&bid=7x5")))
    assert ticked(html) == ["7x5"]


def test_a_game_that_is_over_is_polled_no_more() -> None:
    game = live_table("alice", "bob")
    game = act(game, rules.Resign(seat_of(game, "bob").number), now=timezone.now())
    html = text(browser("alice").get(address(game)))
    assert "You win the game!" in html
    assert "hx-get" not in html


def test_leaving_asks_first_and_then_ends_it() -> None:
    game = live_table("alice", "bob")
    bob = browser("bob")
    page = bob.get(address(game, "resign/"))
    assert (page.status_code, "You cannot come back" in text(page)) == (200, True)
    game.refresh_from_db()
    assert game.status == "active"
    answer = bob.post(address(game, "resign/"))
    assert answer["Location"] == address(game)
    game.refresh_from_db()
    assert game.status == "finished"
    assert bob.post(address(game, "resign/")).status_code == 303


def test_leaving_does_not_mind_that_the_game_moved_on() -> None:
    game = live_table("alice", "bob", "carol")
    give_turn(game, "alice")
    bob = browser("bob")
    bob.get(address(game, "resign/"))
    bid(game, "alice", "2x4")
    bob.post(address(game, "resign/"))
    assert seat_of(game, "bob").has_resigned


def test_an_absent_player_comes_back_with_his_time() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    seat = seat_of(game, "alice")
    Seat.objects.filter(pk=seat.pk).update(is_absent=True, missed_in_a_row=2)
    OutboxMessage.objects.all().delete()  # nobody is reminded of an absent seat's turn
    alice = browser("alice")
    assert "I am back" in text(alice.get(address(game)))
    assert alice.post(address(game, "back/"))["Location"] == address(game)
    assert not seat_of(game, "alice").is_absent
    assert "I am back" not in text(alice.get(address(game)))


def test_a_lost_round_names_the_loser_and_who_opens() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    bid(game, "alice", "9x4")
    game = dudo(game, "bob")
    html = text(browser("alice").get(address(game)))
    loser = "Alice" if seat_of(game, "alice").dice == 4 else "Bob"
    assert f"{loser} loses a die." in html
    assert f"{loser} opens the next round." in html


def test_the_deadline_is_told_in_the_readers_zone() -> None:
    game = live_table("alice", "bob")
    alice = seat_of(game, "alice").user
    assert alice is not None
    alice.time_zone = "Asia/Tokyo"
    alice.save()
    html = text(browser("alice").get(address(game)))
    assert "JST" in html
    assert "JST" not in text(browser("bob").get(address(game)))

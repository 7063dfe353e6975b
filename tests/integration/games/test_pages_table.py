"""The table's page: what it shows to whom, how it keeps up to date, leaving and coming back."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import rules
from games.models import OutboxMessage, Seat
from games.rules import find_ruleset, with_options
from games.services import moves
from tests.cast import act, cups, eliminate, give_turn, seat_of, set_dice
from tests.integration.games.pages import (
    address,
    bid,
    browser,
    dudo,
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
    since = address(game, f"?since={bob.get(address(game)).context['since']}")
    assert bob.get(since, headers={"HX-Request": "true"}).status_code == 204
    bid(game, "alice", "3x4")
    answer = bob.get(since, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "It is your turn" in text(answer)
    assert f"?since={game.version + 1}-" in text(answer)
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


def test_a_table_whose_seed_cannot_be_opened_says_so(settings: Any) -> None:
    game = live_table("alice", "bob")
    settings.SEED_KEYS = ["another:" + "00" * 32]
    answer = browser("alice").get(address(game))
    assert answer.status_code == 503
    assert "locked for the moment" in text(answer)


def test_polling_notices_that_an_absent_player_has_come_back() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    bob = browser("bob")
    since = address(game, f"?since={bob.get(address(game)).context['since']}")
    alice = seat_of(game, "alice")
    Seat.objects.filter(pk=alice.pk).update(is_absent=True)
    later = timezone.now() + timedelta(minutes=5)
    moves.come_back(game_id=game.pk, user_id=alice.user_id, now=later)
    assert bob.get(since, headers={"HX-Request": "true"}).status_code == 200

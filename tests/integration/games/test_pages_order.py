"""The page of standing orders: written by choice or in words, tried, left, taken back."""

import re
from typing import Any

import pytest
from django.utils import timezone

from games.models import Bid, Game, Order
from games.rules import find_ruleset, with_options
from games.services import orders
from tests.cast import give_turn, person, seat_of
from tests.integration.games.pages import address, bid, browser, dudo, inputs, live_table, text

pytestmark = pytest.mark.django_db
CALZA = with_options(find_ruleset("bga"), {"calza": True})


def opened(*names: str, **choices: Any) -> Game:
    """Return a table at which alice has bid 2 threes."""
    game = live_table(*(names or ("alice", "bob")), **choices)
    give_turn(game, "alice")
    return bid(game, "alice", "2x3")


def left_by(game: Game, name: str) -> str:
    order = Order.objects.filter(seat=seat_of(game, name)).first()
    return order.text if order else ""


def post(game: Game, name: str = "alice", **fields: Any) -> Any:
    return browser(name).post(address(game, "order/"), {"round": 1, **fields})


def test_the_table_leads_to_the_page_and_shows_the_own_order() -> None:
    game = opened()
    alice = browser("alice")
    link = f'href="{address(game, "order/")}"'
    assert f"{link}>Leave an order for this round" in text(alice.get(address(game)))
    fields = {"round": 1, "text": "dudo below 30%; else least", "act": "leave", "waits": "1"}
    answer = alice.post(address(game, "order/"), fields)
    assert (answer.status_code, answer["Location"]) == (303, address(game))
    html = text(alice.get(address(game)))
    assert "Your order stands until the cups are lifted." in html
    assert f"{link}>dudo below 30%; else least</a>" in html
    assert "dudo below 30%" not in text(browser("bob").get(address(game)))


def test_trying_an_order_shows_what_it_would_do_and_leaves_nothing() -> None:
    game = opened()
    answer = post(game, text="Dudo when under 30 %; raise 4x5, 5x5, 1x2", act="show")
    html = text(answer)
    assert answer.status_code == 200
    assert "<code>dudo below 30%; bid 4x5, 5x5, 1x2; else ask</code>" in html
    assert "If the chance that it holds is below 30 %: call dudo." in html
    assert "Where that can be done: bid the first of these that is a legal raise: " in html
    assert "In all other cases: ask me." in html
    assert "It bids 4 fives" in html
    assert "1 two is never a legal raise here, so it is passed over." in html
    assert not Order.objects.exists()


def test_the_choices_write_the_order() -> None:
    game = opened(ruleset=CALZA)
    fields = {"dudo_below": "30", "ladder": "four fives, 5x5", "ask_from": "8", "calza_on": "6x5",
              "calza_from": "", "otherwise": "least"}  # fmt: skip
    written = "calza on 6x5; ask from 8; dudo below 30%; bid 4x5, 5x5; else least"
    html = text(post(game, **fields, act="show"))
    assert f"<code>{written}</code>" in html
    assert f">\n{written}</textarea>" in html
    assert post(game, **fields, act="leave").status_code == 303
    assert left_by(game, "alice") == written
    html = text(browser("alice").get(address(game, "order/")))
    assert inputs(html, "dudo_below")[0]["value"] == "30"
    assert inputs(html, "ladder")[0]["value"] == "4x5, 5x5"
    assert "The order you have left" in html


def test_a_text_that_is_no_order_names_the_word_and_its_place_and_stays() -> None:
    game = opened()
    answer = post(game, text="dudo below thirty", act="leave")
    html = text(answer)
    assert answer.status_code == 422
    assert "“thirty” (character 12) was not expected: here we need a bid such as 7x5" in html
    assert ">\ndudo below thirty</textarea>" in html
    assert not Order.objects.exists()


def test_a_choice_that_cannot_be_read_names_the_field_and_stays() -> None:
    game = opened()
    answer = post(game, ladder="4x5, blue", calza_on="4x5, 5x5", otherwise="ask", act="leave")
    html = text(answer)
    assert answer.status_code == 422
    assert "“blue” (character 6)" in html
    assert "Name one bid here." in html
    assert inputs(html, "ladder")[0]["value"] == "4x5, blue"
    assert not Order.objects.exists()


def test_an_order_written_for_another_round_is_not_left() -> None:
    game = opened()
    dudo(game, "bob")
    answer = post(game, text="dudo", act="leave")
    assert answer.status_code == 409
    assert "Another round has begun since you wrote this" in text(answer)
    assert ">\ndudo; else ask</textarea>" in text(answer)
    assert not Order.objects.exists()


def test_an_order_left_on_ones_own_turn_moves_at_once_or_says_that_it_asks() -> None:
    game = opened()
    bob = browser("bob")
    bob.post(address(game, "order/"), {"round": 1, "text": "ask", "act": "leave"})
    html = text(bob.get(address(game)))
    assert "Your order leaves this turn to you." in html
    assert "it asked you" in html
    bob.post(address(game, "order/"), {"round": 1, "text": "bid 3x3", "act": "leave"})
    assert "Your order has moved for you." in text(bob.get(address(game)))
    assert str(Bid.objects.last()) == "3x3"


def test_an_order_is_changed_and_withdrawn() -> None:
    game = opened()
    post(game, text="dudo", act="leave")
    post(game, text="least", act="leave", waits="1")
    order = Order.objects.get()
    assert (order.text, order.waits) == ("least; else ask", True)
    answer = post(game, act="cancel")
    assert (answer.status_code, answer["Location"]) == (303, address(game))
    assert not Order.objects.exists()
    assert post(game, act="cancel").status_code == 303


def test_without_dice_there_is_nothing_to_order() -> None:
    from tests.cast import eliminate

    game = opened("alice", "bob", "carol")
    eliminate(game, "carol")
    answer = browser("carol").get(address(game, "order/"))
    assert (answer.status_code, answer["Location"]) == (303, address(game))
    assert post(game, "carol", text="dudo", act="leave").status_code == 303
    assert not Order.objects.exists()
    assert "Leave an order" not in text(browser("carol").get(address(game)))


def test_whoever_tries_orders_all_the_time_is_asked_to_wait() -> None:
    game = opened()
    tried = {"text": "dudo below 30%; else least", "act": "show"}
    assert {post(game, **tried).status_code for _ in range(30)} == {200}
    busy = post(game, **tried)
    assert busy.status_code == 429
    assert "Too many tries" in text(busy)
    assert "no-store" in busy["Cache-Control"]
    assert post(game, **{**tried, "act": "leave"}).status_code == 429
    assert post(game, act="cancel").status_code == 303, "what he left can be taken back"
    assert browser("alice").get(address(game, "order/")).status_code == 200
    assert post(game, "bob", **tried).status_code == 200, "nobody waits for another"


def test_nobody_else_reaches_an_order() -> None:
    game = opened()
    orders.leave(
        game_id=game.pk, user_id=person("alice").pk, text="dudo below 37%", waits=False,
        round_number=1, now=timezone.now(),
    )  # fmt: skip
    assert browser("mallory").get(address(game, "order/")).status_code == 404
    assert post(game, "mallory", text="dudo", act="leave").status_code == 404
    assert "37%" not in text(browser("bob").get(address(game, "order/")))
    assert post(game, "bob", act="cancel").status_code == 303
    assert left_by(game, "alice") == "dudo below 37%; else ask"


@pytest.mark.parametrize("language", ["en", "it", "fr", "es"])
def test_the_page_speaks_its_readers_language(language: str) -> None:
    game = opened()
    type(person("alice")).objects.filter(pk=person("alice").pk).update(language=language)
    html = text(post(game, text="dudo below thirty", act="leave"))
    assert f'<html lang="{language}"' in html
    assert re.search(r"[“«]\s?thirty\s?[”»]", html), "the word that was not understood is named"
    assert "%(" not in html

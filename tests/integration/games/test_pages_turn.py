"""The turn on the table's page: what was missed, what is next, and how its reader plays."""

import html
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games import rules
from games.models import Game, Seat
from games.rules import find_ruleset
from tests.cast import act, eliminate, give_turn, seat_of, set_dice, veteran
from tests.integration.games.pages import address, bid, browser, dudo, live_table, move, text

pytestmark = pytest.mark.django_db

THREE = ("alice", "bob", "carol")


def of(game: Game, seat: int | None) -> str:
    """Return who sits there."""
    return next(name for name in THREE if seat_of(game, name).number == seat)


def tale(client: Client, game: Game) -> list[str]:
    """Return the story that the page tells: its title, then its sentences."""
    page = text(client.get(address(game)))
    found = re.search(r'<section class="card tale".*?</section>', page, re.DOTALL)
    parts = re.findall(r"<(?:h2|h3|li)\b[^>]*>(.*?)</", found[0]) if found else []
    return [html.unescape(part) for part in parts]


def test_the_table_tells_what_was_bid_since_ones_own_bid() -> None:
    game = live_table(*THREE)
    give_turn(game, "alice")
    game = bid(game, "alice", "1x2")
    assert tale(browser("alice"), game) == []
    second = of(game, game.to_act)
    game = bid(game, second, "2x2")
    third = of(game, game.to_act)
    game = bid(game, third, "3x2")
    assert tale(browser("alice"), game) == [
        "Since your last turn",
        f"{second.title()} bid 2 twos.",
        f"{third.title()} bid 3 twos.",
    ]
    assert tale(browser(second), game)[1:] == [f"{third.title()} bid 3 twos."]
    assert tale(browser("mallory"), live_table("bob", "carol", is_private=False)) == []


def test_the_story_goes_through_the_rounds_that_were_closed_since() -> None:
    game = live_table(*THREE)
    give_turn(game, "alice")
    game = bid(game, "alice", "1x2")
    second = of(game, game.to_act)
    game = bid(game, second, "15x6")
    game = dudo(game, of(game, game.to_act))
    opener = of(game, game.to_act)
    game = bid(game, opener, "1x3")
    told = tale(browser("alice"), game)
    assert told[0] == "Since your last turn"
    assert told[1:3] == ["Round 1", f"{second.title()} bid 15 sixes."]
    assert f"called dudo on 15 sixes by {second.title()}" in told[3]
    assert told[-2:] == ["Round 2", f"{opener.title()} bid 1 three."]


def test_what_became_of_ones_own_dudo_is_news_and_the_bids_before_it_are_not() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "bob")
    game = dudo(bid(game, "bob", "10x6"), "alice")
    told = tale(browser("alice"), game)
    assert told[:2] == ["Since your last turn", "Round 1"]
    assert told[2].startswith("Alice called dudo on 10 sixes by Bob:")
    assert not any("bid 10" in line for line in told)


def test_whoever_never_moved_is_told_what_happened_so_far() -> None:
    game = live_table(*THREE)
    give_turn(game, "alice")
    game = bid(game, "alice", "1x2")
    assert tale(browser(of(game, game.to_act)), game) == ["So far", "Alice bid 1 two."]


def test_a_table_leads_to_the_next_game_that_waits_and_ends_first() -> None:
    veteran("alice")
    here, soon, later = (live_table("alice", "bob") for _ in range(3))
    give_turn(here, "bob")
    for game, days in ((later, 9), (soon, 2)):
        give_turn(game, "alice")
        deadline = timezone.now() + timedelta(days=days)
        Game.objects.filter(pk=game.pk).update(turn_deadline_at=deadline, name=f"In {days} days")
    page = text(browser("alice").get(address(here)))
    assert "Next: In 2 days" in page
    assert f'href="{address(soon)}"' in page
    assert "In 9 days" not in page
    assert "Next: " not in text(browser("bob").get(address(here))), "no other waits for bob"
    give_turn(soon, "bob")
    give_turn(later, "bob")
    assert "Next: " not in text(browser("alice").get(address(here)))


def test_after_a_move_the_next_game_is_one_tap_away() -> None:
    here, other = live_table("alice", "bob"), live_table("alice", "bob")
    give_turn(here, "alice")
    give_turn(other, "alice")
    alice = browser("alice")
    fields = move(alice, here, act="bid", bid="1x2")
    answer = alice.post(address(here, "play/"), fields, headers={"HX-Request": "true"})
    assert "Bob is to move" in text(answer)
    assert f'href="{address(other)}"' in text(answer)


def test_news_are_read_out_to_a_page_that_brings_itself_up_to_date() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "bob")
    alice = browser("alice")
    since = alice.get(address(game)).context["since"]
    bid(game, "bob", "2x3")
    script = {"HX-Request": "true"}
    told = text(alice.get(address(game, f"?since={since}"), headers=script))
    assert 'data-news="Bob bid 2 threes. It is your turn"' in told
    assert "data-news" not in text(alice.get(address(game, f"?since={since}")))
    for nonsense in ("", "x", "٣", "9" * 30, "-1"):
        assert alice.get(address(game, f"?since={nonsense}"), headers=script).status_code == 200


def test_a_hidden_page_learns_whose_turn_it_is_without_having_looked() -> None:
    game = live_table("alice", "bob")
    give_turn(game, "bob")
    alice = browser("alice")
    since = alice.get(address(game)).context["since"]
    asked = address(game, f"?since={since}")
    assert alice.head(asked).status_code == 204
    game = bid(game, "bob", "2x3")
    answer = alice.head(asked)
    assert (answer.status_code, answer["X-My-Turn"]) == (200, "1")
    seat = Seat.objects.get(pk=seat_of(game, "alice").pk)
    assert seat.seen_version != game.version
    assert "X-My-Turn" not in browser("bob").head(asked)


def test_the_words_of_a_move_are_shown_before_it_is_played() -> None:
    game = live_table("alice", "bob", ruleset=with_calza())
    give_turn(game, "bob")
    bid(game, "bob", "2x3")
    page = text(browser("alice").get(address(game)))
    assert 'data-says="Alice bid %s."' in page
    assert "Alice called dudo on 2 threes by Bob</p>" in page
    assert "Alice called calza on 2 threes by Bob</p>" in page


def with_calza() -> rules.Ruleset:
    return rules.with_options(find_ruleset("bga"), {"calza": True})


def test_the_question_before_a_call_can_be_switched_off_in_one_browser() -> None:
    game = live_table("alice", "bob", ruleset=with_calza())
    give_turn(game, "bob")
    bid(game, "bob", "2x3")
    desk, phone = browser("alice"), browser("alice")
    page = text(desk.get(address(game)))
    assert page.count('popovertarget="sure-dudo"') == 2
    assert 'value="dudo"' in page, "in the question itself"
    answer = desk.post("/settings/playing/", {"next": address(game), "keys": "on"})
    assert (answer.status_code, answer["Location"]) == (302, address(game))
    page = text(desk.get(address(game)))
    assert "sure-dudo" not in page
    assert "data-at-once" in page
    assert "data-keys" in page
    assert "sure-calza" in text(phone.get(address(game)))
    desk.post("/settings/playing/", {"next": address(game), "asks": "on"})
    page = text(desk.get(address(game)))
    assert "sure-dudo" in page
    assert "data-keys" not in page
    asked = text(desk.get("/settings/playing/"))
    assert "Single keys do what is listed here" in asked
    assert "<kbd>" not in asked
    assert "<kbd>" in text(phone.get("/settings/playing/"))


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", ""])
def test_the_settings_of_a_browser_lead_nowhere_else(elsewhere: str) -> None:
    answer = browser("alice").post("/settings/playing/", {"next": elsewhere})
    assert answer["Location"] == "/"


def test_the_bag_is_shown_where_the_table_shows_how_many_dice_there_are() -> None:
    game = live_table(*THREE)
    set_dice(game, bob=2)
    eliminate(game, "carol")
    page = text(browser("alice").get(address(game)))
    assert "7 dice in play" in page
    assert "8 in the bag" in page
    hidden = live_table("alice", "bob", ruleset=find_ruleset("piatnik"))
    assert "in play" not in text(browser("alice").get(address(hidden)))


@pytest.mark.parametrize(
    ("preset", "wild"), [("piatnik", "lama"), ("bga", "jolly"), ("asmodee", "paco")]
)
def test_the_ace_looks_as_on_the_dice_of_its_box(preset: str, wild: str) -> None:
    game = live_table("alice", "bob", ruleset=find_ruleset(preset))
    assert f'class="stack wild-{wild}"' in text(browser("alice").get(address(game)))


def test_who_is_out_is_told_no_story() -> None:
    game = live_table(*THREE)
    eliminate(game, "carol")
    give_turn(game, "alice")
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("1x2")))
    assert tale(browser("carol"), game) == []

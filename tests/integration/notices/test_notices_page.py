"""The page on which a player says what he wants to be told."""

from datetime import time

import pytest

from games.models import Mode, Topic, Wishes
from tests.cast import person, seat_of, table
from tests.integration.games.pages import browser, text

pytestmark = pytest.mark.django_db

PAGE = "/settings/notices/"
CHOICE = {"act": "wishes", "mode": "digest", "digest_at": "18:30", "topics": ["turn", "game_over"]}


def wishes(name: str = "alice") -> Wishes:
    return Wishes.objects.get(user=person(name))


def test_what_is_chosen_is_stored_and_shown_again() -> None:
    game = table()
    client = browser("alice")
    answer = client.post(PAGE, {**CHOICE, "muted": [game.code]})
    assert (answer.status_code, answer["Location"]) == (302, PAGE)
    assert (wishes().mode, wishes().digest_at) == (Mode.DIGEST, time(18, 30))
    assert set(wishes().stopped) == set(Topic) - {Topic.TURN, Topic.GAME_OVER}
    assert seat_of(game, "alice").is_muted
    form = client.get(PAGE).context["form"]
    assert form["mode"].value() == "digest"
    assert form["digest_at"].value() == "18:30"
    assert sorted(form["topics"].value()) == ["game_over", "turn"]
    assert form["muted"].value() == [game.code]


def test_looking_stores_nothing() -> None:
    browser("alice").get(PAGE)
    assert not Wishes.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"mode": "never"}, {"digest_at": "25:00"}, {"topics": ["dice"]}, {"muted": ["x"]}]
)
def test_what_cannot_be_chosen_is_refused_in_words(wrong: dict[str, object]) -> None:
    table()
    answer = browser("alice").post(PAGE, {**CHOICE, **wrong})
    assert answer.status_code == 422
    assert "errorlist" in text(answer)
    assert not Wishes.objects.exists()


def test_nobody_mutes_a_game_in_which_he_has_no_seat() -> None:
    game = table()
    answer = browser("mallory").post(PAGE, {**CHOICE, "muted": [game.code]})
    assert answer.status_code in (302, 422)
    assert not seat_of(game, "alice").is_muted
    assert not seat_of(game, "bob").is_muted


def test_the_addresses_of_the_feeds_are_shown_once_they_are_made_and_can_be_replaced() -> None:
    client = browser("alice")
    assert "/feeds/" not in text(client.get(PAGE))
    client.post(PAGE, {"act": "feeds"})
    first = wishes().feed_token
    page = text(client.get(PAGE))
    assert f"/feeds/{first}/turns.ics" in page
    assert f"/feeds/{first}/turns.atom" in page
    client.post(PAGE, {"act": "feeds"})
    assert wishes().feed_token != first


def test_links_in_mails_can_be_made_void() -> None:
    client = browser("alice")
    client.post(PAGE, {"act": "links"})
    client.post(PAGE, {"act": "links"})
    assert wishes().links_version == 2


def test_the_settings_lead_here() -> None:
    assert f'href="{PAGE}"' in text(browser("alice").get("/settings/"))

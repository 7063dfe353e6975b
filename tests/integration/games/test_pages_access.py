"""Who may come to which page, and that looking changes nothing."""

import re

import pytest
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import rules
from games.models import Event, Game, Seat
from games.services import lobby
from games.urls import urlpatterns
from tests.cast import act, person, player, seat_of
from tests.integration.games.pages import address, browser, live_table, text

pytestmark = pytest.mark.django_db

PATHS = ("", "rounds/", "rounds/1/", "record", "resign/", "leave/")
POSTS = ("play/", "resign/", "back/", "ready/", "start/", "invite/", "bots/", "join/", "leave/",
         "seats/1/remove/", "rematch/")  # fmt: skip
TOKENS = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


def source(client: Client, path: str, code: str) -> str:
    """Return the page without what differs by address and by request."""
    return TOKENS.sub("", text(client.get(path)).replace(code, "CODE"))


@pytest.mark.parametrize("name", ["mallory", ""])
@pytest.mark.parametrize("rest", PATHS)
def test_a_private_game_looks_to_strangers_as_if_it_were_not(name: str, rest: str) -> None:
    game = live_table("alice", "bob")
    stranger = browser(name)
    answer = stranger.get(address(game, rest))
    assert answer.status_code == 404
    theirs = source(stranger, address(game, rest), game.code)
    nobodys = source(stranger, f"/g/0000000000/{rest}", "0000000000")
    assert theirs == nobodys


@pytest.mark.parametrize("name", ["mallory", ""])
@pytest.mark.parametrize("rest", POSTS)
def test_strangers_can_do_nothing_in_a_private_game(name: str, rest: str) -> None:
    game = live_table("alice", "bob")
    before = Game.objects.filter(pk=game.pk).values().get()
    assert browser(name).post(address(game, rest)).status_code == 404
    assert Game.objects.filter(pk=game.pk).values().get() == before


@pytest.mark.parametrize("rest", [rest for rest in POSTS if rest != "join/"])
def test_onlookers_can_do_nothing_in_an_open_game(rest: str) -> None:
    game = live_table("alice", "bob", is_private=False)
    before = Game.objects.filter(pk=game.pk).values().get()
    for name in ("mallory", ""):
        assert browser(name).post(address(game, rest)).status_code == 403
    assert Game.objects.filter(pk=game.pk).values().get() == before


@pytest.mark.parametrize("rest", POSTS)
def test_looking_changes_nothing(rest: str) -> None:
    game = live_table("alice", "bob")
    before = Game.objects.filter(pk=game.pk).values().get(), Event.objects.count()
    for name in ("alice", "bob"):
        assert browser(name).get(address(game, rest)).status_code in (200, 302, 303)
    assert (Game.objects.filter(pk=game.pk).values().get(), Event.objects.count()) == before


@pytest.mark.parametrize("rest", POSTS)
def test_a_form_without_its_token_is_refused(rest: str) -> None:
    game = live_table("alice", "bob")
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("alice"))
    assert client.post(address(game, rest)).status_code == 403


def test_no_page_of_a_game_is_stored() -> None:
    game = live_table("alice", "bob")
    paths = ["/", "/lobby/", "/games/new/", f"/join/{game.invite_token}/"]
    paths += [address(game, rest) for rest in ("", "rounds/", "resign/", "leave/", "play/")]
    for path in paths:
        answer = browser("alice").get(path)
        assert answer["Cache-Control"] == "private, no-store", path
        assert "Cookie" in answer["Vary"], path
    watched = live_table("alice", "bob", is_private=False)
    for path in ("/", "/lobby/", address(watched), address(watched, "rounds/")):
        assert browser().get(path)["Cache-Control"] == "private, no-store", path


def test_every_view_keeps_its_answers_out_of_caches() -> None:
    game = live_table("alice", "bob")
    game = act(game, rules.Resign(seat_of(game, "bob").number), now=timezone.now())
    arguments = {
        "code": game.code, "number": 1, "seat_id": 1, "token": game.invite_token, "name": "bga",
        "player": "Alice", "stop_token": "x" * 30, "feed_token": "x" * 26,
        "confirm_token": "x" * 30, "kind": "png", "rival": "Bob", "board": "season", "move": 1,
    }  # fmt: skip
    # The same for all, so anybody may keep them.
    everybody = {
        *("rules", "rules_preset", "order_help", "worker", "mail_help"),
        *("learn", "learn_step", "manifest", "offline"),
    }
    for pattern in urlpatterns:
        name = pattern.name
        if name is None or name in everybody:
            continue
        wanted = pattern.pattern.converters
        kwargs = {key: value for key, value in arguments.items() if key in wanted}
        client = browser("alice")
        for answer in (client.get(reverse(name, kwargs=kwargs)),
                       client.post(reverse(name, kwargs=kwargs))):  # fmt: skip
            if answer.status_code != 405 and not answer.get("Location"):
                assert "no-store" in answer["Cache-Control"], name


@pytest.mark.parametrize("path", ["/games/new/", "/games/quick/"])
def test_visitors_are_led_to_the_log_in_and_back(path: str) -> None:
    answer = browser().post(path)
    assert answer.status_code == 302
    assert answer["Location"] == f"/accounts/login/?next={path}"
    assert not Game.objects.exists()


def test_a_game_may_be_closed_to_strangers_only_by_being_private() -> None:
    host = person("alice")
    new = lobby.NewGame(
        ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=86_400, is_private=False
    )
    game = lobby.create_game(host=player(host), new=new, now=timezone.now())
    assert browser().get(address(game)).status_code == 200
    html = text(browser("mallory").get(address(game)))
    assert game.invite_token not in html
    assert "Take a seat" in html
    assert Seat.objects.count() == 1


def test_a_lock_that_is_not_given_up_is_answered_with_try_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = live_table("alice", "bob")

    def stuck(**move: object) -> None:
        raise OperationalError("canceling statement due to lock timeout")

    monkeypatch.setattr("games.services.moves.play", stuck)
    client = browser("alice")
    fields = {"version": game.version, "idem_key": "k", "act": "bid", "bid": "2x3"}
    answer = client.post(address(game, "play/"), fields)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")


def test_nobody_hosts_games_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.services.places.TABLES_AT_SIGN_UP", 1)
    alice = browser("alice")
    assert alice.post("/games/quick/").status_code == 302
    answer = alice.post("/games/quick/", follow=True)
    assert "You sit at 1 tables, which is as many as you may for now." in text(answer)
    assert Game.objects.filter(host=person("alice")).count() == 1

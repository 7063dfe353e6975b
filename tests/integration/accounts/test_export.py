"""A copy of one's data: everything of one's own, nothing of anybody else's, and no die."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services
from accounts.models import User
from games import rules
from games.models import ContributionKind, Seat
from games.services import contributing, hours, invitations, lobby
from tests.cast import act, cups, player, seat_of, table
from tests.integration.accounts.conftest import PASSWORD

LogIn = Callable[..., Client]
PAGE = "/settings/export/"
FILE = "/settings/export/file"


def fetch(browser: Client) -> dict[str, Any]:
    answer = browser.get(FILE)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"].startswith('attachment; filename="perudo-')
    assert "no-store" in answer["Cache-Control"]
    told: dict[str, Any] = json.loads(answer.content)
    return told


def test_the_settings_page_leads_to_the_file(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert f'href="{PAGE}"' in browser.get("/settings/").content.decode()
    assert f'href="{FILE}"' in browser.get(PAGE).content.decode()


def test_the_file_holds_account_settings_sessions_and_nothing_that_opens_anything(
    bob: User, client: Client
) -> None:
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    told = fetch(client)
    assert told["version"] == 1
    assert told["account"]["email"] == "bob@example.org"
    assert told["account"]["has_password"] is True
    assert told["preferences"] == {"time_zone": "UTC", "language": "en", "dice_in_mail": True}
    assert [row["email"] for row in told["addresses"]] == ["bob@example.org"]
    assert [row["ip"] for row in told["sessions"]] == ["127.0.0.1"]
    bob.refresh_from_db()
    assert bob.password not in json.dumps(told)
    assert str(client.session.session_key) not in json.dumps(told)


def test_the_file_holds_own_games_and_moves_and_no_dice(alice: User, log_in: LogIn) -> None:
    game = table()
    name = "alice" if game.to_act == seat_of(game, "alice").number else "bob"
    other = "bob" if name == "alice" else "alice"
    game = act(game, rules.MakeBid(seat_of(game, name).number, rules.Bid.parse("2x3")))
    game = act(game, rules.MakeBid(seat_of(game, other).number, rules.Bid.parse("3x3")))
    told = fetch(log_in(alice))
    [own] = told["games"]
    assert (own["game"], own["status"], own["hosted"]) == (game.code, "active", True)
    bid = "2x3" if name == "alice" else "3x3"
    assert [(move["move"], move["bid"]) for move in own["moves"]] == [("bid", bid)]
    keys = set(own) | set(own["moves"][0])
    assert keys == {
        "game", "name", "rules", "status", "hosted", "created_at", "started_at", "finished_at",
        "seat", "joined_at", "place", "resigned", "retired_at", "added_to_the_dice", "moves",
        "number", "round", "move", "bid", "by_the_clock", "made_at",
    }  # fmt: skip
    for cup in cups(game):
        assert str(list(cup)) not in json.dumps(told)
    assert "bob@example.org" not in json.dumps(told)


def test_the_file_holds_hours_absences_and_the_phrase_added_to_the_dice(
    alice: User, log_in: LogIn
) -> None:
    assert fetch(log_in(alice))["hours"] == {}
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2)
    room = lobby.create_game(host=player(alice), new=new, now=timezone.now())
    raw = "Élan vital".encode()
    contributing.contribute(
        game_id=room.pk, user_id=alice.pk, kind=ContributionKind.TEXT, raw=raw, now=timezone.now()
    )
    day = timezone.now().date() + timedelta(days=3)
    hours.go_away(user_id=alice.pk, first=day, last=day, now=timezone.now())
    told = fetch(log_in(alice))
    assert [own["added_to_the_dice"] for own in told["games"]] == ["Élan vital"]
    assert told["hours"]["night_from"] == "22:30"
    assert told["hours"]["absences"] == [{"first": day.isoformat(), "last": day.isoformat()}]
    assert told["hours"]["days_of_absence_left"] == 13


def test_the_file_holds_the_invitations_that_one_sent(alice: User, log_in: LogIn) -> None:
    game = table()
    invitations.write(
        game, by=alice.pk, now=timezone.now(), email="dora@example.org", language="en"
    )
    assert [row["email"] for row in fetch(log_in(alice))["invitations_sent"]] == [
        "dora@example.org"
    ]


def test_the_file_of_a_long_history_asks_no_more_of_the_database(
    alice: User, log_in: LogIn
) -> None:
    table()
    browser = log_in(alice)
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            fetch(browser)
        counts.append(len(queries))
        table()
    assert counts[0] == counts[1]


@pytest.mark.parametrize("address", [PAGE, FILE])
def test_a_stolen_session_gets_no_copy(
    alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    import time

    browser = log_in(alice)
    later = time.time() + 301
    monkeypatch.setattr("time.time", lambda: later)
    assert browser.get(address)["Location"].startswith("/settings/prove/")
    assert Client().get(address)["Location"].startswith("/accounts/login/")
    assert browser.post(address).status_code == 405


def test_erasing_leaves_the_public_log_of_every_game_as_it_was(alice: User) -> None:
    from games.models import Event

    game = table()
    act(game, rules.Resign(seat_of(game, "bob").number))
    running = table()
    before = list(Event.objects.filter(game=game).order_by("seq").values())
    told = list(Event.objects.filter(game=running).order_by("seq").values())
    services.close_account(user=alice, now=timezone.now())
    assert list(Event.objects.filter(game=game).order_by("seq").values()) == before
    # A game under way goes on from where it was: what was said stays, leaving is added.
    assert list(Event.objects.filter(game=running).order_by("seq").values())[: len(told)] == told
    for text in (str(before), str(told)):
        assert "alice" not in text.lower()
    assert Seat.objects.filter(game=game, user=None, name="").count() == 1

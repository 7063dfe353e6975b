"""The table while its dice are awaited: what it says, and the vote after a day."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game
from games.rules import Resign
from games.rules.record import replay
from games.selectors import Viewer, record_of, round_page
from tests import drand
from tests.cast import act, later, person, table
from tests.integration.games.beacons import current, kinds, play_round, relay, sweep
from tests.integration.games.mailing import sent_mail
from tests.integration.games.pages import address, browser, offered, text

__all__ = ["relay"]

pytestmark = pytest.mark.django_db


def waiting_since(**ago: float) -> Game:
    """Return a public table whose first roll waits since then."""
    now = timezone.now() - timedelta(**ago)
    return table(("alice", "bob"), now=now, is_private=False)


def test_the_table_says_what_it_waits_for_and_offers_no_move(relay: drand.Relay) -> None:
    game = waiting_since(seconds=0)
    for name in ("alice", "bob", "mallory", ""):
        html = text(browser(name).get(address(game)))
        assert "The dice are about to be rolled" in html
        assert "The dice of round 1 wait for public randomness (about " in html
        assert offered(html) == []
        assert "data-countdown" not in html
        assert "game_roll" not in html
        assert f"/g/{game.code}/roll/" not in html


def test_the_table_says_that_the_value_is_late(relay: drand.Relay) -> None:
    html = text(browser("alice").get(address(waiting_since(minutes=3))))
    assert "which is late" in html
    assert "silent for a day" not in html


def test_a_move_is_refused_with_the_reason(relay: drand.Relay) -> None:
    game = waiting_since(seconds=0)
    fields = {"act": "bid", "bid": "2x3", "version": game.version, "idem_key": "k"}
    response = browser("alice").post(address(game, "play/"), fields)
    assert response.status_code == 422
    assert "The dice of this round have not been rolled yet." in text(response)


def test_lists_call_nobody_to_move(relay: drand.Relay) -> None:
    waiting_since(seconds=0)
    for name in ("alice", "bob"):
        html = text(browser(name).get("/"))
        assert "your turn" not in html
        assert "The dice are about to be rolled" in html


def test_the_page_polls_a_new_table_out_of_the_roll(relay: drand.Relay) -> None:
    game = waiting_since(seconds=0)
    client = browser("alice")
    since = f"?since={game.version}"
    assert client.get(address(game, since)).status_code == 204
    sweep(game)
    assert client.get(address(game, since)).status_code == 200


def test_after_a_day_players_vote_on_the_page_and_onlookers_watch(relay: drand.Relay) -> None:
    relay.trouble = "away"
    game = waiting_since(hours=25)
    form = f'action="/g/{game.code}/roll/"'
    for name, may in (("alice", True), ("bob", True), ("mallory", False), ("", False)):
        html = text(browser(name).get(address(game)))
        assert "So far 0 of 2 want it." in html
        assert (form in html) is may
    response = browser("alice").post(address(game, "roll/"))
    assert (response.status_code, response["Location"]) == (303, address(game))
    html = text(browser("alice").get(address(game)))
    assert "So far 1 of 2 want it." in html
    assert form not in html
    browser("bob").post(address(game, "roll/"))
    assert kinds(game)[-2:] == ["fallback", "seal"]
    assert "about to be rolled" not in text(browser("alice").get(address(game)))


def test_a_vote_before_its_time_changes_nothing_and_says_so(relay: drand.Relay) -> None:
    game = waiting_since(hours=23)
    response = browser("alice").post(address(game, "roll/"), follow=True)
    assert "There is nothing to vote on" in text(response)
    assert current(game).fallback_votes is None


def test_onlookers_and_strangers_cannot_vote(relay: drand.Relay) -> None:
    game = waiting_since(hours=25)
    assert browser("mallory").post(address(game, "roll/")).status_code == 403
    assert current(game).fallback_votes is None


def test_a_vote_is_never_cast_by_a_link(relay: drand.Relay) -> None:
    game = waiting_since(hours=25)
    assert browser("alice").get(address(game, "roll/")).status_code == 302
    assert current(game).fallback_votes is None


def test_a_finished_round_can_be_looked_at_while_the_next_one_waits(relay: drand.Relay) -> None:
    game = waiting_since(seconds=0)
    now = sweep(game)
    play_round(game, now=now)
    for path in ("", "rounds/", "rounds/1/"):
        assert browser("alice").get(address(game, path)).status_code == 200
    assert browser("alice").get(address(game, "rounds/2/")).status_code == 404


def test_a_round_that_was_never_rolled_has_no_cups_to_show(relay: drand.Relay) -> None:
    game = waiting_since(seconds=0)
    seat = game.seats.get(user=person("bob"))
    act(game, Resign(seat.number), now=timezone.now())
    for path in ("", "rounds/", "rounds/1/", "record"):
        response = browser("alice").get(address(game, path))
        assert response.status_code == 200
    game.refresh_from_db()
    page = round_page(game, 1, Viewer(person("alice").pk))
    assert (page.closed.covered, page.covered_cups, page.own_cup) == ((), (), None)
    assert not replay(record_of(game))


def test_news_that_is_sent_while_the_next_roll_is_awaited_names_who_opens(
    relay: drand.Relay,
) -> None:
    game = table(("alice", "bob", "carol"))
    now = sweep(game)
    game = play_round(game, now=now)
    now = sweep(game)
    assert game.to_act is not None
    silent = game.seats.get(number=(game.to_act + 2) % 3)
    game = play_round(game, now=now)
    opener = game.seats.get(number=game.to_act)
    reader = silent.user.email.partition("@")[0]
    mail = sent_mail(game, "round_over", reader, now=now)
    assert f"{opener.user.display_name} is to move" in mail.body
    assert "Seal r3" not in mail.body


def test_the_turn_mail_carries_the_seal_of_the_roll(relay: drand.Relay) -> None:
    game = table()
    sweep(game)
    mover = game.seats.get(number=game.to_act).user.email.partition("@")[0]
    mail = sent_mail(game, "turn", mover, now=later(minutes=1))
    assert "Seal r1 · " in mail.body
    assert "· log 3" in mail.body

"""The page behind the link of a mail that may not be its player's."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.mail.confirming import confirm_token
from games.models import Bid, Game
from games.services.receiving import Outcome
from tests.cast import later, person
from tests.integration.mail.letters import (
    answer,
    deliver,
    mail_to,
    mails_to,
    opened_by,
    reply,
    send_mails,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return opened_by("alice", "bob")


@pytest.fixture
def page(game: Game, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of the page that asks alice whether a bid of five fours is hers."""
    settings.MAIL_WITHOUT_BORDER = "confirm"
    monkeypatch.setattr("games.views.replies.timezone.now", lambda: later(minutes=5))
    assert answer("alice", "turn", "5 fours").outcome is Outcome.CONFIRMING
    asked = mail_to("alice", "confirm", now=later(minutes=1))
    link = re.search(r"http://127\.0\.0\.1:8000(/answer/\S+)", asked.body)
    assert link
    return link[1]


def test_looking_shows_what_was_read_and_changes_nothing(page: str, client: Client) -> None:
    for method in ("get", "head", "options"):
        getattr(client, method)(page)
    shown = client.get(page)
    assert "5 fours (5 × 4)" in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]
    assert not Bid.objects.exists()


def test_a_program_that_sends_the_form_as_it_is_plays_nothing(page: str, client: Client) -> None:
    form = client.get(page).content.decode()
    assert " checked" not in form
    assert client.post(page, {}).status_code == 422
    assert client.post(page, {"choice": ""}).status_code == 422
    assert not Bid.objects.exists()


def test_a_choice_plays_it_once_from_that_moment(page: str, client: Client, game: Game) -> None:
    assert "Done." in client.post(page, {"choice": "play"}).content.decode()
    bid = Bid.objects.get()
    assert (bid.quantity, bid.face, bid.made_at) == (5, 4, later(minutes=5))
    again = client.post(page, {"choice": "play"})
    assert "nothing to decide here any more" in again.content.decode()
    assert Bid.objects.count() == 1
    send_mails(now=later(minutes=6))
    assert mails_to("alice").count("ack") == 1


def test_a_mail_that_is_disowned_is_dropped(page: str, client: Client) -> None:
    client.post(page, {"choice": "disown"})
    client.post(page, {"choice": "play"})
    assert not Bid.objects.exists()


def test_it_needs_the_forms_own_token(page: str) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.get(page)
    assert strict.post(page, {"choice": "play"}).status_code == 403
    assert not Bid.objects.exists()


def test_it_tells_times_in_the_zone_of_its_player_signed_in_or_not(
    page: str, client: Client
) -> None:
    User.objects.filter(pk=person("alice").pk).update(time_zone="Asia/Tokyo")
    shown = client.get(page).content.decode()
    assert "received Monday 4 May, 21:00 JST from a…@example.org" in shown
    assert "Your time runs until Tuesday 5 May, 21:00 JST." in shown
    assert "UTC" not in shown


def test_too_late_is_too_late(page: str, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.views.replies.timezone.now", lambda: later(days=2))
    said = client.post(page, {"choice": "play"}).content.decode()
    assert "Nothing was played." in said
    assert "It came after your time was up." in said
    assert not Bid.objects.exists()
    again = client.get(page)
    assert "5 fours (5 × 4)" in again.content.decode()
    assert "nothing to decide here any more" in again.content.decode()


def test_a_turn_that_was_played_on_the_page_meanwhile_is_over(
    page: str, client: Client, game: Game
) -> None:
    from games import rules
    from tests.cast import act, seat_of

    act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid(2, 2)), now=later(minutes=2))
    said = client.post(page, {"choice": "play"}).content.decode()
    assert "The turn that you answered is over." in said
    assert Bid.objects.count() == 1


# --- what no mail asks about any more ------------------------------------------------------------


def links(client: Client) -> list[str]:
    """Return the confirm pages that alice's page of her mail leads to."""
    client.force_login(person("alice"))
    return re.findall(r'href="(/answer/[^"]+)"', client.get("/settings/mail/").content.decode())


def test_beyond_ten_answers_an_hour_a_mail_still_waits_on_the_page(
    page: str, client: Client, game: Game
) -> None:
    for number in range(9):
        assert answer("alice", "turn", f"{number + 1} fives").row.answer == "confirm"
    silent = answer("alice", "turn", "4 threes")
    assert (silent.outcome, silent.row.answer) == (Outcome.CONFIRMING, "")
    newest, *others = links(client)
    assert len(others) == 9, "the newest ten"
    assert "4 threes (4 × 3)" in client.get(newest).content.decode()
    client.post(newest, {"choice": "play"})
    bid = Bid.objects.get()
    assert (bid.quantity, bid.face) == (4, 3)
    assert links(client) == [], "nothing can come of the others: the turn is over"


def test_a_mail_that_is_done_or_disowned_waits_no_more(page: str, client: Client) -> None:
    assert links(client) == [page]
    client.post(page, {"choice": "disown"})
    assert links(client) == []


def test_nobody_elses_page_names_it(page: str, client: Client) -> None:
    client.force_login(person("bob"))
    assert "/answer/" not in client.get("/settings/mail/").content.decode()


@pytest.mark.parametrize("token", ["x" * 40, confirm_token(10**9)])
def test_no_other_token_opens_anything(client: Client, token: str) -> None:
    assert client.get(f"/answer/{token}/").status_code == 404


def test_a_mail_that_was_played_at_once_has_no_such_page(game: Game, client: Client) -> None:
    done = answer("alice", "turn", "5 elephants")
    assert client.get(f"/answer/{confirm_token(done.row.pk)}/").status_code == 404


def test_an_answer_to_the_address_we_write_from_is_confirmed_by_a_link(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = reply(sent, "5 fours", to="game@localhost")
    assert deliver(raw, "game@localhost").outcome is Outcome.CONFIRMING
    assert not Bid.objects.exists()
    assert mail_to("alice", "confirm", now=later(minutes=1)).to == ["alice@example.org"]


def test_a_stray_mail_to_the_address_we_write_from_is_dropped(game: Game) -> None:
    sent = mail_to("alice", "turn")
    other = reply(sent, "5 fours", to="game@localhost", sender=person("mallory").email)
    assert deliver(other, "game@localhost").outcome is Outcome.UNKNOWN
    no_thread = reply(
        sent, "5 fours", to="game@localhost", headers={"In-Reply-To": "<other@example.org>"}
    )
    assert deliver(no_thread, "game@localhost").outcome is Outcome.UNKNOWN

"""From an empty table to the first roll."""

from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.utils import timezone

from games.models import Game, GameStatus, Invitation, OutboxKind, OutboxMessage, Seat
from games.rules import find_ruleset
from games.services import deadlines, lobby
from tests.cast import NOON, person, player, seat_of, table
from tests.integration.games.pages import address, browser, text

pytestmark = pytest.mark.django_db


def room(*guests: str, preset: str = "bga", **choices: Any) -> Game:
    """Return alice's waiting room for three, with ``guests`` in it, none of them ready."""
    new = lobby.NewGame(
        **{"ruleset": find_ruleset(preset), "seats": 3, "turn_seconds": 86_400, **choices}
    )
    game = lobby.create_game(host=player(person("alice")), new=new, now=timezone.now())
    for name in guests:
        lobby.join(game_id=game.pk, player=player(person(name)), now=timezone.now())
    return game


def names(game: Game) -> list[str]:
    seats = Seat.objects.filter(game=game).order_by("number")
    return [seat.name for seat in seats]


def get_ready(game: Game, *people: str) -> None:
    for name in people:
        answer = browser(name).post(address(game, "ready/"), {"ready": "1"})
        assert answer["Location"] == address(game)


# --- coming by a link ----------------------------------------------------------------------------


def link(game: Game) -> str:
    return f"/join/{game.invite_token}/"


def test_a_link_tells_anybody_who_invites_to_what() -> None:
    game = room("bob", name="Friday night")
    answer = browser().get(link(game))
    html = text(answer)
    assert answer.status_code == 200
    assert "Alice invites you to a game of Perudo" in html
    assert "Friday night" in html
    assert "1 free seat" in html
    assert f"/accounts/signup/?next=%2Fjoin%2F{game.invite_token}%2F" in html
    assert names(game) == ["Alice", "Bob"]


@pytest.mark.parametrize("page", ["login", "signup"])
def test_the_bar_on_top_leads_back_to_the_invitation_too(page: str) -> None:
    game = room(is_private=False)
    for path in (link(game), address(game)):
        back = f"/accounts/{page}/?next={quote(path, safe='')}"
        bar = text(browser().get(path)).split("</header>")[0]
        assert back in bar
        assert back in text(browser().get(f"/accounts/login/?next={path}")).split("</header>")[0]
    assert "next=" not in text(browser().get("/rules/"))


def test_a_link_gives_a_seat_by_a_click_and_not_by_a_look() -> None:
    game = room()
    bob = browser("bob")
    assert "Take a seat" in text(bob.get(link(game)))
    assert names(game) == ["Alice"]
    answer = bob.post(link(game))
    assert (answer.status_code, answer["Location"]) == (302, address(game))
    assert names(game) == ["Alice", "Bob"]
    assert bob.get(link(game))["Location"] == address(game)
    assert bob.post(link(game))["Location"] == address(game)
    assert names(game) == ["Alice", "Bob"]


def test_a_visitor_who_takes_a_seat_logs_in_first_and_comes_back() -> None:
    game = room()
    answer = browser().post(link(game))
    assert answer["Location"] == f"/accounts/login/?next=/join/{game.invite_token}/"


def test_a_link_to_a_full_table_says_so() -> None:
    game = room("bob", "carol")
    answer = browser("mallory").get(link(game))
    assert "All seats are taken." in text(answer)
    assert browser("mallory").post(link(game)).status_code == 409
    assert names(game) == ["Alice", "Bob", "Carol"]


def test_a_link_to_a_game_that_has_begun_says_so() -> None:
    game = room("bob", "carol")
    get_ready(game, "bob", "carol")
    html = text(browser("mallory").get(link(game)))
    assert "This game has begun without you." in html
    assert "Take a seat" not in html


def test_a_link_to_a_cancelled_game_says_so() -> None:
    game = room()
    browser("alice").post(address(game, "leave/"))
    assert "This game was called off." in text(browser("bob").get(link(game)))


def test_a_mailed_link_is_good_for_a_week() -> None:
    game = room()
    browser("alice").post(address(game, "invite/"), {"emails": "bob@example.org"})
    invitation = Invitation.objects.get()
    path = f"/join/{invitation.token}/"
    assert "Take a seat" in text(browser("bob").get(path))
    old = timezone.now() - timedelta(days=8)
    Invitation.objects.filter(pk=invitation.pk).update(created_at=old)
    assert "more than a week old" in text(browser("bob").get(path))
    assert browser("bob").post(path).status_code == 409
    assert names(game) == ["Alice"]


def test_a_link_that_never_was_is_told_plainly() -> None:
    answer = browser().get(f"/join/{'0' * 26}/")
    assert answer.status_code == 404
    assert "This invitation is no longer good" in text(answer)


def test_who_was_removed_cannot_use_the_old_link() -> None:
    game = room("bob")
    old = link(game)
    browser("alice").post(address(game, f"seats/{seat_of(game, 'bob').pk}/remove/"))
    assert names(game) == ["Alice"]
    assert browser("bob").get(old).status_code == 404


def test_who_was_removed_does_not_take_a_seat_of_an_open_game_again() -> None:
    game = room("bob", is_private=False)
    alice, bob = browser("alice"), browser("bob")
    for _ in range(2):
        alice.post(address(game, f"seats/{seat_of(game, 'bob').pk}/remove/"))
        said = text(bob.post(address(game, "join/"), follow=True))
        assert "The host has removed you from this game." in said
        assert names(game) == ["Alice"]
        Seat.objects.create(game=game, number=1, user=person("bob"), joined_at=NOON)
    Seat.objects.filter(user=person("bob")).delete()
    browser("carol").post(address(game, "join/"))
    assert names(game) == ["Alice", "Carol"]


# --- inviting by mail ----------------------------------------------------------------------------


def test_several_addresses_are_invited_at_once() -> None:
    game = room()
    alice = browser("alice")
    answer = alice.post(
        address(game, "invite/"), {"emails": "bob@example.org, Carol@example.org\ndora@example.org"}
    )
    assert answer["Location"] == address(game)
    assert OutboxMessage.objects.filter(kind="invitation").count() == 3
    html = text(alice.get(address(game)))
    assert "3 invitations are on their way." in html
    assert "carol@example.org" in html
    assert "carol@example.org" not in text(browser("bob").get(link(game)))


def test_wrong_addresses_are_named_and_nothing_is_sent() -> None:
    game = room()
    typed = "bob@example.org; carol at example; <script>"
    answer = browser("alice").post(address(game, "invite/"), {"emails": typed})
    html = text(answer)
    assert answer.status_code == 422
    assert "These are not e-mail addresses: carol, at, example, &lt;script&gt;" in html
    assert "bob@example.org; carol at example; &lt;script&gt;</textarea>" in html
    assert not Invitation.objects.exists()


def test_too_many_invitations_are_refused_and_kept() -> None:
    game = room()
    alice = browser("alice")
    for batch in range(2):
        emails = ",".join(f"p{batch}.{number}@example.org" for number in range(20))
        alice.post(address(game, "invite/"), {"emails": emails})
    answer = alice.post(address(game, "invite/"), {"emails": "one.more@example.org"})
    assert answer.status_code == 409
    assert "more than 40 invitations" in text(answer)
    assert "one.more@example.org</textarea>" in text(answer)


# --- getting ready and starting ------------------------------------------------------------------


def test_a_full_table_that_is_ready_starts_by_itself() -> None:
    game = room("bob", "carol")
    get_ready(game, "bob")
    assert "not ready" in text(browser("bob").get(address(game)))
    get_ready(game, "carol")
    game.refresh_from_db()
    assert game.status == GameStatus.ACTIVE
    assert "Your dice" in text(browser("carol").get(address(game)))


def test_one_may_take_back_being_ready() -> None:
    game = room("bob")
    get_ready(game, "bob")
    assert seat_of(game, "bob").is_ready
    browser("bob").post(address(game, "ready/"), {"ready": "0"})
    assert not seat_of(game, "bob").is_ready


def test_the_host_starts_with_those_who_are_there() -> None:
    game = room("bob")
    alice = browser("alice")
    assert "Start without filling the free seats" not in text(alice.get(address(game)))
    answer = alice.post(address(game, "start/"))
    assert answer.status_code == 409
    assert "when all players are ready" in text(answer)
    get_ready(game, "bob")
    assert "Start without filling the free seats" in text(alice.get(address(game)))
    assert alice.post(address(game, "start/"))["Location"] == address(game)
    game.refresh_from_db()
    assert game.status == GameStatus.ACTIVE


def test_the_host_names_the_opener_where_the_rules_let_him() -> None:
    game = room("bob", "carol", preset="asmodee")
    get_ready(game, "bob", "carol")
    game.refresh_from_db()
    assert game.status == GameStatus.OPEN  # it waits for the host's word
    html = text(browser("alice").get(address(game)))
    assert "Who opens the first round?" in html
    told = "The host starts the game once everybody is ready."
    assert told not in html
    assert told in text(browser("bob").get(address(game)))
    assert "All seats are taken." in text(browser("bob").get("/"))
    bob = seat_of(game, "bob").number
    browser("alice").post(address(game, "start/"), {"opener": str(bob)})
    game.refresh_from_db()
    assert game.to_act == seat_of(game, "bob").number


@pytest.mark.parametrize("rest", ["start/", "bots/", "seats/0/remove/"])
def test_only_the_host_runs_the_room(rest: str) -> None:
    game = room("bob")
    get_ready(game, "bob")
    answer = browser("bob").post(address(game, rest))
    assert answer.status_code == 403
    assert "Only the host may do that." in text(answer)
    game.refresh_from_db()
    assert (game.status, names(game)) == (GameStatus.OPEN, ["Alice", "Bob"])


def test_the_host_gives_seats_to_bots_and_takes_them_back() -> None:
    game = room()
    alice = browser("alice")
    alice.post(address(game, "bots/"))
    assert [seat.bot for seat in Seat.objects.order_by("number")] == ["", "paco"]
    assert "Remove" in text(alice.get(address(game)))
    bot = Seat.objects.get(game=game, bot="paco")
    alice.post(address(game, f"seats/{bot.pk}/remove/"))
    assert names(game) == ["Alice"]


def test_a_newcomer_on_the_same_chair_is_not_removed_in_anothers_place() -> None:
    game = room("bob")
    gone = seat_of(game, "bob").pk
    browser("bob").post(address(game, "leave/"))
    browser("carol").post(link(game))
    assert names(game) == ["Alice", "Carol"]
    browser("alice").post(address(game, f"seats/{gone}/remove/"))
    assert names(game) == ["Alice", "Carol"]


def test_a_room_that_nobody_filled_closes_and_its_host_is_told() -> None:
    table(("carol", "dora"))  # who sits elsewhere has nothing to do with it
    game = room("bob")
    Game.objects.filter(pk=game.pk).update(wake_at=NOON)
    assert deadlines.expire_turns(now=NOON) == 1
    game.refresh_from_db()
    assert game.status == GameStatus.CANCELLED
    told = OutboxMessage.objects.filter(game=game, kind=OutboxKind.CANCELLED)
    assert {message.seat.user.email for message in told} == {"alice@example.org", "bob@example.org"}


def test_bots_that_fill_the_table_start_it() -> None:
    game = room()
    for _ in range(2):
        browser("alice").post(address(game, "bots/"))
    game.refresh_from_db()
    assert game.status == GameStatus.ACTIVE


# --- going ---------------------------------------------------------------------------------------


def test_a_guest_gives_up_his_seat() -> None:
    game = room("bob")
    bob = browser("bob")
    assert "Give up your seat?" in text(bob.get(address(game, "leave/")))
    assert names(game) == ["Alice", "Bob"]
    assert bob.post(address(game, "leave/"))["Location"] == "/"
    assert names(game) == ["Alice"]
    assert "You have left the game." in text(bob.get("/"))


def test_the_host_cancels_after_one_question() -> None:
    game = room("bob")
    alice = browser("alice")
    assert "Cancel the game?" in text(alice.get(address(game, "leave/")))
    alice.post(address(game, "leave/"))
    game.refresh_from_db()
    assert game.status == GameStatus.CANCELLED
    assert "This game was called off" in text(browser("bob").get(address(game)))
    assert browser("bob").post(address(game, "ready/")).status_code == 409


# --- keeping up ----------------------------------------------------------------------------------


def test_the_room_is_polled_and_turns_into_the_table() -> None:
    game = room("bob", seats=2)
    alice = browser("alice")
    since = alice.get(address(game)).context["since"]
    poll = address(game, f"?since={since}")
    assert alice.get(poll, headers={"HX-Request": "true"}).status_code == 204
    get_ready(game, "bob")
    answer = alice.get(poll, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "Your dice" in text(answer)


def test_the_rules_of_the_room_are_told_in_sentences() -> None:
    html = text(browser("alice").get(address(room(preset="piatnik"))))
    assert "as soon as the bid is proven the others stay covered" in html
    assert "1 day a turn" in html

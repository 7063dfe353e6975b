"""Rated or not is said before anybody takes a seat, and holds from then on."""

from datetime import datetime

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from games import rules
from games.models import Game, OutboxKind, OutboxMessage, Seat
from games.services import lobby, outbox
from tests.cast import act, person, player, seat_of, table
from tests.integration.games.handing import retire
from tests.integration.games.pages import address, browser, text
from tests.integration.games.test_pages_lists import made

pytestmark = pytest.mark.django_db

RATED, UNRATED = "This game is rated", "This game is not rated"


def room(*, now: datetime | None = None, seats: int = 3, **choices: bool) -> Game:
    """Return an open waiting room of alice’s."""
    new = lobby.NewGame(rules.find_ruleset("bga"), seats=seats, is_private=False, **choices)
    return lobby.create_game(host=player(person("alice")), new=new, now=now or timezone.now())


@pytest.mark.parametrize(("is_rated", "said"), [(True, RATED), (False, UNRATED)])
def test_lobby_waiting_room_and_invitation_say_whether_a_game_is_rated(
    is_rated: bool, said: str
) -> None:
    game = room(is_rated=is_rated)
    pages = ("/lobby/", address(game), f"/join/{game.invite_token}/")
    for page in pages:
        html = text(browser("bob").get(page))
        assert said in html, page
        assert (RATED in html) != (UNRATED in html), page


def test_the_invitation_by_mail_says_so_too(mailoutbox: list[object]) -> None:
    game = room()
    alice = player(person("alice"))
    lobby.invite(
        game_id=game.pk, player=alice, emails=["zoe@example.org"], language="en",
        now=timezone.now(),
    )  # fmt: skip
    assert OutboxMessage.objects.filter(kind=OutboxKind.INVITATION).exists()
    outbox.relay(now=timezone.now())
    assert RATED in mailoutbox[-1].body


def test_the_form_makes_a_rated_game_unless_the_host_says_otherwise() -> None:
    html = text(browser("alice").get("/games/new/"))
    tag = next(part for part in html.split("<input") if 'name="is_rated"' in part)
    assert "checked" in tag
    assert made(is_rated="on").is_rated
    assert not made().is_rated


@pytest.mark.parametrize("choice", [{"bots": "2"}, {"shows_odds": "on"}])
def test_the_form_makes_no_rated_game_with_bots_or_odds(choice: dict[str, str]) -> None:
    assert not made(is_rated="on", **choice).is_rated


def test_a_bot_that_comes_makes_the_game_unrated_for_good() -> None:
    game = room()
    assert "With a bot the game is not rated any more." in text(browser("alice").get(address(game)))
    lobby.add_bot(game_id=game.pk, host_id=person("alice").pk, now=timezone.now())
    assert UNRATED in text(browser("bob").get(address(game)))
    bot = Seat.objects.exclude(bot="").get()
    lobby.remove_seat(
        game_id=game.pk, host_id=person("alice").pk, seat_id=bot.pk, now=timezone.now()
    )
    game.refresh_from_db()
    assert not game.is_rated


def test_a_rematch_is_rated_as_the_game_was() -> None:
    for is_rated in (True, False):
        game = room(seats=2, is_rated=is_rated)
        bob = person("bob")
        lobby.join(game_id=game.pk, player=player(bob), now=timezone.now())
        lobby.set_ready(game_id=game.pk, user_id=bob.pk, is_ready=True, now=timezone.now())
        game.refresh_from_db()
        act(game, rules.Resign(seat_of(game, "bob").number), now=timezone.now())
        game.refresh_from_db()
        again = lobby.rematch(game=game, player=player(bob), now=timezone.now())
        assert again.is_rated == is_rated


def test_whoever_looks_at_a_free_seat_is_told_that_it_changes_no_rating_of_his() -> None:
    now = timezone.now()
    game = table(("alice", "bob", "carol"), now=now)
    retire(game, "bob", now=now)
    game.refresh_from_db()
    html = text(browser("dora").get(f"/join/{game.invite_token}/"))
    assert "Your rating stays as it is" in html


def test_the_database_refuses_a_rated_game_with_odds() -> None:
    game = room()
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(shows_odds=True)

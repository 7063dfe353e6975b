"""Players add their own randomness before the start, and it goes into the dice."""

import pytest

from games.fairness import Contribution, game_key, rules_digest, seating
from games.models import Contribution as ContributionRow
from games.models import ContributionKind, Game
from games.services import contributing, lobby
from games.services.errors import LobbyRefusal
from games.store import ruleset_of
from tests.cast import NOON, person, player
from tests.integration.fairness.checking import log_of
from tests.integration.games.pages import address, browser, text

pytestmark = pytest.mark.django_db

RANDOM = "5a" * 32


def room(seats: int = 3) -> Game:
    """Return a waiting room that alice hosts and bob has joined."""
    from games import rules

    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=seats, turn_seconds=3600)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    lobby.join(game_id=game.pk, player=player(person("bob")), now=NOON)
    return game


def add(game: Game, name: str, **sent: str) -> int:
    return browser(name).post(address(game, "contribution/"), sent).status_code


def test_the_commitment_is_shown_before_anybody_adds_anything() -> None:
    game = room()
    shown = text(browser("bob").get(address(game)))
    assert "Seal c · " in shown
    assert log_of(game)[0]["payload"]["commitment"] == game.commitment
    assert not ContributionRow.objects.exists()


def test_a_browser_adds_random_bytes_once() -> None:
    game = room()
    assert add(game, "bob", random=RANDOM) == 302
    assert "32 random bytes" in text(browser("bob").get(address(game)))
    assert add(game, "bob", random="77" * 32) == 302, "another tab says the same, and is not heard"
    assert ContributionRow.objects.get().raw == RANDOM


def test_a_phrase_takes_the_place_of_random_bytes_and_of_an_earlier_phrase() -> None:
    game = room()
    add(game, "bob", random=RANDOM)
    for phrase in ("my dice: 3 1 5", "cafe\u0301 au lait"):
        assert add(game, "bob", phrase=phrase) == 302
    row = ContributionRow.objects.get()
    assert (row.kind, bytes.fromhex(row.raw).decode()) == ("text", "café au lait")
    assert add(game, "bob", random=RANDOM) == 302
    assert ContributionRow.objects.get().kind == "text", "a script replaces no words"


@pytest.mark.parametrize(
    ("sent", "why"),
    [
        ({}, "Type a few words"),
        ({"phrase": "  "}, "Type a few words"),
        ({"phrase": "a\x07b"}, "signs in it that cannot be shown"),
        ({"phrase": "x" * 201}, "at most 200"),
        ({"random": "zz" * 32}, ""),
        ({"random": "5a" * 31}, ""),
    ],
)
def test_what_cannot_be_added_is_refused_with_the_reason(sent: dict[str, str], why: str) -> None:
    game = room()
    answer = browser("bob").post(address(game, "contribution/"), sent)
    assert answer.status_code == 422
    assert why in text(answer)
    assert not ContributionRow.objects.exists()


def test_whoever_has_no_seat_adds_nothing() -> None:
    game = room()
    Game.objects.filter(pk=game.pk).update(is_private=False)
    assert add(game, "mallory", phrase="mine") == 403
    with pytest.raises(LobbyRefusal):
        contributing.contribute(
            game_id=game.pk,
            user_id=person("mallory").pk,
            kind=ContributionKind.TEXT,
            raw=b"mine",
            now=NOON,
        )


def test_what_somebody_added_goes_with_his_seat() -> None:
    game = room()
    add(game, "bob", phrase="mine")
    lobby.leave(game_id=game.pk, user_id=person("bob").pk, now=NOON)
    assert not ContributionRow.objects.exists()


def test_the_start_closes_what_was_added_in_the_order_of_joining() -> None:
    game = room()
    lobby.join(game_id=game.pk, player=player(person("carol")), now=NOON)
    add(game, "carol", phrase="third")
    add(game, "alice", random=RANDOM)
    for name in ("bob", "carol"):
        lobby.set_ready(game_id=game.pk, user_id=person(name).pk, is_ready=True, now=NOON)
    game.refresh_from_db()
    start = log_of(game)[1]["payload"]
    assert start["contributions"] == [["rand", RANDOM], ["none", ""], ["text", b"third".hex()]]
    assert add(game, "bob", phrase="too late") == 409
    assert game.contributions == start["contributions"]


def test_another_contribution_makes_other_dice() -> None:
    game = room(seats=2)
    lobby.set_ready(game_id=game.pk, user_id=person("bob").pk, is_ready=True, now=NOON)
    game.refresh_from_db()
    given = {"seed": b"s" * 32, "gid": b"g" * 16, "rules": rules_digest("r")}
    keys = {
        game_key(**given, contributions=[Contribution(), mine])
        for mine in (Contribution(), Contribution("text", b"a"), Contribution("rand", b"a"))
    }
    assert len(keys) == 3
    assert sorted(log_of(game)[1]["payload"]["seats"]) == [0, 1]
    assert ruleset_of(game).name == "bga"
    assert len(seating(keys.pop(), 2)) == 2

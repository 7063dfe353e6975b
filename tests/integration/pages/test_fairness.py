"""The pages on fair dice, without a browser: who gets which key, and the public totals."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import rules, store
from games.models import Game
from games.rules import CoveredCups, find_ruleset
from games.selectors.fairness import fairness_totals
from games.services import lobby
from tests.cast import NOON, act, person, player, seat_of, table

pytestmark = pytest.mark.django_db


def page(name: str, game: Game) -> str:
    client = Client()
    if name:
        client.force_login(person(name))
    return client.get(f"/g/{game.code}/check/").content.decode()


def keys(html: str) -> list[str]:
    return re.findall(r'data-key="([0-9a-f]{64})"', html)


def test_each_player_gets_the_key_of_his_own_cup_and_nobody_else_any() -> None:
    game = table(("alice", "bob"), is_private=False)
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    assert game.current_round is not None
    dice = store.open_dice(game)
    own = {
        name: dice.cup_key(game.current_round, seat_of(game, name).number)
        for name in ("alice", "bob")
    }
    assert own["alice"] != own["bob"]
    for name, key in own.items():
        html = page(name, game)
        assert keys(html) == [key]
        assert not any(other in html for who, other in own.items() if who != name)
    for name in ("mallory", ""):
        assert not keys(page(name, game))


def test_who_is_out_and_a_game_that_is_over_get_no_key() -> None:
    game = table(("alice", "bob", "carol"), is_private=False)
    game = act(game, rules.Resign(seat_of(game, "carol").number))
    assert not keys(page("carol", game))
    assert keys(page("alice", game))
    game = act(game, rules.Resign(seat_of(game, "bob").number))
    assert not keys(page("alice", game))


def test_a_waiting_room_can_be_checked_too() -> None:
    new = lobby.NewGame(ruleset=find_ruleset("bga"), seats=2, turn_seconds=3600, is_private=False)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    assert "Check this game" in page("alice", game)
    assert not keys(page("alice", game))


def test_the_totals_tell_what_became_of_each_promise() -> None:
    table()  # under way
    over = table()
    act(over, rules.Resign(seat_of(over, "bob").number))
    kept = table(ruleset=_never())
    act(kept, rules.Resign(seat_of(kept, "bob").number))
    new = lobby.NewGame(ruleset=find_ruleset("bga"), seats=2, turn_seconds=3600)
    room = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    lobby.cancel(game_id=room.pk, host_id=person("alice").pk, now=NOON)
    with CaptureQueriesContext(connection) as queries:
        totals = fairness_totals()
    assert len(queries) == 2
    assert (totals.committed, totals.ended) == (4, 3)
    assert (totals.opened, totals.called_off, totals.kept_covered) == (2, 1, 1)
    assert totals.without_beacon is None


def _never() -> rules.Ruleset:
    toggles = find_ruleset("bga").to_dict()
    return rules.Ruleset.from_dict(
        {**toggles, "name": "custom", "covered_cups_after_game": CoveredCups.NEVER.value}
    )


def test_the_page_on_fair_dice_says_what_is_not_shown_by_it(client: Client) -> None:
    html = client.get("/fair-dice/").content.decode()
    assert "What has to be trusted" in html
    assert "server knows the dice" in html
    assert "proved" not in html


def test_every_page_leads_to_the_page_on_fair_dice(client: Client) -> None:
    assert 'href="/fair-dice/"' in client.get("/rules/").content.decode()

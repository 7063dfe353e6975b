"""How many queries a page takes: few, and as many for a long game as for a short one."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import Game
from tests.cast import give_turn, seat_of, veteran
from tests.integration.games.handing import retire
from tests.integration.games.pages import address, bid, browser, dudo, live_table
from tests.integration.games.test_pages_history import finished
from tests.integration.games.test_pages_waiting_room import room

pytestmark = pytest.mark.django_db


def queries(path: str, name: str = "alice") -> int:
    """Return how many queries a page takes, session and account included, on a second look.

    The first look at a turn of one's own is noted, in one more.
    """
    client = browser(name)
    client.get(path)
    with CaptureQueriesContext(connection) as caught:
        assert client.get(path).status_code in (200, 204)
    return len(caught)


def rounds(game: Game, count: int) -> Game:
    """Play ``count`` rounds of two bids and a dudo."""
    for _ in range(count):
        for text in ("1x2", "9x6"):
            game = bid(game, _to_act(game), text)
        game = dudo(game, _to_act(game))
    return game


def _to_act(game: Game) -> str:
    return next(
        name
        for name in ("alice", "bob", "carol", "dora", "erin", "frank")
        if seat_of(game, name).number == game.to_act
    )


def test_the_table_takes_seven_queries_whoever_plays_and_however_long() -> None:
    short = live_table("alice", "bob")
    give_turn(short, "alice")
    assert queries(address(short)) <= 7
    long = live_table("alice", "bob", "carol", "dora", "erin", "frank")
    long = rounds(long, 4)
    for step in range(1, 7):
        long = bid(long, _to_act(long), f"{step}x2")
    assert queries(address(long)) == queries(address(short))


def test_an_unchanged_position_takes_three() -> None:
    game = live_table("alice", "bob")
    since = browser("alice").get(address(game)).context["since"]
    assert queries(address(game, f"?since={since}")) <= 3


def test_an_onlooker_costs_less_than_a_player() -> None:
    game = live_table("alice", "bob", is_private=False)
    assert queries(address(game), "mallory") < queries(address(game), "alice")


def test_lists_take_as_many_queries_for_many_games() -> None:
    veteran("alice", "bob")
    live_table("alice", "bob")
    room("bob", is_private=False)
    retire(live_table("bob", "carol", is_private=False), "carol", now=timezone.now())
    before = queries("/"), queries("/lobby/")
    for name in ("dora", "emil", "fay", "gil"):
        live_table("alice", "bob", "carol")
        room("bob", is_private=False)
        retire(live_table("bob", name, is_private=False), name, now=timezone.now())
    finished("alice", "bob")
    assert (queries("/"), queries("/lobby/")) == before
    assert before[0] <= 5
    assert before[1] <= 7


@pytest.mark.parametrize("rest", ["", "rounds/", "rounds/1/", "record"])
def test_looking_back_takes_as_many_queries_for_long_games(rest: str) -> None:
    short = finished("alice", "bob", seed="a", ruleset=_dice(1))
    long = finished("alice", "bob", "carol", seed="b", ruleset=_dice(5))
    assert long.rounds.count() > short.rounds.count()
    assert queries(address(long, rest)) == queries(address(short, rest)) <= 7


def _dice(count: int) -> "object":
    from games.rules import find_ruleset, with_start_dice

    return with_start_dice(find_ruleset("bga"), count)


def test_a_waiting_room_takes_as_many_queries_when_it_is_full() -> None:
    small, large = room(seats=6), room("bob", "carol", "dora", seats=6)
    assert queries(address(small)) == queries(address(large)) <= 7

"""Rating finished games: each once, in an order that is written down, whatever comes between."""

import random
from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import services as accounts
from games import ratings as values
from games import rules
from games.models import Game, Rating, RatingBook, RatingChange, Seat, Standing
from games.services import ending, lobby, moves, nudges, ratings, rerating
from tests.cast import NOON, later, person, player, table
from tests.integration.games.handing import claim, end_round, play_for, retire
from tests.integration.games.rated import (
    MINUTE,
    changes,
    lose_a_die,
    rated_game,
    rating_of,
    resign,
)
from tests.integration.games.test_crashes import PowerCut, cut
from tests.integration.games.test_races import at_once

pytestmark = pytest.mark.django_db

THREE = ("alice", "bob", "carol")


def rate(**how_much: float) -> int:
    return ratings.rate_games(now=later(**how_much))


def stored() -> list[object]:
    """Return all that ratings are, without the keys of rows."""
    found: list[object] = list(Rating.objects.order_by("pk").values())
    changes_ = RatingChange.objects.order_by("game", "seat").values()
    standings = Standing.objects.order_by("user", "board").values()
    for row in (*changes_, *standings):
        row.pop("id")
        row.pop("place" if "board" in row else "", None)
        found.append(row)
    return found


# --- what is rated --------------------------------------------------------------------------------


def test_a_finished_game_is_rated_once() -> None:
    game = rated_game(*THREE)
    assert (rate(), rate()) == (1, 0)
    alice, bob, carol = (rating_of(name) for name in THREE)
    assert alice.mu > bob.mu > carol.mu
    assert (alice.games, bob.games, carol.games) == (1, 1, 1)
    row = changes(game)["alice"]
    assert (row.mu_before, row.sigma_before) == (values.MU, values.SIGMA)
    assert (row.mu, row.sigma, row.nth) == (alice.mu, alice.sigma, 1)
    assert (row.place, row.players, row.ended_at) == (1, 3, NOON)
    assert {row.place for row in changes(game).values()} == {1, 2, 3}


def test_a_game_counts_on_each_of_its_boards() -> None:
    rated_game(*THREE)
    rate()
    rated_game("bob", "alice", ends=later(hours=1))
    rate(hours=2)
    rows = Standing.objects.filter(user=person("alice")).values_list("board", "games", "wins")
    assert sorted(rows) == [
        ("all", 2, 1),
        ("rules-bga", 2, 1),
        ("season-2026-04", 2, 1),
        ("seats-2", 1, 0),
        ("seats-3", 1, 1),
    ]
    everything = Standing.objects.get(user=person("alice"), board="all")
    assert everything.fair == pytest.approx(1 / 3 + 1 / 2, abs=1e-6)
    assert everything.last_at == later(hours=1)


def test_a_running_game_is_not_rated() -> None:
    lose_a_die(table(), "alice", "bob", now=NOON)
    assert rate(hours=1) == 0


@pytest.mark.parametrize(
    ("choice", "leaving"), [({"bots": 1}, ["alice", "bob"]), ({"shows_odds": True}, ["bob"])]
)
def test_a_game_with_a_bot_or_with_odds_is_never_rated(
    choice: dict[str, Any], leaving: list[str]
) -> None:
    game = lose_a_die(table(("alice", "bob"), **choice), "alice", "bob", now=NOON)
    assert not game.is_rated
    assert resign(game, leaving, ends=NOON).status == "finished"
    assert rate(hours=1) == 0


def test_an_unrated_game_changes_nothing() -> None:
    new = lobby.NewGame(rules.find_ruleset("bga"), seats=2, is_rated=False)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    lobby.join(game_id=game.pk, player=player(person("bob")), now=NOON)
    lobby.set_ready(game_id=game.pk, user_id=person("bob").pk, is_ready=True, now=NOON)
    game.refresh_from_db()
    resign(lose_a_die(game, "bob", "alice", now=NOON), ["bob"], ends=NOON)
    assert rate(hours=1) == 0
    assert not Rating.objects.exists()


def test_a_game_in_which_nobody_lost_a_die_is_void() -> None:
    game = resign(table(THREE), ["carol", "bob"], ends=later(hours=1))
    assert game.status == "finished"
    assert rate(hours=2) == 1
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert rate(hours=3) == 0, "it is settled"


def test_a_game_that_is_called_off_is_not_rated() -> None:
    game = lose_a_die(table(), "alice", "bob", now=NOON)
    locked, seats = moves.lock(game.pk)
    ending.call_off(locked, seats, why=ending.ABANDONED, now=NOON)
    assert rate(hours=1) == 0


# --- who left how ---------------------------------------------------------------------------------


def test_whoever_resigns_is_below_those_still_in() -> None:
    game = lose_a_die(table(THREE), "bob", "carol", now=NOON)
    game = resign(game, ["alice", "bob"], ends=later(hours=1))
    rate(hours=2)
    assert rating_of("carol").mu > rating_of("bob").mu > rating_of("alice").mu


def test_the_game_of_a_seat_that_was_taken_over_counts_for_who_began_it() -> None:
    game = lose_a_die(table(THREE), "carol", "alice", now=NOON)
    seat = retire(game, "bob", now=later(hours=1))
    claim(game, "dora", seat, now=later(hours=2))
    game = end_round(game, "carol", bidder="alice", now=later(hours=3))
    # Dora, with bob's dice, outlives both: she gets nothing for it, and bob is below them.
    resign(game, ["carol", "alice"], ends=later(hours=4))
    assert rate(hours=5) == 1
    assert not Rating.objects.filter(user=person("dora")).exists()
    assert rating_of("alice").mu > rating_of("carol").mu > rating_of("bob").mu
    assert changes(game)["bob"].place == 3
    wins = Standing.objects.filter(board="all").values_list("wins", flat=True)
    assert list(wins) == [0, 0, 0], "the game was dora’s"
    assert rerating.differences() == (1, 0)


def test_whoever_was_out_before_a_seat_was_retired_is_below_its_player() -> None:
    game = lose_a_die(table(THREE), "carol", "alice", now=NOON)
    game = resign(game, ["carol"], ends=later(minutes=1))
    retire(game, "bob", now=later(hours=1))
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    bob = Seat.objects.get(game=game, retired_at__isnull=False)
    play_for(game, rules.Resign(bob.number), now=later(hours=2))
    rate(hours=3)
    assert rating_of("alice").mu > rating_of("bob").mu > rating_of("carol").mu


# --- accounts that are gone -----------------------------------------------------------------------


def test_an_account_that_closes_leaves_numbers_without_a_name() -> None:
    game = rated_game(*THREE)
    rated_game("bob", "alice", ends=later(hours=1))
    rate(hours=2)
    rated_game("carol", "bob", ends=later(hours=3))
    gone = person("bob").pk
    accounts.close_account(user=person("bob"), now=later(hours=3))
    rate(hours=4)
    assert not Rating.objects.filter(user_id=gone).exists()
    assert not Standing.objects.filter(user_id=gone).exists()
    assert "" in changes(game), "what the others won and lost by him stays"
    assert rerating.differences() == (2, 0)
    before = stored()
    assert rerating.recompute(now=later(hours=5)) == 2
    assert stored() == before


def test_whoever_is_gone_before_the_game_is_rated_is_left_out() -> None:
    game = rated_game(*THREE)
    accounts.close_account(user=person("bob"), now=NOON)
    rate(hours=1)
    assert changes(game).keys() == {"alice", "carol"}
    rated_game("dora", "erin", ends=later(hours=2))
    accounts.close_account(user=person("erin"), now=later(hours=2))
    rate(hours=3)
    assert not Rating.objects.filter(user=person("dora")).exists(), "he had nobody to win against"
    assert rerating.differences() == (1, 0)


# --- order, repetition, death ---------------------------------------------------------------------


def test_games_are_rated_in_the_order_in_which_they_ended() -> None:
    second = rated_game("alice", "bob", ends=later(hours=2))
    first = rated_game("bob", "alice", ends=later(hours=1))
    rate(hours=3)
    for game in (first, second):
        game.refresh_from_db()
    assert (first.rated_as, second.rated_as) == (1, 2)
    assert changes(second)["alice"].mu_before == changes(first)["alice"].mu


def test_a_game_that_is_committed_late_comes_after_those_that_were_rated() -> None:
    """Its number says so: what is worked out again goes by numbers, not by clocks."""
    rated_game("alice", "bob", ends=later(hours=2))
    rate(hours=2)
    late = rated_game("alice", "bob", ends=later(hours=1))
    rate(hours=3)
    late.refresh_from_db()
    assert late.rated_as == 2
    before = stored()
    assert rerating.differences() == (2, 0)
    rerating.recompute(now=later(hours=4))
    assert stored() == before


def test_a_kill_anywhere_leaves_nothing_half_rated() -> None:
    rated_game(*THREE, ends=NOON - timedelta(hours=1))
    rate()
    rated_game("carol", "alice", "bob")
    before = stored()
    for killed in count():
        try:
            with cut(killed, after=True):
                rate()
        except PowerCut:
            # A game is one transaction; what comes after it changes no rating.
            if Game.objects.filter(rated_as=2).exists():
                break
            assert stored() == before
    assert killed > 5
    rate(hours=1)
    assert rerating.differences() == (2, 0)


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_rate_each_game_once() -> None:
    for number in range(6):
        names = random.Random(number).sample(("alice", "bob", "carol", "dora"), 3)
        rated_game(*names, ends=later(hours=number))
    done = at_once([lambda: rate(hours=9)] * 3)
    while rate(hours=9):
        pass
    assert sum(map(int, done)) <= 6
    numbers = Game.objects.order_by("finished_at").values_list("rated_as", flat=True)
    assert list(numbers) == [1, 2, 3, 4, 5, 6]
    assert rerating.differences() == (6, 0)


@pytest.mark.django_db(transaction=True)
def test_an_account_may_close_while_its_game_is_rated() -> None:
    rated_game(*THREE)
    bob = person("bob")
    number = bob.pk
    at_once([lambda: rate(hours=1), lambda: accounts.close_account(user=bob, now=NOON)])
    while rate(hours=1):
        pass
    assert rerating.differences() == (1, 0)
    assert RatingChange.objects.count() in (2, 3)
    assert not RatingChange.objects.filter(user_id=number).exists()


@pytest.mark.parametrize("seed", range(4))
def test_what_is_stored_is_what_the_games_say_after_any_history(seed: int) -> None:
    chance = random.Random(seed)
    people = ["alice", "bob", "carol", "dora", "erin"]
    games = 0
    for step in range(12):
        what = chance.random()
        if what < 0.6:
            names = chance.sample(people, chance.randint(2, min(4, len(people))))
            minutes = step * 60 - chance.choice((0, 0, 90))  # some are committed late
            rated_game(*names, ends=later(minutes=minutes))
            games += 1
        elif what < 0.9:
            rate(hours=step)
        elif len(people) > 3:
            accounts.close_account(user=person(people.pop()), now=later(hours=step))
    rate(hours=20)
    numbers = Game.objects.filter(rated_as__gt=0).count()
    assert games >= 3
    assert rerating.differences() == (numbers, 0)
    before = stored()
    rerating.recompute(now=later(hours=21))
    assert stored() == before


# --- working it out again -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spoil",
    [
        lambda: Rating.objects.filter(user=person("alice")).update(mu=30.0),
        lambda: RatingChange.objects.filter(user=person("bob")).update(mu=20.0),
        lambda: RatingChange.objects.filter(user=person("bob")).delete(),
        lambda: Standing.objects.filter(board="seats-3").first().delete(),
        lambda: Standing.objects.filter(board="all").update(wins=9),
    ],
)
def test_what_was_tampered_with_is_found_and_mended(spoil: Callable[[], object]) -> None:
    rated_game(*THREE)
    rate()
    before = stored()
    call_command("recompute_ratings", "--check")
    spoil()
    with pytest.raises(CommandError, match="differ"):
        call_command("recompute_ratings", "--check")
    call_command("recompute_ratings")
    call_command("recompute_ratings", "--check")
    assert stored() == before


def test_without_a_worker_the_command_rates_what_waits() -> None:
    rated_game("alice", "bob")
    call_command("recompute_ratings")
    assert rating_of("alice").games == 1


def test_a_game_that_is_taken_out_of_the_ratings_counts_no_more_once_they_are_recomputed() -> None:
    rated_game("bob", "alice")
    out = rated_game("alice", "bob", ends=later(hours=1))
    rate(hours=2)
    Game.objects.filter(pk=out.pk).update(is_rated=False)
    assert rerating.differences()[1] > 0
    rerating.recompute(now=later(hours=3))
    assert rerating.differences() == (1, 0)
    assert rating_of("bob").mu > rating_of("alice").mu
    assert RatingBook.objects.get().games == 2, "a number is given once"


# --- what it costs --------------------------------------------------------------------------------


def test_an_idle_sweep_is_two_statements_and_a_game_takes_as_many_whoever_plays() -> None:
    rated_game("alice", "bob", ends=NOON - MINUTE)
    rate()
    with CaptureQueriesContext(connection) as idle:
        assert rate() == 0
    assert _statements(idle) == 2
    costs = []
    for names in (("alice", "bob"), ("alice", "bob", "carol", "dora", "erin", "frank")):
        rated_game(*names)
        with CaptureQueriesContext(connection) as taken:
            assert rate() == 1
        costs.append(_statements(taken))
    assert costs[0] == costs[1] <= 22


def _statements(caught: CaptureQueriesContext) -> int:
    return sum("SAVEPOINT" not in query["sql"] for query in caught.captured_queries)


def test_the_end_of_a_rated_game_asks_for_its_rating_at_once(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(nudges, "ratings", lambda: asked.append("ratings"))
    with django_capture_on_commit_callbacks(execute=True):
        rated_game("alice", "bob")
    assert asked == ["ratings"]

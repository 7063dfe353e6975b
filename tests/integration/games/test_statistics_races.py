"""Two workers that count at once: each game is counted once, and nothing is half done."""

import pytest

from games.models import Career, Game, SiteSums
from games.services import statistics
from tests.integration.games.seasons import season
from tests.integration.games.test_races import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_workers_count_every_game_once() -> None:
    season("alice", "bob", games=2)
    season("bob", "carol", games=2, seed=2)
    counted = at_once([statistics.count_games, statistics.count_games])
    assert sum(counted) + statistics.count_games() == 4
    assert sorted(Game.objects.values_list("counted", flat=True)) == [1, 2, 3, 4]
    assert SiteSums.objects.get().number == 4
    assert sum(Career.objects.values_list("games", flat=True)) == 8
    assert statistics.differences() == []


def test_a_recount_beside_a_count_changes_nothing() -> None:
    season("alice", "bob", games=2)
    statistics.count_games(limit=1)
    at_once([statistics.recompute, statistics.count_games])
    statistics.count_games()
    assert SiteSums.objects.get().number == 2
    assert statistics.differences() == []

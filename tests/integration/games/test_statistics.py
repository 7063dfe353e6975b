"""Statistics kept up game by game: each counted once, and always what a recount gives."""

from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services import close_account
from games import rules, stats, tasks
from games.models import (
    Bid,
    Career,
    Game,
    GameStatus,
    Medal,
    Result,
    Rivalry,
    Seat,
    SiteSums,
    Tally,
    Tenure,
)
from games.selectors.played import played_game
from games.services import nudges, restore, statistics
from tests.cast import NOON, act, later, person, seat_of, table, veteran
from tests.integration.games.seasons import CALZA, SHORT, finish, season

pytestmark = pytest.mark.django_db


def career_of(name: str) -> Career:
    return Career.objects.get(user=person(name))


def shown(name: str) -> dict[str, stats.Part]:
    return stats.from_json(career_of(name).shown)


def site() -> dict[str, stats.Part]:
    return stats.from_json(SiteSums.objects.get().sums)


def test_a_finished_game_is_counted_once() -> None:
    (game,) = season("alice", "bob", games=1)
    assert statistics.count_games() == 1
    before = shown("alice")
    assert before["win"].of == 1
    assert site()["games"] == stats.Part(1, 1)
    assert statistics.count_games() == 0
    assert shown("alice") == before
    game.refresh_from_db()
    assert game.counted == 1


def test_a_game_under_way_counts_for_nothing() -> None:
    game = table(("alice", "bob"))
    act(game, rules.MakeBid(game.to_act, rules.Bid(1, 2)))
    assert statistics.count_games() == 0
    assert not Career.objects.exists()
    with pytest.raises(ValueError, match="not ended"):
        played_game(game)


def test_what_is_counted_is_what_the_record_says() -> None:
    games = season("alice", "bob", "carol", games=2, ruleset=CALZA)
    statistics.count_games()
    alice = person("alice").pk
    wanted = stats.total(
        stats.sums_of(stats.facts_of(played_game(Game.objects.get(pk=game.pk)), alice))
        for game in games
    )
    assert shown("alice") == wanted
    bids = Bid.objects.filter(round__game__in=games)
    mine = sum(bid.seat == seat_of(bid.round.game, "alice").number for bid in bids)
    assert wanted["bluff"].of == mine
    assert site()["bids"].value == bids.count()


def test_results_are_parted_by_ruleset_and_by_size_of_the_table() -> None:
    season("alice", "bob", games=2)
    season("alice", "bob", "carol", games=1, ruleset=CALZA)
    statistics.count_games()
    kinds = {
        (row.ruleset, row.seats): stats.from_json(row.shown)["win"].of
        for row in Tally.objects.filter(user=person("alice"))
    }
    assert kinds == {("bga", 2): 2, ("wikipedia", 3): 1}
    assert shown("alice")["win"].of == 3


def test_games_against_bots_alone_stand_apart() -> None:
    finish(table(("alice",), bots=1, ruleset=SHORT), Random(5))
    statistics.count_games()
    (row,) = Tally.objects.filter(user=person("alice"))
    assert not row.among_people
    assert not Career.objects.exists()
    assert not Medal.objects.exists()
    assert Result.objects.get().user == person("alice")


def test_rivals_have_a_row_each_and_the_rows_agree() -> None:
    season("alice", "bob", games=4)
    statistics.count_games()
    mine = Rivalry.objects.get(user=person("alice"), rival=person("bob"))
    his = Rivalry.objects.get(user=person("bob"), rival=person("alice"))
    assert mine.games == his.games == 4
    ahead = [stats.from_json(row.sums)["ahead"].value for row in (mine, his)]
    assert sum(ahead) == 4
    assert mine.sums.get("caught") == his.sums.get("dudo_right")


def test_a_medal_names_the_game_that_it_was_won_in() -> None:
    first, *_ = season("alice", "bob", games=3)
    statistics.count_games()
    medal = Medal.objects.get(user=person("alice"), code="first_game")
    assert (medal.game_id, medal.number) == (first.pk, 1)


def test_streaks_follow_the_order_of_the_games() -> None:
    games = season("alice", "bob", games=6, seed=4)
    statistics.count_games()
    streaks = stats.Streaks.from_json(career_of("alice").streaks)
    won = [seat_of(game, "alice").place == 1 for game in games]
    assert streaks.wins == stats.Run().after(won)


def test_a_seat_that_was_handed_on_counts_for_each_of_its_players_in_his_rounds() -> None:
    (game,) = season("alice", "bob", "carol", games=1, seed=8)
    seat = seat_of(game, "alice")
    Tenure.objects.create(
        game=game,
        seat=seat,
        user=person("mallory"),
        from_round=0,
        to_round=1,
        place=3,
        retired_at=NOON,
    )
    Seat.objects.filter(pk=seat.pk).update(held_from=2)
    statistics.count_games()
    played = played_game(Game.objects.get(pk=game.pk))
    assert [each.holders[seat.number] for each in played.rounds[:2]] == [
        person("mallory").pk,
        person("alice").pk,
    ]
    assert shown("mallory")["place"] == stats.Part(stats.SCALE, 1)
    rounds = len([each for each in played.rounds if each.counts[seat.number]])
    assert shown("mallory")["roll_luck"].of == 1
    assert shown("alice")["roll_luck"].of == rounds - 1


# --- privacy --------------------------------------------------------------------------------------


def test_cups_that_stay_covered_for_good_count_for_their_owner_alone() -> None:
    never = replace(SHORT, covered_cups_after_game=rules.CoveredCups.NEVER)
    game = table(("alice", "bob"), ruleset=never)
    bidder = game.to_act
    act(game, rules.MakeBid(bidder, rules.Bid(1, 2)))
    act(game, rules.Resign(1 - bidder))  # nothing is lifted any more
    statistics.count_games()
    row = Career.objects.get(user=Seat.objects.get(game=game, number=bidder).user)
    known, own = (stats.from_json(each) for each in (row.shown, row.own))
    assert {"roll_luck", "bluff", "stretch", "false"}.isdisjoint(known)
    assert own["roll_luck"].of == own["bluff"].of == 1


def test_an_account_that_is_closed_leaves_nothing_that_names_it() -> None:
    season("alice", "bob", "carol", games=3)
    statistics.count_games()
    before, mallorys = shown("bob"), person("alice").pk
    close_account(user=person("alice"), now=NOON)
    for model in (Career, Tally, Result, Medal, Rivalry):
        assert not model._default_manager.filter(user_id=mallorys).exists()
    assert not Rivalry.objects.filter(rival_id=mallorys).exists()
    assert shown("bob") == before
    assert statistics.differences() == []


# --- incremental = recomputed ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_what_grew_game_by_game_is_what_a_recount_gives(seed: int) -> None:
    rng = Random(seed)
    veteran("alice", "bob", "carol", "mallory")
    running: list[Game] = []
    for step in range(6):
        names = rng.sample(["alice", "bob", "carol", "mallory"], rng.randint(2, 3))
        running.append(table(names, ruleset=rng.choice([SHORT, CALZA])))
        if rng.random() < 0.7:
            game = running.pop(rng.randrange(len(running)))
            game.refresh_from_db()  # whoever closed her account has resigned
            if game.status == GameStatus.ACTIVE and rng.random() < 0.4:
                # A move, and a restore that takes it back.
                act(game, rules.MakeBid(game.to_act, rules.Bid(1, 2)))
                restore.roll_anew(code=game.code, restored_at=later(hours=1), now=later(hours=2))
            finish(game, rng, now=later(hours=3 + rng.random() * step))
        if rng.random() < 0.5:
            statistics.count_games(limit=rng.randint(1, 3))
        if step == 4:
            close_account(user=person("mallory"), now=later(hours=9))
    statistics.count_games()
    assert Result.objects.exists()
    assert statistics.differences() == []
    kept = _all_rows()
    assert statistics.recompute() == Game.objects.filter(counted__isnull=False).count()
    assert _all_rows() == kept


def _all_rows() -> list[object]:
    found: list[object] = []
    for model in (Career, Tally, Rivalry, Medal, Result, SiteSums):
        names = [each.attname for each in model._meta.concrete_fields if each.attname != "id"]
        found.append(sorted(map(repr, model._default_manager.values_list(*names))))
    return found


def test_the_command_counts_what_waits_and_finds_what_is_wrong() -> None:
    season("alice", "bob", games=2)
    out = StringIO()
    call_command("recompute_stats", "--check", stdout=out)
    assert "as a recount gives" in out.getvalue()
    Career.objects.filter(user=person("bob")).update(games=77)
    with pytest.raises(CommandError, match=str(person("bob").pk)):
        call_command("recompute_stats", "--check", stdout=out)
    call_command("recompute_stats", stdout=out)
    assert career_of("bob").games == 2
    call_command("recompute_stats", "--check", stdout=out)


# --- safe to repeat, and cheap --------------------------------------------------------------------


def test_a_count_that_breaks_off_has_done_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    season("alice", "bob", games=1)

    def break_off(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(Game, "save", break_off)
        with pytest.raises(RuntimeError, match="killed"):
            statistics.count_games()
    assert not Career.objects.exists()
    assert statistics.count_games() == 1
    assert statistics.differences() == []


def test_a_game_whose_seed_is_missing_does_not_keep_the_others_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, _ = season("alice", "bob", games=2)
    real: Callable[[Game], stats.PlayedGame] = statistics.played_game

    def without_the_key(game: Game) -> stats.PlayedGame:
        if game.pk == first.pk:
            raise statistics.SeedUnavailable("no key")
        return real(game)

    with monkeypatch.context() as patched:
        patched.setattr(statistics, "played_game", without_the_key)
        assert statistics.count_games() == 1
    assert statistics.count_games() == 1


def test_the_end_of_a_game_asks_for_its_count(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., object]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(nudges, "statistics", lambda: asked.append("count"))
    game = table(("alice", "bob"))
    with django_capture_on_commit_callbacks(execute=True):
        act(game, rules.Resign(0))
    assert asked == ["count"]
    assert Game.objects.get(pk=game.pk).status == GameStatus.FINISHED
    assert tasks.count_games() == 1


def test_counting_takes_as_many_statements_after_many_games_as_after_few() -> None:
    season("alice", "bob", games=2)
    statistics.count_games()

    def reads() -> int:
        season("alice", "bob", games=1, seed=9)
        with CaptureQueriesContext(connection) as captured:
            assert statistics.count_games() == 1
        statements = [query["sql"] for query in captured]
        # A game may bring medals and rivals or not: then it writes to their tables, once each.
        writes = [sql[:60] for sql in statements if sql.startswith(("INSERT", "UPDATE"))]
        assert len(writes) == len(set(writes))
        return len([sql for sql in statements if sql.startswith("SELECT")])

    first = reads()
    season("alice", "bob", games=6, seed=10)
    statistics.count_games()
    assert reads() == first

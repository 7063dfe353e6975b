"""Counting how players keep their turns: once a round, off the path of every move."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import clock, rules
from games.models import Conduct, Event, Game, Hours, Round, Tenure
from games.selectors.conduct import answers_of, field_answers, reliability_of
from games.services import conduct, deadlines, more_time
from tests.cast import NOON, act, give_turn, later, person, seat_of, set_dice, table
from tests.integration.games.test_races import at_once

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def bid(game: Game, text: str, *, hours: float = 0) -> Game:
    assert game.to_act is not None
    action = rules.MakeBid(game.to_act, rules.Bid.parse(text))
    return act(game, action, now=later(hours=hours))


def dudo(game: Game, *, hours: float = 0) -> Game:
    return act(game, rules.Dudo(game.to_act), now=later(hours=hours))


def run_out(game: Game) -> Game:
    """Let the time of whoever is to move run out."""
    game.refresh_from_db()
    assert game.turn_deadline_at is not None
    deadlines.expire_turns(now=game.turn_deadline_at + timedelta(minutes=1))
    return Game.objects.select_related("current_round").get(pk=game.pk)


def row_of(name: str) -> Conduct:
    return Conduct.objects.get(user=person(name))


def count(**how_much: float) -> int:
    return conduct.count_rounds(now=later(**how_much))


def one_round(**hours: float) -> Game:
    """Alice bids after an hour, bob raises two hours later, alice calls dudo at once."""
    game = table()
    Hours.objects.update(night=None)
    give_turn(game, "alice")
    bid(game, "1x2", hours=1)
    game = bid(act_game(game), "9x6", hours=3)
    return dudo(game, hours=3)


def act_game(game: Game) -> Game:
    return Game.objects.get(pk=game.pk)


def test_a_round_that_is_over_is_counted_once() -> None:
    one_round()
    assert (count(hours=4), count(hours=4)) == (1, 0)
    assert (row_of("alice").kept, row_of("bob").kept) == (9.5 + 2, 9.5 + 1)
    assert row_of("alice").answers == [3600, 0]
    assert row_of("bob").answers == [7200]


def test_a_round_that_goes_on_is_not_counted() -> None:
    game = table()
    bid(game, "1x2")
    assert count() == 0
    assert not Conduct.objects.exclude(kept=9.5).exists()


def test_a_turn_that_ran_out_is_a_silent_miss_and_takes_its_whole_time() -> None:
    game = table()
    Hours.objects.update(night=None)
    give_turn(game, "alice")
    game = run_out(bid(game, "40x6"))
    assert Round.objects.filter(closed_at__isnull=False).count() == 1, "the clock called dudo"
    assert count(days=9) == 1
    assert row_of("bob").missed == 0.5 + 1
    assert row_of("bob").answers[0] >= DAY.total_seconds()
    assert list(Round.objects.get(number=1).misses.values()) == ["silent"]


def test_an_announced_absence_makes_a_miss_count_less() -> None:
    game = table()
    give_turn(game, "alice")
    away = {
        "id": "1",
        "first": "2026-05-04",
        "last": "2026-05-08",
        "start": later(hours=-2).isoformat(),
        "end": later(days=4).isoformat(),
        "announced_at": later(hours=-3).isoformat(),
    }
    Hours.objects.filter(pk=person("bob").pk).update(absences=[away])
    run_out(bid(game, "40x6"))
    count(days=9)
    assert row_of("bob").missed == 0.5 + 0.2


def test_an_extension_makes_a_miss_count_half() -> None:
    game = table()
    give_turn(game, "alice")
    game = bid(game, "40x6")
    assert game.turn_deadline_at is not None
    more_time.take_extension(
        game_id=game.pk, user_id=person("bob").pk, deadline=game.turn_deadline_at, now=NOON
    )
    run_out(game)
    count(days=9)
    assert row_of("bob").missed == 0.5 + 0.5


def test_the_second_extension_of_a_game_counts_a_little_even_if_the_turn_is_kept() -> None:
    game = table()
    give_turn(game, "alice")
    game = bid(game, "40x6")
    for _ in range(2):
        game.refresh_from_db()
        assert game.turn_deadline_at is not None
        more_time.take_extension(
            game_id=game.pk, user_id=person("bob").pk, deadline=game.turn_deadline_at, now=NOON
        )
    dudo(game, hours=30)
    count(days=3)
    assert row_of("bob").missed == 0.5 + 0.1
    assert row_of("bob").kept == 9.5 + 1


def test_turns_of_an_absent_seat_are_neither_kept_nor_missed() -> None:
    game = table(("alice", "bob", "carol"))
    Hours.objects.update(night=None)
    bob = seat_of(game, "bob")
    # Bob misses two turns, and the others of his are played at once, until four have been counted.
    while Event.objects.filter(game=game, seat=bob.number, is_auto=True).count() < 5:
        if game.to_act == bob.number:
            game = run_out(game)
        else:
            game = dudo(game) if game.bid_quantity else bid(game, "4x6")
    bob.refresh_from_db()
    assert bob.is_absent
    count(days=30)
    misses = [how for row in Round.objects.exclude(misses=None) for how in row.misses.values()]
    assert misses == ["silent", "silent"]
    assert row_of("bob").missed <= 0.5 + 2
    assert row_of("bob").kept <= 9.5


def test_a_calza_out_of_turn_is_no_turn() -> None:
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    game = table(("alice", "bob", "carol"), ruleset=ruleset)
    give_turn(game, "alice")
    game = bid(game, "1x2")
    other = next(
        seat for seat in range(3) if seat not in (game.to_act, seat_of(game, "alice").number)
    )
    set_dice(game, bob=4, carol=4)
    act(game, rules.Calza(other))
    count()
    caller = game.seats.get(number=other)
    assert row_of(str(caller.user.email).partition("@")[0]).kept == 9.5


def test_a_finished_game_counts_for_everybody_who_stayed() -> None:
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    act(game, rules.Resign(seat_of(game, "carol").number))
    game.refresh_from_db()
    set_dice(game, alice=1, bob=1)
    give_turn(game, "alice")
    game = dudo(bid(game, "9x4"))
    assert game.status == "finished"
    assert count() == 2
    assert [row_of(name).games for name in ("alice", "bob", "carol")] == [1, 1, 0]


def test_a_game_against_bots_alone_makes_nobody_experienced() -> None:
    game = table(("alice",), bots=1)
    act(game, rules.Resign(seat_of(game, "alice").number))
    table(("alice",), bots=1)
    count()
    assert not Conduct.objects.filter(games__gt=0).exists()


def test_the_record_gives_the_same_row_again() -> None:
    one_round()
    game = table(("alice", "bob"))
    give_turn(game, "alice")
    run_out(bid(game, "40x6", hours=1))
    count(days=9)
    before = list(Conduct.objects.order_by("pk").values())
    Hours.objects.update(absences=[])
    Conduct.objects.update(kept=1, missed=7, games=3, answers=[5], known=1)
    call_command("count_rounds", "--anew")
    after = list(Conduct.objects.order_by("pk").values())
    for row in (*before, *after):
        row.pop("counted_at")
    assert after == before


def test_a_kill_in_the_middle_leaves_nothing_half_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    one_round()
    with monkeypatch.context() as patch:
        patch.setattr(Round, "save", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            count()
    assert not Conduct.objects.exclude(kept=9.5).exists()
    assert count() == 1
    assert row_of("alice").kept == 9.5 + 2


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_count_a_round_once(monkeypatch: pytest.MonkeyPatch) -> None:
    one_round()
    real = conduct._count

    def late(*args: int, **how: Any) -> bool:
        time.sleep(0.2)  # both have found the round by now
        return real(*args, **how)

    monkeypatch.setattr(conduct, "_count", late)
    assert sorted(map(int, at_once([lambda: count(hours=4)] * 3))) == [0, 0, 1]
    assert row_of("alice").kept == 9.5 + 2


def test_an_empty_count_is_one_statement_and_a_round_takes_as_many_whoever_plays() -> None:
    table()
    with CaptureQueriesContext(connection) as idle:
        assert count() == 0
    assert len(idle) == 1
    costs = []
    for names in (("alice", "bob"), ("alice", "bob", "carol", "dora", "erin", "frank")):
        game = table(names)
        dudo(bid(game, "9x6"))
        count()  # the rows are there from now on
        game = Game.objects.get(pk=game.pk)
        dudo(bid(game, "9x6"))
        with CaptureQueriesContext(connection) as taken:
            assert count() == 1
        costs.append(len(taken))
    assert costs[0] == costs[1] <= 13


def test_the_field_says_nothing_until_enough_players_have_answered_often_enough() -> None:
    for number in range(5):
        assert field_answers() is None
        user = person(f"player{number}")
        Conduct.objects.create(
            user=user, known=9, low=3600, median=7200, high=10_800, counted_at=NOON
        )
    assert field_answers() == clock.Answers(
        timedelta(hours=1), timedelta(hours=2), timedelta(hours=3), 40
    )


def test_a_player_without_a_row_is_new_and_not_bad() -> None:
    assert reliability_of(None) == clock.Reliability()
    assert reliability_of(None).standing is clock.Standing.NEW
    assert answers_of(None) is None


def test_who_held_the_seat_in_a_round_has_the_record_of_it() -> None:
    game = one_round()
    bob, dora = seat_of(game, "bob"), person("dora")
    Tenure.objects.create(
        game=game,
        seat=bob,
        user=person("bob"),
        from_round=1,
        to_round=1,
        place=2,
        retired_at=later(days=8),
    )
    bob.user, bob.held_from = dora, 2
    bob.save()
    give_turn(game, "alice")
    game = dudo(bid(bid(act_game(game), "1x2", hours=4), "9x6", hours=5), hours=6)
    assert count(days=9) == 2
    assert row_of("bob").kept == 9.5 + 1, "the round before"
    assert row_of("dora").kept > 9.5, "the rounds since"


def test_what_the_seat_missed_before_says_nothing_of_who_took_it_over() -> None:
    game = table(("alice", "bob", "carol"))
    bob = seat_of(game, "bob")
    bob.held_from = 1
    bob.save()
    lost = Event(
        game=game, seq=90, round_number=0, kind="bid", seat=bob.number, payload={}, is_auto=True
    )
    ran_out = Event(
        game=game, seq=92, round_number=1, kind="dudo", seat=bob.number, payload={}, is_auto=True
    )
    lost.made_at, ran_out.made_at = NOON, later(hours=24)
    row = Round(number=1, opener=bob.number, counts=[5, 5, 5], opened_at=NOON)
    log = [lost, lost, ran_out]
    after = [turn.is_missed for turn in conduct.turns_of(row, log, begun={bob.number: 1})]
    before = [turn.is_missed for turn in conduct.turns_of(row, log, begun={bob.number: 0})]
    assert (after, before) == ([True], [False])

"""Reviews of games that were told by hand or played at random."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.bots import STYLES, play
from games.review import (
    CALZA,
    DUDO,
    WAIT,
    Decision,
    Mark,
    Review,
    from_json,
    review_of,
    to_json,
    win_chances,
)
from games.rules import Bid, CoveredCups, find_ruleset, with_options
from games.stats import PlayedGame
from tests.unit.stats.tables import ALICE, random_game, told_game, told_round

pytestmark = pytest.mark.one_database

GAMES = st.integers(0, 10_000).map(lambda seed: random_game(Random(seed)))


def only_call(review: Review) -> Decision:
    return next(each for each in review.decisions if each.action in (DUDO, CALZA))


def by_seat(decision: Decision) -> str:
    return f"{decision.seat}:{decision.action}"


@given(counts=st.lists(st.integers(0, 8), min_size=2, max_size=10).filter(any))
def test_chances_to_win_add_up_and_more_dice_are_better(counts: list[int]) -> None:
    chances = win_chances(counts)
    assert sum(chances) == pytest.approx(1)
    order = sorted(range(len(counts)), key=lambda seat: counts[seat])
    assert [chances[seat] for seat in order] == sorted(chances)


def test_an_impossible_bid_that_was_not_doubted_is_a_blunder() -> None:
    # Alice has no five and no ace; eleven fives of fifteen dice cannot be.
    told = told_round("2:9x5 0:11x5", "dudo 1", [(2, 2, 3, 3, 4), (2, 3, 4, 6, 6), (2, 3, 4, 6, 6)])
    review = review_of(told_game(told, places=(3, 2, 1)))
    raised = review.decisions[1]
    assert by_seat(raised) == "0:11x5"
    assert raised.weighed is not None
    assert raised.weighed.mark is Mark.BLUNDER
    assert raised.weighed.best[0].action == DUDO
    doubt = only_call(review).weighed
    assert doubt is not None
    assert doubt.own == 1
    assert doubt.loss == 0


def test_a_verdict_does_not_know_what_came_of_the_decision() -> None:
    mine, theirs = (2, 2, 3, 3, 4), (6, 6, 4, 4, 4)
    bids = "1:4x5"
    right = told_round(bids, "dudo 0", [mine, theirs])
    wrong = told_round(bids, "dudo 0", [mine, (5, 5, 1, 1, 4)])
    verdicts = [only_call(review_of(told_game(each))) for each in (right, wrong)]
    assert [each.came_true for each in verdicts] == [True, False]
    assert verdicts[0].weighed == verdicts[1].weighed
    assert verdicts[0].swing > 0 > verdicts[1].swing


def test_a_doubt_of_what_his_own_dice_prove_is_worse_than_any_raise() -> None:
    told = told_round("1:2x5", "dudo 0", [(5, 5, 1, 2, 3), (2, 3, 4, 6, 6)])
    doubt = only_call(review_of(told_game(told)))
    assert doubt.weighed is not None
    assert doubt.weighed.own == 0
    assert doubt.weighed.mark is Mark.BLUNDER
    assert doubt.weighed.best[0].action not in (DUDO, CALZA)


def test_a_calza_out_of_turn_is_weighed_against_waiting() -> None:
    rules = with_options(find_ruleset("bga"), {"calza": True})
    cups = [(2, 5, 3), (5, 2, 6, 4, 4), (6, 6, 3, 2)]
    told = told_round("0:2x5", "calza 2", cups)  # bob, on seat 1, was to move
    call = only_call(review_of(told_game(told, places=(1, 2, 3), rules=rules)))
    assert call.weighed is not None
    assert {option.action for option in call.weighed.best} == {CALZA, WAIT}


def test_what_the_clock_did_is_not_judged() -> None:
    told = told_round("0:2x5 1:3x5", "dudo 0", [(2, 3), (5, 5)], auto=[1], is_auto=True)
    review = review_of(told_game(told))
    assert [each.weighed is None for each in review.decisions] == [False, True, True]
    assert all(not each.is_auto for each in review.turning_points())


def test_of_a_cup_that_stays_covered_no_odds_are_told() -> None:
    told = told_round("0:2x5 1:3x5", "dudo 0", [(2, 3), (5, 5)], lifted=[1])
    game = _covering(told_game(told))
    seen_by_all = review_of(game.as_read_by(None))
    assert [each.weighed is None for each in seen_by_all.decisions] == [True, False, True]
    assert all(each.count is None for each in seen_by_all.decisions)
    seen_by_alice = review_of(game.as_read_by(ALICE))
    assert all(each.weighed is not None for each in seen_by_alice.decisions)


def _covering(game: PlayedGame) -> PlayedGame:
    return replace(game, rules=replace(game.rules, covered_cups_after_game=CoveredCups.NEVER))


@settings(max_examples=40, deadline=None)
@given(game=GAMES)
def test_a_review_of_any_game_can_be_kept_and_read_again(game: PlayedGame) -> None:
    review = review_of(game)
    again = from_json(to_json(review))
    assert to_json(again) == to_json(review)
    assert [by_seat(each) for each in again.decisions] == [by_seat(e) for e in review.decisions]
    for each in review.chances:
        assert sum(each) == pytest.approx(1, abs=1e-3)
    for decision in review.decisions:
        if decision.weighed is not None:
            assert decision.weighed.loss >= 0
            assert 0 <= decision.weighed.informed <= 1 + 1e-9
            assert 0 <= decision.weighed.own <= 1
    assert len(review.turning_points()) <= 3


def test_a_review_of_another_version_is_refused() -> None:
    kept = to_json(review_of(random_game(Random(3))))
    with pytest.raises(ValueError, match="version 0"):
        from_json({**kept, "version": 0})


def test_stronger_bots_give_less_away() -> None:
    chance = Random(11)
    lost: dict[str, list[float]] = {name: [] for name in STYLES}
    for _ in range(12):
        names = [*STYLES, *STYLES][:4]
        chance.shuffle(names)
        game = play([STYLES[name] for name in names], ruleset=find_ruleset("bga"), chance=chance)
        for decision in review_of(game).decisions:
            if decision.weighed is not None:
                lost[names[decision.seat]].append(decision.weighed.loss)
    means = [sum(losses) / len(losses) for losses in lost.values()]
    assert means == sorted(means, reverse=True)


def test_bids_are_told_with_how_many_dice_there_were() -> None:
    told = told_round("0:2x5 1:3x5", "dudo 0", [(2, 3), (5, 1)])
    first, second, _ = review_of(told_game(told)).decisions
    assert (first.bid, first.count, first.came_true) == (Bid(2, 5), 2, True)
    assert (second.bid, second.count, second.came_true) == (Bid(3, 5), 2, False)

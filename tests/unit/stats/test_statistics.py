"""Each statistic on rounds told by hand, and the laws that all of them obey."""

from dataclasses import replace
from math import isclose
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import CoveredCups, Mode, Ruleset, find_ruleset
from games.stats import (
    LEAST_OCCASIONS,
    MEDALS,
    STATISTICS,
    Career,
    Facts,
    Part,
    PlayedGame,
    PlayedRound,
    Run,
    Streaks,
    against,
    earned,
    facts_of,
    from_json,
    lessons,
    rate_of,
    site_sums,
    sums_of,
    times_fair,
    to_json,
    total,
    wilson,
    z_score,
)
from games.stats.luck import best_of, expected_best
from games.stats.sums import SCALE
from tests.unit.stats.tables import ALICE, BOB, CAROL, random_game, told_game, told_round

pytestmark = pytest.mark.one_database

seeds = st.integers(0, 2**32)

# Alice opens honestly, bob raises without a five, alice does not believe him and is right.
CAUGHT = told_round("0:2x5 1:4x5", "dudo 0", [(5, 5, 2), (2, 3, 4)])
# Bob's three twos hold, and alice doubts them.
WRONG = told_round("1:3x2", "dudo 0", [(1, 6), (2, 2)])


def sums(game: PlayedGame, player: int = ALICE) -> dict[str, Part]:
    return sums_of(facts_of(game, player))


def never_opened() -> Ruleset:
    return replace(find_ruleset("bga"), covered_cups_after_game=CoveredCups.NEVER)


# --- one by one -----------------------------------------------------------------------------------


def test_a_bluff_is_a_bid_that_none_of_ones_own_dice_supports() -> None:
    game = told_game(CAUGHT)
    assert sums(game, BOB)["bluff"] == Part(1, 1)
    assert sums(game, ALICE)["bluff"] == Part(0, 1)


def test_aces_support_a_number_but_in_a_palifico_round() -> None:
    cups = [(1, 6), (3, 4)]
    normal = told_game(told_round("0:1x5", "dudo 1", cups))
    plain = told_game(told_round("0:1x5", "dudo 1", cups, mode=Mode.PALIFICO, palifico_by=0))
    assert sums(normal)["bluff"] == Part(0, 1)
    assert sums(plain)["bluff"] == Part(1, 1)


def test_a_stretch_is_a_bid_that_rather_fails_by_ones_own_dice() -> None:
    assert sums(told_game(CAUGHT), BOB)["stretch"] == Part(1, 1)  # four of three dice: never
    assert sums(told_game(CAUGHT), ALICE)["stretch"] == Part(0, 1)


def test_a_false_bid_is_counted_whether_doubted_or_not() -> None:
    game = told_game(told_round("0:3x6 1:4x6", "dudo 0", [(5, 5), (6, 1)]))
    assert sums(game, ALICE)["false"] == Part(1, 1)
    assert sums(game, BOB)["false"] == Part(1, 1)
    assert "caught" not in sums(game, ALICE)
    assert sums(game, BOB)["caught"] == Part(1, 1)


def test_a_bluff_escapes_unless_it_is_doubted() -> None:
    again = told_round("1:1x6 0:2x5", "dudo 1", [(5, 5, 2), (2, 3, 4)])
    assert sums(told_game(CAUGHT, again), BOB)["escape"] == Part(1, 2)


def test_opening_pressure_is_the_quantity_in_dice_to_be_expected() -> None:
    assert sums(told_game(CAUGHT), ALICE)["pressure"] == Part(SCALE, 1)  # two of six, at one in 3
    assert "pressure" not in sums(told_game(CAUGHT), BOB)


def test_aggression_is_how_far_a_raise_goes_beyond_the_least() -> None:
    assert sums(told_game(CAUGHT), BOB)["aggression"] == Part(SCALE, 1)  # three would have done
    least = told_round("0:2x5 1:2x6 0:1x1 1:3x4", "dudo 0", [(5, 5, 2), (2, 3, 4)])
    assert sums(told_game(least), BOB)["aggression"] == Part(0, 2)
    assert sums(told_game(least), ALICE)["aggression"] == Part(0, 1)


def test_a_dudo_is_right_when_the_bid_fails() -> None:
    assert sums(told_game(CAUGHT, WRONG))["dudo_right"] == Part(1, 2)
    assert "dudo_right" not in sums(told_game(CAUGHT, WRONG), BOB)


def test_the_dudo_rate_is_of_turns_with_a_bid_to_answer() -> None:
    assert sums(told_game(CAUGHT, WRONG))["dudo"] == Part(2, 2)
    assert sums(told_game(CAUGHT, WRONG), BOB)["dudo"] == Part(0, 1)


def test_a_calza_out_of_turn_answers_no_turn() -> None:
    cups = [(5, 2), (5, 3), (4, 4)]
    in_turn, out_of_turn = (
        told_game(told_round("0:2x5", f"calza {seat}", cups), WRONG, places=(1, 2, 3))
        for seat in (1, 2)
    )
    assert sums(in_turn, BOB)["dudo"] == Part(0, 1)
    assert "dudo" not in sums(out_of_turn, CAROL)
    for game, who in ((in_turn, BOB), (out_of_turn, CAROL)):
        assert sums(game, who)["calza_right"] == Part(1, 1)
        assert sums(game, who)["calza"] == Part(1, 1)


def test_the_dudo_edge_is_what_came_less_what_the_bids_foretold() -> None:
    # Three hidden dice, four fives asked for and two of them mine: nobody could be surer.
    facts = facts_of(told_game(CAUGHT), ALICE)
    (call,) = facts.dudos
    assert call.informed is not None
    assert call.odds is not None
    assert call.informed < call.odds  # who bids fives has some
    edge = sums_of(facts)["dudo_edge"]
    assert edge == Part(round((1 - call.informed) * SCALE), 1)


def test_results_are_those_of_the_finishing_order() -> None:
    game = told_game(CAUGHT, places=(2, 1))
    assert sums(game, BOB)["win"] == Part(1, 1)
    assert sums(game, ALICE)["win"] == Part(0, 1)
    assert sums(game, BOB)["fair"] == Part(SCALE // 2, 1)
    assert sums(game, ALICE)["place"] == Part(SCALE, 1)
    assert "place" in sums(game, ALICE)


def test_a_game_in_which_nobody_lost_a_die_has_no_result() -> None:
    left = replace(CAUGHT, outcome=replace(CAUGHT.outcome, loser=None, kind="resign", bid=None))
    assert "win" not in sums(told_game(left))


def test_rounds_with_one_die_are_clutch_and_winning_after_them_a_comeback() -> None:
    narrow = told_round("1:1x2", "dudo 0", [(3,), (4, 4)])
    lost = told_round("1:1x2", "dudo 0", [(3,), (2, 4)])
    assert sums(told_game(narrow, narrow, lost), ALICE)["clutch"] == Part(2, 3)
    assert sums(told_game(narrow, places=(1, 2)), ALICE)["comeback"] == Part(1, 1)
    assert sums(told_game(lost, places=(2, 1)), ALICE)["comeback"] == Part(0, 1)
    assert "comeback" not in sums(told_game(CAUGHT), ALICE)


def test_palifico_rounds_count_for_the_one_whose_they_are() -> None:
    game = told_game(
        told_round("0:1x3", "dudo 1", [(3,), (4, 4)], mode=Mode.PALIFICO, palifico_by=0)
    )
    assert sums(game, ALICE)["palifico"] == Part(1, 1)
    assert "palifico" not in sums(game, BOB)


# --- luck -----------------------------------------------------------------------------------------


def test_what_a_roll_is_worth_on_an_average_is_the_published_table() -> None:
    means = [expected_best(dice, Mode.NORMAL)[0] for dice in range(1, 6)]
    spreads = [expected_best(dice, Mode.NORMAL)[1] ** 0.5 for dice in range(1, 6)]
    assert [round(mean, 3) for mean in means] == [1, 1.444, 1.889, 2.364, 2.829]
    assert [round(spread, 3) for spread in spreads] == [0, 0.497, 0.657, 0.731, 0.792]


def test_in_a_palifico_round_a_roll_is_worth_its_most_frequent_face() -> None:
    assert best_of((1, 1, 5), Mode.NORMAL) == 3
    assert best_of((1, 1, 5), Mode.PALIFICO) == 2
    assert isclose(expected_best(2, Mode.PALIFICO)[0], 7 / 6)


@pytest.mark.parametrize("mode", Mode)
def test_roll_luck_is_nothing_on_an_average(mode: Mode) -> None:
    rng, strayed = Random(7), 0.0
    for _ in range(10_000):
        dice = rng.randint(1, 5)
        cup = tuple(rng.choices(range(1, 7), k=dice))
        strayed += best_of(cup, mode) - expected_best(dice, mode)[0]
    assert abs(strayed / 10_000) < 0.02


def test_what_went_the_way_of_one_went_against_the_other() -> None:
    alice, bob = sums(told_game(CAUGHT, WRONG)), sums(told_game(CAUGHT, WRONG), BOB)
    assert alice["my_way"].of == bob["my_way"].of == 2
    assert abs(alice["my_way"].value + bob["my_way"].value) <= 2  # millionths, by rounding


def test_luck_far_from_nothing_has_a_large_score() -> None:
    lucky = told_game(*[told_round("0:2x5", "dudo 1", [(5, 5, 5, 5, 5), (2,)])] * 5)
    assert z_score(sums(lucky, ALICE)) > 5
    assert z_score({}) is None
    assert z_score(sums(lucky, BOB)) is None  # one die is always as good as any


# --- what does not count --------------------------------------------------------------------------


def test_what_the_clock_did_is_no_decision_of_the_player() -> None:
    slept = told_round("0:2x5 1:4x5", "dudo 0", [(5, 5, 2), (2, 3, 4)], auto=(0, 1), is_auto=True)
    for who in (ALICE, BOB):
        found = sums(told_game(slept), who)
        assert not {"bluff", "dudo_right", "my_way", "pressure", "caught"} & set(found)
        assert found["roll_luck"].of == 1


def test_a_covered_cup_counts_for_nobody_but_its_owner() -> None:
    # The proof stopped after alice's cup: bob's stays covered for good at such a table.
    early = told_round("0:1x5 1:2x5", "dudo 0", [(5, 5, 2), (2, 3, 4)], lifted=(0,))
    game = told_game(early, rules=never_opened())
    public, bobs = game.as_read_by(None), game.as_read_by(BOB)
    assert "bluff" not in sums(public, BOB)
    assert sums(bobs, BOB)["bluff"] == Part(1, 1)
    assert sums(public, ALICE)["bluff"] == Part(0, 1)
    assert sums(bobs, BOB)["false"] == Part(0, 1)  # he has seen every cup
    assert "false" not in sums(public, BOB)
    assert game.as_read_by(ALICE).rounds[0].cups == ((5, 5, 2), None)


def test_a_table_that_opens_its_cups_at_the_end_lets_everybody_count_them() -> None:
    early = told_round("0:1x5 1:2x5", "dudo 0", [(5, 5, 2), (2, 3, 4)], lifted=(0,))
    assert sums(told_game(early).as_read_by(None), BOB)["bluff"] == Part(1, 1)


def test_rounds_before_and_after_a_player_held_the_seat_are_not_his() -> None:
    others = replace(CAUGHT, holders=(CAROL, BOB))
    found = sums(told_game(CAUGHT, others), ALICE)
    assert found["roll_luck"].of == 1
    assert found["dudo"] == Part(1, 1)


# --- rates ----------------------------------------------------------------------------------------


def test_a_rate_is_shown_from_twenty_occasions_on() -> None:
    assert rate_of("bluff", {"bluff": Part(5, LEAST_OCCASIONS - 1)}) is None
    rate = rate_of("bluff", {"bluff": Part(5, LEAST_OCCASIONS)})
    assert rate is not None
    assert (rate.value, rate.of) == (0.25, 20)
    assert rate.low < 0.25 < rate.high
    assert rate_of("pressure", {"pressure": Part(16 * SCALE, 20)}).value == 0.8


def test_times_fair_is_wins_by_the_wins_of_chance() -> None:
    fair = {"win": Part(10, 20), "fair": Part(5 * SCALE, 20)}
    assert times_fair(fair) == 2
    assert times_fair({"win": Part(1, 2), "fair": Part(SCALE, 2)}) is None


def test_wilsons_band_is_the_one_of_the_textbooks() -> None:
    low, high = wilson(5, 20)
    assert (round(low, 4), round(high, 4)) == (0.1119, 0.4687)
    assert wilson(0, 20)[0] == 0
    assert wilson(20, 20)[1] == 1
    with pytest.raises(ValueError, match="3 of 2"):
        wilson(3, 2)


@given(st.integers(0, 400), st.integers(1, 400))
def test_wilsons_band_holds_the_share_itself(hits: int, of: int) -> None:
    if hits <= of:
        low, high = wilson(hits, of)
        assert 0 <= low <= hits / of <= high <= 1


# --- streaks, medals, rivals, lessons, site -------------------------------------------------------


def test_a_run_ends_with_the_first_miss_and_its_best_stays() -> None:
    assert Run().after([True, True, False, True]) == Run(1, 2)


def test_streaks_go_on_from_game_to_game() -> None:
    won, lost = told_game(CAUGHT), told_game(WRONG, places=(2, 1))
    streaks = Streaks()
    for game in (won, won, lost, won):
        streaks = streaks.after(facts_of(game, ALICE))
    assert streaks.wins == Run(1, 2)
    assert streaks.dudos == Run(1, 2)
    assert Streaks.from_json(streaks.to_json()) == streaks


def career(game: PlayedGame, who: int = ALICE, games: int = 1) -> set[str]:
    facts = facts_of(game, who)
    return set(earned(Career(facts, Streaks().after(facts), games)))


def test_medals_are_for_what_happened_in_the_game() -> None:
    assert career(told_game(CAUGHT)) == {"first_game", "first_win", "unhurt"}
    assert career(told_game(WRONG, places=(2, 1))) == {"first_game"}
    narrow = told_round("1:1x2", "dudo 0", [(3,), (4, 4)])
    assert "brink" in career(told_game(narrow))
    assert {"sharp", "survivor"} <= career(told_game(*[narrow] * 5))
    exact = told_round("1:1x2", "calza 0", [(3,), (2, 4)])
    assert {"exact", "exact_twice"} <= career(told_game(exact, exact))
    quiet = told_round("0:1x3", "dudo 1", [(3,), (4, 4)])
    assert {"quiet", "honest"} <= career(told_game(*[quiet] * 10))
    assert "honest" not in career(told_game(*[quiet] * 9))
    assert "regular" in career(told_game(CAUGHT), games=50)
    assert len(MEDALS) >= 12


def test_a_player_is_ahead_of_his_rival_by_the_finishing_order() -> None:
    game = told_game(CAUGHT, WRONG)
    alice, bob = game.finishers
    mine, his = against(game, alice, bob), against(game, bob, alice)
    assert mine["ahead"] == Part(1, 1)
    assert his["ahead"] == Part(0, 1)
    assert mine["dudo_right"] == his["caught"] == Part(1, 2)
    assert "dudo_right" not in his


def test_dice_lost_are_sorted_by_how_they_were_lost() -> None:
    found = lessons(facts_of(told_game(CAUGHT, WRONG), BOB))
    assert found["lost_bluff"] == Part(1, 1)
    assert lessons(facts_of(told_game(CAUGHT, WRONG), ALICE))["lost_dudo"] == Part(1, 1)


def test_dudos_are_set_against_what_their_odds_said() -> None:
    found = lessons(facts_of(told_game(CAUGHT), ALICE))
    (call,) = facts_of(told_game(CAUGHT), ALICE).dudos
    place = int(call.odds * 10)
    assert found[f"sure_dice_{place}"] == Part(1, 1)
    assert found[f"sure_dice_said_{place}"] == Part(round(call.odds * SCALE), 1)


def test_the_site_counts_bids_by_face_and_quantity() -> None:
    found = site_sums(told_game(CAUGHT, WRONG))
    assert found["bids"] == Part(3, 2)
    assert found["face_5"] == Part(2, 3)
    assert found["face_6"] == Part(0, 3)
    assert found["quantity_3"] == Part(1, 1)
    assert found["dudo_right"] == Part(1, 2)
    assert found["games"] == Part(1, 1)


# --- laws -----------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_the_sums_of_rounds_are_those_of_the_game(seed: int) -> None:
    game = random_game(Random(seed))
    in_rounds = {"bluff", "stretch", "false", "caught", "escape", "pressure", "aggression"}
    in_rounds |= {"dudo_right", "dudo_edge", "dudo", "clutch", "palifico", "roll_luck", "my_way"}
    for who in (ALICE, BOB):
        whole = sums(game, who)
        parts = total(sums(replace(game, rounds=(each,)), who) for each in game.rounds)
        for code in in_rounds:
            assert whole.get(code) == parts.get(code), code
        assert lessons(facts_of(game, who)) == total(
            lessons(facts_of(replace(game, rounds=(each,)), who)) for each in game.rounds
        )


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_sums_come_out_the_same_in_whatever_order_games_are_added(seed: int) -> None:
    rng = Random(seed)
    games = [sums(random_game(rng)) for _ in range(4)]
    shuffled = rng.sample(games, len(games))
    one_by_one: dict[str, Part] = {}
    for each in shuffled:
        one_by_one = from_json(to_json(total([one_by_one, each])))
    assert one_by_one == total(games)


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_no_share_is_above_its_occasions_and_the_owner_knows_no_less(seed: int) -> None:
    game = random_game(Random(seed))
    for who in (ALICE, BOB):
        public, own = (sums(game.as_read_by(reader), who) for reader in (None, who))
        for each in STATISTICS:
            shown = public.get(each.code, Part(0, 0))
            assert shown.of <= own.get(each.code, Part(0, 0)).of
            if each.unit == "share":
                assert 0 <= shown.value <= shown.of


@settings(max_examples=30, deadline=None)
@given(seeds)
def test_a_covered_die_changes_nothing_that_others_may_count(seed: int) -> None:
    rng = Random(seed)
    game = replace(random_game(rng), rules=never_opened())
    other = replace(game, rounds=tuple(_with_other_dice(each, rng) for each in game.rounds))
    for who in (ALICE, BOB):
        assert sums(game.as_read_by(None), who) == sums(other.as_read_by(None), who)
        assert lessons(facts_of(game.as_read_by(None), who)) == lessons(
            facts_of(other.as_read_by(None), who)
        )


def _with_other_dice(played: PlayedRound, rng: Random) -> PlayedRound:
    if played.cups is None:
        return played
    lifted = {cup.seat for cup in played.outcome.lifted}
    return replace(
        played,
        cups=tuple(
            cup if seat in lifted else tuple(rng.choices(range(1, 7), k=len(cup)))
            for seat, cup in enumerate(played.cups)
        ),
    )


def test_facts_of_somebody_who_did_not_play_are_empty() -> None:
    facts: Facts = facts_of(told_game(CAUGHT), 99)
    assert sums_of(facts) == {}

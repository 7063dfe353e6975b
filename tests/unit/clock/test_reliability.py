"""How far a player can be relied on: what moves it, what does not, and the way up."""

from datetime import date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock.reliability import (
    GATES,
    HALF_LIFE,
    Miss,
    NextStep,
    Reliability,
    Standing,
    banned_until,
    why_not_gate,
)
from tests.unit.clock.times import DAY, at

pytestmark = pytest.mark.one_database

TODAY = date(2026, 6, 10)
NOON = at("2026-06-10 12:00")


def veteran(kept: float = 90, missed: float = 10) -> Reliability:
    return Reliability(kept, missed, games=20, played_on=TODAY)


def days_later(count: int) -> date:
    return TODAY + timedelta(days=count)


# --- what moves it ------------------------------------------------------------------------------


def test_time_that_passes_changes_nothing() -> None:
    assert veteran().after_turn(days_later(1)).kept == veteran().after_turn(days_later(999)).kept
    assert veteran().after_turn(days_later(1)).score == veteran().after_turn(days_later(999)).score


def test_after_sixty_days_of_play_older_evidence_counts_half() -> None:
    player = Reliability(kept=0.0, missed=8.0, games=9, played_on=TODAY)
    for number in range(1, HALF_LIFE + 1):
        # Only the first turn of a day makes a day of play.
        player = player.after_turn(days_later(number)).after_turn(days_later(number))
    assert player.missed == pytest.approx(4.0)


def test_many_turns_on_one_day_fade_nothing() -> None:
    player = veteran()
    for _ in range(50):
        player = player.after_turn(TODAY)
    assert (player.kept, player.missed) == (140, 10)


def test_a_turn_processed_late_makes_no_day_of_play() -> None:
    player = veteran().after_turn(days_later(-3))
    assert (player.kept, player.missed, player.played_on) == (91, 10, TODAY)


def test_a_miss_counts_by_the_notice_given() -> None:
    announced, token, silent = (veteran().after_miss(miss).score for miss in Miss)
    assert veteran().score > veteran().after_silent_extension().score > announced > token > silent


players = st.builds(
    Reliability,
    kept=st.floats(0.01, 500),
    missed=st.floats(0.01, 200),
    games=st.integers(0, 50),
    played_on=st.none() | st.just(TODAY),
)
deeds = st.lists(st.one_of(st.sampled_from(Miss), st.integers(0, 400)), max_size=40)


@settings(deadline=None)
@given(players, deeds)
def test_a_turn_in_time_never_lowers_it_and_a_miss_always_does(
    player: Reliability, history: list[Miss | int]
) -> None:
    for deed in history:
        if isinstance(deed, Miss):
            after = player.after_miss(deed)
            assert after.score < player.score
        else:
            after = player.after_turn(days_later(deed))
            assert after.score >= player.score - 1e-12
        assert 0 <= after.score <= 1
        player = after


# --- classes, gates, steps ----------------------------------------------------------------------


def test_who_is_new_is_in_a_class_of_his_own() -> None:
    player = Reliability()
    for _ in range(4):
        player = player.after_game()
    assert player.standing is Standing.NEW
    assert player.next_step() == NextStep(Standing.GOOD, turns=0, games=1)
    assert player.after_game().standing is Standing.GOOD
    assert player.after_game().next_step() is None


@pytest.mark.parametrize(
    ("percent", "standing"),
    [
        (92, Standing.GOOD),
        (91.9, Standing.FAIR),
        (85, Standing.FAIR),
        (84.9, Standing.WEAK),
        (75, Standing.WEAK),
        (74.9, Standing.POOR),
        (0, Standing.POOR),
    ],
)
def test_the_gates_part_the_classes(percent: float, standing: Standing) -> None:
    player = veteran(percent, 100 - percent)
    assert player.standing is standing
    assert player.percent == int(percent)


def test_the_next_step_up_is_said_in_turns() -> None:
    two_short = veteran(21, 2)  # 21 of 23 are 91.3 %
    assert two_short.next_step() == NextStep(Standing.GOOD, turns=2)
    played = two_short.after_turn(TODAY)
    assert played.next_step() == NextStep(Standing.GOOD, turns=1)
    assert played.after_turn(TODAY).standing is Standing.GOOD
    assert veteran(70, 30).next_step() == NextStep(Standing.WEAK, turns=20)


@settings(deadline=None)
@given(players, st.sampled_from(GATES), st.booleans())
def test_the_turns_promised_are_enough_and_none_too_many(
    player: Reliability, gate: int, on_new_days: bool
) -> None:
    promised = player.turns_to(gate)
    same_day = player
    for _ in range(max(0, promised - 1)):
        same_day = same_day.after_turn(TODAY)
    if promised and player.played_on:
        assert same_day.score * 100 < gate + 1e-9
    for number in range(promised):
        player = player.after_turn(days_later(number) if on_new_days else TODAY)
    assert player.score * 100 >= gate - 1e-9


def test_a_gate_lets_pass_who_reaches_it() -> None:
    assert why_not_gate(veteran(92, 8), percent=92) is None
    refused = why_not_gate(veteran(21, 2), percent=92)
    assert (refused.code, refused.params) == ("gate.turns", {"gate": 92, "turns": 2})
    assert why_not_gate(veteran(21, 2), percent=85) is None
    with pytest.raises(ValueError, match="height"):
        why_not_gate(veteran(), percent=99)


def test_a_gate_opens_for_the_new_unless_the_table_says_otherwise() -> None:
    hopeless = Reliability(kept=1, missed=9)
    assert why_not_gate(hopeless, percent=92) is None
    assert why_not_gate(hopeless, percent=75, new_allowed=False).code == "gate.new"


# --- retirements without a word -----------------------------------------------------------------


def retired(*days: float) -> list[datetime]:
    return [NOON + timedelta(days=day) for day in days]


def test_three_silent_retirements_are_forgiven() -> None:
    assert banned_until([]) is None
    assert banned_until(retired(0, 1, 2)) is None


@pytest.mark.parametrize(("count", "days"), [(4, 1), (5, 3), (6, 7), (7, 30), (9, 30)])
def test_from_the_fourth_on_each_keeps_him_away_longer(count: int, days: int) -> None:
    moments = retired(*range(count))
    assert banned_until(moments) == NOON + (count - 1 + days) * DAY
    assert banned_until(list(reversed(moments))) == banned_until(moments)


def test_retirements_of_half_a_year_ago_are_forgotten() -> None:
    assert banned_until(retired(0, 100, 150, 180)) is None
    assert banned_until(retired(0, 100, 150, 179.9)) == NOON + 180.9 * DAY


def test_a_later_mild_ban_does_not_shorten_a_long_one() -> None:
    # On day 179 the eighth of half a year; two days later five of them are forgotten.
    assert banned_until(retired(0, 0, 0, 0, 0, 170, 178, 179)) == NOON + 209 * DAY
    assert banned_until(retired(0, 0, 0, 0, 0, 170, 178, 179, 181)) == NOON + 209 * DAY

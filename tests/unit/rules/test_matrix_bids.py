"""The four presets row by row: setting up, opening and raising in a normal round."""

import pytest

from games.rules import (
    PRESETS,
    DiceCounts,
    Dudo,
    FirstStarter,
    new_game,
    preset_options,
    view_for,
)
from tests.unit.rules.helpers import (
    ALICE,
    ALL_PRESETS,
    BOB,
    CAROL,
    FULL,
    NUMBERS,
    at,
    bids,
    cup,
    dudo,
    refusal,
    says,
)

each_preset = pytest.mark.parametrize("name", ALL_PRESETS)
SIX = (5, 5, 5, 5, 5, 5)


def over(name: str, standing: str, text: str) -> str | None:
    """Return why ``text`` may not follow ``standing`` in a normal round of thirty dice."""
    return says(at(FULL[name], SIX, standing=standing), text)


# Setting up


@each_preset
def test_row_players(name: str) -> None:
    assert PRESETS[name].max_players == 6
    assert ("more_players" in preset_options(name)) == (name == "wikipedia")


@each_preset
def test_row_dice_each(name: str) -> None:
    assert PRESETS[name].start_dice == 5
    assert new_game(PRESETS[name], seats=6, opener=0).dice_in_play == 30


@each_preset
def test_row_faces(name: str) -> None:
    for face in NUMBERS:
        assert says(at(FULL[name]), f"1x{face}") is None


@pytest.mark.parametrize(
    ("name", "starter"),
    [
        ("piatnik", FirstStarter.RANDOM),
        ("bga", FirstStarter.RANDOM),
        ("asmodee", FirstStarter.DECLARED),
        ("wikipedia", FirstStarter.ROLL_OFF),
    ],
)
def test_row_first_opener(name: str, starter: FirstStarter) -> None:
    assert PRESETS[name].first_starter is starter


@each_preset
def test_row_direction_is_to_the_left_past_empty_seats(name: str) -> None:
    """R-01."""
    state = bids(at(FULL[name], (5, 0, 5, 5)), "1x2")
    assert state.round.to_act == CAROL
    state = bids(state, "2x2", "3x2")
    assert state.round.to_act == ALICE


@each_preset
def test_row_secrecy_of_dice(name: str) -> None:
    """Own dice only (R-04, R-73)."""
    state = at(FULL[name], cups=[(2, 3), (4, 5), ()])
    assert view_for(state, ALICE).own_dice == (2, 3)
    assert view_for(state, BOB).own_dice == (4, 5)
    assert view_for(state, CAROL).own_dice is None
    assert view_for(state, None).own_dice is None


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("piatnik", DiceCounts.HIDDEN),
        ("bga", DiceCounts.SHOWN),
        ("asmodee", DiceCounts.HIDDEN),
        ("wikipedia", DiceCounts.SHOWN),
    ],
)
def test_row_lost_dice(name: str, counts: DiceCounts) -> None:
    """R-70."""
    assert PRESETS[name].dice_counts is counts
    assert ("shown_counts" in preset_options(name)) == (name == "asmodee")


# Opening and raising


@each_preset
def test_row_the_first_player_must_bid(name: str) -> None:
    assert refusal(at(FULL[name]), Dudo(ALICE)) == "dudo.no-bid"


@each_preset
def test_row_no_opening_on_aces(name: str) -> None:
    assert says(at(FULL[name]), "1x1") == "bid.aces-opening"
    assert says(at(FULL[name]), "5x1") == "bid.aces-opening"


@each_preset
def test_row_a_bid_means_at_least(name: str) -> None:
    cups = [cup(3, 4), cup(3, 1), cup(3, 4)]
    for text, held in [("2x4", True), ("3x4", True), ("4x4", False)]:
        assert dudo(at(FULL[name], cups=cups, standing=text)).held is held


@each_preset
@pytest.mark.parametrize("text", ["6x4", "7x4", "20x4"])
def test_row_more_dice_of_the_same_face(name: str, text: str) -> None:
    assert over(name, "5x4", text) is None


@each_preset
@pytest.mark.parametrize("text", ["6x2", "6x3", "9x2"])
def test_row_more_dice_of_a_lower_face(name: str, text: str) -> None:
    assert over(name, "5x4", text) is None


@each_preset
@pytest.mark.parametrize("text", ["5x5", "5x6"])
def test_row_same_dice_of_a_higher_face(name: str, text: str) -> None:
    assert over(name, "5x4", text) is None


@each_preset
@pytest.mark.parametrize("text", ["6x5", "6x6", "8x5"])
def test_row_more_dice_and_a_higher_face_together(name: str, text: str) -> None:
    assert over(name, "5x4", text) is None


@each_preset
@pytest.mark.parametrize("text", ["5x4", "5x3", "5x2", "4x5", "4x6", "1x6"])
def test_row_same_dice_lower_face_and_fewer_dice(name: str, text: str) -> None:
    assert over(name, "5x4", text) == "bid.not-a-raise"


@each_preset
@pytest.mark.parametrize(
    ("standing", "half"), [("1x2", 1), ("2x6", 1), ("3x2", 2), ("10x6", 5), ("11x2", 6)]
)
def test_row_to_aces(name: str, standing: str, half: int) -> None:
    assert over(name, standing, f"{half}x1") is None
    assert over(name, standing, f"{half + 3}x1") is None
    if half > 1:
        assert over(name, standing, f"{half - 1}x1") == "bid.aces-half"


@each_preset
def test_row_aces_to_aces(name: str) -> None:
    assert over(name, "3x1", "4x1") is None
    assert over(name, "3x1", "3x1") == over(name, "3x1", "2x1") == "bid.not-a-raise"


@each_preset
@pytest.mark.parametrize("face", NUMBERS)
def test_row_aces_to_a_number(name: str, face: int) -> None:
    assert over(name, "3x1", f"6x{face}") == "bid.double-plus-one"
    assert over(name, "3x1", f"7x{face}") is None
    assert over(name, "3x1", f"8x{face}") is None


@each_preset
def test_row_largest_bid(name: str) -> None:
    assert over(name, "30x6", "31x2") is None


@each_preset
def test_row_bluff(name: str) -> None:
    state = at(FULL[name], cups=[(2, 2), (2, 2)])
    assert says(state, "4x6") is None

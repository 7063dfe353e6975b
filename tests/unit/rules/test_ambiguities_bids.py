"""What the texts leave open about bids and raises: docs/rules.md section 10."""

import pytest

from games.rules import Bid, BidCap, DiceCounts, MakeBid, RaiseMode, Ruleset, RuleViolation, why_not
from tests.unit.rules.helpers import (
    ALL_PRESETS,
    ASMODEE,
    BGA,
    FULL,
    NUMBERS,
    PIATNIK,
    WIKIPEDIA,
    at,
    bids,
    cup,
    dudo,
    legal,
    says,
    toggled,
)

SIX = (5, 5, 5, 5, 5, 5)
each_preset = pytest.mark.parametrize("name", ALL_PRESETS)


def test_a01_any_value_means_the_faces_of_a_die() -> None:
    """002 Asmodee: "5 dadi mostrano un valore qualsiasi (4/5/6/7/8)" is a misprint (R-22)."""
    state = at(ASMODEE, SIX, standing="4x4")
    fives = {text for text in legal(state, up_to=5) if text.startswith("5x")}
    assert fives == {"5x2", "5x3", "5x4", "5x5", "5x6", "5x1"}
    for face in (7, 8):
        with pytest.raises(RuleViolation) as refused:
            Bid(5, face)
        assert refused.value.code == "bid.unreadable"


@pytest.mark.parametrize(
    "texts", [("5x6", "6x4", "6x5", "3x1", "7x6"), ("6x6", "7x4", "7x5", "4x1", "9x6")]
)
def test_a02_the_captions_of_the_example_round_bind(texts: tuple[str, ...]) -> None:
    """002 Asmodee: "ci sono in tutto 5 dadi di valore 6 e 4 Paco. Carmen aveva ragione!" (R-31)."""
    cups = [cup(5, 6, 1), cup(5, 1), cup(5), cup(5, 1), cup(5, 6, 6, 6, 6), cup(5, 1)]
    outcome = dudo(bids(at(ASMODEE, cups=cups), *texts))
    assert (outcome.count, outcome.loser) == (9, outcome.caller)


@each_preset
def test_a03_more_dice_of_any_value_is_not_a_way_out_of_aces(name: str) -> None:
    """Leaving aces always costs double plus one (R-25)."""
    state = at(FULL[name], SIX, standing="3x1")
    assert says(state, "4x5") == says(state, "6x6") == "bid.double-plus-one"
    assert says(state, "7x2") is None


@each_preset
def test_a04_raising_is_free_unless_the_table_plays_one_way(name: str) -> None:
    """More dice go with any face; ``one_way`` is the strict reading (R-22, R-23)."""
    free = at(FULL[name], SIX, standing="4x4")
    assert says(free, "5x2") is None
    assert says(free, "5x6") is None
    strict = at(toggled(FULL[name], raise_mode=RaiseMode.ONE_WAY), SIX, standing="4x4")
    assert says(strict, "5x2") == says(strict, "5x6") == "bid.one-way"
    assert says(strict, "5x4") is None
    assert says(strict, "4x6") is None
    assert says(strict, "4x3") == "bid.not-a-raise"
    # the prices of aces are the same either way
    assert says(strict, "1x1") == "bid.aces-half"
    assert says(strict, "3x1") is None
    left = at(toggled(FULL[name], raise_mode=RaiseMode.ONE_WAY), SIX, standing="2x1")
    assert says(left, "4x3") == "bid.double-plus-one"
    assert says(left, "6x3") is None


@pytest.mark.parametrize("rules", [BGA, WIKIPEDIA], ids=["bga", "wikipedia"])
def test_a05_half_and_double_plus_one_are_least_prices(rules: Ruleset) -> None:
    """001 BGA "si può dimezzare", 003 Wikipedia "on peut diviser": at least (R-24, R-25)."""
    assert says(at(rules, SIX, standing="7x5"), "4x1") is None
    assert says(at(rules, SIX, standing="7x5"), "6x1") is None
    assert says(at(rules, SIX, standing="4x1"), "9x2") is None
    assert says(at(rules, SIX, standing="4x1"), "12x2") is None


def test_a06_doubling_is_double_plus_one() -> None:
    """001 BGA: "tornando però a raddoppiare", yet "da "due jolly" ... "cinque 2"" (R-25)."""
    state = at(BGA, SIX, standing="2x1")
    assert says(state, "4x6") == "bid.double-plus-one"
    assert says(state, "5x2") is None


@each_preset
def test_a07_an_ace_is_neither_lower_nor_higher_in_a_normal_round(name: str) -> None:
    """With as many dice one goes to aces only by the half price, never back (R-24, R-25)."""
    state = at(FULL[name], SIX, standing="1x6")
    assert says(state, "1x1") is None  # half of one, rounded up
    assert says(at(FULL[name], SIX, standing="3x1"), "3x2") == "bid.double-plus-one"
    # as many aces are well above the half, whatever the face was
    for face in NUMBERS:
        assert says(at(FULL[name], SIX, standing=f"4x{face}"), "4x1") is None


@each_preset
def test_a08_a_bid_may_exceed_the_dice_in_play(name: str) -> None:
    """No preset caps a bid (R-28)."""
    assert says(at(FULL[name], (2, 2, 0), standing="4x6"), "5x6") is None


def test_a08_caps_are_toggles() -> None:
    """``bid_cap`` counts the dice at the start or those in play (R-28)."""
    start = toggled(BGA, bid_cap=BidCap.DICE_AT_START)
    assert says(at(start, (2, 2, 1), standing="4x6"), "15x6") is None
    assert says(at(start, (2, 2, 1), standing="4x6"), "16x6") == "bid.over-cap"
    now = toggled(BGA, bid_cap=BidCap.DICE_IN_PLAY)
    assert says(at(now, (2, 2, 1), standing="4x6"), "5x6") is None
    assert says(at(now, (2, 2, 1), standing="4x6"), "6x6") == "bid.over-cap"
    assert says(at(now, (2, 2, 1), standing="5x6"), "3x1") is None


def test_a08_a_refusal_does_not_tell_a_hidden_total() -> None:
    """With hidden counts the sentence has no number in it (R-28, R-71)."""
    rules = toggled(BGA, bid_cap=BidCap.DICE_IN_PLAY, dice_counts=DiceCounts.HIDDEN)
    violation = why_not(at(rules, (4, 2, 1), standing="4x6"), MakeBid(0, Bid(40, 6)))
    assert violation is not None
    assert (violation.code, violation.params) == ("bid.over-hidden-cap", {})
    assert not any(character.isdigit() for character in violation.message)


@each_preset
def test_a09_the_least_quantity_is_one(name: str) -> None:
    """A bid of no dice cannot even be written (R-20, R-29)."""
    for face in NUMBERS:
        assert says(at(FULL[name]), f"1x{face}") is None
    with pytest.raises(RuleViolation, match="1 to 9999"):
        Bid(0, 4)


def test_a27_one_die_players_change_the_face_as_in_an_ordinary_raise() -> None:
    """000 Piatnik: "Tre 5" over three 4; the ace is 1, without a price of its own (R-44)."""
    state = at(PIATNIK, (1, 5, 5), standing="3x4", palifico=True, opener=0)
    assert says(state, "3x5") is None
    assert says(state, "3x6") is None
    assert says(state, "3x3") == says(state, "3x1") == says(state, "2x1") == "bid.not-a-raise"
    for face in (1, *NUMBERS):
        assert says(state, f"4x{face}") is None
    assert says(at(PIATNIK, (1, 5, 5), standing="3x1", palifico=True), "3x2") is None


def test_a27_the_palifico_player_himself_counts_among_them() -> None:
    """When his turn returns he has one die and may change the face (R-44)."""
    state = bids(at(PIATNIK, (1, 5, 5), palifico=True), "1x4", "2x4", "3x4")
    assert state.round.to_act == state.round.palifico_by == 0
    assert says(state, "3x5") is None


@pytest.mark.parametrize("rules", [BGA, ASMODEE, WIKIPEDIA], ids=["bga", "asmodee", "wikipedia"])
def test_a28_the_palifico_player_is_bound_too(rules: Ruleset) -> None:
    """001 BGA: "tutti gli altri" are bound, and he is as well (R-44)."""
    state = bids(at(rules, (1, 5, 5), palifico=True), "1x4", "2x4", "3x4")
    assert state.round.to_act == state.round.palifico_by
    assert says(state, "4x5") == "bid.face-locked"
    assert says(state, "4x4") is None


@each_preset
def test_a29_a_palifico_raise_may_be_of_any_size(name: str) -> None:
    """002 Asmodee: "anche rilanciare con un maggior numero di dadi" (R-44)."""
    state = at(FULL[name], (5, 1, 5), standing="2x4", palifico=True, opener=1)
    for quantity in (3, 4, 9):
        assert says(state, f"{quantity}x4") is None


@each_preset
def test_a30_no_half_price_for_aces_in_palifico(name: str) -> None:
    """Aces are an ordinary face there (R-43)."""
    state = at(FULL[name], (1, 5, 5), standing="6x4", palifico=True)
    expected = "bid.not-a-raise" if name == "piatnik" else "bid.face-locked"
    assert says(state, "3x1") == expected
    aces = at(FULL[name], (1, 5, 5), standing="2x1", palifico=True)
    assert says(aces, "3x1") is None  # and no double plus one
    assert says(aces, "3x5") == (None if name == "piatnik" else "bid.face-locked")


def test_a31_neither_another_value_nor_paco() -> None:
    """002 Asmodee: "senza cambiarne il valore o il numero di Paco" (R-44)."""
    state = at(ASMODEE, (1, 5, 5), standing="2x4", palifico=True)
    for text in ("3x5", "3x3", "3x1", "1x1"):
        assert says(state, text) == "bid.face-locked"
    assert says(state, "3x4") is None


@each_preset
def test_a36_legal_bids_are_those_of_the_asking_seat(name: str) -> None:
    """Who has one die matters to his own list alone (R-71)."""
    rules = FULL[name]
    bound = at(rules, (5, 5, 1, 1), standing="2x4", palifico=True, opener=3)
    other = at(rules, (5, 1, 1, 1), standing="2x4", palifico=True, opener=3)
    assert legal(bound, up_to=5) == legal(other, up_to=5) == {"3x4", "4x4", "5x4"}

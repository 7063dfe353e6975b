import pytest

from games.rules import ALL_CODES, PRESETS, Bid, Mode, RuleViolation, why_illegal
from games.wording import refusal
from games.wording.refusals import _SENTENCES

PARAMS: dict[str, object] = {
    "bid": "4x5",
    "over": "5x5",
    "least": 3,
    "face": 5,
    "cap": 20,
    "most": 6,
    "key": "start_dice",
    "name": "bga",
}


def test_the_sentences_are_those_of_the_rules_and_no_others() -> None:
    assert set(_SENTENCES) == ALL_CODES


@pytest.mark.parametrize("code", sorted(ALL_CODES))
def test_every_code_has_a_sentence_that_its_parameters_fill(code: str) -> None:
    sentence = refusal(RuleViolation(code, **PARAMS))
    assert sentence.endswith(".")
    assert "%" not in sentence


def _refused(bid: Bid, over: Bid | None, *, mode: Mode = Mode.NORMAL) -> str:
    violation = why_illegal(
        bid,
        over=over,
        rules=PRESETS["bga"],
        mode=mode,
        may_change_face=False,
        dice_at_start=30,
        dice_in_play=30,
    )
    assert violation is not None
    return refusal(violation)


def test_refusals_say_bids_in_words() -> None:
    assert _refused(Bid(4, 5), Bid(4, 6)) == "4 fives does not raise 4 sixes."
    assert _refused(Bid(3, 1), Bid(7, 2)) == "To go over to aces after 7 twos, bid at least 4 aces."
    assert _refused(Bid(4, 2), Bid(2, 1)) == "To leave the aces after 2 aces, bid at least 5 dice."
    assert (
        _refused(Bid(3, 4), Bid(2, 5), mode=Mode.PALIFICO)
        == "In this palifico round you have to stay with the fives."
    )

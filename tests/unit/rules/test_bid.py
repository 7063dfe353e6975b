"""Reading and writing bids (R-29): reading is not judging."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import FACES, MAX_QUANTITY, Bid, RuleViolation


@given(st.integers(1, MAX_QUANTITY), st.sampled_from(FACES))
def test_the_notation_is_read_back(quantity: int, face: int) -> None:
    assert Bid.parse(str(Bid(quantity, face))) == Bid(quantity, face)


def test_space_around_a_bid_is_ignored() -> None:
    assert Bid.parse(" 12x1\n") == Bid(12, 1)


@pytest.mark.parametrize(
    "text",
    ["", "4", "x5", "4x", "4x7", "4x0", "0x5", "04x5", "-1x5", "4 x 5", "4X5", "4x5x6", "٤x5",
     "10000x5", "9" * 5000 + "x5", "4x55", "+4x5", "4.0x5"],
)  # fmt: skip
def test_what_is_no_bid_is_unreadable(text: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        Bid.parse(text)
    assert refused.value.code == "bid.unreadable"


@pytest.mark.parametrize(
    ("quantity", "face"),
    [(0, 5), (-3, 5), (MAX_QUANTITY + 1, 5), (4, 0), (4, 7), (True, 5), (4, True), (4.0, 5)],
)
def test_a_bid_of_impossible_numbers_is_unreadable(quantity: int, face: int) -> None:
    with pytest.raises(RuleViolation) as refused:
        Bid(quantity, face)
    assert refused.value.code == "bid.unreadable"

from datetime import timedelta

import pytest

from games import wording
from games.rules import FACES, Bid


@pytest.mark.parametrize(
    ("quantity", "face", "said"),
    [(1, 1, "1 ace"), (3, 1, "3 aces"), (1, 6, "1 six"), (4, 5, "4 fives"), (12, 6, "12 sixes")],
)
def test_bid_text_bends_the_face_to_the_quantity(quantity: int, face: int, said: str) -> None:
    assert wording.bid_text(Bid(quantity, face)) == said


def test_every_face_has_a_name_of_its_own_in_both_numbers() -> None:
    assert len({wording.face_name(face) for face in FACES}) == 6
    assert len({wording.face_name(face, 2) for face in FACES}) == 6
    assert wording.face_name(6, 2) == "sixes"


def test_quantity_text_says_none_as_zero() -> None:
    assert wording.quantity_text(0, 5) == "0 fives"


def test_dice_text_keeps_the_order_of_the_roll() -> None:
    assert wording.dice_text((5, 1, 2)) == "five, ace, two"


@pytest.mark.parametrize(
    ("left", "said"),
    [
        (timedelta(days=1, hours=3, minutes=59), "1 day 3 hours"),
        (timedelta(days=2, minutes=5), "2 days"),
        (timedelta(hours=1, minutes=1, seconds=59), "1 hour 1 minute"),
        (timedelta(minutes=25), "25 minutes"),
        (timedelta(seconds=59), "less than a minute"),
        (timedelta(seconds=-5), "less than a minute"),
    ],
)
def test_time_left_names_the_two_largest_units(left: timedelta, said: str) -> None:
    assert wording.time_left(left) == said

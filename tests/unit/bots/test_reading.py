"""What a bid says about the dice of who made it."""

from itertools import product
from math import exp, isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.bid import ACE, FACES, Bid, Mode
from games.rules.odds import chance
from games.rules.reading import (
    Trust,
    at_least,
    binomial,
    convolve,
    match_chance,
    persuasion,
    tails,
)
from games.rules.state import PlacedBid

pytestmark = pytest.mark.one_database


TRUST = Trust(opening=0.8, new_face=0.3, same_face=0.1, repeat=0.6)


def placed(*bids: str) -> list[PlacedBid]:
    """Return bids made in turn by seats 0, 1, 0, 1, ..."""
    return [PlacedBid(number % 2, Bid.parse(bid)) for number, bid in enumerate(bids)]


def test_an_opening_says_most_and_a_repeated_face_less_and_less() -> None:
    bids = placed("2x4", "3x4", "4x4", "4x5", "5x4", "6x5")
    opening, new, same, repeat = TRUST
    assert persuasion(bids, 0, TRUST) == {4: opening + same * repeat + new * repeat**2}
    assert persuasion(bids, 1, TRUST) == {4: same, 5: new + new * repeat}
    assert persuasion(bids, 2, TRUST) == {}


@given(st.integers(1, 6), st.integers(0, 20), st.integers(1, 22), st.sampled_from(Mode))
def test_who_has_said_nothing_has_dice_like_any(
    face: int, unseen: int, quantity: int, mode: Mode
) -> None:
    silent = binomial(unseen, match_chance(face, mode, {}))
    expected = chance(Bid(quantity, face), own=(), unseen=unseen, mode=mode)
    assert isclose(at_least(tails(silent), quantity), expected, abs_tol=1e-9)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("said", [{4: 0.8}, {4: 0.8, 2: 0.3}, {1: 0.5}, {1: 0.3, 6: 0.1}])
def test_the_chance_of_a_die_is_the_posterior(mode: Mode, said: dict[int, float]) -> None:
    def counts(die: int, face: int) -> bool:
        return die == face or (die == ACE and mode is Mode.NORMAL and face != ACE)

    weights = {
        die: exp(sum(beta for face, beta in said.items() if counts(die, face))) for die in FACES
    }
    for face in FACES:
        matching = sum(weight for die, weight in weights.items() if counts(die, face))
        assert isclose(match_chance(face, mode, said), matching / sum(weights.values()))


def test_a_bid_makes_its_own_face_likelier() -> None:
    for mode, face in product(Mode, FACES):
        assert match_chance(face, mode, {face: 0.3}) > match_chance(face, mode, {})


@given(st.lists(st.tuples(st.integers(0, 5), st.floats(0.05, 0.95)), max_size=5))
def test_convolution_adds_up(parts: list[tuple[int, float]]) -> None:
    total = convolve(binomial(dice, success) for dice, success in parts)
    assert len(total) == 1 + sum(dice for dice, _ in parts)
    assert isclose(sum(total), 1.0)
    mean = sum(k * likely for k, likely in enumerate(total))
    assert isclose(mean, sum(dice * success for dice, success in parts), abs_tol=1e-9)

"""Informed odds against full enumeration of weighted rolls, and what they say."""

import doctest
from itertools import product
from math import exp, isclose, prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import ACE, FACES, Bid, Cup, Mode, chance, chance_exact
from games.stats import odds, sums
from games.stats.odds import Said, face_chances, informed, informed_exact

pytestmark = pytest.mark.one_database

modes = st.sampled_from(Mode)
bids = st.builds(Bid, quantity=st.integers(1, 8), face=st.integers(1, 6))
speeches = st.lists(st.builds(Said, seat=st.integers(1, 3), bid=bids), max_size=6).map(tuple)


def counts(die: int, face: int, mode: Mode) -> bool:
    return die == face or (mode is Mode.NORMAL and face != ACE and die == ACE)


def weights(seat: int, said: tuple[Said, ...], mode: Mode) -> list[float]:
    """Return the weights of a seat's faces, written out from the formula another way."""
    found = []
    for die in FACES:
        trust = 0.0
        for place, each in enumerate(said):
            if each.seat != seat or not counts(die, each.bid.face, mode):
                continue
            first = said[place - 1].bid.face if place else None
            beta = 0.8 if place == 0 else 0.3 if first == each.bid.face else 0.15
            before = [one for one in said[:place] if one.seat == seat]
            trust += beta * 0.6 ** sum(one.bid.face == each.bid.face for one in before)
        found.append(exp(trust))
    return [weight / sum(found) for weight in found]


def enumerated(
    bid: Bid, own: Cup, rivals: dict[int, int], said: tuple[Said, ...], mode: Mode
) -> tuple[float, float]:
    """Return the chances that the bid holds and that it is exact, by looking at every roll."""
    of_die = [weights(seat, said, mode) for seat, dice in rivals.items() for _ in range(dice)]
    mine = sum(counts(die, bid.face, mode) for die in own)
    holds = exact = 0.0
    for rest in product(FACES, repeat=len(of_die)):
        weight = prod(of_die[place][die - 1] for place, die in enumerate(rest))
        count = mine + sum(counts(die, bid.face, mode) for die in rest)
        holds += weight * (count >= bid.quantity)
        exact += weight * (count == bid.quantity)
    return holds, exact


@settings(max_examples=40, deadline=None)
@given(
    bid=bids,
    own=st.lists(st.integers(1, 6), max_size=3).map(tuple),
    rivals=st.dictionaries(st.integers(1, 3), st.integers(1, 2), max_size=2),
    said=speeches,
    mode=modes,
)
def test_informed_odds_are_what_weighing_every_roll_gives(
    bid: Bid, own: Cup, rivals: dict[int, int], said: tuple[Said, ...], mode: Mode
) -> None:
    holds, exact = enumerated(bid, own, rivals, said, mode)
    told = {"own": own, "rivals": rivals, "said": said, "mode": mode}
    assert isclose(informed(bid, **told), holds, abs_tol=1e-9)
    assert isclose(informed_exact(bid, **told), exact, abs_tol=1e-9)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("rivals", [{1: 8}, {1: 5, 2: 3}, {1: 1, 2: 1, 3: 6}])
def test_odds_of_eight_unknown_dice_are_those_of_every_count(
    rivals: dict[int, int], mode: Mode
) -> None:
    # By matches instead of faces there are 2^8 cases and not 6^8.
    said = (Said(1, Bid(2, 5)), Said(2, Bid(3, 5)), Said(1, Bid(4, 5)), Said(3, Bid(4, 6)))
    own = (1, 5, 3)
    for bid in (Bid(3, 5), Bid(5, 5), Bid(4, 6), Bid(2, 1), Bid(11, 5)):
        match = [
            sum(w for die, w in zip(FACES, weights(seat, said, mode), strict=True)
                if counts(die, bid.face, mode))
            for seat, dice in rivals.items()
            for _ in range(dice)
        ]  # fmt: skip
        mine = sum(counts(die, bid.face, mode) for die in own)
        holds = exact = 0.0
        for hits in product((False, True), repeat=8):
            weight = prod(p if hit else 1 - p for p, hit in zip(match, hits, strict=True))
            holds += weight * (mine + sum(hits) >= bid.quantity)
            exact += weight * (mine + sum(hits) == bid.quantity)
        told = {"own": own, "rivals": rivals, "said": said, "mode": mode}
        assert isclose(informed(bid, **told), holds, abs_tol=1e-9)
        assert isclose(informed_exact(bid, **told), exact, abs_tol=1e-9)


@given(
    bid=bids,
    own=st.lists(st.integers(1, 6), max_size=5).map(tuple),
    rivals=st.dictionaries(st.integers(1, 6), st.integers(1, 5), max_size=5),
    mode=modes,
)
def test_where_nobody_has_bid_informed_odds_are_those_of_own_dice(
    bid: Bid, own: Cup, rivals: dict[int, int], mode: Mode
) -> None:
    unseen = sum(rivals.values())
    told = {"own": own, "rivals": rivals, "said": (), "mode": mode}
    assert isclose(
        informed(bid, **told), chance(bid, own=own, unseen=unseen, mode=mode), abs_tol=1e-9
    )
    assert isclose(
        informed_exact(bid, **told),
        chance_exact(bid, own=own, unseen=unseen, mode=mode),
        abs_tol=1e-9,
    )


@given(said=speeches, mode=modes)
def test_chances_of_faces_add_up_and_never_fall_for_what_was_bid(
    said: tuple[Said, ...], mode: Mode
) -> None:
    chances = face_chances(1, said, mode)
    assert isclose(sum(chances), 1, abs_tol=1e-12)
    more = (*said, Said(1, Bid(3, 4)))
    assert face_chances(1, more, mode)[3] > chances[3] - 1e-12


def test_an_opening_says_more_than_going_along_and_that_more_than_a_new_face() -> None:
    opening = face_chances(1, (Said(1, Bid(2, 5)),), Mode.NORMAL)[4]
    new_face = face_chances(1, (Said(2, Bid(2, 4)), Said(1, Bid(2, 5))), Mode.NORMAL)[4]
    going_along = face_chances(1, (Said(2, Bid(2, 5)), Said(1, Bid(3, 5))), Mode.NORMAL)[4]
    assert opening > going_along > new_face > 1 / 6


def test_the_ace_gains_with_every_number_but_in_a_palifico_round() -> None:
    said = (Said(1, Bid(2, 5)),)
    assert face_chances(1, said, Mode.NORMAL)[0] == face_chances(1, said, Mode.NORMAL)[4]
    assert face_chances(1, said, Mode.PALIFICO)[0] < 1 / 6


def test_counts_that_a_table_hides_are_reckoned_as_they_were_remembered() -> None:
    # Bob began with five and has lost three: whoever remembers has odds of two dice.
    remembered = informed(Bid(3, 6), own=(6,), rivals={1: 5 - 3}, said=(), mode=Mode.NORMAL)
    assert isclose(remembered, 1 / 9)


def test_the_examples_in_the_docstrings_are_true() -> None:
    assert doctest.testmod(odds).failed == 0
    assert doctest.testmod(sums).failed == 0

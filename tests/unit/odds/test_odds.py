"""The exact odds against full enumeration, and the laws that they obey."""

import doctest
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import isclose
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import odds
from games.rules.bid import ACE, FACES, Bid, Mode
from games.rules.engine import apply
from games.rules.odds import (
    chance,
    chance_exact,
    chance_exact_for,
    chance_for,
    counts_for,
    unseen_dice,
)
from games.rules.positions import position
from games.rules.presets import find_ruleset
from games.rules.ruleset import DiceCounts
from games.rules.state import Cup, MakeBid
from games.rules.view import view_for

pytestmark = pytest.mark.one_database

modes = st.sampled_from(Mode)
cups = st.lists(st.integers(1, 6), max_size=8).map(tuple)
faces = st.integers(1, 6)


def enumerated(bid: Bid, own: Cup, unseen: int, mode: Mode) -> tuple[float, float]:
    """Return the chances that the bid holds and that it is exact, by looking at every roll."""
    holds = exact = 0
    for rest in product(FACES, repeat=unseen):
        dice = own + rest
        wild = mode is Mode.NORMAL and bid.face != ACE
        count = sum(die == bid.face or (wild and die == ACE) for die in dice)
        holds += count >= bid.quantity
        exact += count == bid.quantity
    return holds / 6**unseen, exact / 6**unseen


def small_cases() -> Iterator[tuple[Bid, Cup, int, Mode]]:
    for unseen, mode, face in product(range(5), Mode, (ACE, 2, 6)):
        for own in ((), (1,), (2, 6), (1, 1, 2)):
            for quantity in range(1, unseen + len(own) + 3):
                yield Bid(quantity, face), own, unseen, mode


def test_chance_is_what_counting_every_roll_gives() -> None:
    for bid, own, unseen, mode in small_cases():
        holds, exact = enumerated(bid, own, unseen, mode)
        assert isclose(chance(bid, own=own, unseen=unseen, mode=mode), holds, abs_tol=1e-9)
        assert isclose(chance_exact(bid, own=own, unseen=unseen, mode=mode), exact, abs_tol=1e-9)


@pytest.mark.parametrize("unseen", [6, 7])
@pytest.mark.parametrize("mode", Mode)
def test_chance_of_many_unseen_dice_is_what_counting_gives(unseen: int, mode: Mode) -> None:
    # One pass over all rolls serves every quantity.
    counts = [0] * (unseen + 1)
    for rest in product(FACES, repeat=unseen):
        counts[rest.count(5) + (rest.count(ACE) if mode is Mode.NORMAL else 0)] += 1
    for quantity in range(1, unseen + 2):
        bid = Bid(quantity, 5)
        holds = sum(counts[quantity:]) / 6**unseen
        exact = sum(counts[quantity : quantity + 1]) / 6**unseen
        assert isclose(chance(bid, own=(), unseen=unseen, mode=mode), holds, abs_tol=1e-9)
        assert isclose(chance_exact(bid, own=(), unseen=unseen, mode=mode), exact, abs_tol=1e-9)


@given(faces, cups, st.integers(0, 72), modes)
def test_exact_chances_of_all_quantities_make_up_the_whole(
    face: int, own: Cup, unseen: int, mode: Mode
) -> None:
    def at(quantity: int) -> float:
        return chance_exact(Bid(quantity, face), own=own, unseen=unseen, mode=mode)

    some = sum(at(quantity) for quantity in range(1, unseen + len(own) + 1))
    none = 1.0 - chance(Bid(1, face), own=own, unseen=unseen, mode=mode)
    assert isclose(some + none, 1.0, abs_tol=1e-9)


@given(st.integers(1, 90), faces, cups, st.integers(0, 72), modes)
def test_chance_falls_with_the_quantity_by_the_exact_chance(
    quantity: int, face: int, own: Cup, unseen: int, mode: Mode
) -> None:
    here = chance(Bid(quantity, face), own=own, unseen=unseen, mode=mode)
    above = chance(Bid(quantity + 1, face), own=own, unseen=unseen, mode=mode)
    exact = chance_exact(Bid(quantity, face), own=own, unseen=unseen, mode=mode)
    assert 0.0 <= above <= here <= 1.0
    assert isclose(here - above, exact, abs_tol=1e-9)


@given(st.integers(1, 40), faces, cups, st.integers(0, 40), modes)
def test_chance_never_falls_with_more_unseen_dice_or_another_match(
    quantity: int, face: int, own: Cup, unseen: int, mode: Mode
) -> None:
    bid = Bid(quantity, face)
    here = chance(bid, own=own, unseen=unseen, mode=mode)
    assert chance(bid, own=own, unseen=unseen + 1, mode=mode) >= here
    assert chance(bid, own=(*own, face), unseen=unseen, mode=mode) >= here


@given(st.integers(1, 20), faces, st.lists(cups, min_size=1, max_size=3), st.integers(0, 20), modes)
def test_a_lifted_cup_counts_like_an_own_one(
    quantity: int, face: int, lifted: list[Cup], unseen: int, mode: Mode
) -> None:
    bid = Bid(quantity, face)
    merged: Cup = tuple(die for cup in lifted for die in cup)
    assert chance(bid, own=(), unseen=unseen, mode=mode, lifted=lifted) == chance(
        bid, own=merged, unseen=unseen, mode=mode
    )


@given(st.integers(1, 20), st.integers(2, 6), cups, st.integers(0, 20))
def test_palifico_is_never_kinder_to_a_number_than_a_normal_round(
    quantity: int, face: int, own: Cup, unseen: int
) -> None:
    bid = Bid(quantity, face)
    palifico = chance(bid, own=own, unseen=unseen, mode=Mode.PALIFICO)
    assert palifico <= chance(bid, own=own, unseen=unseen, mode=Mode.NORMAL)


def test_aces_are_wild_for_numbers_of_a_normal_round_only() -> None:
    dice = (1, 1, 4, 6)
    assert counts_for(dice, 4, Mode.NORMAL) == 3
    assert counts_for(dice, ACE, Mode.NORMAL) == 2
    assert counts_for(dice, 4, Mode.PALIFICO) == 1


def test_chance_refuses_fewer_than_no_dice() -> None:
    with pytest.raises(ValueError, match="negative"):
        chance(Bid(1, 2), own=(1,), unseen=-1, mode=Mode.NORMAL)


CUPS = ((1, 5, 5), (2, 5), (), (6, 6, 6, 6))


def test_chance_for_a_seat_counts_its_own_dice_and_the_rest_as_unseen() -> None:
    state = position(find_ruleset("bga"), counts=(3, 2, 0, 4), bid=Bid(4, 5), to_act=0, cups=CUPS)
    for seat, own, unseen in ((0, CUPS[0], 6), (1, CUPS[1], 7), (2, (), 9), (None, (), 9)):
        view = view_for(state, seat)
        assert unseen_dice(view) == unseen
        bid = Bid(4, 5)
        assert chance_for(view, bid) == chance(bid, own=own, unseen=unseen, mode=Mode.NORMAL)
        assert chance_exact_for(view, bid) == chance_exact(
            bid, own=own, unseen=unseen, mode=Mode.NORMAL
        )


def test_hidden_counts_do_not_change_the_odds_of_who_listened() -> None:
    shown = replace(find_ruleset("piatnik"), dice_counts=DiceCounts.SHOWN)
    hidden = replace(shown, dice_counts=DiceCounts.HIDDEN)
    views = [
        view_for(position(rules, counts=(3, 2, 0, 4), cups=CUPS), 0) for rules in (shown, hidden)
    ]
    assert views[1].seats[1].dice is None
    assert chance_for(views[0], Bid(4, 5)) == chance_for(views[1], Bid(4, 5))


def test_chance_for_meets_the_truth_in_the_long_run() -> None:
    # Of the bids that it gives 40 to 60 %, about half must hold.
    rng = Random(11)
    state = position(find_ruleset("bga"), counts=(5, 5, 5))
    given_chance = held = 0.0
    for _ in range(4000):
        cups = tuple(tuple(rng.choices(FACES, k=5)) for _ in range(3))
        rolled = replace(state, round=replace(state.round, cups=cups))
        bid = Bid(5, rng.randint(2, 6))
        after = apply(rolled, MakeBid(0, bid)).state
        given_chance += chance_for(view_for(after, 1), bid)
        held += sum(counts_for(cup, bid.face, Mode.NORMAL) for cup in cups) >= bid.quantity
    assert abs(given_chance - held) / 4000 < 0.025


def test_the_examples_of_the_manual_are_true() -> None:
    results = doctest.testmod(odds)
    assert results.attempted > 0
    assert results.failed == 0

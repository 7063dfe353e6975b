"""Calza orders: who calls a bid as it lands, and who is heard."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.orders import Order, calza_claim, first_claim, parse
from games.rules import (
    Bid,
    CalzaWindow,
    GameState,
    Mode,
    PlacedBid,
    first_caller,
    may_calza,
    position,
    view_for,
)
from tests.unit.orders.tables import (
    ALICE,
    BGA,
    BOB,
    CAROL,
    CUPS,
    orders,
    positions,
    seeds,
    with_other_dice,
)

pytestmark = pytest.mark.one_database

calza_orders = st.one_of(
    orders(),
    st.sampled_from(
        [
            parse(text)
            for text in ("calza from 1%", "calza from 20%", "calza from 1x2", "else calza")
        ]
    ),
)


def landed(bid: str = "4x5", *, bidder: int = BOB, **how: object) -> GameState:
    """Return the position in which bob has just made a bid and carol is to act."""
    return position(
        replace(BGA, calza=replace(BGA.calza, **how)),
        counts=(4, 4, 4),
        to_act=(bidder + 1) % 3,
        bid=PlacedBid(bidder, Bid.parse(bid)),
        cups=CUPS,
    )


def claims(state: GameState, seat: int, text: str) -> bool:
    return calza_claim(view_for(state, seat), parse(text))


@settings(max_examples=120, deadline=None)
@given(seeds, st.lists(calza_orders, min_size=4, max_size=4))
def test_the_seat_that_is_heard_is_the_one_the_rules_would_hear(
    seed: int, given_orders: list[Order]
) -> None:
    for state in positions(seed, share=0.2):
        held = [
            (view_for(state, seat), given_orders[seat])
            for seat, each in enumerate(state.seats)
            if each.dice
        ]
        calling = [view.viewer for view, order in held if calza_claim(view, order)]
        assert all(seat is not None and may_calza(state, seat) for seat in calling)
        heard = first_claim(held)
        assert heard == first_caller(state, [seat for seat in calling if seat is not None])
        assert heard == first_claim(reversed(held))


@settings(max_examples=80, deadline=None)
@given(seeds, calza_orders)
def test_a_claim_does_not_depend_on_the_dice_of_others(seed: int, order: Order) -> None:
    rng = Random(seed)
    for state in positions(seed, share=0.2):
        for seat, each in enumerate(state.seats):
            if each.dice:
                other = with_other_dice(state, seat, rng)
                assert calza_claim(view_for(state, seat), order) == calza_claim(
                    view_for(other, seat), order
                )


def test_a_bid_is_called_exact_in_turn_and_out_of_turn() -> None:
    state = landed("4x5")
    assert claims(state, CAROL, "calza on 4x5")
    assert claims(state, ALICE, "calza on 4x5")
    assert not claims(state, ALICE, "calza on 4x6")


def test_nobody_calls_his_own_bid() -> None:
    assert not claims(landed("4x5"), BOB, "calza on 4x5")


@pytest.mark.parametrize("bidder", [ALICE, BOB, CAROL])
def test_the_nearest_to_the_left_of_the_bidder_is_heard(bidder: int) -> None:
    state = landed("4x5", bidder=bidder)
    views = [(view_for(state, seat), parse("calza on 4x5")) for seat in (ALICE, BOB, CAROL)]
    assert first_claim(views) == (bidder + 1) % 3
    assert first_claim([each for each in views if each[0].viewer != (bidder + 1) % 3]) == (
        (bidder + 2) % 3
    )
    assert first_claim([]) is None


def test_a_chance_of_being_exact_is_the_callers_own() -> None:
    state = landed("4x5")  # alice holds three of the four, carol none
    assert claims(state, ALICE, "calza from 15%")
    assert not claims(state, CAROL, "calza from 30%")


def test_a_clause_before_it_that_would_act_in_turn_comes_first() -> None:
    assert not claims(landed("4x5"), ALICE, "least from 4x5; calza on 4x5")
    assert claims(landed("4x5"), ALICE, "bid 4x5; calza on 4x5")


def test_a_bare_calza_waits_for_its_turn() -> None:
    for text in ("calza", "else calza", "bid 3x2; else calza"):
        assert not claims(landed("4x5"), ALICE, text)
        assert not claims(landed("4x5"), CAROL, text)


def test_where_calza_is_for_the_turn_alone_only_the_turn_claims() -> None:
    state = landed("4x5", window=CalzaWindow.TURN_ONLY)
    assert not claims(state, ALICE, "calza on 4x5")
    assert claims(state, CAROL, "calza on 4x5")


@pytest.mark.parametrize("toggles", [{"enabled": False}, {"needs_lost_die": True}])
def test_what_the_rules_refuse_is_never_claimed(toggles: dict[str, bool]) -> None:
    state = landed("4x5", **toggles)
    state = replace(state, rules=replace(state.rules, start_dice=4))
    assert not claims(state, ALICE, "calza on 4x5")


def test_palifico_and_two_players_follow_the_table() -> None:
    rules = replace(BGA, calza=replace(BGA.calza, in_palifico=False, two_players=False))
    palifico = position(
        rules, counts=(4, 4, 4), to_act=CAROL, mode=Mode.PALIFICO, bid=Bid(4, 5), cups=CUPS
    )
    assert not claims(palifico, ALICE, "calza on 4x5")
    two = position(rules, counts=(4, 4), bid=Bid(4, 5), cups=CUPS[:2])
    assert not claims(two, ALICE, "calza on 4x5")


def test_nothing_is_claimed_before_a_bid() -> None:
    state = position(BGA, counts=(4, 4, 4), to_act=BOB, cups=CUPS)
    assert not claims(state, ALICE, "calza from 1%; calza opening")
    assert first_claim([(view_for(state, ALICE), parse("calza opening"))]) is None

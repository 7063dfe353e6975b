"""An order plays what it says, by the rules, from its own dice, or asks."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from games.orders import ASK_CODES, Ask, Call, Order, decide, parse
from games.rules import (
    ALL_CODES,
    Bid,
    BidCap,
    Calza,
    Dudo,
    MakeBid,
    Mode,
    PlacedBid,
    RaiseMode,
    chance_exact_for,
    chance_for,
    position,
    view_for,
    why_not,
)
from games.rules.presets import find_ruleset
from games.rules.ruleset import FaceChange
from tests.unit.orders.tables import (
    ALICE,
    BGA,
    BOB,
    CUPS,
    faces,
    orders,
    positions,
    seeds,
    with_other_dice,
)

pytestmark = pytest.mark.one_database


def does(bid: str | None, text: str) -> str:
    """Return what an order does when ``bid`` comes to alice, in few words."""
    action = decide(faces(bid), parse(text)).action
    if isinstance(action, Ask):
        return action.code
    return str(action.bid) if isinstance(action, MakeBid) else type(action).__name__.lower()


@settings(max_examples=150, deadline=None)
@given(seeds, orders())
def test_no_order_ever_plays_what_the_rules_refuse(seed: int, order: Order) -> None:
    for state in positions(seed):
        action = decide(view_for(state, state.round.to_act), order).action
        if isinstance(action, Ask):
            assert action.code in ASK_CODES | ALL_CODES
            assert (action.refusal is None) == (action.code in ASK_CODES)
        else:
            assert why_not(state, action) is None


@settings(max_examples=100, deadline=None)
@given(seeds, orders())
def test_what_it_does_does_not_depend_on_the_dice_of_others(seed: int, order: Order) -> None:
    rng = Random(seed)
    for state in positions(seed):
        seat = state.round.to_act
        other = with_other_dice(state, seat, rng)
        assert decide(view_for(state, seat), order) == decide(view_for(other, seat), order)


@settings(max_examples=100, deadline=None)
@given(seeds, orders())
def test_what_it_does_does_not_depend_on_who_bid_or_on_older_bids(seed: int, order: Order) -> None:
    for state in positions(seed, share=0.2):
        seat = state.round.to_act
        standing = state.round.standing
        if standing is None:
            continue
        for bidder, other in enumerate(state.seats):
            if other.dice and bidder != seat:
                bids = (PlacedBid(bidder, standing.bid),)
                alone = replace(state, round=replace(state.round, bids=bids))
                assert decide(view_for(state, seat), order) == decide(view_for(alone, seat), order)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_each_fallback_does_what_it_says(seed: int) -> None:
    for state in positions(seed):
        seat = state.round.to_act
        view = view_for(state, seat)
        assert decide(view, parse("else ask")).action == Ask("order.ask")
        assert decide(view, Order()) == decide(view, parse("else ask"))
        dudo = decide(view, parse("else dudo")).action
        assert dudo == (Dudo(seat) if view.may_dudo else Ask("dudo.no-bid"))
        least = decide(view, parse("else least")).action
        raises = view.least_raises
        assert least == (MakeBid(seat, raises[0]) if raises else Ask("order.no-raise"))
        calza = decide(view, parse("else calza")).action
        assert (calza == Calza(seat)) == view.may_calza
        assert view.may_calza or (isinstance(calza, Ask) and calza.code.startswith("calza."))


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_a_bid_is_made_exactly_when_it_is_legal(seed: int) -> None:
    for state in positions(seed, share=0.2):
        seat = state.round.to_act
        for bid in (Bid(2, 1), Bid(3, 4), Bid(5, 6), Bid(9, 2)):
            action = decide(view_for(state, seat), parse(f"bid {bid}")).action
            assert (action == MakeBid(seat, bid)) == (why_not(state, MakeBid(seat, bid)) is None)


@settings(max_examples=60, deadline=None)
@given(seeds)
def test_bid_at_least_is_the_least_legal_one_of_its_face(seed: int) -> None:
    for state in positions(seed, share=0.2):
        seat = state.round.to_act
        view = view_for(state, seat)
        for floor in (Bid(1, 4), Bid(3, 1), Bid(4, 5)):
            fitting = [
                bid
                for bid in view.legal_raises(200)
                if bid.face == floor.face and bid.quantity >= floor.quantity
            ]
            action = decide(view, parse(f"bid at least {floor}")).action
            if fitting:
                assert action == MakeBid(seat, fitting[0])
            else:
                assert isinstance(action, Ask)
                assert action.code.startswith("bid.")


@pytest.mark.parametrize(
    ("bid", "does_this"),
    [("3x2", "7x5"), ("7x4", "7x5"), ("3x1", "7x5"), ("7x5", "dudo"), ("4x1", "dudo"),
     ("9x2", "dudo"), (None, "dudo.no-bid")],
)  # fmt: skip
def test_up_to_a_bid_and_then_dudo(bid: str | None, does_this: str) -> None:
    assert does(bid, "if below 7x5 bid 7x5; else dudo") == does_this


@pytest.mark.parametrize(
    ("bid", "does_this"),
    [(None, "4x5"), ("2x2", "4x5"), ("4x4", "4x5"), ("4x5", "5x5"), ("5x5", "6x3"),
     ("6x5", "order.ask"), ("7x3", "dudo"), ("8x5", "dudo"), ("5x1", "dudo")],
)  # fmt: skip
def test_the_order_of_the_brief_climbs_its_ladder(bid: str | None, does_this: str) -> None:
    assert does(bid, "dudo below 30%; raise 4x5, 5x5, 6x3; ask from 8") == does_this


def test_the_first_clause_that_applies_decides() -> None:
    assert does("4x4", "dudo on 4x4; least from 4x4") == "dudo"
    assert does("4x5", "dudo on 4x4; least from 4x4") == "4x6"
    assert does("4x4", "bid 4x4; bid 4x3; dudo") == "dudo"
    assert does("4x4", "bid 4x4; else 3x6") == "order.nothing-left"


def test_every_condition_of_a_clause_must_hold() -> None:
    order = "dudo from 4x4 and below 5; else least"
    assert [does(bid, order) for bid in ("4x3", "4x4", "4x6", "5x2")] == [
        "4x4",
        "dudo",
        "dudo",
        "5x3",
    ]


@pytest.mark.parametrize(
    ("condition", "held"),
    [
        ("below 4x4", "2x2 4x3"),
        ("from 4x4", "4x4 4x5 2x1 6x2"),
        ("above 4x4", "4x5 2x1 6x2"),
        ("on 4x4", "4x4"),
        ("below 4", "2x2 2x1"),
        ("from 4", "4x3 4x4 4x5 6x2"),
        ("above 4", "6x2"),
        ("on 4", "4x3 4x4 4x5"),
        ("on 4s from 4", "4x4"),
        ("on 2s", "2x2 6x2"),
        ("on 2s below 6", "2x2"),
        ("opening", ""),
    ],
)
def test_a_condition_holds_on_just_these_bids(condition: str, held: str) -> None:
    bids = ["2x2", "4x3", "4x4", "4x5", "2x1", "6x2"]
    assert [bid for bid in bids if does(bid, f"dudo {condition}") == "dudo"] == held.split()


def test_only_opening_holds_before_the_first_bid() -> None:
    order = "bid 9x2 if below 7x5; bid 9x3 if below 9; bid 9x4 if below 99%; bid 3x3 opening"
    assert does(None, order) == "3x3"


def test_a_chance_is_the_one_of_the_players_own_dice() -> None:
    view = faces("5x5")
    held, exact = chance_for(view, Bid(5, 5)), chance_exact_for(view, Bid(5, 5))
    assert (round(100 * held), round(100 * exact)) == (80, 27)
    for percent in range(1, 100):
        assert (does("5x5", f"dudo below {percent}%") == "dudo") == (held < percent / 100)
        assert (does("5x5", f"dudo above {percent}%") == "dudo") == (held > percent / 100)
        assert (does("5x5", f"calza from {percent}%") == "calza") == (exact >= percent / 100)


def test_palifico_has_its_own_order_of_bids_and_its_own_chances() -> None:
    state = position(BGA, counts=(4, 4, 4), mode=Mode.PALIFICO, bid=Bid(3, 5), cups=CUPS)
    view = view_for(state, ALICE)
    assert decide(view, parse("dudo from 2x1; else least")).action == Dudo(ALICE)
    assert decide(view, parse("dudo from 4x1; else least")).action == MakeBid(ALICE, Bid(4, 5))
    # Two fives of her own and no wild aces: one of eight unseen dice must be a five.
    assert chance_for(view, Bid(3, 5)) == pytest.approx(1 - (5 / 6) ** 8)
    assert decide(view, parse("dudo below 77%; else ask")).action == Dudo(ALICE)
    assert decide(view, parse("dudo below 76%; else ask")).action == Ask("order.ask")


def test_a_face_that_palifico_forbids_is_asked_about_and_not_passed_over() -> None:
    state = position(BGA, counts=(4, 4, 4), mode=Mode.PALIFICO, bid=Bid(2, 3), cups=CUPS)
    decision = decide(view_for(state, ALICE), parse("if below 7x5 bid 7x5; else dudo"))
    assert decision.action == Ask("bid.face-locked")
    assert isinstance(decision.action, Ask)
    assert decision.action.refusal is not None
    assert decision.action.refusal.params == {"face": 3}
    assert decide(view_for(state, ALICE), parse("4x5, 3x3; dudo")).action == MakeBid(
        ALICE, Bid(3, 3)
    )


def test_a_player_with_one_die_may_change_the_face_where_the_table_lets_him() -> None:
    rules = replace(BGA, palifico=replace(BGA.palifico, face_change=FaceChange.ONE_DIE_PLAYERS))
    for dice, action in ((1, MakeBid(ALICE, Bid(2, 6))), (2, Ask("bid.face-locked"))):
        cups = ((6,) * dice, (2, 2))
        state = position(rules, counts=(dice, 2), mode=Mode.PALIFICO, bid=Bid(2, 3), cups=cups)
        assert decide(view_for(state, ALICE), parse("bid 2x6; else dudo")).action == action


def test_a_raise_two_ways_is_asked_about_at_a_table_that_wants_one() -> None:
    rules = replace(BGA, raise_mode=RaiseMode.ONE_WAY)
    view = view_for(position(rules, counts=(4, 4, 4), bid=Bid(3, 4), cups=CUPS), ALICE)
    assert decide(view, parse("bid 4x5; dudo")).action == Ask("bid.one-way")
    assert decide(view, parse("bid 4x5, 3x6; dudo")).action == MakeBid(ALICE, Bid(3, 6))


def test_a_cap_that_leaves_no_raise_is_asked_about() -> None:
    rules = replace(BGA, bid_cap=BidCap.DICE_IN_PLAY)
    view = view_for(position(rules, counts=(4, 4, 4), bid=Bid(12, 1), cups=CUPS), ALICE)
    assert decide(view, parse("else least")).action == Ask("order.no-raise")
    assert decide(view, parse("25x5; dudo")).action == Ask("bid.over-cap")
    assert decide(view, parse("24x5; dudo")).action == Dudo(ALICE)


def test_aces_that_may_not_open_are_asked_about() -> None:
    assert does(None, "bid 2x1; else least") == "bid.aces-opening"
    assert does(None, "bid 2x1, 3x5") == "3x5"


def test_calza_at_a_table_without_it_is_asked_about() -> None:
    view = view_for(
        position(find_ruleset("piatnik"), counts=(4, 4, 4), bid=Bid(4, 5), cups=CUPS), ALICE
    )
    assert decide(view, parse("calza on 4x5; else dudo")).action == Ask("calza.disabled")
    assert decide(view, parse("calza on 4x6; else dudo")).action == Dudo(ALICE)


def test_the_decision_names_its_clause() -> None:
    order = parse("dudo on 9x2; bid 4x5; else least")
    assert [decide(faces(bid), order).clause for bid in ("9x2", "3x3", "5x5")] == [0, 1, None]
    assert order.act_of(None) is Call.LEAST


def test_an_order_acts_only_on_its_own_turn() -> None:
    state = position(BGA, counts=(4, 4, 4), bid=Bid(3, 4), cups=CUPS)
    for viewer in (BOB, None):
        with pytest.raises(ValueError, match="order"):
            decide(view_for(state, viewer), parse("dudo"))
    with pytest.raises(ValueError, match="order"):  # the dice were not loaded
        decide(view_for(position(BGA, counts=(4, 4), bid=Bid(3, 4)), ALICE), parse("dudo"))

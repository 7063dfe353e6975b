"""The declared automatic move (R-82): a formula that anybody can work out again."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock.automatic import DUDO_BELOW, automatic_move
from games.rules.bid import Bid, Mode
from games.rules.legal import why_not
from games.rules.odds import chance
from games.rules.positions import position
from games.rules.presets import find_ruleset
from games.rules.ruleset import BidCap
from games.rules.state import Dudo, MakeBid, Phase, PlacedBid
from games.rules.view import view_for
from tests.unit.random_games import play_random, random_start

pytestmark = pytest.mark.one_database

BGA = find_ruleset("bga")


def test_the_opener_makes_the_least_legal_bid() -> None:
    state = position(BGA, counts=(2, 2), cups=((6, 6), (1, 1)))
    assert automatic_move(view_for(state, 0)) == MakeBid(0, Bid(1, 2))


def test_the_opener_of_a_palifico_round_bids_one_ace() -> None:
    state = position(BGA, counts=(1, 2), mode=Mode.PALIFICO, cups=((6,), (1, 1)))
    assert automatic_move(view_for(state, 0)) == MakeBid(0, Bid(1, 1))


def test_a_likely_bid_gets_the_least_raise() -> None:
    state = position(BGA, counts=(2, 2), bid=Bid(1, 5), cups=((5, 6), (1, 1)))
    assert automatic_move(view_for(state, 0)) == MakeBid(0, Bid(1, 6))


def test_an_unlikely_bid_is_doubted() -> None:
    # Nothing in the own cup, two unseen dice: both fives with chance 1/9.
    state = position(BGA, counts=(2, 2), bid=Bid(2, 5), cups=((2, 6), (5, 5)))
    assert automatic_move(view_for(state, 0)) == Dudo(0)


@pytest.mark.parametrize(
    ("own", "unseen", "bid", "doubted"),
    [
        ((2,), 1, Bid(1, 5), True),  # 1/3
        ((2,), 2, Bid(1, 5), False),  # 5/9
        ((2,), 3, Bid(1, 1), False),  # 91/216 = 42.1 %
        ((2,), 4, Bid(2, 5), False),  # 33/81 = 40.7 %
        ((2,), 2, Bid(1, 1), True),  # 11/36 = 30.6 %
    ],
)
def test_the_line_is_drawn_at_forty_percent(
    own: tuple[int, ...], unseen: int, bid: Bid, doubted: bool
) -> None:
    assert (chance(bid, own=own, unseen=unseen, mode=Mode.NORMAL) < DUDO_BELOW) is doubted
    state = position(BGA, counts=(1, unseen), bid=bid, cups=(own, (2,) * unseen))
    assert isinstance(automatic_move(view_for(state, 0)), Dudo) is doubted


def test_what_others_bid_is_not_read() -> None:
    quiet = position(BGA, counts=(2, 2, 2), bid=Bid(3, 5), cups=((2, 5), (5, 5), (5, 5)))
    loud = replace(
        quiet,
        round=replace(
            quiet.round,
            bids=(PlacedBid(1, Bid(1, 5)), PlacedBid(2, Bid(2, 5)), *quiet.round.bids),
        ),
    )
    assert automatic_move(view_for(loud, 0)) == automatic_move(view_for(quiet, 0))


def test_a_bid_that_the_cap_lets_nobody_raise_is_doubted() -> None:
    capped = replace(BGA, bid_cap=BidCap.DICE_IN_PLAY)
    # Two sixes of two dice, and no die more to name; in a normal round aces would be left.
    state = position(
        capped, counts=(1, 1), mode=Mode.PALIFICO, opener=1, bid=Bid(2, 6), cups=((6,), (6,))
    )
    view = view_for(state, 0)
    assert view.least_raises == ()
    assert automatic_move(view) == Dudo(0)


def test_only_the_seat_to_act_has_an_automatic_move() -> None:
    state = position(BGA, counts=(2, 2), cups=((5, 6), (1, 1)))
    for viewer in (1, None):
        with pytest.raises(ValueError, match="turn"):
            automatic_move(view_for(state, viewer))
    unrolled = position(BGA, counts=(2, 2), phase=Phase.ROLL)
    with pytest.raises(ValueError, match="turn"):
        automatic_move(view_for(unrolled, 0))


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_it_is_legal_in_every_position_and_needs_no_foreign_die(seed: int) -> None:
    rng = Random(seed)
    start = random_start(rng, start_dice=rng.randint(1, 3), most_seats=5)
    for state, _ in play_random(start, rng):
        if state.phase is not Phase.BID:
            continue
        seat = state.round.to_act
        move = automatic_move(view_for(state, seat))
        assert why_not(state, move) is None
        assert isinstance(move, Dudo | MakeBid)
        assert state.round.cups is not None
        other_dice = tuple(
            cup if number == seat else tuple(rng.choices(range(1, 7), k=len(cup)))
            for number, cup in enumerate(state.round.cups)
        )
        otherwise = replace(state, round=replace(state.round, cups=other_dice))
        assert automatic_move(view_for(otherwise, seat)) == move

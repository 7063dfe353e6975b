"""Building positions by hand."""

from typing import Any

import pytest

from games.rules import Bid, Calza, Dudo, Mode, Phase, PlacedBid, SeatState, new_game, position
from tests.unit.rules.helpers import BGA, after, at, bids, rolled


def test_a_bare_bid_belongs_to_the_seat_on_the_right() -> None:
    state = position(BGA, counts=(3, 0, 0, 2), to_act=3, bid=Bid(2, 4))
    assert state.round.standing == PlacedBid(0, Bid(2, 4))
    assert state.round.opener == 0
    state = position(BGA, counts=(3, 0, 0, 2), to_act=0, bid=Bid(2, 4))
    assert state.round.standing == PlacedBid(3, Bid(2, 4))


def test_a_placed_bid_keeps_its_seat() -> None:
    state = position(BGA, counts=(3, 3, 3), to_act=0, bid=PlacedBid(1, Bid(2, 4)), opener=2)
    assert state.round.standing == PlacedBid(1, Bid(2, 4))
    assert state.round.opener == 2


def test_a_palifico_position_has_its_player() -> None:
    state = position(BGA, counts=(3, 1, 3), to_act=1, mode=Mode.PALIFICO)
    assert (state.round.opener, state.round.palifico_by) == (1, 1)
    assert [seat.palifico_done for seat in state.seats] == [False, True, False]
    state = position(
        BGA, counts=(3, 1, 3), to_act=0, mode=Mode.PALIFICO, bid=Bid(1, 2), palifico_by=1
    )
    assert (state.round.opener, state.round.palifico_by) == (1, 1)


def test_a_seat_with_one_die_has_dropped_to_it_before() -> None:
    """R-41: it regains a die, loses it again, and has no second palifico round."""
    state = position(BGA, counts=(1, 3, 3), to_act=1, bid=Bid(1, 2))
    assert [seat.palifico_done for seat in state.seats] == [True, False, False]
    cups = [(2,), (2, 3, 4), (5, 5, 6)]
    state = rolled(after(at(BGA, cups=cups, standing="2x2", to_act=0), Calza(0)))
    assert [seat.dice for seat in state.seats] == [2, 3, 3]
    state = after(bids(state, "9x6"), Dudo(1))
    assert (state.seats[0].dice, state.round.opener, state.round.mode) == (1, 0, Mode.NORMAL)
    # who says otherwise is believed
    assert not at(BGA, (1, 3, 3), palifico_done=[False] * 3).seats[0].palifico_done


def test_one_seat_left_is_a_game_won() -> None:
    state = position(BGA, counts=(0, 2), to_act=1)
    assert (state.phase, state.winner) == (Phase.OVER, 1)
    assert state.seats == (SeatState(0), SeatState(2, place=1))


def test_a_position_may_wait_for_its_roll() -> None:
    state = position(BGA, counts=(5, 5), to_act=1, phase=Phase.ROLL)
    fresh = new_game(BGA, seats=2, opener=1)
    assert state == fresh


@pytest.mark.parametrize(
    "wrong",
    [
        {"counts": ()},
        {"counts": (0, 0)},
        {"counts": (6, 5)},
        {"counts": (-1, 5)},
        {"counts": (5, 5), "to_act": 2},
        {"counts": (5, 0, 5), "to_act": 1},
        {"counts": (5, 5), "opener": 1},
        {"counts": (5, 0, 5), "bid": Bid(1, 2), "opener": 1},
        {"counts": (5, 5), "bid": PlacedBid(0, Bid(1, 2))},
        {"counts": (5, 0, 5), "bid": PlacedBid(1, Bid(1, 2))},
        {"counts": (2, 2), "cups": [(1, 2), (3,)]},
        {"counts": (2, 2), "cups": [(1, 2), (3, 7)]},
        {"counts": (2, 2), "cups": [(1, 2)]},
        {"counts": (2, 2), "palifico_by": 0},
        {"counts": (2, 2), "palifico_done": [True]},
        {"counts": (2, 2), "phase": Phase.OVER},
        {"counts": (2, 2), "phase": Phase.ROLL, "bid": Bid(1, 2)},
        {"counts": (2, 2), "phase": Phase.ROLL, "cups": [(1, 2), (3, 4)]},
        {"counts": (1, 0, 2), "mode": Mode.PALIFICO, "palifico_by": 1},
    ],
)
def test_what_is_no_position_is_a_programming_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        position(BGA, **wrong)


def test_the_first_opener_must_sit_at_the_table() -> None:
    for opener in (-1, 3):
        with pytest.raises(ValueError, match="not one of 3 seats"):
            new_game(BGA, seats=3, opener=opener)

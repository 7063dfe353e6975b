"""What closing a round brings: events, resignations, the winner."""

import pytest

from games.rules import (
    BidMade,
    Calza,
    CalzaCalled,
    CupLifted,
    DieGained,
    DieLost,
    Dudo,
    DudoCalled,
    Forfeit,
    GameWon,
    Mode,
    OutcomeKind,
    Phase,
    Resign,
    RoundCreated,
    RoundOutcome,
    RoundRolled,
    SeatForfeited,
    SeatOut,
    SeatResigned,
    apply,
    new_game,
)
from games.rules.bid import Bid
from games.rules.state import MakeBid, Roll
from tests.unit.rules.helpers import (
    ALICE,
    BGA,
    BOB,
    CAROL,
    DAVE,
    PIATNIK,
    after,
    at,
    bids,
    closed,
    dice,
    refusal,
    says,
    toggled,
)


def test_events_of_a_roll_and_a_bid_hold_no_dice() -> None:
    rolled = apply(new_game(BGA, seats=2, opener=1), Roll(((1, 2, 3, 4, 5), (6, 5, 4, 3, 2))))
    assert rolled.events == (RoundRolled(1),)
    assert rolled.outcome is None
    assert apply(rolled.state, MakeBid(1, Bid(2, 4))).events == (BidMade(1, Bid(2, 4)),)


def test_events_of_a_dudo_are_in_the_order_a_table_hears_them() -> None:
    state = at(PIATNIK, cups=[(4, 2), (3,), (4, 4), (5, 5)], standing="2x4", to_act=BOB)
    assert apply(state, Dudo(BOB)).events == (
        DudoCalled(BOB),
        CupLifted(BOB, (3,), 0),
        CupLifted(CAROL, (4, 4), 2),
        DieLost(BOB),
        SeatOut(BOB, 4),
        RoundCreated(2, CAROL, Mode.NORMAL),
    )


def test_events_of_a_calza_tell_the_gain() -> None:
    state = at(BGA, cups=[(4, 2), (3,), (4, 3)], standing="2x4", to_act=BOB)
    assert apply(state, Calza(BOB)).events == (
        CalzaCalled(BOB),
        CupLifted(BOB, (3,), 0),
        CupLifted(CAROL, (4, 3), 1),
        CupLifted(ALICE, (4, 2), 1),
        DieGained(BOB),
        RoundCreated(2, BOB, Mode.NORMAL),
    )


def test_events_of_the_last_round_end_with_the_winner() -> None:
    applied = apply(at(BGA, cups=[(3,), (4,)], standing="2x5", to_act=BOB), Dudo(BOB))
    assert applied.events[-3:] == (DieLost(ALICE), SeatOut(ALICE, 2), GameWon(BOB))


def test_a_resignation_lifts_nothing_and_costs_nobody_else() -> None:
    """R-80, R-81."""
    state = at(BGA, cups=[(4, 2), (3, 3), (4, 3)], standing="9x6", to_act=BOB, round_number=4)
    applied = apply(state, Resign(CAROL))  # out of turn
    assert applied.events == (
        SeatResigned(CAROL),
        SeatOut(CAROL, 3),
        RoundCreated(5, ALICE, Mode.NORMAL),
    )
    assert closed(applied) == RoundOutcome(
        kind=OutcomeKind.RESIGN,
        caller=CAROL,
        bid=Bid(9, 6),
        bidder=ALICE,
        lifted=(),
        count=None,
        held=None,
        loser=None,
        gainer=None,
        out=CAROL,
        next_opener=ALICE,
        next_mode=Mode.NORMAL,
        winner=None,
    )
    assert dice(applied.state) == (2, 2, 0)
    assert (applied.state.round.bids, applied.state.round.cups) == ((), None)


def test_a_resigned_opener_is_followed_by_his_left_neighbour() -> None:
    """R-81."""
    state = bids(at(BGA, (3, 3, 0, 3)), "1x4")
    assert after(state, Resign(ALICE)).round.opener == BOB
    state = at(BGA, (3, 0, 0, 3), to_act=DAVE)
    assert after(at(BGA, (3, 0, 2, 3), to_act=DAVE), Resign(DAVE)).round.opener == ALICE
    assert after(state, Resign(DAVE)).winner == ALICE


def test_a_resignation_before_the_roll() -> None:
    """R-80."""
    state = new_game(BGA, seats=3, opener=BOB)
    applied = apply(state, Resign(BOB))
    assert closed(applied).bid is None
    assert (applied.state.round.opener, applied.state.phase) == (CAROL, Phase.ROLL)


def test_a_palifico_round_is_played_anew_while_its_player_is_in() -> None:
    """R-81."""
    state = bids(at(BGA, (3, 1, 3, 3), to_act=BOB, palifico=True), "1x4", "2x4")
    again = after(state, Resign(DAVE))
    assert (again.round.mode, again.round.opener, again.round.palifico_by) == (
        Mode.PALIFICO,
        BOB,
        BOB,
    )
    gone = after(state, Resign(BOB))
    assert (gone.round.mode, gone.round.opener) == (Mode.NORMAL, CAROL)
    assert gone.round.palifico_by is None


def test_a_normal_round_does_not_turn_into_palifico_by_a_resignation() -> None:
    """R-46, R-81: the opener has one die, but he did not just drop to it."""
    state = bids(at(BGA, (1, 3, 3)), "1x4")
    assert after(state, Resign(CAROL)).round.mode is Mode.NORMAL


def test_an_exact_calza_in_a_palifico_round_is_followed_by_a_normal_round() -> None:
    """R-46: also when the palifico player himself called it."""
    state = at(BGA, cups=[(4,), (4, 2), (3, 3)], palifico=True)
    applied = apply(bids(state, "1x4", "2x4"), Calza(ALICE))
    assert closed(applied).gainer == ALICE
    assert (applied.state.round.opener, applied.state.round.mode) == (ALICE, Mode.NORMAL)
    # with all dice he gains nothing and still has one die: not a drop, no palifico
    single = at(toggled(BGA, start_dice=1), cups=[(4,), (4,), (3,)], palifico=True)
    applied = apply(bids(single, "1x4", "2x4"), Calza(ALICE))
    assert (dice(applied.state), applied.state.round.mode) == ((1, 1, 1), Mode.NORMAL)


@pytest.mark.parametrize("leaver", [ALICE, BOB])
def test_of_two_players_the_one_who_stays_wins(leaver: int) -> None:
    """R-80."""
    applied = apply(at(PIATNIK, (2, 4), standing="2x4", to_act=BOB), Resign(leaver))
    assert applied.state.phase is Phase.OVER
    assert closed(applied).winner == 1 - leaver
    assert applied.state.seats[leaver].place == 2
    assert applied.events[-1] == GameWon(1 - leaver)
    assert says(applied.state, "1x2") == "game.over"


def test_a_resigned_seat_ranks_below_those_still_in() -> None:
    """R-63, R-80."""
    state = at(BGA, cups=[(3, 3, 3), (4,), (5,), (6,)], standing="4x2", to_act=BOB)
    state = after(state, Resign(ALICE))  # with the most dice of all
    assert [seat.place for seat in state.seats] == [4, None, None, None]


def test_earlier_bids_are_not_needed_to_judge() -> None:
    """A store may hand in the standing bid alone."""
    cups = [(4, 4), (3, 3), (4, 3)]
    whole = bids(at(BGA, cups=cups), "1x4", "2x4", "3x4")
    alone = at(BGA, cups=cups, standing="3x4", to_act=ALICE)
    assert len(whole.round.bids) == 3
    assert closed(apply(whole, Dudo(ALICE))) == closed(apply(alone, Dudo(ALICE)))


def test_a_forfeit_lifts_nothing_and_costs_its_seat_one_die() -> None:
    """R-83: the bid that stood is told, and nobody judges it."""
    state = at(BGA, cups=[(4, 2), (3, 3, 3), (4, 3)], standing="9x6", to_act=BOB, round_number=4)
    applied = apply(state, Forfeit(BOB))
    assert applied.events == (
        SeatForfeited(BOB),
        DieLost(BOB),
        RoundCreated(5, BOB, Mode.NORMAL),
    )
    assert closed(applied) == RoundOutcome(
        kind=OutcomeKind.FORFEIT,
        caller=BOB,
        bid=Bid(9, 6),
        bidder=ALICE,
        lifted=(),
        count=None,
        held=None,
        loser=BOB,
        gainer=None,
        out=None,
        next_opener=BOB,
        next_mode=Mode.NORMAL,
        winner=None,
    )
    assert dice(applied.state) == (2, 2, 2)
    assert (applied.state.round.bids, applied.state.round.cups) == ((), None)


def test_a_forfeit_of_the_opener_tells_no_bid() -> None:
    """R-83."""
    outcome = closed(apply(at(BGA, (3, 2, 2), to_act=ALICE), Forfeit(ALICE)))
    assert (outcome.bid, outcome.bidder, outcome.loser) == (None, None, ALICE)


def test_a_forfeit_down_to_one_die_brings_palifico() -> None:
    """R-40, R-83; R-45 where piatnik has two players left."""
    state = after(at(BGA, (3, 2, 2), to_act=CAROL), Forfeit(CAROL))
    assert (state.round.mode, state.round.palifico_by) == (Mode.PALIFICO, CAROL)
    assert after(at(PIATNIK, (3, 2), to_act=BOB), Forfeit(BOB)).round.mode is Mode.NORMAL


def test_a_forfeit_of_the_last_die_is_an_elimination() -> None:
    """R-61, R-62, R-63, R-83."""
    applied = apply(at(BGA, (3, 1, 2), to_act=BOB), Forfeit(BOB))
    assert applied.events[-2:] == (SeatOut(BOB, 3), RoundCreated(2, CAROL, Mode.NORMAL))
    assert closed(applied).out == BOB
    last = apply(at(BGA, (0, 1, 2), to_act=BOB), Forfeit(BOB))
    assert (last.state.phase, closed(last).winner, last.events[-1]) == (
        Phase.OVER,
        CAROL,
        GameWon(CAROL),
    )


def test_only_the_seat_to_move_can_forfeit_and_only_once_the_dice_are_rolled() -> None:
    """R-83: whose clock does not run has no time to lose."""
    state = at(BGA, (3, 2, 0), to_act=BOB)
    assert refusal(state, Forfeit(ALICE)) == "turn.not-yours"
    assert refusal(state, Forfeit(CAROL)) == "seat.out"
    assert refusal(new_game(BGA, seats=2, opener=BOB), Forfeit(BOB)) == "round.not-rolled"

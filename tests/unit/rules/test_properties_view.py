"""A view never depends on what its viewer does not know."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    BidCap,
    DiceCounts,
    GameState,
    MakeBid,
    Phase,
    Ruleset,
    TableView,
    least_raises,
    legal_raises,
    may_calza,
    may_dudo,
    view_for,
    why_not,
)
from tests.unit.rules.helpers import BGA, PIATNIK, at, toggled
from tests.unit.rules.play import random_cups, random_game, rulesets, seeds


def with_other_dice(state: GameState, viewer: int | None, luck: random.Random) -> GameState:
    """Return the same table with everybody's dice rolled anew but the viewer's."""
    cups = list(random_cups(state, luck))
    if viewer is not None and state.round.cups is not None:
        cups[viewer] = state.round.cups[viewer]
    return replace(state, round=replace(state.round, cups=tuple(cups)))


def shown(view: TableView) -> tuple[object, ...]:
    """Return all that a page can print of a view, the lists it computes included."""
    return view, tuple(view.legal_raises(up_to=12)), tuple(view.legal_raises())


@settings(max_examples=120, deadline=None)
@given(rulesets, st.integers(2, 6), seeds)
def test_a_view_does_not_change_when_the_dice_of_others_do(
    rules: Ruleset, seats: int, seed: int
) -> None:
    """R-04, R-72, R-73: for every seat, in or out, and for a spectator."""
    luck = random.Random(seed)
    for number, step in enumerate(random_game(rules, seats=seats, seed=seed, resign=0.01)):
        if step.before.phase is not Phase.BID or number % 3:
            continue
        for viewer in (None, *range(seats)):
            other = with_other_dice(step.before, viewer, luck)
            assert shown(view_for(step.before, viewer)) == shown(view_for(other, viewer))


@settings(max_examples=120, deadline=None)
@given(rulesets, st.integers(2, 6), seeds)
def test_a_view_agrees_with_the_rules(rules: Ruleset, seats: int, seed: int) -> None:
    """R-71: what a view offers is what the engine accepts, for the viewer's own seat."""
    for step in random_game(rules, seats=seats, seed=seed, resign=0.01):
        state = step.before
        for viewer in range(seats):
            view = view_for(state, viewer)
            assert view.may_dudo == may_dudo(state, viewer)
            assert view.may_calza == may_calza(state, viewer)
            assert view.least_raises == least_raises(state, viewer)
            assert list(view.legal_raises(up_to=9)) == list(legal_raises(state, viewer, up_to=9))
            for bid in view.legal_raises(up_to=3):
                assert why_not(state, MakeBid(viewer, bid)) is None
        spectator = view_for(state, None)
        assert (spectator.own_dice, spectator.least_raises) == (None, ())
        assert not any([spectator.may_dudo, spectator.may_calza, spectator.may_change_face])


@settings(max_examples=40, deadline=None)
@given(rulesets, st.integers(2, 6), seeds)
def test_a_spectator_sees_what_a_player_out_sees(rules: Ruleset, seats: int, seed: int) -> None:
    """R-73."""
    for step in random_game(rules, seats=seats, seed=seed, resign=0.01):
        for seat, held in enumerate(step.before.seats):
            if not held.dice:
                view = replace(view_for(step.before, seat), viewer=None)
                assert view == view_for(step.before, None)


def test_hidden_counts_are_printed_for_oneself_and_for_those_out() -> None:
    """R-70."""
    state = at(PIATNIK, (4, 2, 0, 1))
    assert [seat.dice for seat in view_for(state, 1).seats] == [None, 2, 0, None]
    assert [seat.dice for seat in view_for(state, None).seats] == [None, None, 0, None]
    assert [seat.out for seat in view_for(state, 1).seats] == [False, False, True, False]
    assert [seat.remembered for seat in view_for(state, 1).seats] == [4, 2, 0, 1]


@given(st.lists(st.integers(1, 5), min_size=3, max_size=6), st.integers(0, 2))
def test_what_is_printed_does_not_depend_on_hidden_counts(counts: list[int], viewer: int) -> None:
    """R-70, R-71: not even through the ceiling of the form."""
    other = [count if seat == viewer else 1 for seat, count in enumerate(counts)]
    views = [
        view_for(at(PIATNIK, some, standing="3x4", to_act=viewer), viewer)
        for some in (counts, other)
    ]
    for view in views:
        assert view.bid_ceiling == 5 * len(counts)
    first, second = (
        replace(view, seats=tuple(replace(seat, remembered=0) for seat in view.seats))
        for view in views
    )
    assert first == second
    assert list(views[0].legal_raises()) == list(views[1].legal_raises())


@pytest.mark.parametrize(
    ("rules", "ceiling"),
    [
        (BGA, 7),
        (toggled(BGA, bid_cap=BidCap.DICE_IN_PLAY), 7),
        (toggled(BGA, bid_cap=BidCap.DICE_AT_START), 15),
        (toggled(BGA, dice_counts=DiceCounts.HIDDEN), 15),
    ],
    ids=["shown", "in-play", "at-start", "hidden"],
)
def test_the_ceiling_of_the_form(rules: Ruleset, ceiling: int) -> None:
    """R-71."""
    view = view_for(at(rules, (4, 2, 1)), 0)
    assert view.bid_ceiling == ceiling
    assert max(bid.quantity for bid in view.legal_raises()) == ceiling


def test_nobody_is_to_act_before_the_roll_and_after_the_end() -> None:
    waiting = at(BGA, (3, 3), phase=Phase.ROLL)
    over = at(BGA, (3, 0))
    for state in (waiting, over):
        view = view_for(state, 0)
        assert view.to_act is None
        assert view.least_raises == ()
        assert list(view.legal_raises(up_to=9)) == []
        assert not any([view.may_dudo, view.may_calza])
    assert view_for(over, None).winner == 0
    assert view_for(waiting, None).winner is None


def test_there_is_no_view_of_a_seat_that_is_not_there() -> None:
    for seat in (-1, 3):
        with pytest.raises(ValueError, match="no seat"):
            view_for(at(BGA), seat)

"""Counted trees of legal actions: a change anywhere in the rules moves a number."""

from itertools import combinations

import pytest

from games.rules import (
    Action,
    Calza,
    Dudo,
    GameState,
    MakeBid,
    Phase,
    RaiseMode,
    Resign,
    Roll,
    apply,
    legal_raises,
    why_not,
)
from tests.unit.rules.helpers import BGA, FULL, at, toggled

CYCLE = (1, 4, 4, 6, 2, 3, 5, 4, 1, 6)


def cups_for(state: GameState) -> tuple[tuple[int, ...], ...]:
    """Return the same dice for the same counts, always."""
    cups, start = [], state.round.number
    for seat in state.seats:
        cups.append(tuple(CYCLE[(start + die) % len(CYCLE)] for die in range(seat.dice)))
        start += 3
    return tuple(cups)


def actions(state: GameState, *, up_to: int) -> list[Action]:
    """Return every legal action, bids of at most ``up_to`` dice, resignations left out."""
    if state.phase is Phase.OVER:
        return []
    if state.phase is Phase.ROLL:
        return [Roll(cups_for(state))]
    seat = state.round.to_act
    found: list[Action] = [MakeBid(seat, bid) for bid in legal_raises(state, seat, up_to=up_to)]
    calls: list[Action] = [Dudo(seat), *[Calza(number) for number in range(len(state.seats))]]
    return found + [call for call in calls if why_not(state, call) is None]


def perft(state: GameState, depth: int, *, up_to: int) -> int:
    """Count the sequences of ``depth`` actions, or fewer where the game ends."""
    if depth == 0 or state.phase is Phase.OVER:
        return 1
    return sum(
        perft(apply(state, action).state, depth - 1, up_to=up_to)
        for action in actions(state, up_to=up_to)
    )


GOLDEN = {
    "piatnik": ((10, 75, 295, 886), (18, 36, 117, 621)),
    "bga": ((10, 95, 445, 1668), (18, 72, 114, 939)),
    "asmodee": ((10, 95, 445, 1668), (18, 36, 42, 306)),
    "wikipedia": ((10, 95, 445, 1668), (18, 36, 42, 306)),
}
"""Sequences of one to four actions, in a normal and in a palifico round. The first two columns are
checked by hand: ten openings; 65 raises over them, ten dudos, and two callers of calza each."""


@pytest.mark.parametrize("name", FULL)
def test_counts_of_a_normal_round(name: str) -> None:
    state = at(FULL[name], (2, 1, 2))
    state = at(FULL[name], cups=cups_for(state))
    assert tuple(perft(state, depth, up_to=2) for depth in (1, 2, 3, 4)) == GOLDEN[name][0]


@pytest.mark.parametrize("name", FULL)
def test_counts_of_a_palifico_round(name: str) -> None:
    state = at(FULL[name], (1, 2, 1))
    state = at(FULL[name], cups=cups_for(state), palifico=True)
    assert tuple(perft(state, depth, up_to=3) for depth in (1, 2, 3, 4)) == GOLDEN[name][1]


def chains(state: GameState, length: int, *, up_to: int) -> int:
    """Count the sequences of ``length`` bids."""
    if length == 0:
        return 1
    seat = state.round.to_act
    return sum(
        chains(apply(state, MakeBid(seat, bid)).state, length - 1, up_to=up_to)
        for bid in legal_raises(state, seat, up_to=up_to)
    )


@pytest.mark.parametrize("up_to", [1, 2, 3])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_sequences_of_bids_are_subsets_of_the_order(up_to: int, length: int) -> None:
    """R-27: so many as ways to choose ``length`` of the 6 * up_to bids, the first no ace."""
    order = [(quantity, face) for quantity in range(1, up_to + 1) for face in range(1, 7)]
    # aces stand just below the quantity after the double of theirs
    order.sort(key=lambda bid: 2 * bid[0] + 0.9 if bid[1] == 1 else bid[0] + bid[1] / 10)
    expected = sum(1 for chosen in combinations(order, length) if chosen[0][1] != 1)
    assert chains(at(BGA), length, up_to=up_to) == expected


def test_bound_palifico_bids_only_grow() -> None:
    """R-44: with six faces and up to four dice, the subsets of four quantities for each face."""
    state = at(FULL["bga"], (1, 5, 5), palifico=True)
    assert [chains(state, length, up_to=4) for length in (1, 2, 3, 4, 5)] == [24, 36, 24, 6, 0]


def test_one_way_has_fewer_sequences() -> None:
    """R-23: over 1x2 stand 1x3 to 1x6, the ace, and 2x2; the free table has four more."""
    strict = at(toggled(BGA, raise_mode=RaiseMode.ONE_WAY), standing="1x2")
    assert (chains(strict, 1, up_to=2), chains(at(BGA, standing="1x2"), 1, up_to=2)) == (7, 11)


def test_resigning_is_open_to_everybody_still_in() -> None:
    """R-80."""
    state = at(BGA, (2, 0, 2), standing="2x4")
    assert [why_not(state, Resign(seat)) is None for seat in range(3)] == [True, False, True]

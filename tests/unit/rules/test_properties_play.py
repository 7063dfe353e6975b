"""Whole games of random legal play: what holds in each of them, under every toggle."""

import copy
import json
from collections.abc import Iterable
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import (
    Bid,
    Dudo,
    Forfeit,
    MakeBid,
    Mode,
    OutcomeKind,
    Phase,
    PlacedBid,
    Resign,
    RoundOutcome,
    Ruleset,
    apply,
)
from tests.unit.rules.play import Step, random_game, rulesets, seeds

tables = st.integers(2, 6)


@settings(max_examples=120, deadline=None)
@given(rulesets, tables, seeds)
def test_dice_are_conserved(rules: Ruleset, seats: int, seed: int) -> None:
    """Lost and in play make the start, exact calzas apart (R-31, R-54, R-55)."""
    lost = 0
    for step in random_game(rules, seats=seats, seed=seed, resign=0.01, forfeit=0.02):
        before, state, outcome = step.before, step.applied.state, step.applied.outcome
        if outcome is not None:
            if outcome.kind is OutcomeKind.RESIGN:
                lost += before.seats[outcome.caller].dice
            else:
                # one die a round, lost or gained, or none: exact with all dice
                changes = (outcome.loser is not None) + (outcome.gainer is not None)
                full = before.seats[outcome.caller].dice == rules.start_dice
                assert changes == 1 or (full and outcome.held)
                lost += (outcome.loser is not None) - (outcome.gainer is not None)
        else:
            assert state.seats == before.seats
        assert lost + state.dice_in_play == state.dice_at_start
        assert all(0 <= seat.dice <= rules.start_dice for seat in state.seats)


@settings(max_examples=120, deadline=None)
@given(rulesets, tables, seeds, st.sampled_from([0.0, 0.02]))
def test_a_game_ends_and_its_places_are_a_permutation(
    rules: Ruleset, seats: int, seed: int, resign: float
) -> None:
    """R-62, R-63. With calza there is no largest length, but 20,000 actions are budget enough."""
    steps = list(random_game(rules, seats=seats, seed=seed, resign=resign, forfeit=resign))
    state = steps[-1].applied.state
    assert state.phase is Phase.OVER
    assert sorted(seat.place or 0 for seat in state.seats) == list(range(1, seats + 1))
    assert state.winner is not None
    assert state.seats[state.winner].place == 1
    left = [outcome.out for outcome in outcomes(steps) if outcome.out is not None]
    assert [state.seats[seat].place for seat in left] == list(range(seats, 1, -1))
    assert outcomes(steps)[-1].winner == state.winner


@settings(max_examples=60, deadline=None)
@given(rulesets, tables, seeds)
def test_a_forfeit_is_a_dudo_lost_without_a_look_at_the_bid(
    rules: Ruleset, seats: int, seed: int
) -> None:
    """R-83: a game of nothing else ends, a die at a time, and goes on as if a bid had held."""
    for step in random_game(rules, seats=seats, seed=seed, forfeit=0.5):
        if not isinstance(step.action, Forfeit):
            continue
        before, state, outcome = step.before, step.applied.state, step.applied.outcome
        assert outcome is not None
        assert state.dice_in_play == before.dice_in_play - 1
        assert outcome.loser == outcome.caller == before.round.to_act
        if before.round.bids and before.round.cups is not None:
            sure = replace(before.round, cups=tuple((6,) * len(cup) for cup in before.round.cups))
            sure = replace(sure, bids=(PlacedBid(before.round.bids[-1].seat, Bid(1, 6)),))
            lost = apply(replace(before, round=sure), Dudo(outcome.caller))
            assert (lost.state.seats, lost.state.phase) == (state.seats, state.phase)
            after = (state.round.opener, state.round.mode, state.round.palifico_by)
            assert after == (
                lost.state.round.opener,
                lost.state.round.mode,
                lost.state.round.palifico_by,
            )


@settings(max_examples=30, deadline=None)
@given(rulesets, tables, seeds)
def test_apply_never_mutates(rules: Ruleset, seats: int, seed: int) -> None:
    """A copy taken before each action still equals the state after the whole game."""
    steps, copies = [], []
    for step in random_game(rules, seats=seats, seed=seed, resign=0.01, forfeit=0.02):
        steps.append(step)
        copies.append(copy.deepcopy(step.before))
        assert apply(step.before, step.action) == step.applied  # and the same again
    assert [step.before for step in steps] == copies


@settings(max_examples=120, deadline=None)
@given(rulesets, tables, seeds)
def test_every_state_is_sound(rules: Ruleset, seats: int, seed: int) -> None:
    """R-01, R-40, R-46, R-60, R-61."""
    for step in random_game(rules, seats=seats, seed=seed, resign=0.01, forfeit=0.02):
        before, state, outcome = step.before.round, step.applied.state, step.applied.outcome
        current = state.round
        assert state.seats[current.to_act].dice > 0
        if isinstance(step.action, MakeBid):
            assert current.bids[-1].seat == step.action.seat != current.to_act
            assert (current.mode, current.opener) == (before.mode, before.opener)
        if outcome is None:
            continue
        assert current.cups is None
        if state.phase is Phase.OVER:
            assert (outcome.next_opener, outcome.next_mode) == (None, None)
            continue
        assert current.number == before.number + 1
        assert (outcome.next_opener, outcome.next_mode) == (current.opener, current.mode)
        assert state.seats[current.opener].dice > 0
        assert (current.palifico_by is None) == (current.mode is Mode.NORMAL)
        if current.palifico_by is not None:
            # only the opener, with one die, is ever the palifico player
            assert current.palifico_by == current.opener
            assert state.seats[current.opener].dice == 1
            assert state.seats[current.opener].palifico_done
            assert rules.palifico.enabled


@settings(max_examples=120, deadline=None)
@given(rulesets, tables, seeds)
def test_palifico_comes_when_and_only_when_the_trigger_says(
    rules: Ruleset, seats: int, seed: int
) -> None:
    """R-40 to R-46, told a second time over the whole game."""
    dropped: set[int] = set()
    for step in random_game(rules, seats=seats, seed=seed, forfeit=0.05):
        outcome, state = step.applied.outcome, step.applied.state
        if outcome is None or state.phase is Phase.OVER:
            continue
        alive = sum(seat.dice > 0 for seat in state.seats)
        drop = outcome.loser is not None and state.seats[outcome.loser].dice == 1
        first = drop and outcome.loser not in dropped
        if drop and outcome.loser is not None:
            dropped.add(outcome.loser)
        wanted = drop if rules.palifico.trigger == "every_drop_to_one" else first
        if alive == 2 and not rules.palifico.two_players:
            wanted = False
        assert (outcome.next_mode is Mode.PALIFICO) == (wanted and rules.palifico.enabled)


@settings(max_examples=120, deadline=None)
@given(rulesets, tables, seeds)
def test_cups_are_lifted_clockwise_and_no_further_than_the_proof(
    rules: Ruleset, seats: int, seed: int
) -> None:
    """R-32, R-33, R-57."""
    for step in random_game(rules, seats=seats, seed=seed, resign=0.01, forfeit=0.02):
        outcome, cups = step.applied.outcome, step.before.round.cups
        if outcome is None:
            continue
        if isinstance(step.action, Resign | Forfeit):
            assert (outcome.lifted, outcome.count, outcome.held) == ((), None, None)
            continue
        assert cups is not None
        assert outcome.bid is not None
        seated = [(outcome.caller + turn) % seats for turn in range(seats)]
        alive = [seat for seat in seated if step.before.seats[seat].dice]
        lifted = [cup.seat for cup in outcome.lifted]
        assert lifted == alive[: len(lifted)]
        assert all(cup.dice == cups[cup.seat] for cup in outcome.lifted)
        assert outcome.count == sum(cup.matching for cup in outcome.lifted)
        if outcome.kind is OutcomeKind.CALZA or rules.reveal == "all" or not outcome.held:
            assert lifted == alive
        else:
            assert outcome.count >= outcome.bid.quantity
            assert outcome.count - outcome.lifted[-1].matching < outcome.bid.quantity


@settings(max_examples=40, deadline=None)
@given(rulesets, tables, seeds)
def test_outcomes_survive_json(rules: Ruleset, seats: int, seed: int) -> None:
    for outcome in outcomes(random_game(rules, seats=seats, seed=seed, resign=0.02, forfeit=0.02)):
        assert RoundOutcome.from_dict(json.loads(json.dumps(outcome.to_dict()))) == outcome


def outcomes(steps: Iterable[Step]) -> list[RoundOutcome]:
    """Return the outcomes of the rounds of a game."""
    return [step.applied.outcome for step in steps if step.applied.outcome is not None]

"""Random tables and random legal play, for the properties."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st

from games.rules import (
    FACES,
    Action,
    Applied,
    BidCap,
    Calza,
    CalzaRules,
    CalzaWindow,
    DiceCounts,
    Dudo,
    FaceChange,
    Forfeit,
    GameState,
    MakeBid,
    PalificoRules,
    Phase,
    RaiseMode,
    Resign,
    Reveal,
    Roll,
    Ruleset,
    Trigger,
    apply,
    legal_raises,
    may_calza,
    new_game,
)

rulesets = st.builds(
    Ruleset,
    name=st.just("custom"),
    version=st.just(1),
    start_dice=st.integers(1, 6),
    max_players=st.just(10),
    raise_mode=st.sampled_from(RaiseMode),
    bid_cap=st.sampled_from(BidCap),
    reveal=st.sampled_from(Reveal),
    dice_counts=st.sampled_from(DiceCounts),
    palifico=st.builds(
        PalificoRules,
        enabled=st.booleans(),
        trigger=st.sampled_from(Trigger),
        two_players=st.booleans(),
        face_change=st.sampled_from(FaceChange),
    ),
    calza=st.builds(
        CalzaRules,
        enabled=st.booleans(),
        two_players=st.booleans(),
        in_palifico=st.booleans(),
        needs_lost_die=st.booleans(),
        window=st.sampled_from(CalzaWindow),
    ),
)
"""Every combination of the toggles that judge a move."""

seeds = st.integers(0, 2**32)


@dataclass(frozen=True)
class Step:
    """One action of a game, with the state before it and what it brought."""

    before: GameState
    action: Action
    applied: Applied


def random_cups(state: GameState, luck: random.Random) -> tuple[tuple[int, ...], ...]:
    """Return a roll for every seat."""
    return tuple(tuple(luck.choices(FACES, k=seat.dice)) for seat in state.seats)


def random_action(
    state: GameState, luck: random.Random, *, resign: float = 0.0, forfeit: float = 0.0
) -> Action:
    """Return one legal action: mostly small raises, dudo more readily as the round goes on."""
    if state.phase is Phase.ROLL:
        return Roll(random_cups(state, luck))
    seat = state.round.to_act
    if luck.random() < resign:
        return Resign(luck.choice([i for i, other in enumerate(state.seats) if other.dice]))
    if luck.random() < forfeit:
        return Forfeit(seat)
    callers = [i for i in range(len(state.seats)) if may_calza(state, i)]
    if callers and luck.random() < 0.08:
        return Calza(luck.choice(callers))
    raises = list(legal_raises(state, seat, up_to=max(2, state.dice_in_play)))
    doubt = 0.2 if state.round.bids else 0.0
    if not raises or luck.random() < doubt:
        return Dudo(seat)
    return MakeBid(seat, luck.choice(raises[:12]))


def random_game(
    rules: Ruleset,
    *,
    seats: int,
    seed: int,
    resign: float = 0.0,
    forfeit: float = 0.0,
    most: int = 20_000,
) -> Iterator[Step]:
    """Yield the steps of a whole game of random legal play, ``most`` at the most."""
    luck = random.Random(seed)
    state = new_game(rules, seats=seats, opener=luck.randrange(seats))
    for _ in range(most):
        if state.phase is Phase.OVER:
            return
        action = random_action(state, luck, resign=resign, forfeit=forfeit)
        applied = apply(state, action)
        yield Step(state, action, applied)
        state = applied.state

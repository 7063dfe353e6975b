"""Random legal games, the same for the same seed."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from games.rules.engine import apply
from games.rules.legal import least_raises, legal_raises, may_calza, may_dudo
from games.rules.presets import PRESETS, preset_options, with_options
from games.rules.record import MoveEntry
from games.rules.ruleset import (
    BidCap,
    Calza,
    CalzaWindow,
    DiceCounts,
    FaceChange,
    Palifico,
    RaiseMode,
    Reveal,
    Ruleset,
    Trigger,
)
from games.rules.state import (
    Action,
    Dudo,
    Forfeit,
    GameState,
    MakeBid,
    Phase,
    Resign,
    Roll,
    new_game,
)
from games.rules.state import Calza as CallCalza


def random_rules(rng: Random) -> Ruleset:
    """Return a preset with random options, or as often a ruleset of random toggles."""
    if rng.random() < 0.5:
        name = rng.choice(sorted(PRESETS))
        options = {key: rng.random() < 0.5 for key in preset_options(name)}
        return with_options(PRESETS[name], options)
    return Ruleset(
        name="custom",
        version=1,
        start_dice=rng.randint(1, 8),
        max_players=10,
        raise_mode=rng.choice(list(RaiseMode)),
        bid_cap=rng.choice(list(BidCap)),
        reveal=rng.choice(list(Reveal)),
        dice_counts=rng.choice(list(DiceCounts)),
        palifico=Palifico(
            enabled=rng.random() < 0.8,
            trigger=rng.choice(list(Trigger)),
            two_players=rng.random() < 0.5,
            face_change=rng.choice(list(FaceChange)),
        ),
        calza=Calza(
            enabled=rng.random() < 0.6,
            two_players=rng.random() < 0.5,
            in_palifico=rng.random() < 0.5,
            needs_lost_die=rng.random() < 0.5,
            window=rng.choice(list(CalzaWindow)),
        ),
    )


def random_start(rng: Random, *, most_seats: int = 10, start_dice: int | None = None) -> GameState:
    """Return a game of random rules before its first roll."""
    rules = random_rules(rng)
    if start_dice is not None:
        rules = replace(rules, start_dice=start_dice)
    seats = rng.randint(2, min(most_seats, rules.max_players))
    return new_game(rules, seats=seats, opener=rng.randrange(seats))


def roll(state: GameState, rng: Random) -> Roll:
    """Return a roll of the dice that the seats have."""
    return Roll(tuple(tuple(rng.choices(range(1, 7), k=seat.dice)) for seat in state.seats))


def random_action(state: GameState, rng: Random) -> Action:
    """Return some legal action: mostly low raises, sometimes a call, rarely an end without one."""
    if state.phase is Phase.ROLL:
        return roll(state, rng)
    alive = [number for number, seat in enumerate(state.seats) if seat.dice]
    luck = rng.random()
    if luck < 0.005:
        return Resign(rng.choice(alive))
    if luck < 0.012:
        return Forfeit(state.round.to_act)
    callers = [seat for seat in alive if may_calza(state, seat)]
    if callers and rng.random() < 0.05:
        return CallCalza(rng.choice(callers))
    seat = state.round.to_act
    raises = least_raises(state, seat)
    if may_dudo(state, seat) and (not raises or rng.random() < 0.25):
        return Dudo(seat)
    if rng.random() < 0.3:
        up_to = raises[0].quantity + rng.randrange(3)
        raises = tuple(legal_raises(state, seat, up_to=up_to)) or raises
    return MakeBid(seat, rng.choice(raises))


def random_choice(state: GameState, rng: Random) -> Action:
    """Return such an action, but none that only a clock takes."""
    while isinstance(action := random_action(state, rng), Forfeit):
        pass
    return action


def play_random(state: GameState, rng: Random) -> Iterator[tuple[GameState, Action]]:
    """Yield each position with the action taken in it, until the game is over."""
    while state.phase is not Phase.OVER:
        action = random_action(state, rng)
        yield state, action
        state = apply(state, action).state


def random_moves(state: GameState, rng: Random) -> list[Action | MoveEntry]:
    """Return the actions of a whole random game, some of them marked as the clock's."""
    return [
        action if isinstance(action, Roll) or rng.random() < 0.8 else MoveEntry(action, auto=True)
        for _, action in play_random(state, rng)
    ]

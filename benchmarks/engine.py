"""E1f and E2f: random rounds by the rules, beside a loop in plain lists that checks nothing.

Both sides play the same policy: doubt one standing bid in three, else the least raise on a random
number. Beside OpenSpiel, where it is installed: :mod:`benchmarks.openspiel`.
"""

from collections.abc import Callable
from random import Random

from benchmarks import openspiel
from benchmarks.floor import dice as floor
from benchmarks.meter import Batch, Meter, compare
from benchmarks.report import Gate, Line, rate_line
from benchmarks.sizes import Size
from games import rules

DICE = 5
FACES = (1, 2, 3, 4, 5, 6)
DOUBT = 1 / 3
"""The same share on both sides."""

GATES = {2: ("E1f", Gate(">=", 0.1)), 6: ("E2f", Gate(">=", 0.15))}
"""As shares of the floor's rate: docs/performance.md says where they come from."""


def lines(meter: Meter, size: Size) -> list[Line]:
    """Measure rounds with 2 and with 6 players of five dice each."""
    found = openspiel.lines(meter, size)
    for players, (key, gate) in GATES.items():
        pairs = compare(
            meter,
            ours=_batch(play_game, players, size.rounds),
            floor=_batch(floor.play_game, players, size.rounds),
            pairs=size.pairs,
        )
        what = f"random rounds per CPU-s, {players} × {DICE} dice"
        found.append(rate_line(key, what, "none", pairs, gate))
    return found


def _batch(play: Callable[[int, int, Random], int], players: int, rounds: int) -> Batch:
    def prepare() -> Callable[[], int]:
        chance = Random(players)

        def run() -> int:
            done = 0
            while done < rounds:
                done += play(players, DICE, chance)
            return done

        return run

    return prepare


def play_game(players: int, dice: int, chance: Random) -> int:
    """Play random moves by the rules until one has won; return the number of rounds."""
    ruleset = rules.find_ruleset("bga")
    if dice != ruleset.start_dice:
        raise ValueError(f"the preset begins with {ruleset.start_dice} dice")
    state = rules.new_game(ruleset, seats=players, opener=0)
    rounds = 0
    while state.phase is not rules.Phase.OVER:
        if state.phase is rules.Phase.ROLL:
            cups = tuple([tuple(chance.choices(FACES, k=seat.dice)) for seat in state.seats])
            state = rules.apply(state, rules.Roll(cups)).state
            rounds += 1
        seat = state.round.to_act
        action: rules.Move
        if state.round.bids and chance.random() < DOUBT:
            action = rules.Dudo(seat)
        else:
            action = rules.MakeBid(seat, chance.choice(rules.least_raises(state, seat)))
        state = rules.apply(state, action).state
    return rounds

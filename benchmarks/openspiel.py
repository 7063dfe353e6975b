"""E1 beside OpenSpiel, where it is installed (``pip install open_spiel``): rounds of liar's dice.

Both sides play one round of two players with five dice, each move drawn evenly from all legal
ones, the call included. Chance is drawn as OpenSpiel's own examples do, from ``chance_outcomes``;
drawing it from the list of legal actions instead would make that side about three times as fast,
and is left to the reader's judgement.
"""

import importlib
from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from typing import Any

from benchmarks.meter import Batch, Meter, compare
from benchmarks.report import Gate, Line, rate_line
from benchmarks.sizes import Size
from games import rules

PLAYERS = 2
DICE = 5
FACES = (1, 2, 3, 4, 5, 6)


def lines(meter: Meter, size: Size) -> list[Line]:
    """Measure beside OpenSpiel; return nothing where it is not installed."""
    if find_spec("pyspiel") is None:
        return []
    spiel: Any = importlib.import_module("pyspiel")
    game = spiel.load_game("liars_dice", {"players": PLAYERS, "numdice": DICE})
    pairs = compare(
        meter,
        ours=_batch(_our_round, size.rounds),
        floor=_batch(lambda chance: _their_round(game, chance), size.rounds),
        pairs=size.pairs,
    )
    what = f"random rounds per CPU-s, {PLAYERS} × {DICE} dice, against OpenSpiel"
    return [rate_line("E1", what, "none", pairs, Gate(">=", 0.5))]


def _batch(play: Callable[[Random], None], rounds: int) -> Batch:
    def prepare() -> Callable[[], int]:
        chance = Random(rounds)

        def run() -> int:
            for _ in range(rounds):
                play(chance)
            return rounds

        return run

    return prepare


def _our_round(chance: Random) -> None:
    state = rules.new_game(rules.find_ruleset("bga"), seats=PLAYERS, opener=0)
    cups = tuple([tuple(chance.choices(FACES, k=DICE)) for _ in range(PLAYERS)])
    state = rules.apply(state, rules.Roll(cups)).state
    while state.round.number == 1:
        seat = state.round.to_act
        bids = list(rules.legal_raises(state, seat, up_to=PLAYERS * DICE))
        drawn = chance.randrange(len(bids) + bool(state.round.bids))
        called = drawn == len(bids)
        action = rules.Dudo(seat) if called else rules.MakeBid(seat, bids[drawn])
        state = rules.apply(state, action).state


def _their_round(game: Any, chance: Random) -> None:
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            faces, weights = zip(*outcomes, strict=True)
            state.apply_action(chance.choices(faces, weights)[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))

"""Players to measure a bot against, and a table at which they meet."""

from collections.abc import Sequence
from random import Random

from games.bots import Decide
from games.clock.automatic import automatic_move
from games.rules.engine import apply
from games.rules.odds import chance_for
from games.rules.ruleset import Ruleset
from games.rules.state import Action, Dudo, MakeBid, Phase, new_game
from games.rules.view import TableView, view_for
from tests.unit.random_games import roll


def threshold(view: TableView, *, luck: float) -> Action:
    """Doubt what own dice give less than 30 %, else make the likeliest of the least raises."""
    assert view.viewer is not None
    if view.standing is not None and (
        not view.least_raises or chance_for(view, view.standing.bid) < 0.30
    ):
        return Dudo(view.viewer)
    best = max(view.least_raises, key=lambda bid: (chance_for(view, bid), -bid.rank(view.mode)))
    return MakeBid(view.viewer, best)


def creeper(view: TableView, *, luck: float) -> Action:
    """Play the declared automatic move: the least raise, or dudo below 40 %."""
    return automatic_move(view)


def play_out(rules: Ruleset, players: Sequence[Decide], rng: Random) -> int:
    """Return the seat that wins a game between ``players``."""
    state = new_game(rules, seats=len(players), opener=rng.randrange(len(players)))
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ROLL:
            state = apply(state, roll(state, rng)).state
            continue
        seat = state.round.to_act
        action = players[seat](view_for(state, seat), luck=rng.random())
        state = apply(state, action).state
    assert state.winner is not None
    return state.winner

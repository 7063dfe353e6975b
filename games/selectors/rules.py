"""What a game's rules are, for a page of their own."""

from games import store
from games.models import Game
from games.selectors.values import GameInfo, game_info


def rules_of(game: Game) -> GameInfo:
    """Return the game with its full ruleset; no query and no die."""
    return game_info(game, store.ruleset_of(game))

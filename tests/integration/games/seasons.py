"""Whole games between the cast, played by chance through the one door: for what counts them."""

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from games import rules, store
from games.models import Game, GameStatus, Seat
from games.services import moves
from tests.cast import NOON, table
from tests.unit.random_games import random_choice

SHORT = replace(rules.find_ruleset("bga"), start_dice=2)
"""Two dice a seat: a game is over after a few rounds."""

CALZA = rules.with_start_dice(
    rules.with_options(rules.find_ruleset("wikipedia"), {"calza": True}), 2
)


def finish(game: Game, rng: Random, *, now: datetime = NOON) -> Game:
    """Play a game under way to its end by random moves; return it."""
    game.refresh_from_db()
    while game.status == GameStatus.ACTIVE:
        game = Game.objects.select_related("current_round").get(pk=game.pk)
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        state = store.load_state(game, seats, with_dice=True)
        action = random_choice(state, rng)
        # Who resigns before anybody lost a die makes the game void: tests do that on purpose.
        while isinstance(action, rules.Resign):
            action = random_choice(state, rng)
        if isinstance(action, rules.Roll):
            raise AssertionError("the service rolls")
        moves.play(game_id=game.pk, action=action, expected_version=game.version, now=now)
        game.refresh_from_db()
    return game


def season(
    *names: str, games: int = 3, seed: int = 1, ruleset: rules.Ruleset = SHORT
) -> list[Game]:
    """Play games among ``names``, an hour apart; return them, finished and not counted."""
    rng = Random(seed)
    return [
        finish(table(names, ruleset=ruleset), rng, now=NOON + timedelta(hours=number))
        for number in range(games)
    ]

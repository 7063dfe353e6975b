"""Games to measure on: people, tables, and whole games of random legal moves, drawn beforehand.

What a player thinks is no part of a move's cost: the plan is made in memory with the dice that the
store will derive, and the measured run only plays it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

from accounts import services as accounts
from accounts.models import User
from games import rules, store
from games.models import Game, Seat
from games.services import lobby

NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")


@dataclass(frozen=True, slots=True)
class Step:
    """One planned move: the position before it, as the rules see it, and the action."""

    state: rules.GameState
    action: rules.Move


def people() -> list[User]:
    """Return the players, made at the first call."""
    known = {user.display_name: user for user in User.objects.all()}
    return [
        known.get(name)
        or accounts.create_user(email=f"{name.lower()}@example.org", display_name=name)
        for name in NAMES
    ]


def table(players: int = 6) -> Game:
    """Return a game of people that has just begun."""
    users = people()[:players]
    seated = [lobby.Player(user.pk, user.display_name) for user in users]
    new = lobby.NewGame(
        ruleset=rules.find_ruleset("bga"), seats=players, turn_seconds=86_400, is_private=True
    )
    game = lobby.create_game(host=seated[0], new=new, now=NOON)
    for player in seated[1:]:
        lobby.join(game_id=game.pk, player=player, now=NOON)
        lobby.set_ready(game_id=game.pk, user_id=player.user_id, is_ready=True, now=NOON)
    return Game.objects.select_related("current_round").get(pk=game.pk)


def plan(game: Game, chance: Random, *, most: int, dudo: float = 0.2) -> list[Step]:
    """Return up to ``most`` random legal moves for a game that has just begun.

    :param dudo: how often a standing bid is doubted; the rest are raises close to the least.
    """
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    state = store.load_state(game, seats, with_dice=True)
    steps: list[Step] = []
    while len(steps) < most and state.phase is not rules.Phase.OVER:
        if state.phase is rules.Phase.ROLL:
            cups = store.load_cups(game, store.round_row(game, state, now=NOON))
            state = rules.apply(state, rules.Roll(cups)).state
        action = random_move(state, chance, dudo=dudo)
        steps.append(Step(state, action))
        state = rules.apply(state, action).state
    return steps


def random_move(state: rules.GameState, chance: Random, *, dudo: float) -> rules.Move:
    """Return a random legal move of the seat to act."""
    seat = state.round.to_act
    raises = rules.least_raises(state, seat)
    if rules.may_dudo(state, seat) and (not raises or chance.random() < dudo):
        return rules.Dudo(seat)
    return rules.MakeBid(seat, chance.choice(raises))

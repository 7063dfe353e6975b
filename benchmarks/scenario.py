"""Games to measure on: people, tables, and whole games of random legal moves, drawn beforehand.

What a player thinks is no part of a move's cost: the plan is made in memory with the dice that the
store will derive, and the measured run only plays it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import accumulate
from random import Random

from accounts import services as accounts
from accounts.models import User
from games import rules, store
from games.models import Game, Seat
from games.services import lobby, moves, places

NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank")
NOW = datetime.now(UTC)
"""One moment for the whole run: no deadline passes in it."""

# Six people play thousands of games at once here.
places.TABLES_AT_SIGN_UP = places.MOST_TABLES = 1_000_000

DOUBT = 0.2
"""How often a standing bid is doubted: rounds of six moves, as people play them."""


@dataclass(frozen=True, slots=True)
class Step:
    """One planned move: the position before it, as the rules see it, and the action."""

    state: rules.GameState
    action: rules.Move


@dataclass(frozen=True, slots=True)
class Plan:
    """A game that has just begun and the moves that will be played in it."""

    game: Game
    steps: list[Step]


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
    seated = [lobby.Player(user.pk, user.display_name) for user in people()[:players]]
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=players, turn_seconds=86_400)
    game = lobby.create_game(host=seated[0], new=new, now=NOW)
    for player in seated[1:]:
        lobby.join(game_id=game.pk, player=player, now=NOW)
        lobby.set_ready(game_id=game.pk, user_id=player.user_id, is_ready=True, now=NOW)
    return Game.objects.select_related("current_round").get(pk=game.pk)


def plan(
    chance: Random, *, most: int, players: int = 6, doubt: float = DOUBT, bids: int | None = None
) -> Plan:
    """Return a new game and up to ``most`` random legal moves for it.

    :param bids: if given, nobody doubts near the end, so that so many bids stand in its last round.
    """
    game = table(players)
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    state = store.load_state(game, seats, with_dice=True)
    steps: list[Step] = []
    while len(steps) < most and state.phase is not rules.Phase.OVER:
        if state.phase is rules.Phase.ROLL:
            cups = store.load_cups(game, store.round_row(game, state, now=NOW))
            state = rules.apply(state, rules.Roll(cups)).state
        left = most - len(steps)
        if bids is not None and left <= bids:
            action = _move(state, chance, doubt=float(left == bids and bool(state.round.bids)))
        else:
            action = _move(state, chance, doubt=doubt)
        steps.append(Step(state, action))
        state = rules.apply(state, action).state
    return Plan(game, steps)


def plans(chance: Random, *, moves_in_all: int) -> list[Plan]:
    """Return games with at least so many planned moves in all."""
    found: list[Plan] = []
    while (left := moves_in_all - sum(len(plan.steps) for plan in found)) > 0:
        found.append(plan(chance, most=left))
    return found


def _move(state: rules.GameState, chance: Random, *, doubt: float) -> rules.Move:
    seat = state.round.to_act
    raises = rules.least_raises(state, seat)
    if rules.may_dudo(state, seat) and (not raises or chance.random() < doubt):
        return rules.Dudo(seat)
    return rules.MakeBid(seat, chance.choice(raises))


def versions(planned: Plan) -> list[int]:
    """Return the version that each step of a plan answers, and at the end the last one.

    A bid is one event of the log; what closes a round is followed by the next seal, or by the seed.
    """
    added = [1 if isinstance(step.action, rules.MakeBid) else 2 for step in planned.steps]
    return list(accumulate(added, initial=planned.game.version))


def play(planned: Plan) -> int:
    """Play a plan through the one door; return the number of moves."""
    version = planned.game.version
    for step in planned.steps:
        version = moves.play(
            game_id=planned.game.pk, action=step.action, expected_version=version, now=NOW
        ).version
    return len(planned.steps)

"""Rated games: how tests bring them to an end."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from games import rules
from games.models import Game, Rating, RatingChange
from tests.cast import NOON, act, give_turn, person, seat_of, table

MINUTE = timedelta(minutes=1)


def rated_game(*order: str, ends: datetime = NOON, **choices: object) -> Game:
    """Return a finished game of these players, the winner first; all else as :func:`table` has it.

    The last of them loses a die; then all but the winner resign.
    """
    begins = ends - MINUTE * (len(order) + 1)
    game = lose_a_die(table(sorted(order), now=begins, **choices), *order[:-3:-1], now=begins)
    return resign(game, reversed(order[1:]), ends=ends)


def lose_a_die(game: Game, loser: str, rival: str, *, now: datetime) -> Game:
    """Let ``loser`` bid too much, and ``rival`` doubt it."""
    give_turn(game, loser)
    game = act(game, rules.MakeBid(seat_of(game, loser).number, rules.Bid.parse("20x4")), now=now)
    number = seat_of(game, rival).number
    Game.objects.filter(pk=game.pk).update(to_act=number)
    return act(game, rules.Dudo(number), now=now)


def resign(game: Game, names: Iterable[str], *, ends: datetime) -> Game:
    """Let players resign, a minute between them, the last of them at ``ends``."""
    leaving = list(names)
    for steps, name in enumerate(leaving, 1 - len(leaving)):
        game = act(game, rules.Resign(seat_of(game, name).number), now=ends + steps * MINUTE)
    return game


def rating_of(name: str) -> Rating:
    return Rating.objects.get(user=person(name))


def changes(game: Game) -> dict[str, RatingChange]:
    """Return what a game did, by the names of its players."""
    rows = RatingChange.objects.filter(game=game).select_related("user")
    return {row.user.display_name.lower() if row.user else "": row for row in rows}

"""How rated games ended for those who began them: what ratings are made of."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from games.models import Game, Round, Seat, Tenure
from games.ratings import Board, Exit, boards_of


@dataclass(frozen=True, slots=True)
class Starter:
    """Who held a seat at the first roll, None where the account is gone, and how he left it.

    ``place`` is his in the game, as its page tells it.
    """

    seat: int
    user_id: int | None
    place: int
    leaving: Exit


@dataclass(frozen=True, slots=True)
class Finish:
    """A finished game. It ``is_void`` when nobody lost a die: then nothing has been shown."""

    game_id: int
    ended_at: datetime
    is_void: bool
    boards: tuple[Board, ...]
    starters: tuple[Starter, ...]


def finishes(games: Sequence[Game]) -> tuple[Finish, ...]:
    """Return how games ended, in their order, by as many queries however many they are."""
    keys = [game.pk for game in games]
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(game__in=keys).order_by("number"):
        seats[seat.game_id].append(seat)
    first: dict[int, Tenure] = {}
    for tenure in Tenure.objects.filter(game__in=keys).order_by("retired_at", "pk"):
        first.setdefault(tenure.seat_id, tenure)
    rounds: dict[int, list[Round]] = defaultdict(list)
    closed = Round.objects.filter(game__in=keys, closed_at__isnull=False)
    for row in closed.only("game_id", "number", "result", "closed_at").order_by("number"):
        rounds[row.game_id].append(row)
    return tuple(_finish(game, seats[game.pk], first, rounds[game.pk]) for game in games)


def _finish(
    game: Game, seats: Sequence[Seat], first: dict[int, Tenure], rounds: Sequence[Round]
) -> Finish:
    if game.finished_at is None:
        raise ValueError(f"game {game.pk} is not over")
    results = {row.number: row.result or {} for row in rounds}
    out = {result["out"]: number for number, result in results.items()}
    return Finish(
        game_id=game.pk,
        ended_at=game.finished_at,
        is_void=all(result["loser"] is None for result in results.values()),
        boards=boards_of(ruleset=game.ruleset["name"], seats=len(seats), ended_at=game.finished_at),
        starters=tuple(
            _starter(seat, first.get(seat.pk), out.get(seat.number), rounds) for seat in seats
        ),
    )


def _starter(
    seat: Seat, tenure: Tenure | None, out: int | None, rounds: Sequence[Round]
) -> Starter:
    if tenure is None:
        return Starter(seat.number, seat.user_id, seat.place or 1, Exit(out))
    # The record of a seat that was retired stays with whoever began on it, and so does his place.
    before = (row.number for row in rounds if row.closed_at and row.closed_at <= tenure.retired_at)
    leaving = Exit(max(before, default=0), tenure.retired_at)
    return Starter(seat.number, tenure.user_id, tenure.place, leaving)

"""The moment a game begins: seats are drawn, somebody opens, the first round is rolled."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from games import queries, rules, store
from games.models import Game, Seat
from games.services import commit, contributing


def start_if_complete(game: Game, *, now: datetime) -> None:
    """Start when every seat is taken and everybody is ready: nobody has to wait for the host.

    Where the host names the opener, the start is his.
    """
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    queries.attach_hours(seats)
    people = sum(seat.user_id is not None for seat in seats)
    waits_for_host = (
        people > 1 and store.ruleset_of(game).first_starter is rules.FirstStarter.DECLARED
    )
    full = len(seats) == game.seats_wanted and all(seat.is_ready for seat in seats)
    if full and not waits_for_host:
        start(game, seats, opener=None, now=now)


def start(game: Game, seats: Sequence[Seat], *, opener: int | None, now: datetime) -> None:
    """Close the contributions, draw the seats and the opener, and roll the first round."""
    ruleset = store.ruleset_of(game)
    named = next((seat for seat in seats if seat.number == opener), None)
    joined = sorted(seats, key=lambda seat: seat.pk)
    contributing.close(game, joined)
    dice = store.open_dice(game)
    seating = dice.seating(len(joined))
    ordered = [joined[index] for index in seating]
    first, found = _first_opener(ordered, named, ruleset, dice)
    # Numbers are unique in a game: move all of them out of the way, then into their places.
    for offset in (100, 0):
        for number, seat in enumerate(ordered):
            seat.number = number + offset
        Seat.objects.bulk_update(ordered, ["number"])
    state = rules.new_game(ruleset, seats=len(ordered), opener=first)
    payload = {"contributions": game.contributions, "seats": list(seating), **found}
    commit.begin(game, ordered, state, payload, dice, now=now)


def _first_opener(
    ordered: Sequence[Seat], named: Seat | None, ruleset: rules.Ruleset, dice: store.Dice
) -> tuple[int, Mapping[str, object]]:
    """Return the seat that opens the game, and how it was found, for the log."""
    starter = ruleset.first_starter
    if starter is rules.FirstStarter.DECLARED and named is not None:
        first = list(ordered).index(named)
        return first, {"starter": starter.value, "opener": first}
    if starter is rules.FirstStarter.ROLL_OFF:
        laps, first = dice.roll_off(len(ordered))
        rolls = [{str(seat): face for seat, face in lap.items()} for lap in laps]
        return first, {"starter": starter.value, "opener": first, "rolls": rolls}
    # The seats have just been shuffled: the first of them is a random player.
    return 0, {"starter": rules.FirstStarter.RANDOM.value, "opener": 0}

"""Small games for the tests of the record."""

import json
from random import Random

from games.rules.record import GameRecord, record_game
from games.rules.state import GameState
from tests.unit.random_games import random_moves, random_start

CAST = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy")


def recorded(start: GameState, rng: Random) -> GameRecord:
    """Return the record of a random game from ``start`` on."""
    return record_game(
        start.rules,
        seats=CAST[: len(start.seats)],
        opener=start.round.opener,
        actions=random_moves(start, rng),
        meta={"code": "K7QF"},
    )


def random_record(seed: int) -> GameRecord:
    """Return a short random game of random rules, the same for the same seed."""
    rng = Random(seed)
    return recorded(random_start(rng, most_seats=4, start_dice=rng.randint(1, 3)), rng)


def without_checksum(text: str) -> str:
    """Return the text as somebody would write it by hand."""
    *lines, end = text.splitlines()
    fields = json.loads(end)
    del fields["sha256"]
    return "\n".join([*lines, json.dumps(fields)]) + "\n"


def edited(text: str, number: int, **changes: object) -> str:
    """Return the text, without its checksum, with some fields of line ``number`` changed."""
    lines = without_checksum(text).splitlines()
    lines[number - 1] = json.dumps({**json.loads(lines[number - 1]), **changes})
    return "\n".join(lines) + "\n"

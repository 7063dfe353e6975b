"""M1, M3, M5 and E3: the commit of a move, without HTTP."""

import statistics
import threading
import time
from collections.abc import Callable
from random import Random

from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks import scenario
from benchmarks.floor.models import FloorGame
from benchmarks.floor.moves import RawMoves, orm_move
from benchmarks.meter import Batch, Meter, compare
from benchmarks.report import Gate, Line, most
from games import rules
from games.services import moves
from games.services.errors import StaleMove

CLIENTS = 8


def commit_batch(size: int, chance: Random) -> Batch:
    """Return batches of whole games, played through the one door."""

    def prepare() -> Callable[[], int]:
        planned = []
        while sum(len(steps) for _, steps in planned) < size:
            game = scenario.table()
            planned.append((game, scenario.plan(game, chance, most=size)))

        def run() -> int:
            for game, steps in planned:
                version = game.version
                for step in steps:
                    played = moves.play(
                        game_id=game.pk,
                        action=step.action,
                        expected_version=version,
                        now=scenario.NOON,
                    )
                    version = played.version
            return sum(len(steps) for _, steps in planned)

        return run

    return prepare

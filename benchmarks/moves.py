"""M1, M3 and E3: the commit of a move, without HTTP."""

import re
from collections.abc import Callable
from random import Random

from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks import scenario
from benchmarks.floor.models import FloorGame
from benchmarks.floor.moves import RawMoves, orm_move
from benchmarks.meter import Batch, Meter, compare
from benchmarks.report import Gate, Line, cost_line, rate_line
from benchmarks.sizes import Size
from games import rules
from games.services import moves
from games.sql import SEPARATOR

_CONTROL = re.compile(r"(BEGIN|COMMIT|SAVEPOINT|RELEASE)\b")


def lines(meter: Meter, size: Size) -> list[Line]:
    """Measure whole random games, dudo and all, played by the service."""
    database = connection.vendor
    ours = _ours(size.moves)
    by_orm = compare(meter, ours=ours, floor=_orm(size.moves), pairs=size.pairs)
    by_driver = compare(meter, ours=ours, floor=_raw(size.moves), pairs=min(3, size.pairs))
    engine = compare(meter, ours=_engine(size.moves), floor=ours, pairs=min(3, size.pairs))
    what = "move commit, moves per CPU-s"
    return [
        rate_line("M1", f"{what}, against an ORM move", database, by_orm, Gate(">=", 0.8)),
        rate_line("M1r", f"{what}, against the bare driver", database, by_driver, None),
        most_statements(size),
        cost_line("E3", "the rules' share of a commit", database, engine, Gate("<=", 0.05)),
    ]


def _ours(count: int) -> Batch:
    chance = Random(1)

    def prepare() -> Callable[[], int]:
        planned = scenario.plans(chance, moves_in_all=count)
        return lambda: sum([scenario.play(plan) for plan in planned])

    return prepare


def _orm(count: int) -> Batch:
    def prepare() -> Callable[[], int]:
        player, game = scenario.people()[0], FloorGame.objects.create()

        def run() -> int:
            for _ in range(count):
                orm_move(game.pk, player.pk, now=scenario.NOW)
            return count

        return run

    return prepare


def _raw(count: int) -> Batch:
    def prepare() -> Callable[[], int]:
        player, game = scenario.people()[0], FloorGame.objects.create()
        driver = RawMoves()

        def run() -> int:
            for _ in range(count):
                driver.move(game.pk, player.pk, now=scenario.NOW)
            driver.close()
            return count

        return run

    return prepare


def _engine(count: int) -> Batch:
    """Judge the same kind of moves by the rules alone, often enough to be measured."""
    chance = Random(1)

    def prepare() -> Callable[[], int]:
        steps = [s for plan in scenario.plans(chance, moves_in_all=count) for s in plan.steps]

        def run() -> int:
            for _ in range(10):
                for step in steps:
                    rules.apply(step.state, step.action)
            return 10 * len(steps)

        return run

    return prepare


def most_statements(size: Size) -> Line:
    """Count the statements of every move of a random game; the largest number counts."""
    planned = scenario.plan(Random(3), most=size.moves)
    version = planned.game.version
    counts: dict[str, set[int]] = {}
    for step in planned.steps:
        with CaptureQueriesContext(connection) as captured:
            version = moves.play(
                game_id=planned.game.pk,
                action=step.action,
                expected_version=version,
                now=scenario.NOW,
            ).version
        counts.setdefault(type(step.action).__name__, set()).add(statements(captured))
    spread = ", ".join(f"{name} {min(n)}–{max(n)}" for name, n in sorted(counts.items()))
    return Line(
        key="M3",
        what="statements per move, the most",
        database=connection.vendor,
        figure=max(max(numbers) for numbers in counts.values()),
        gate=Gate("<=", 10),
        note=spread,
    )


def statements(captured: CaptureQueriesContext) -> int:
    """Return how many statements were run: those that travelled together count one by one."""
    texts = [query["sql"] for query in captured.captured_queries]
    return sum(1 + text.count(SEPARATOR) for text in texts if not _CONTROL.match(text))

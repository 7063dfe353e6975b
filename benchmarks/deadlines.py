"""``python -m benchmarks.deadlines``: due turns are acted on in time, however many games are open.

On a PostgreSQL of its own. Ends with status 1 when a gate is missed.

D1  the same due turns among ten thousand and among a million open games: CPU time
D2  turns that come due by and by: how late they are acted on, beside the sweep's period
D3  ten thousand that are due at once: how many are acted on in a second, and in which order
D4  several sweepers at once: turns that were acted on twice, or not at all
"""

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from benchmarks.meter import Batch, Meter, compare
from benchmarks.report import Gate, Line, cost_line, table

PLAYERS = 3
PAIRS = 5
SWEEPERS = 4
BATCH = 500


def lines(
    meter: Meter, *, due: int, few: int, many: int, at_once: int, seconds: float
) -> list[Line]:
    """Measure all four: in a small database, and the first one in a large one, too."""
    games = {"few": _fill("few", due, few), "many": _fill("many", due, many)}

    def among(name: str) -> Batch:
        def prepare() -> Callable[[], int]:
            _use(name)
            return draining(games[name])()

        return prepare

    grown = compare(meter, ours=among("many"), floor=among("few"), pairs=PAIRS)
    what = f"{due:,} due turns among {many:,} open games and {few:,}"
    _use("many")
    found = [in_time(games["many"], seconds=seconds), *together(games["many"])]
    _use("few")
    return [
        cost_line("D1", what, "postgresql", grown, Gate("<=", 1.2)),
        *found,
        *all_at_once(_fill("few", at_once, at_once)),
    ]


def _use(name: str) -> None:
    """Go on in another database of the same server."""
    from django.db import connection

    connection.close()
    connection.settings_dict["NAME"] = name


def _fill(name: str, due: int, in_all: int) -> list[int]:
    """Fill a database with open games; return the keys of those that can be played on."""
    from benchmarks import crowd, scenario
    from games.models import Game

    _use(name)
    template = Game.objects.first() or scenario.table(PLAYERS)
    games = crowd.playable(template, due)
    if in_all > due:
        crowd.idle(template, in_all - due, wake_at=datetime.now(UTC) + crowd.FAR)
    return games


def make_due(games: Sequence[int], *, at: Callable[[int], datetime]) -> None:
    """Let the turn of every game be due, and its seats be there."""
    from django.db import transaction

    from games.models import Game, Seat
    from games.services.waking import GRACE

    with transaction.atomic():
        Seat.objects.filter(game__in=games).update(
            missed_in_a_row=0, is_absent=False, absent_since=None
        )
        rows = list(Game.objects.filter(pk__in=games).only("pk"))
        order = {pk: number for number, pk in enumerate(games)}
        for row in rows:
            row.wake_at = due = at(order[row.pk])
            row.turn_deadline_at = due - GRACE
            row.running_since = row.turn_started_at = due - timedelta(days=2)
        Game.objects.bulk_update(
            rows,
            ["wake_at", "turn_deadline_at", "running_since", "turn_started_at"],
            batch_size=BATCH,
        )


def draining(games: Sequence[int]) -> Batch:
    """Return batches that make all games due and then sweep until nothing is."""
    from games.services import deadlines

    def prepare() -> Callable[[], int]:
        past = datetime.now(UTC) - timedelta(hours=1)
        make_due(games, at=lambda number: past + timedelta(milliseconds=number))

        def run() -> int:
            done = 0
            while moved := deadlines.expire_turns(now=datetime.now(UTC), limit=BATCH):
                done += moved
            if done < len(games):
                raise RuntimeError(f"{done} of {len(games)} due turns were acted on")
            return done

        return run

    return prepare


def in_time(games: Sequence[int], *, seconds: float) -> Line:
    """Let turns come due over some time, sweep as beat does, and see how late each is."""
    from django.conf import settings
    from django.db import connection

    from games.models import Event, Game
    from games.services import deadlines

    step = timedelta(seconds=seconds) / len(games)
    start = datetime.now(UTC) + timedelta(seconds=2)
    make_due(games, at=lambda number: start + number * step)
    woken = Game.objects.filter(pk__in=games, wake_at__isnull=False).values_list("pk", "wake_at")
    due = {pk: at for pk, at in woken if at is not None}
    last = Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    late: list[float] = []
    ring = time.monotonic()
    while len(late) < len(games):
        deadlines.expire_turns(now=datetime.now(UTC), limit=BATCH)
        done = datetime.now(UTC)
        acted = Event.objects.filter(pk__gt=last, is_auto=True).order_by("pk")
        for pk, game in acted.values_list("pk", "game_id"):
            last = pk
            if game in due:
                # When the whole sweep is done: none was later than this.
                late.append((done - due.pop(game)).total_seconds())
        ring += settings.SWEEP_SECONDS
        time.sleep(max(0.0, ring - time.monotonic()))
    worst = statistics.quantiles(late, n=100)[98]
    bound = settings.SWEEP_SECONDS + 1
    return Line(
        key="D2",
        what=f"{len(games):,} turns due within {seconds:.0f} s: how late 99 of 100 are acted on",
        database=connection.vendor,
        figure=round(worst / bound, 2),
        gate=Gate("<=", 1.0),
        ours=f"{worst:.2f} s",
        floor=f"{bound:.0f} s",
        note="at most a sweep's period and a second",
    )


def together(games: Sequence[int]) -> list[Line]:
    """Let several sweepers drain the same turns at once."""
    from django.db import connection, connections

    from games.models import Event
    from games.services import deadlines

    past = datetime.now(UTC) - timedelta(hours=1)
    make_due(games, at=lambda number: past + timedelta(milliseconds=number))
    before = Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    moved = [0] * SWEEPERS
    gate = threading.Barrier(SWEEPERS)

    def sweep(number: int) -> None:
        gate.wait()
        try:
            # Beside each other they miss what the others hold: so each looks until all is done.
            for _ in range(len(games) // BATCH + 2):
                moved[number] += deadlines.expire_turns(now=datetime.now(UTC), limit=BATCH)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=sweep, args=(number,)) for number in range(SWEEPERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    acts = Event.objects.filter(pk__gt=before, is_auto=True, seat__isnull=False)
    by_game = list(acts.filter(game__in=games).values_list("game_id", flat=True))
    wrong = len(by_game) - len(set(by_game)) + len(set(games) - set(by_game))
    return [
        Line(
            key="D4",
            what=f"{SWEEPERS} sweepers, {len(games):,} due turns: acted on twice, or not at all",
            database=connection.vendor,
            figure=wrong + abs(sum(moved) - len(games)),
            gate=Gate("==", 0),
            note=f"each moved {'/'.join(str(number) for number in moved)}",
        )
    ]


def all_at_once(games: Sequence[int]) -> list[Line]:
    """Drain what is due at once; return how fast it went, and how often the order was wrong."""
    from django.db import connection

    from games.models import Event

    run = draining(games)()
    before = Event.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
    began = time.monotonic()
    done = run()
    seconds = time.monotonic() - began
    order = {pk: number for number, pk in enumerate(games)}
    acts = Event.objects.filter(pk__gt=before, is_auto=True, seat__isnull=False).order_by("pk")
    placed = [order[game] for game in acts.values_list("game_id", flat=True) if game in order]
    inversions = sum(a > b for a, b in pairwise(placed))
    what = f"{done:,} turns due at once, one sweeper"
    return [
        Line("D3", what, connection.vendor, done / seconds, None, f"{done / seconds:,.0f}/s"),
        Line(
            "D3o",
            f"{what}: times a later one came before an older",
            connection.vendor,
            inversions,
            Gate("==", 0),
        ),
    ]


def main(arguments: list[str]) -> int:
    """Measure on a new PostgreSQL and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.deadlines", description=__doc__)
    parser.add_argument("--due", type=int, default=1_000)
    parser.add_argument("--few", type=int, default=10_000)
    parser.add_argument("--many", type=int, default=1_000_000)
    parser.add_argument("--at-once", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=30.0, help="over which D2's come due")
    options = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        from benchmarks.__main__ import _broker, _postgres

        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perudo-bench-")))
        url, pid = stack.enter_context(_postgres())
        os.environ |= {
            "PERUDO_VAR": str(directory),
            "DATABASE_URL": url,
            "REDIS_URL": "",
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        }
        broker = stack.enter_context(_broker(directory))
        if broker is not None:
            os.environ["REDIS_URL"] = broker[0]
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connections

        with connections["default"].cursor() as cursor:
            for name in ("few", "many"):
                cursor.execute(f"CREATE DATABASE {name}")
        for name in ("few", "many"):
            _use(name)
            call_command("migrate", verbosity=0)
            call_command("createcachetable", verbosity=0)
        found = lines(
            Meter((pid,)),
            due=options.due,
            few=options.few,
            many=options.many,
            at_once=options.at_once,
            seconds=options.seconds,
        )
        connections.close_all()
    print(table(found))
    return 0 if all(line.is_met is not False for line in found) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

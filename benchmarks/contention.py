"""M5: eight clients on one game. Each turn exactly one of them wins; the rest are told so."""

import statistics
import threading
import time
from collections import Counter
from random import Random

from django.db import connection, connections

from benchmarks import scenario
from benchmarks.pages import form
from benchmarks.report import Gate, Line
from benchmarks.site import Visitor, visitors
from benchmarks.sizes import Size
from games.models import Seat

CLIENTS = 8
WARM_UP = 5
"""Turns in which connections are opened and templates compiled: they count, but are not timed."""

PLAYED, STALE = 303, 409


def lines(size: Size) -> list[Line]:
    """Let eight tabs of the player to move send the same move at once, turn after turn."""
    planned = scenario.plan(Random(4), most=size.turns)
    versions = scenario.versions(planned)
    users = {user.pk: user for user in scenario.people()}
    seats = Seat.objects.filter(game=planned.game).order_by("number")
    tabs = [visitors([users[seat.user_id]] * CLIENTS) for seat in seats if seat.user_id]
    race = _Race(planned, tabs)
    race.run()
    timed = race.seconds[CLIENTS * WARM_UP :] or race.seconds
    planned.game.refresh_from_db()
    wrong = [dict(turn) for turn in race.turns if turn != {PLAYED: 1, STALE: CLIENTS - 1}]
    moved = planned.game.version
    cuts = statistics.quantiles(timed, n=100)
    turns = len(planned.steps)
    return [
        Line(
            key="M5",
            what=f"{CLIENTS} clients on one game: turns without exactly one winner",
            database=connection.vendor,
            figure=len(wrong) + abs(moved - versions[-1]),
            gate=Gate("==", 0),
            note=f"{turns} turns, {len(race.seconds)} answers"
            + (f", {wrong[:3]}" if wrong else ""),
        ),
        Line(
            key="M5t",
            what="their slowest answers, p99 / p50 of the time",
            database=connection.vendor,
            figure=cuts[98] / cuts[49],
            gate=Gate("<=", 10),
            ours=f"{cuts[98] * 1000:.0f} ms",
            floor=f"{cuts[49] * 1000:.0f} ms",
        ),
    ]


class _Race:
    """Threads that wait for each other before every turn."""

    def __init__(self, planned: scenario.Plan, tabs: list[list[Visitor]]) -> None:
        self._planned, self._tabs = planned, tabs
        self._versions = scenario.versions(planned)
        self._barrier = threading.Barrier(CLIENTS)
        self._lock = threading.Lock()
        self.turns: list[Counter[int]] = [Counter() for _ in planned.steps]
        self.seconds: list[float] = []

    def run(self) -> None:
        """Play the whole plan."""
        threads = [threading.Thread(target=self._client, args=(n,)) for n in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _client(self, number: int) -> None:
        try:
            for turn, step in enumerate(self._planned.steps):
                self._barrier.wait(timeout=60)
                self._send(turn, step, number)
        except threading.BrokenBarrierError:
            pass  # another client failed and has said why; its turn is counted as wrong
        except BaseException:
            self._barrier.abort()
            raise
        finally:
            connections.close_all()

    def _send(self, turn: int, step: scenario.Step, number: int) -> None:
        visitor = self._tabs[step.action.seat][number]
        fields = form(step.action, self._versions[turn], tab=number)
        began = time.perf_counter()
        status = visitor.post(f"/g/{self._planned.game.code}/play/", fields)
        seconds = time.perf_counter() - began
        with self._lock:
            self.turns[turn][status] += 1
            self.seconds.append(seconds)

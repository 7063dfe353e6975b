"""CPU time of this process and of its database server, and ratios made of interleaved pairs.

Wall-clock rates on a busy machine swing by two; CPU time swings by a few percent. What we
measure and its floor run A B A B, and the median of the ratios of the pairs is the result.
"""

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CPUCLOCK_SCHED = 2
"""Linux: the low bits of a clock id that reads the CPU time of a process."""

Batch = Callable[[], Callable[[], int]]
"""Prepares fresh data outside the measurement; what it returns runs, and says how often."""


@dataclass(slots=True)
class Meter:
    """Read the CPU seconds that this process and the processes of its servers have used.

    :ivar servers: process ids of server processes; their children are counted with them.
    """

    servers: Sequence[int] = ()
    _seen: dict[int, float] = field(default_factory=dict)

    @property
    def counts_servers(self) -> bool:
        """Return whether the CPU of other processes can be read here: on Linux it can."""
        return sys.platform == "linux"

    def own(self) -> float:
        """Return the CPU seconds of this process, all threads."""
        return time.process_time()

    def away(self) -> float:
        """Return the CPU seconds of the servers so far; a process that ended keeps its share."""
        if not self.counts_servers:
            return 0.0
        for server in self.servers:
            for pid in (server, *_children(server)):
                seconds = _cpu_of(pid)
                if seconds is not None:
                    self._seen[pid] = seconds
        return sum(self._seen.values())


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        found += [int(child) for child in task.read_text().split()]
    return found


def _cpu_of(pid: int) -> float | None:
    try:
        return time.clock_gettime(((~pid) << 3) | CPUCLOCK_SCHED)
    except OSError:  # it ended meanwhile
        return None


@dataclass(frozen=True, slots=True)
class Cost:
    """CPU milliseconds for one operation, in this process and in its servers."""

    own_ms: float
    away_ms: float

    @property
    def ms(self) -> float:
        """Return the sum."""
        return self.own_ms + self.away_ms


def measure(meter: Meter, batch: Batch) -> Cost:
    """Run one batch and return what one of its operations cost."""
    run = batch()
    gc.collect()
    own, away = meter.own(), meter.away()
    done = run()
    own, away = meter.own() - own, meter.away() - away
    if done < 1:
        raise RuntimeError("a batch did nothing")
    return Cost(own * 1000 / done, away * 1000 / done)


@dataclass(frozen=True, slots=True)
class Pairs:
    """What the interleaved pairs gave: medians of the costs, and of the pairs' ratios."""

    ours: Cost
    floor: Cost
    ratio: float
    low: float
    high: float


def compare(meter: Meter, *, ours: Batch, floor: Batch, pairs: int) -> Pairs:
    """Measure two batches in turn after a warm-up; a ratio is our cost over the floor's."""
    measure(meter, floor)
    measure(meter, ours)
    found = [(measure(meter, ours), measure(meter, floor)) for _ in range(pairs)]
    ratios = [mine.ms / theirs.ms for mine, theirs in found]
    return Pairs(
        ours=_median([mine for mine, _ in found]),
        floor=_median([theirs for _, theirs in found]),
        ratio=statistics.median(ratios),
        low=min(ratios),
        high=max(ratios),
    )


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.own_ms for cost in costs),
        statistics.median(cost.away_ms for cost in costs),
    )


def neighbours() -> float:
    """Return the load average of the last minute: how busy others keep the machine."""
    return os.getloadavg()[0]

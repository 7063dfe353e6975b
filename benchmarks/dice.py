"""``python -m benchmarks.dice``: ten million dice of the real derivation, and how even they are.

Whole games are derived as the site derives them (a seed, contributions, rounds, cups), and the
faces are counted: all of them, pairs of neighbours (1st and 2nd, 3rd and 4th die of a cup), by
seat and by round. Each line is
a chi-square test. Ends with status 1 when a p-value is below ``LEAST``; a fair generator does that
about once in 1 / (lines x LEAST) runs, which is printed.
"""

import argparse
import hashlib
import math
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from games.fairness import (
    NO_PULSE,
    Contribution,
    cup_dice,
    cup_key,
    game_key,
    round_key,
    rules_digest,
)

LEAST = 1e-4
SEATS, ROUNDS, DICE = 6, 10, 5
A_GAME = SEATS * ROUNDS * DICE
FACES = range(1, 7)
BATCH = 500  # games


@dataclass(frozen=True, slots=True)
class Line:
    """A chi-square test. ``freedom`` is the number of degrees of freedom."""

    what: str
    dice: int
    chi2: float
    freedom: int

    @property
    def p(self) -> float:
        """Return how often a fair generator strays as far or farther (see :func:`upper_tail`)."""
        return upper_tail(self.chi2, self.freedom)


def upper_tail(chi2: float, freedom: int) -> float:
    """Return the chance that chi-square exceeds ``chi2``, after Wilson and Hilferty (1931).

    The cube root of chi-square over its degrees of freedom is nearly normal. From five degrees on
    the error at p = 0.0001 is below a third of p: enough to tell a bad generator from a good one.
    """
    spread = 2 / (9 * freedom)
    z = ((chi2 / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return NormalDist().cdf(-z)


def evenness(what: str, counts: Sequence[int]) -> Line:
    """Test whether values that should come up equally often did."""
    mean = sum(counts) / len(counts)
    chi2 = sum((count - mean) ** 2 for count in counts) / mean
    return Line(what, sum(counts), chi2, len(counts) - 1)


def roll_games(first_game: int, games: int) -> Counter[tuple[int, int, int, int]]:
    """Derive whole games and count (round, seat, face before or 0, face).

    :param first_game: the games' numbers are their seeds, so that a run can be repeated.
    """
    counts: Counter[tuple[int, int, int, int]] = Counter()
    rules = rules_digest("benchmarks/dice")
    for game in range(first_game, first_game + games):
        seed, raw = (hashlib.sha256(f"{name} {game}".encode()).digest() for name in ("S", "P"))
        gid = seed[:16]
        given = [Contribution("rand", raw)] + [Contribution("none", b"")] * (SEATS - 1)
        key = game_key(seed=seed, gid=gid, rules=rules, contributions=given)
        for number in range(1, ROUNDS + 1):
            rolled = round_key(key, gid=gid, number=number, epoch=0, pulse=NO_PULSE)
            for seat in range(SEATS):
                before = 0
                for face in cup_dice(cup_key(rolled, seat), DICE):
                    counts[number, seat, before, face] += 1
                    # Pairs that share a die would not be independent.
                    before = 0 if before else face
    return counts


def lines(counts: Counter[tuple[int, int, int, int]]) -> list[Line]:
    """Return the tests of what was counted."""

    def faces(*, number: int | None = None, seat: int | None = None) -> list[int]:
        chosen = Counter[int]()
        for (in_round, on_seat, _, face), count in counts.items():
            if number in (None, in_round) and seat in (None, on_seat):
                chosen[face] += count
        return [chosen[face] for face in FACES]

    pairs = Counter[tuple[int, int]]()
    for (_, _, before, face), count in counts.items():
        pairs[before, face] += count
    return [
        evenness("faces", faces()),
        evenness("neighbours", [pairs[before, face] for before in FACES for face in FACES]),
        *(evenness(f"seat {seat}", faces(seat=seat)) for seat in range(SEATS)),
        *(evenness(f"round {n}", faces(number=n)) for n in range(1, ROUNDS + 1)),
    ]


def main(arguments: list[str]) -> int:
    """Roll, print the table and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.dice", description=__doc__)
    parser.add_argument("--dice", type=int, default=10_000_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first-game", type=int, default=0, help="the first seed")
    options = parser.parse_args(arguments)
    began = time.monotonic()
    games = math.ceil(options.dice / A_GAME)
    batches = [
        (options.first_game + start, min(BATCH, games - start)) for start in range(0, games, BATCH)
    ]
    counts: Counter[tuple[int, int, int, int]] = Counter()
    with multiprocessing.Pool(options.jobs) as pool:
        for part in pool.starmap(roll_games, batches):
            counts.update(part)
    found = lines(counts)
    print(f"{'':12}{'dice':>12}{'chi2':>10}{'df':>4}{'p':>9}")
    for line in found:
        print(f"{line.what:12}{line.dice:12,}{line.chi2:10.2f}{line.freedom:4}{line.p:9.4f}")
    print(f"\n{games:,} games from seed {options.first_game}, {time.monotonic() - began:.0f} s.")
    print(
        f"Fails below p = {LEAST:g}: a fair generator would, once in {1 / len(found) / LEAST:.0f}"
    )
    print("runs or less often (the lines overlap).")
    strayed = [line.what for line in found if line.p < LEAST]
    print(f"Not even: {', '.join(strayed)}." if strayed else "All even.")
    return 1 if strayed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

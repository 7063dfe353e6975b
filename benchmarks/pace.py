"""``python -m benchmarks.pace``: how many days a game takes, by the real engine and clocks.

Simulated seasons (:mod:`benchmarks.season`): games of two to six people on the Standard clock. A
player answers a turn within hours, in his waking time; every fourth deadline he misses, and comes
back a while after it. Everything is played by the services: moves, the automatic move, absent
seats, orders. Ends with status 1 when a goal is missed:

T1  with orders on half of the turns the median calendar of six is at most half of that without;
T2  with one seat that never answers a game takes at most 1.2 times as long as without it.
"""

import argparse
import os
import sys
import tempfile

HALF, SILENT = 0.5, 1.2
SEATS = range(2, 7)


def main(arguments: list[str]) -> int:
    """Play the seasons and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pace", description=__doc__)
    parser.add_argument("--games", type=int, default=40, help="in each season")
    parser.add_argument("--seats", type=int, nargs="*", default=list(SEATS))
    parser.add_argument("--orders", type=float, default=0.5, help="left at so many looks, 0 to 1")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="perudo-pace-") as directory:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "benchmarks.settings", "PERUDO_VAR": directory}
        os.environ |= {"DATABASE_URL": "sqlite://:memory:", "REDIS_URL": ""}
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        missed = _seasons(options.games, options.seats, options.orders)
    print(f"Missed: {', '.join(missed)}." if missed else "Both goals are met.")
    return 1 if missed else 0


def _seasons(games: int, sizes: list[int], readily: float) -> list[str]:
    from benchmarks.season import Season, play

    print(
        "| seats | turns | missed | days | with orders | on turns | ratio | one silent | ratio |"
        " without the ladder |"
    )
    print("| --- " * 10 + "|")
    missed: list[str] = []
    for seats in sizes:
        plain = play(Season(seats), games=games)
        helped = play(Season(seats, orders=readily), games=games)
        silent = play(Season(seats, silent=True), games=games)
        bare = play(Season(seats, silent=True, ladder=False), games=max(4, games // 4))
        saved, cost = helped.median / plain.median, silent.median / plain.median
        print(
            f"| {seats} | {plain.turns / len(plain.days):.0f}"
            f" | {plain.by_clock / plain.deadlines:.0%} | {plain.median:.1f}"
            f" | {helped.median:.1f} | {helped.ordered:.0%} | {saved:.2f}"
            f" | {silent.median:.1f} | {cost:.2f} | {bare.median:.1f} |",
            flush=True,
        )
        if seats == 6 and saved > HALF:
            missed.append(f"T1 ({saved:.2f})")
        if cost > SILENT:
            missed.append(f"T2 at {seats} seats ({cost:.2f})")
    return missed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

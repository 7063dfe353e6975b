"""``python -m benchmarks.timing``: does the time of an answer depend on dice that stay hidden?

One table, two sets of dice under its rivals' cups: in one every die matches the standing bid, in
the other none does. What the reader holds is the same in both. The same requests are made with the
one and the other by turns of a coin, their CPU time is taken, and Welch's t-test compares the two
(the slowest tenth of all is left out, for what disturbs a machine disturbs both). Ends with status
1 when t is beyond 4.5, the bound of "Dude, is my code constant time?" (Reparaz, Balasch and
Verbauwhede, 2016).
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.models import Game

MOST = 4.5
KEPT = 0.9
"""The share of the answers that is compared, the fastest first."""

BID = "4x4"
DICE = 3
"""Under each rival's cup; the reader has one."""

TRIES = 40_000


def welch(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Welch's t of two samples."""
    spread = statistics.variance(one) / len(one) + statistics.variance(other) / len(other)
    return float((statistics.fmean(one) - statistics.fmean(other)) / spread**0.5)


def compare(
    ask: Callable[[], object], swap: Callable[[int], None], *, count: int, chance: Random
) -> tuple[float, float]:
    """Return t, and the difference of the two means as a share of the mean.

    :param swap: puts the dice of one set (0 or 1) under the cups; it is not timed.
    """
    times: tuple[list[int], list[int]] = ([], [])
    for _ in range(count):
        which = chance.randrange(2)
        swap(which)
        began = time.thread_time_ns()
        ask()
        times[which].append(time.thread_time_ns() - began)
    bound = sorted(times[0] + times[1])[int(count * KEPT)]
    one, other = ([float(each) for each in sample if each <= bound] for sample in times)
    mean = statistics.fmean(one + other)
    return welch(one, other), (statistics.fmean(one) - statistics.fmean(other)) / mean


def cases() -> tuple[dict[str, Callable[[], object]], Callable[[int], None]]:
    """Make the table; return what is asked, by name, and what swaps the dice."""
    from benchmarks import scenario
    from benchmarks.pages import form
    from benchmarks.site import visitors
    from games import rules
    from games.models import Game, Round, Seat
    from games.models.secret import GameSecret
    from games.services import moves

    game = scenario.table(3)
    opener = game.to_act or 0
    bid = rules.MakeBid(opener, rules.Bid.parse(BID))
    moves.play(game_id=game.pk, action=bid, expected_version=game.version, now=scenario.NOW)
    reader = (opener + 1) % 3
    counts = [1 if number == reader else DICE for number in range(3)]
    for number, dice in enumerate(counts):
        Seat.objects.filter(game=game, number=number).update(dice=dice)
    Round.objects.filter(game=game).update(counts=counts)
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    sets = _two_sets(game, reader)

    people = scenario.people()
    everybody = dict(zip([user.pk for user in people], visitors(people), strict=True))
    at_table = everybody[Seat.objects.get(game=game, number=reader).user_id or 0]
    stranger = everybody[people[-1].pk]
    path, tabs = f"/g/{game.code}/", iter(range(10**9))
    too_low = rules.MakeBid(reader, rules.Bid.parse("1x2"))

    def refused() -> None:
        fields = form(too_low, game.version, tab=next(tabs))
        if (status := at_table.post(f"{path}play/", fields)) != 422:
            raise RuntimeError(f"a bid that is too low was answered {status}")

    asked: dict[str, Callable[[], object]] = {
        "the table, to an onlooker": lambda: stranger.get(path),
        "the table, to the seat to move": lambda: at_table.get(path),
        "a bid that the rules refuse": refused,
        "the log, to an onlooker": lambda: stranger.get(f"{path}transcript"),
    }

    def swap(which: int) -> None:
        GameSecret.objects.filter(game=game).update(**sets[which])

    return asked, swap


def _two_sets(game: "Game", reader: int) -> list[dict[str, Any]]:
    """Return two encrypted seeds: no die of the rivals matches the bid, all do."""
    from games import store
    from games.models import Seat
    from games.models.secret import GameSecret

    seats = list(Seat.objects.filter(game=game).order_by("number"))
    row = GameSecret.objects.filter(game=game)
    found: dict[object, dict[bool, dict[str, Any]]] = {}
    for _ in range(TRIES):
        store.replace_secret(game)
        cups = store.load_state(game, seats, with_dice=True).round.cups or ()
        matching = [die in (1, 4) for seat, cup in enumerate(cups) if seat != reader for die in cup]
        if all(matching) or not any(matching):
            same = found.setdefault(cups[reader], {})
            same[all(matching)] = dict(row.values("kid", "nonce", "ciphertext").get())
            if len(same) == 2:
                return [same[False], same[True]]
    raise SystemExit("no two fitting sets of dice were found")


def main(arguments: list[str]) -> int:
    """Compare and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.timing", description=__doc__)
    parser.add_argument("--count", type=int, default=4000, help="requests of each kind")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="perudo-timing-") as directory:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "benchmarks.settings", "PERUDO_VAR": directory}
        import django

        django.setup()
        from django.core.management import call_command
        from django.db import connection

        call_command("migrate", verbosity=0)
        call_command("createcachetable", verbosity=0)
        asked, swap = cases()
        worst = 0.0
        for name, ask in asked.items():
            ask()
            t, share = compare(ask, swap, count=options.count, chance=Random(options.seed))
            worst = max(worst, abs(t))
            print(f"{name:32} t = {t:+5.2f}   {share:+.3%} of the time", flush=True)
        connection.close()
    print(
        f"{options.count} requests each; the bound is {MOST}: {'held' if worst <= MOST else 'NO'}"
    )
    return 0 if worst <= MOST else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

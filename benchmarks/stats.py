"""``python -m benchmarks.stats``: pages about players after 10 thousand and after 1 million games.

A PostgreSQL of its own is filled by SQL: one real game between three people is played, counted and
rated, and its rows are copied, three results a game, one account for every ten games. Alice has
played one game in thirty-three. Each page is asked for by her, and costs CPU time of this process
and of the database.

Ends with status 1 where a page takes another number of queries after more games, or more than 1.5
times the time.
"""

import argparse
import contextlib
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

MOST = 1.5
PAGES = ("/p/Alice/", "/p/Alice/Bob/", "/statistics/", "/ranking/", "/ranking/?page=9")
REPEATS = 15
GAMES_A_PLAYER = 10
EVERY = 33


@dataclass(frozen=True, slots=True)
class Look:
    """What one page cost: queries, and CPU milliseconds here and in the database."""

    queries: int
    ms: float


def main(arguments: list[str]) -> int:
    """Fill, look and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stats", description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[10_000, 1_000_000])
    options = parser.parse_args(arguments)
    found = {games: _measured(games) for games in options.games}
    columns = " | ".join(f"{games:,} games: queries, CPU ms" for games in options.games)
    print(f"| page | {columns} | ratio |\n| --- " + "| --: " * (len(options.games) + 1) + "|")
    is_met = True
    for page in PAGES:
        looks = [found[games][page] for games in options.games]
        ratio = looks[-1].ms / looks[0].ms
        is_met &= ratio <= MOST and len({look.queries for look in looks}) == 1
        cells = " | ".join(f"{look.queries}, {look.ms:.2f}" for look in looks)
        print(f"| {page} | {cells} | {ratio:.2f} |")
    verdict = "met" if is_met else "missed"
    print(f"\nAt most {MOST} is asked, and the same number of queries: {verdict}.")
    return 0 if is_met else 1


def _measured(games: int) -> dict[str, Look]:
    """Fill a database in a process of its own, and return what each page cost there."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        with os.fdopen(writing, "w") as told:
            for page, look in _in_database(games):
                told.write(f"{look.queries}\t{look.ms}\t{page}\n")
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as heard:
        rows = [line.rstrip("\n").split("\t") for line in heard]
    if os.waitpid(child, 0)[1] or len(rows) != len(PAGES):
        raise SystemExit(2)
    return {page: Look(int(queries), float(ms)) for queries, ms, page in rows}


def _in_database(games: int) -> Iterator[tuple[str, Look]]:
    import django
    from django.core.management import call_command

    with contextlib.ExitStack() as stack:
        url, server = stack.enter_context(_postgres())
        os.environ |= {
            "DATABASE_URL": url,
            "PERUDO_VAR": stack.enter_context(tempfile.TemporaryDirectory(prefix="perudo-bench-")),
            "PERUDO_DEVELOPMENT": "1",
            "DJANGO_SETTINGS_MODULE": "benchmarks.settings",
        }
        django.setup()
        call_command("migrate", verbosity=0)
        began = time.monotonic()
        _fill(games)
        print(f"# {games:,} games: {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
        yield from _looks(server)


@contextlib.contextmanager
def _postgres() -> Iterator[tuple[str, int]]:
    import psycopg

    from tests.postgres import PostgresServer

    server = PostgresServer()
    try:
        admin = psycopg.connect(host=str(server.directory), user="postgres", autocommit=True)
        admin.execute("CREATE DATABASE perudo")
        admin.close()
        pid = (server.directory / "data" / "postmaster.pid").read_text().split()[0]
        yield server.url, int(pid)
    finally:
        server.stop()


def _fill(games: int) -> None:
    """Play one game, and copy what became of it."""
    from random import Random

    from accounts.models import User
    from games.models import (
        Career,
        Game,
        Rating,
        RatingChange,
        Result,
        Rivalry,
        Seat,
        SiteSums,
        Standing,
        Tally,
    )
    from games.services import ratings, statistics
    from tests.cast import NOON, person, table
    from tests.integration.games.seasons import finish

    game = finish(table(("alice", "bob", "carol")), Random(3))
    statistics.count_games()
    ratings.rate_games(now=NOON)
    alice, bob = person("alice").pk, person("bob").pk
    people = max(games // GAMES_A_PLAYER, 4)
    first = User.objects.order_by("-pk").values_list("pk", flat=True)[0]
    _copy(
        User, bob, people, email="'p' || n || '@example.org'", display_name="'Player ' || n",
        display_key="'player' || n",
    )  # fmt: skip
    _copy(
        Game, game.pk, games, code="lpad(n::text, 10, '0')", invite_token="lpad(n::text, 26, '0')",
        gid="lpad(n::text, 32, '0')", counted="n + 1", rated_as="n + 1", is_private="mod(n, 2) = 0",
    )  # fmt: skip
    # Game n is between three neighbours, and alice sits in for one of them now and then.
    who = (
        f"CASE WHEN s = 0 AND mod(n, {EVERY}) = 0 THEN {alice}"
        f" ELSE {first} + 1 + mod(n * 3 + s, {people}) END"
    )
    seats = "generate_series(0, 2) s, LATERAL (SELECT id, counted, counted - 1 n FROM games_game"
    each = f"{seats} WHERE counted > 1) g"
    _insert(Seat, _row(Seat, game=game, user=bob), each, game_id="id", number="s", user_id=who)
    _insert(
        Result, _row(Result, user=bob), each, game_id="id", number="counted", user_id=who,
        place="s + 1",
    )  # fmt: skip
    _insert(
        RatingChange, _row(RatingChange, user=bob), each, game_id="id", seat="s", user_id=who,
        nth="counted",
    )  # fmt: skip
    others = f"accounts_user u WHERE u.id > {first}"
    for model in (Career, Tally, Rating, Standing):
        changes = {"number": "u.id"} if model is Career else {}
        changes |= {"place": "u.id"} if model is Standing else {}
        for row in model._default_manager.filter(user_id=bob):
            _insert(model, row, others, user_id="u.id", **changes)
    _insert(
        Rivalry, Rivalry.objects.get(user=alice, rival=bob),
        "(SELECT a.user_id one, b.user_id other, count(*) met FROM games_result a JOIN games_result"
        " b ON a.number = b.number AND a.user_id <> b.user_id AND a.number > 1 GROUP BY 1, 2) p",
        user_id="one", rival_id="other", games="met",
    )  # fmt: skip
    SiteSums.objects.update(number=games + 1)
    _execute("ANALYZE")


def _row(model: Any, **which: Any) -> Any:
    return model._default_manager.filter(**which).first()


def _copy(model: Any, key: int, count: int, **changes: str) -> None:
    """Insert so many copies of a row, with some of its columns told by SQL of ``n``."""
    row = model._default_manager.get(pk=key)
    _insert(model, row, f"generate_series(1, {count}) n", **changes)


def _insert(model: Any, row: Any, source: str, **changes: str) -> None:
    """Insert a row for each of ``source``, with some of its columns told by SQL."""
    from django.db import connection

    fields = [field for field in model._meta.concrete_fields if field.attname != "id"]
    values = [
        changes.get(field.attname) or f"(SELECT {field.column} FROM model)" for field in fields
    ]
    columns = ", ".join(field.column for field in fields)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH model AS MATERIALIZED (SELECT * FROM {model._meta.db_table} WHERE"
            f" {model._meta.pk.column} = %s) INSERT INTO {model._meta.db_table} ({columns})"
            f" SELECT {', '.join(values)} FROM {source} ON CONFLICT DO NOTHING",
            [row.pk],
        )


def _execute(sql: str) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)


def _noting(queries: list[str]) -> Callable[..., Any]:
    """Return what notes each statement and passes it on."""

    def noted(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        queries.append(sql)
        return execute(sql, *rest)

    return noted


def _looks(server: int) -> Iterator[tuple[str, Look]]:
    """Yield what each page costs alice."""
    from django.db import connection

    from benchmarks.meter import Meter
    from benchmarks.site import visitors
    from tests.cast import person

    meter, (alice,) = Meter([server]), visitors([person("alice")])
    for page in PAGES:
        path, _, query = page.partition("?")
        for _ in range(3):
            status, _ = alice.get(path, query)
            if status != 200:
                raise SystemExit(f"{page}: {status}")
        queries: list[str] = []
        with connection.execute_wrapper(_noting(queries)):
            alice.get(path, query)
        spent = []
        for _ in range(REPEATS):
            before = meter.own() + meter.away()
            alice.get(path, query)
            spent.append(meter.own() + meter.away() - before)
        yield page, Look(len(queries), statistics.median(spent) * 1000)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``python -m benchmarks``: our CPU time beside a floor's, in one table and one JSON document.

Ends with status 1 when a gate is missed.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.meter import Meter, neighbours
from benchmarks.report import Line, document, table
from benchmarks.sizes import SIZES
from benchmarks.worker import Job

DATABASES = ("sqlite", "postgres")
PARTS = ("engine", "moves", "pages", "mail", "contention")


def main(arguments: list[str]) -> int:
    """Run what the arguments ask for; return the exit status."""
    options = _options(arguments)
    began, load = time.monotonic(), neighbours()
    lines: list[Line] = []
    for database in options.database or DATABASES:
        # The engine knows no database: it is measured once.
        is_first = database == (options.database or DATABASES)[0]
        parts = [part for part in options.part or PARTS if part != "engine" or is_first]
        print(f"# {database}: {', '.join(parts)} …", file=sys.stderr, flush=True)
        lines += _run(database, options.size, parts)
    text = document(lines, size=options.size, load=(load, neighbours()))
    if options.json:
        options.json.write_text(text + "\n")
    print(table(lines))
    print(f"\n{options.size}, {time.monotonic() - began:.0f} s, {os.cpu_count()} cores, ", end="")
    print(f"load of the machine {load:.1f} before and {neighbours():.1f} after.")
    if not Meter().counts_servers:
        print("The CPU time of the database cannot be read on this system and is left out.")
    missed = [f"{line.key} on {line.database}" for line in lines if line.is_met is False]
    print(f"Missed: {', '.join(missed)}." if missed else "Every gate is met.")
    return 1 if missed else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--size", choices=SIZES, default="quick")
    parser.add_argument("--full", dest="size", action="store_const", const="full")
    parser.add_argument("--json", type=Path, help="write the figures to this file, too")
    parser.add_argument("--database", action="append", choices=DATABASES)
    parser.add_argument("--part", action="append", choices=PARTS)
    return parser.parse_args(arguments)


def _run(database: str, size: str, parts: list[str]) -> list[Line]:
    """Start the servers, measure in a process of its own, and return its lines."""
    with contextlib.ExitStack() as stack:
        directory = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="perudo-bench-")))
        environment = {**os.environ, "PERUDO_VAR": str(directory), "REDIS_URL": ""}
        environment.pop("DATABASE_URL", None)
        servers = []
        if database == "postgres":
            environment["DATABASE_URL"], pid = stack.enter_context(_postgres())
            servers.append(pid)
        broker = stack.enter_context(_broker(directory))
        if broker is not None:
            environment["REDIS_URL"] = broker[0]
            servers.append(broker[1])
        job = Job(size, tuple(parts), tuple(servers))
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.worker", job.to_json()],
            stdout=subprocess.PIPE,
            env=environment,
            cwd=Path(__file__).parent.parent,
        )
    if done.returncode:
        raise SystemExit(2)
    return [Line.from_dict(data) for data in json.loads(done.stdout)]


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


@contextlib.contextmanager
def _broker(directory: Path) -> Iterator[tuple[str, int] | None]:
    """Run a broker, so that nudges cost what they cost; go on without where there is none."""
    from perudo_site.broker import BrokerError, start_broker

    with contextlib.ExitStack() as stack:
        try:
            running = stack.enter_context(start_broker(directory))
        except BrokerError as error:
            print(f"# no broker, nudges stay in memory: {error}", file=sys.stderr)
            yield None
        else:
            yield running.url, running.process.pid


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

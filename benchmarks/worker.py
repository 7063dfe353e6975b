"""One run on one database, in a process of its own: ``python -m benchmarks.worker JOB``.

Django knows one set of databases a process; the parent starts the servers and reads the result
from standard output, one JSON document.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Job:
    """What to do. ``servers`` are the process ids whose CPU counts as ours."""

    size: str
    parts: tuple[str, ...]
    servers: tuple[int, ...]

    def to_json(self) -> str:
        """Return the job as an argument."""
        return json.dumps(asdict(self))


def main(argument: str) -> None:
    """Run a job and print its lines."""
    data = json.loads(argument)
    job = Job(data["size"], tuple(data["parts"]), tuple(data["servers"]))
    os.environ["DJANGO_SETTINGS_MODULE"] = "benchmarks.settings"
    import django

    django.setup()
    from django.core.management import call_command

    from benchmarks import contention, engine, mail, moves, pages
    from benchmarks.floor import tables
    from benchmarks.meter import Meter
    from benchmarks.sizes import SIZES

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    tables.create()
    meter, size = Meter(job.servers), SIZES[job.size]
    parts = {
        "engine": lambda: engine.lines(Meter(), size),
        "moves": lambda: moves.lines(meter, size),
        "pages": lambda: pages.lines(meter, size),
        "mail": lambda: mail.lines(meter, size),
        "contention": lambda: contention.lines(size),
    }
    lines = [line for part in job.parts for line in parts[part]()]
    json.dump([line.to_dict() for line in lines], sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])

"""A worker that halts in the middle of a task where a test tells it to, and is killed there.

``celery -A tests.integration.kills.halting worker``: the site's own app, tasks and settings. The
folder HALT_FOLDER holds what the two tell each other.
"""

import os
import ssl
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from celery.signals import task_postrun, task_prerun, worker_process_init
from django.db.backends.signals import connection_created
from django.dispatch import receiver

from perudo_site.celery import app

__all__ = ["app"]

FOLDER = Path(os.environ["HALT_FOLDER"])


def halt(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
    """Stop behind the first statement that ``at`` names, before it is committed."""
    result = run(sql, *rest)
    at = FOLDER / "at"
    if at.exists() and at.read_text() in sql:
        (FOLDER / "halted").write_text(str(os.getpid()))
        while at.exists():
            time.sleep(0.02)
    return result


@receiver(connection_created)
def halt_its_connection(connection: Any, **_: object) -> None:
    connection.execute_wrappers.append(halt)


@worker_process_init.connect
def live_in_the_test(**_: object) -> None:
    """Let webhooks and pushes reach the stand-in of the test alone; it rings itself."""
    from games.services import nudges, pushes, webhooks
    from tests.integration.security.stand_in import StandIn
    from tests.integration.security.test_outgoing import here

    trust = ssl.create_default_context(cafile=os.environ["HALT_TRUST"])
    guard = here(StandIn(int(os.environ["HALT_PORT"]), trust))
    pushes.GUARD = webhooks.GUARD = guard
    nudges._send = lambda *_, **__: None


@task_prerun.connect
def say_who_works(**_: object) -> None:
    (FOLDER / "works").write_text(str(os.getpid()))


@task_postrun.connect
def say_that_it_is_done(task: Any, state: str | None = None, **_: object) -> None:
    with (FOLDER / "done").open("a") as done:
        done.write(f"{task.name} {state}\n")

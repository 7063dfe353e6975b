"""The Celery app and its timetable.

Celery makes things prompt, never true: every duty is a row in the database, and the beat
entries in the settings sweep for whatever a nudge missed.
"""

import os
import warnings
from datetime import UTC, datetime
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, worker_init
from kombu.transport.redis import Channel
from redis import ConnectionError

from perudo_site.leash import leash_forks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "perudo_site.settings")

LONGEST_WAIT_SECONDS = 60
"""Beyond the visibility timeout a waiting task runs again and again: deadlines are rows."""


class PerudoCelery(Celery):
    """A Celery that takes no task for later than a minute from now."""

    def send_task(  # type: ignore[override]
        self,
        name: str,
        args: Any = None,
        kwargs: Any = None,
        countdown: float | None = None,
        eta: datetime | None = None,
        **options: Any,
    ) -> Any:
        """Publish a task; every door of Celery ends here, retries too.

        :raises ValueError: it would wait too long, and should be a row with a due time.
        """
        wait = countdown or 0.0
        if eta is not None:
            wait = (eta - datetime.now(UTC)).total_seconds()
        if wait > LONGEST_WAIT_SECONDS:
            raise ValueError(f"{name} would wait {wait:.0f} s: write a row with a due time instead")
        return super().send_task(name, args, kwargs, countdown=countdown, eta=eta, **options)


_channel: Any = Channel
_kombus_address = _channel._connparams


def _address(self: Any, asynchronous: bool = False) -> Any:
    """Return where a channel of the broker leads.

    :raises ConnectionError: the connection is closed. Celery 5.7 asks all the same, for what was
        being worked on as the broker died; Kombu 5.7 stumbles over the answer, and the worker ends
        by that. A connection that is lost is what they know how to handle.
    """
    if self.connection.client is None:
        raise ConnectionError("the connection to the broker is closed")
    return _kombus_address(self, asynchronous)


_channel._connparams = _address

app = PerudoCelery("perudo")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
def allow_root_at_home(**_: object) -> None:
    """Keep quiet about root on one's own machine: only JSON is read from the queue."""
    if os.environ.get("PERUDO_DEVELOPMENT"):
        warnings.filterwarnings("ignore", message=".*superuser privileges")


@worker_init.connect
def leash_pool(**_: object) -> None:
    """Let the pool's processes end with the worker that forks them, even from within a task."""
    leash_forks()

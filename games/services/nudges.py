"""Nudges: ask Celery to look now. Its timetable finds everything that is due anyway, a bit later.

Sending a task costs as much as half a move. So a process sends one and lets it stand for all that
it commits in the moment after: the task runs when that moment is over and finds all of it.
"""

import logging
import time

from celery import current_app
from django.conf import settings
from kombu.exceptions import OperationalError

logger = logging.getLogger(__name__)

GATHER_SECONDS = 0.25
"""How long one nudge gathers what is committed after it."""

PAUSE_SECONDS = 10.0
"""How long a process leaves a broker alone that did not answer: a move must not wait for it."""

_quiet_until: dict[str, float] = {}


def relay() -> None:
    """Ask Celery to look at the outbox."""
    _send("games.tasks.relay_outbox")


def bots() -> None:
    """Ask Celery to sweep when a bot has had its moment to think."""
    _send("games.tasks.expire_turns", delay=settings.BOT_DELAY_SECONDS)


def statistics() -> None:
    """Ask Celery to count a game that has just ended."""
    _send("games.tasks.count_games")


def ratings() -> None:
    """Ask Celery to rate a game that has just ended."""
    _send("games.tasks.rate_games")


def mail(mail_id: int, *, wait: float = 0) -> None:
    """Ask Celery to handle a mail that came in, ``wait`` seconds from now."""
    if time.monotonic() < _quiet_until.get("broker", 0):
        return
    _publish("games.tasks.handle_mail", args=(mail_id,), countdown=wait)


def _send(task: str, *, delay: float = 0) -> None:
    """Send a task by name. A dead broker costs promptness, never the move: it is committed."""
    now = time.monotonic()
    if now < max(_quiet_until.get(task, 0), _quiet_until.get("broker", 0)):
        return
    # Set first: another thread that commits now is covered by this nudge too.
    _quiet_until[task] = now + GATHER_SECONDS
    _publish(task, countdown=delay + GATHER_SECONDS)


def _publish(task: str, *, args: tuple[int, ...] = (), countdown: float = 0) -> None:
    try:
        current_app.send_task(
            task, args=args, countdown=countdown, expires=countdown + 60, ignore_result=True
        )
    except (OperationalError, OSError) as error:
        _quiet_until["broker"] = time.monotonic() + PAUSE_SECONDS
        logger.warning("nudge of %s not delivered: %s", task, type(error).__name__)

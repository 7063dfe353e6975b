"""What should have been done by now: for whoever watches over the site."""

from datetime import datetime, timedelta

from games.models import Game, OutboxMessage, OutboxStatus

LATE = timedelta(minutes=10)
"""A sweep comes every five seconds, and what failed is put off: what is as old as this waits for
a worker that is not there, or does not keep up."""


def overdue(*, now: datetime) -> tuple[str, ...]:
    """Return which duties wait for too long: ``turns``, ``notices``, or neither."""
    late = now - LATE
    notices = OutboxMessage.objects.filter(status=OutboxStatus.PENDING, due_at__lt=late)
    duties = {"turns": Game.objects.filter(wake_at__lt=late), "notices": notices}
    return tuple(name for name, rows in duties.items() if rows.exists())

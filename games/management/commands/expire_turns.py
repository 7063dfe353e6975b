"""``manage.py expire_turns``: handle mails, play missed turns, move bots, without Celery."""

from datetime import datetime

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import Game, GameStatus
from games.services import deadlines, receiving
from games.services.waking import GRACE

OVERDUE = 1


class Command(BaseCommand):
    """Do what the worker's sweep does, and say what was done.

    The exit code is 0 when nothing is overdue any more, 1 when a game cannot be moved on.
    """

    help = (
        "Handle the mails that came in, play the turns whose time is up, move bots, close dead "
        "waiting rooms. "
        "Exit code: 0 nothing is overdue, 1 a game cannot be moved on."
    )

    def handle(self, **options: object) -> None:
        """Sweep until nothing is due, and report.

        :raises CommandError: with return code 1, see the class.
        """
        now = timezone.now()
        receiving.sweep(now=now)
        moved = 0
        while count := deadlines.expire_turns(now=now):
            moved += count
        self.stdout.write(f"games moved on: {moved}")
        overdue = _overdue(now)
        if overdue:
            raise CommandError(f"cannot be moved on: {', '.join(overdue)}", returncode=OVERDUE)


def _overdue(now: datetime) -> list[str]:
    """Return the codes of games whose clock ran out and that the sweep left where they are."""
    late = Game.objects.filter(status=GameStatus.ACTIVE, turn_deadline_at__lt=now - GRACE)
    return list(late.order_by("turn_deadline_at").values_list("code", flat=True))

"""``manage.py relay_outbox``: send the mails that are due, without Celery."""

from argparse import ArgumentParser
from collections import Counter

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import OutboxMessage, OutboxStatus
from games.services import outbox, relay
from games.services.outbox import Fate

UNSENT = 1
NO_SERVER = 2


class Command(BaseCommand):
    """Do what the worker's relay does, and say what was done.

    The exit code is 0 when everything due is settled, 1 when mails were put off or given up (or
    had been given up before), 2 when there is no mail server to talk to.
    """

    help = (
        "Send the mails that are due. Exit code: 0 all settled, 1 some put off or given up, "
        "2 no mail server."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--retry-given-up",
            action="store_true",
            help="try once more what was given up, for instance after mending the mail server",
        )

    def handle(self, *, retry_given_up: bool, **options: object) -> None:
        """Send, batch by batch, and report.

        :raises CommandError: with return code 1 or 2, see the class.
        """
        if retry_given_up:
            count = outbox.retry_given_up(now=timezone.now())
            self.stdout.write(f"given up before, tried again: {count}")
        fates = relay.deliver_all(clock=timezone.now)
        for fate in Fate:
            if fates[fate]:
                self.stdout.write(f"{fate}: {fates[fate]}")
        if not fates:
            self.stdout.write("nothing was due")
        _judge(fates)


def _judge(fates: Counter[Fate]) -> None:
    if fates[Fate.NO_SERVER]:
        raise CommandError("no mail server; everything waits", returncode=NO_SERVER)
    given_up = OutboxMessage.objects.filter(status=OutboxStatus.DEAD).count()
    waiting = fates[Fate.PUT_OFF] + fates[Fate.RELEASED]
    if waiting or given_up:
        raise CommandError(f"{waiting} put off, {given_up} given up in all", returncode=UNSENT)

"""``manage.py after_restore``: roll anew what players may have seen before the restore."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from games.models import Game
from games.services import restore


class Command(BaseCommand):
    help = (
        "After restoring a backup: roll every open round anew, in its next epoch, since its dice "
        "may have been shown in the time that was lost. Run it before the site opens again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the moment of the restore, and the games whose seed was published meanwhile."""
        parser.add_argument(
            "restored_at", type=_moment, help="when, in ISO form: 2026-05-04T12:00:00+00:00"
        )
        parser.add_argument(
            "--opened",
            nargs="*",
            default=[],
            metavar="CODE",
            help="games that had ended or been called off before the restore: they get a new seed",
        )

    def handle(self, *_args: Any, restored_at: datetime, opened: list[str], **_: Any) -> None:
        """Replace the seeds that went out, then roll every other open round anew."""
        now = timezone.now()
        unknown = set(opened) - set(
            Game.objects.filter(code__in=opened).values_list("code", flat=True)
        )
        if unknown:
            raise CommandError(f"there is no game {', '.join(sorted(unknown))}")
        replaced = sum(
            restore.replace_seed(code=code, restored_at=restored_at, now=now) for code in opened
        )
        rolled = sum(
            restore.roll_anew(code=code, restored_at=restored_at, now=now)
            for code in restore.rolled_before(restored_at)
        )
        self.stdout.write(f"seeds replaced: {replaced}, rounds rolled anew: {rolled}")


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text} is no time: 2026-05-04T12:00:00+00:00 is one") from None
    if timezone.is_naive(moment):
        raise ArgumentTypeError("say the zone too, as in 2026-05-04T12:00:00+00:00")
    return moment

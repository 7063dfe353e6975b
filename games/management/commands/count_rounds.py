"""``manage.py count_rounds``: count how players keep their turns, without Celery."""

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from games.services import conduct


class Command(BaseCommand):
    """Count the rounds that are over and not counted yet; or, with ``--anew``, all of them."""

    help = "Bring reliability and answer times up to date with the rounds that are over."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add ``--anew``."""
        parser.add_argument(
            "--anew",
            action="store_true",
            help="forget what was counted, and work it out again from the log",
        )

    def handle(self, *, anew: bool, **options: object) -> None:
        """Count, and say how many rounds."""
        now = timezone.now()
        count = conduct.count_anew(now=now) if anew else 0
        while counted := conduct.count_rounds(now=now):
            count += counted
        self.stdout.write(f"rounds counted: {count}")

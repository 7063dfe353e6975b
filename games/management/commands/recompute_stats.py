"""``manage.py recompute_stats``: count finished games, or check or redo what was counted."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.services import statistics


class Command(BaseCommand):
    """Work out all statistics again from the games; or, with ``--check``, compare and say where."""

    help = "Work out all statistics again from the record of finished games."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add ``--check``."""
        parser.add_argument(
            "--check",
            action="store_true",
            help="change nothing; fail if what is stored is not what a recount gives",
        )

    def handle(self, *, check: bool, **options: object) -> None:
        """Count what is waiting, then compare or redo.

        :raises CommandError: ``--check`` found a difference.
        """
        waiting = 0
        while counted := statistics.count_games():
            waiting += counted
        if not check:
            count = statistics.recompute()
            self.stdout.write(f"games counted anew: {count}")
            return
        found = statistics.differences()
        if found:
            raise CommandError("not as a recount gives: " + ", ".join(found[:50]))
        self.stdout.write("all is as a recount gives")

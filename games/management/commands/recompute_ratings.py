"""``manage.py recompute_ratings``: work out all ratings again from the games."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from games.services import ratings, rerating


class Command(BaseCommand):
    """Write all ratings anew; or, with ``--check``, say whether they are what the games say."""

    help = (
        "Rate the games that wait for it, then work out all ratings and leaderboards again, in the "
        "order in which games were rated. With --check nothing is written; the exit code is 1 "
        "where something differs."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add ``--check``."""
        parser.add_argument("--check", action="store_true", help="only compare, and write nothing")

    def handle(self, *, check: bool, **options: object) -> None:
        """Recompute or compare.

        :raises CommandError: with ``--check``, where rows differ.
        """
        if not check:
            while ratings.rate_games(now=timezone.now()):
                pass  # what no worker has rated yet
            self.stdout.write(f"games rated: {rerating.recompute(now=timezone.now())}")
            return
        games, wrong = rerating.differences()
        if wrong:
            raise CommandError(f"{wrong} rows differ from what {games} games say")
        self.stdout.write(f"games rated: {games}; what is stored is what they say")

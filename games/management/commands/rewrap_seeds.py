"""``manage.py rewrap_seeds``: encrypt every seed under the newest key."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games import store


class Command(BaseCommand):
    help = (
        "Encrypt the seeds of all games under the first of SEED_KEYS. Safe to repeat and to kill. "
        "When it has nothing left to do, the other keys may go."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Rewrap, and fail where a seed could not be read: its key must not be thrown away."""
        done, unreadable = store.rewrap_seeds()
        self.stdout.write(f"seeds rewrapped: {done}")
        if unreadable:
            raise CommandError(
                f"{unreadable} seeds could not be read and stay as they are: "
                "add the key that they were encrypted with to SEED_KEYS."
            )

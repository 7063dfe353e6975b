"""Erase sign-ups that nobody finished."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.services import forget_unconfirmed


class Command(BaseCommand):
    help = "Erase sign-ups whose address was never confirmed (older than 45 minutes)."

    def handle(self, *args: Any, **options: Any) -> None:
        """Erase them, and say how many there were."""
        count = forget_unconfirmed(now=timezone.now())
        self.stdout.write(f"{count} unfinished sign-ups erased")

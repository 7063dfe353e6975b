"""Erase personal data that nobody needs any more."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.services import tidy


class Command(BaseCommand):
    help = "Erase sign-ups that nobody finished, and what is kept of sessions that are over."

    def handle(self, *args: Any, **options: Any) -> None:
        """Erase them, and say how many there were."""
        tidied = tidy(now=timezone.now())
        self.stdout.write(f"erased: {tidied.sign_ups} sign-ups, {tidied.sessions} sessions")

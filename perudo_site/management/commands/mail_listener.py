"""``manage.py mail_listener``: take the site's mail on a port of this machine."""

import asyncio
from argparse import ArgumentParser
from datetime import datetime

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import close_old_connections

from perudo_site.mailbox import listener, store


class Command(BaseCommand):
    """Listen for mail and keep it for the mailbox page."""

    help = "Takes the mail that a development site sends, for its page /mailbox/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=int, default=settings.MAIL_PORT)

    def handle(self, *, host: str, port: int, **options: object) -> None:
        if not (settings.DEVELOPMENT and settings.MAILBOX_ENABLED):
            raise CommandError("The mailbox is for development only (PERUDO_DEVELOPMENT=1).")
        try:
            asyncio.run(
                listener.serve(host=host, port=port, deliver=deliver, ready=self._say_ready)
            )
        except OSError as error:
            raise CommandError(
                f"Cannot take mail on {host}:{port} ({error.strerror}). Set MAIL_PORT to another."
            ) from error

    def _say_ready(self, port: int) -> None:
        self.stdout.write(f"taking mail on port {port}")
        self.stdout.flush()


def deliver(envelope_from: str, envelope_to: list[str], raw: bytes, now: datetime) -> None:
    """Keep one mail."""
    close_old_connections()
    store.keep(envelope_from=envelope_from, envelope_to=envelope_to, raw=raw, now=now)

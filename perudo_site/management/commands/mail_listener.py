"""``manage.py mail_listener``: take mail on a port of this machine, or on a socket."""

import asyncio
from argparse import ArgumentParser

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from perudo_site.doors import listener, taking

PROTOCOLS = ("smtp", "lmtp")


class Command(BaseCommand):
    """Listen for mail: of players, and in development of the site itself."""

    help = "Takes what players send to the inbound domain; a development site's own mail, too."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.MAIL_HOST)
        parser.add_argument("--port", type=int, default=settings.MAIL_PORT)
        parser.add_argument(
            "--socket", default=settings.MAIL_SOCKET, help="a path, in place of host and port"
        )
        parser.add_argument("--protocol", choices=PROTOCOLS, default=settings.MAIL_PROTOCOL)

    def handle(
        self, *, host: str, port: int, socket: str, protocol: str, **options: object
    ) -> None:
        if not (settings.INBOUND_DOMAIN or settings.MAILBOX_ENABLED):
            raise CommandError("No mail is for us: set INBOUND_DOMAIN (docs/mail.md).")
        if protocol not in PROTOCOLS:  # a default is no choice that argparse looks at
            raise CommandError("MAIL_PROTOCOL is smtp or lmtp.")
        where = listener.Where(host, port, socket, is_lmtp=protocol == "lmtp")
        try:
            asyncio.run(
                listener.serve(
                    where=where,
                    refuse=taking.refuse,
                    deliver=taking.deliver_by(protocol),
                    hostname=settings.INBOUND_DOMAIN or "localhost",
                    ready=lambda port: self._say_ready(where, port),
                )
            )
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            name = "MAIL_SOCKET" if socket else "MAIL_PORT"
            raise CommandError(
                f"Cannot take mail on {where} ({reason}). Set {name} to another."
            ) from error

    def _say_ready(self, where: listener.Where, port: int) -> None:
        self.stdout.write(f"taking mail on {where.socket or f'port {port}'}")
        self.stdout.flush()

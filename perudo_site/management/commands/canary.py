"""``manage.py canary``: a game of the site's own, and a search for its secrets in any stream."""

import logging
import sys
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, BinaryIO

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from games.services import canary
from games.services.errors import StaleMove
from games.services.lobby import Player

logger = logging.getLogger(__name__)

FRESH_SECONDS = 60.0
"""How long the secrets of a round are looked for before they are read again."""

PIECE = 1 << 16


class Command(BaseCommand):
    """Move on the canary's game, or look for its secrets."""

    help = (
        "Without --scan: let the canary (CANARY_ADDRESS) play on, in a private game against bots; "
        "run it every hour. With --scan: look for the secrets of that game in files, or in what "
        "comes by standard input (-), and fail with a line in the log where one is found."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--scan", nargs="+", metavar="FILE")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Play, or look.

        :raises CommandError: a secret was found, there is no canary, or a file cannot be read.
        """
        if not settings.CANARY_ADDRESS:
            raise CommandError("CANARY_ADDRESS names no mailbox of yours: there is no canary.")
        user = User.objects.filter(email__iexact=settings.CANARY_ADDRESS).first()
        if options["scan"] is None:
            self._fly(user or _hatch())
            return
        if user is None or canary.game_of(user.pk) is None:
            raise CommandError("the canary is in no game: run manage.py canary first.")
        for name in options["scan"]:
            try:
                with sys.stdin.buffer if name == "-" else Path(name).open("rb") as stream:
                    self._scan(user, stream, name)
            except OSError as error:
                raise CommandError(f"{name} cannot be read: {error.strerror}") from error
        self.stdout.write("no secret of the canary's game was found")

    def _fly(self, user: User) -> None:
        try:
            game = canary.fly(canary=Player(user.pk, user.display_name), now=timezone.now())
        except StaleMove:
            self.stdout.write("the clock was quicker")
        else:
            self.stdout.write(f"the canary plays in {game.code}")

    def _scan(self, user: User, stream: BinaryIO, name: str) -> None:
        """Look through a stream to its end, however long that takes to come."""
        scanner, read_at = canary.Scanner(()), -FRESH_SECONDS
        while data := stream.read1(PIECE) if hasattr(stream, "read1") else stream.read(PIECE):
            if time.monotonic() - read_at > FRESH_SECONDS:
                game = canary.game_of(user.pk)
                scanner.look_for(canary.secrets_of(game) if game is not None else ())
                read_at = time.monotonic()
            if scanner.finds(data):
                logger.critical("canary: a secret of its game stands in %s", name)
                raise CommandError(f"a secret of the canary's game stands in {name}")


def _hatch() -> User:
    """Make the canary's account, which nobody can log in to but by its mailbox."""
    return accounts.create_user(email=settings.CANARY_ADDRESS, display_name="Canary")

"""``manage.py receive_mail``: a mail from standard input, as a mail server pipes it."""

import os
import sys
from argparse import ArgumentParser
from typing import IO, NoReturn

from django.core.management.base import BaseCommand
from django.utils import timezone

from games.services import receiving

LARGEST_MAIL = 2 * 1024 * 1024
"""Bytes of a mail; larger ones are refused."""


class Command(BaseCommand):
    """Store one mail; the exit status tells the mail server what became of it.

    The statuses are those of sysexits.h, which Postfix, Exim and Sendmail know: 0 kept, 67 nobody
    has that address, 75 try again later, 65 it is too large.
    """

    help = "Takes a mail from standard input for the address that it was sent to."
    # A second start of Django for each mail is dear enough.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--recipient", required=True, help="the envelope's recipient (Postfix: ${recipient})"
        )
        parser.add_argument(
            "--sender", default="", help="the envelope's sender; nothing for a bounce"
        )

    def handle(self, *, recipient: str, sender: str, **options: object) -> None:
        received_at = timezone.now()
        try:
            # First of all: a mail for nobody need not be read.
            if not receiving.knows(recipient=recipient):
                leave(os.EX_NOUSER, "no such address")
            raw = source(sys.stdin.buffer)
            receiving.store(
                raw=raw, recipient=recipient, received_at=received_at, door="pipe", sender=sender
            )
        except Exception as error:  # noqa: BLE001 - told; any other status would lose the mail
            leave(os.EX_TEMPFAIL, f"not kept, try again later ({type(error).__name__})")


def source(stream: IO[bytes]) -> bytes:
    """Return the mail, without the line that a mailbox would begin with.

    Ends the process when it is too large, or is none.
    """
    raw = stream.read(LARGEST_MAIL + 1)
    if len(raw) > LARGEST_MAIL:
        leave(os.EX_DATAERR, "larger than 2 MB")
    if raw.startswith(b"From "):  # mbox, as Postfix's pipe writes it with flags=F
        raw = raw.partition(b"\n")[2]
    if not raw.strip():
        leave(os.EX_DATAERR, "an empty mail")
    return raw


def leave(status: int, why: str) -> NoReturn:
    """End the process with a status of sysexits.h and a reason that bounces may quote."""
    sys.stderr.write(f"receive_mail: {why}\n")
    raise SystemExit(status)

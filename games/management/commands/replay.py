"""``manage.py replay FILE``: tell a game record and check it against the rules."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from games.rules.record import GameRecord, RecordError, account, load, replay
from games.rules.record.lines import MAX_BYTES

DIFFERENT = 1
UNREADABLE = 2


class Command(BaseCommand):
    """Print a readable account of a game record and where the rules disagree with it.

    The exit code is 0 for no difference, 1 for differences, 2 for a text that is no game record.
    """

    help = (
        "Replay a game record through the rules and say what differs. "
        "Exit code: 0 no difference, 1 differences, 2 not a readable game record."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the file to read."""
        parser.add_argument("file", type=Path, help="a game record (JSON Lines)")
        parser.add_argument("--quiet", action="store_true", help="leave the account out")

    def handle(self, *, file: Path, quiet: bool, **options: object) -> None:
        """Read, tell and judge the record.

        :raises CommandError: with return code 1 or 2, see the class.
        """
        record = _read(file)
        lines = [] if quiet else [*account(record), ""]
        differences = replay(record)
        lines += [str(difference) for difference in differences] or ["no difference"]
        # A name may hold signs that the terminal's encoding lacks; it is told, not fatal.
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        self.stdout.write("\n".join(lines).encode(encoding, "backslashreplace").decode(encoding))
        if differences:
            count = len(differences)
            raise CommandError(
                "1 difference" if count == 1 else f"{count} differences", returncode=DIFFERENT
            )


def _read(file: Path) -> GameRecord:
    try:
        with file.open("rb") as stream:
            # One byte more than a record may have, so that an endless file is refused, not read.
            text = stream.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CommandError(f"{file}: {reason}", returncode=UNREADABLE) from None
    try:
        return load(text)
    except RecordError as error:
        raise CommandError(f"{file}, {error}", returncode=UNREADABLE) from None

"""``manage.py receive_mail``: the statuses of sysexits.h, which mail servers know."""

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError

from games.management.commands import receive_mail
from games.models import InboundMail
from games.services import receiving
from tests.cast import table
from tests.integration.doors.known import stored, turn_address

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[3]
MAIL = b"From: alice@example.org\nMessage-ID: <1@example.org>\n\ndudo\n"


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> Any:
    def run(raw: bytes, recipient: str, *, sender: str = "") -> int:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
        try:
            call_command("receive_mail", recipient=recipient, sender=sender)
        except SystemExit as end:
            return int(end.code or 0)
        return os.EX_OK

    return run


@pytest.fixture
def address() -> str:
    """Where alice answers her turn."""
    return turn_address(table(), "alice")


def test_a_mail_is_kept(pipe: Any, address: str) -> None:
    assert pipe(MAIL, address, sender="alice@example.org") == 0
    [(mail, parcel)] = stored()
    assert (mail.door, parcel.raw, parcel.sender) == ("pipe", MAIL, "alice@example.org")


def test_a_mail_that_is_piped_twice_is_one(pipe: Any, address: str) -> None:
    assert pipe(MAIL, address) == 0
    assert pipe(MAIL, address) == 0
    assert InboundMail.objects.count() == 1


def test_the_line_of_a_mailbox_is_no_part_of_the_mail(pipe: Any, address: str) -> None:
    pipe(b"From alice@example.org  Sat Nov 21 12:00:00 2026\n" + MAIL, address)
    assert stored()[0][1].raw == MAIL


def test_nobodys_mail_is_refused_for_good(pipe: Any) -> None:
    assert pipe(MAIL, "nobody@in.localhost") == os.EX_NOUSER == 67
    assert InboundMail.objects.count() == 0


@pytest.mark.parametrize("raw", [b"", b"\n\n", b"x" * (receive_mail.LARGEST_MAIL + 1)])
def test_what_is_no_mail_or_too_large_is_refused(pipe: Any, address: str, raw: bytes) -> None:
    assert pipe(raw, address) == os.EX_DATAERR == 65
    assert InboundMail.objects.count() == 0


@pytest.mark.parametrize("breaks", ["knows", "store"])
def test_without_a_database_it_is_to_be_tried_again(
    pipe: Any, address: str, breaks: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def away(**_: object) -> int:
        raise OperationalError(f"no room for {address}")

    monkeypatch.setattr(receiving, breaks, away)
    assert pipe(MAIL, address) == os.EX_TEMPFAIL == 75
    assert capsys.readouterr().err == (
        "receive_mail: not kept, try again later (OperationalError)\n"
    )


@pytest.mark.slow
@pytest.mark.one_database
@pytest.mark.parametrize(
    # The first cannot be an address of ours, so the database is not even asked.
    ("recipient", "status"),
    [("m-x@in.localhost", 67), (f"m-{'0' * 26}@in.localhost", 75)],
)
def test_a_mail_server_sees_the_status(tmp_path: Path, recipient: str, status: int) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", "receive_mail", f"--recipient={recipient}"],
        input=MAIL,
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "PERUDO_DEVELOPMENT": "1",
            "PERUDO_VAR": str(tmp_path),
            "DATABASE_URL": "postgres://u@127.0.0.1:1/x",
        },
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == status, done.stderr
    assert b"Traceback" not in done.stderr

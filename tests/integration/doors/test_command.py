"""``manage.py mail_listener``, as a supervisor runs it."""

import os
import signal
import smtplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PRODUCTION = {
    "SECRET_KEY": "not a secret, but long enough for a test of the listener",
    "SEED_KEYS": "test:" + "ab" * 32,
    "INBOUND_DOMAIN": "in.example.org",
}

pytestmark = [pytest.mark.one_database, pytest.mark.slow]


@contextmanager
def running(var: Path, *arguments: str, **environment: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "manage.py", "mail_listener", "--skip-checks", *arguments]
    env = {"PATH": os.environ["PATH"], "PERUDO_VAR": str(var), "MAIL_PORT": "0", **environment}
    with subprocess.Popen(
        command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_in_production_it_takes_lmtp_on_a_socket_and_ends_when_asked(tmp_path: Path) -> None:
    where = tmp_path / "lmtp.sock"
    with running(tmp_path, MAIL_SOCKET=str(where), **PRODUCTION) as process:
        assert first_line(process) == f"taking mail on {where}"
        with smtplib.LMTP(str(where)) as client:
            assert client.ehlo()[0] == 250
            client.mail("alice@example.org")
            # The mailbox is for development: nobody but players gets mail here.
            assert client.rcpt("alice@example.org")[0] == 550
            # It could be one of ours, and there are no tables: whoever sends it tries again.
            assert client.rcpt(f"m-{'0' * 26}@in.example.org")[0] == 451
            process.send_signal(signal.SIGTERM)
            assert process.wait(10) == 0
    assert not where.exists()


def test_in_production_without_a_domain_nothing_is_for_us(tmp_path: Path) -> None:
    with running(tmp_path, **{**PRODUCTION, "INBOUND_DOMAIN": ""}) as process:
        assert first_line(process) == (
            "CommandError: No mail is for us: set INBOUND_DOMAIN (docs/mail.md)."
        )
        assert process.wait(10) == 1


def test_a_place_where_it_cannot_listen_names_the_setting(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    where = tmp_path / "file" / "mail.sock"
    with running(tmp_path, MAIL_SOCKET=str(where), **PRODUCTION) as process:
        output, _ = process.communicate(timeout=30)
    assert output.splitlines()[-1] == (
        f"CommandError: Cannot take mail on {where} (Not a directory). Set MAIL_SOCKET to another."
    )
    assert "Traceback" not in output


def test_a_protocol_that_it_does_not_speak_is_refused(tmp_path: Path) -> None:
    with running(tmp_path, MAIL_PROTOCOL="uucp", **PRODUCTION) as process:
        assert first_line(process) == "CommandError: MAIL_PROTOCOL is smtp or lmtp."

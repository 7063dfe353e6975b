"""``manage.py up``: everything together, and together to its end."""

import os
import re
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery

from tests.running_site import PATIENCE_SECONDS, ROOT, Site, free_port

NAMES = ("broker", "web", "worker", "beat", "mail")

pytestmark = [pytest.mark.one_database, pytest.mark.slow, pytest.mark.timeout(180)]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path)
    yield site
    site.kill()


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_up_serves_a_page_takes_mail_works_and_ends_cleanly(site: Site) -> None:
    address = site.wait_for(r"up +\| ready: (\S+)")[1]
    assert address == f"http://localhost:{site.port}"

    # What was announced is true at that very moment.
    status, _ = site.get("/")
    assert status == 200
    mail_port = int(site.wait_for(r"taking mail on port (\d+)")[1])
    with smtplib.SMTP("127.0.0.1", mail_port, timeout=10) as smtp:
        smtp.sendmail("a@localhost", ["alice@example.org"], b"Subject: a very rare word\r\n\r\n.")
    assert "a very rare word" in site.get("/mailbox/")[1]

    # The worker takes work from the broker.
    app = Celery(broker=f"redis+socket://{site.environment['PERUDO_VAR']}/valkey.sock")
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not app.control.ping(timeout=0.5):
        assert time.monotonic() < deadline, site.output
    app.close()

    # A second start on the same data is refused, with a sentence.
    second = subprocess.run(
        [sys.executable, str(ROOT / "manage.py"), "up"],
        env={**site.environment, "PORT": str(free_port())},
        cwd="/",
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert second.returncode == 1
    assert "already running" in second.stderr
    assert "Traceback" not in second.stderr

    # It ends when asked, in order, with nothing left.
    site.up.send_signal(signal.SIGINT)
    assert site.wait() == 0, site.output
    assert "Traceback" not in site.output, site.output
    assert site.processes() == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
def test_a_kill_of_up_leaves_nothing_and_a_dead_child_ends_all(site: Site) -> None:
    site.wait_for(r"up +\| ready")
    worker_children = r"celery.* worker"
    deadline = time.monotonic() + PATIENCE_SECONDS
    # The worker, the two that it forks, gunicorn's three, beat, mail, the broker and up itself.
    while len([1 for _, command in site.processes() if re.search(worker_children, command)]) < 3:
        assert time.monotonic() < deadline, site.processes()
        time.sleep(0.1)
    assert len(site.processes()) >= 10
    # Stopped, none of them can notice by itself that its parent is gone: a busy one would not.
    for pid, _ in site.processes():
        if pid != site.up.pid:
            os.kill(pid, signal.SIGSTOP)
    site.up.kill()
    site.up.wait()
    site.wait_until_gone()

    # The same folder starts again at once; now one of its programs dies.
    site.log.write_text("")
    site.up = site.start()
    site.wait_for(r"up +\| ready")
    beat = next(pid for pid, command in site.processes() if " beat" in command)
    os.kill(beat, signal.SIGKILL)
    assert site.wait() == 1
    assert "beat was ended by signal 9, so everything was stopped." in site.output
    assert "Traceback" not in site.output, site.output
    assert site.processes() == []


class TestRefusals:
    """One clear sentence each, and no traceback."""

    def refusal(self, var: Path, **environment: str) -> str:
        site = Site(var, **environment)
        try:
            assert site.wait() == 1
            assert "Traceback" not in site.output
            return site.output.strip()
        finally:
            site.kill()

    def test_a_taken_port_names_the_setting(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            words = self.refusal(tmp_path, PORT=str(port))
        assert words == (
            f"CommandError: Cannot listen on 127.0.0.1:{port} (Address already in use). "
            f"Set PORT to another, for instance PORT={port % 60000 + 1}."
        )

    def test_a_taken_mail_port_that_was_asked_for_names_the_setting(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            words = self.refusal(tmp_path, MAIL_PORT=str(taken.getsockname()[1]))
        assert "Set MAIL_PORT to another" in words

    def test_a_redis_less_machine_and_a_dead_database_are_told_apart(self, tmp_path: Path) -> None:
        words = self.refusal(
            tmp_path, DATABASE_URL="postgres://u@127.0.0.1:1/x", REDIS_URL="redis://127.0.0.1:1"
        )
        assert "The database cannot be brought up to date" in words

    def test_a_folder_that_cannot_be_written_names_the_setting(self, tmp_path: Path) -> None:
        # Below a file; unlike a forbidden folder, this stops root too.
        (tmp_path / "file").touch()
        words = self.refusal(tmp_path, PERUDO_VAR=str(tmp_path / "file" / "var"))
        assert "set PERUDO_VAR to a folder of yours" in words

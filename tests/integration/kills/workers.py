"""A real worker beside a test, with a broker, a mail server and a web server of the test's own."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from ssl import SSLSocket
from urllib.parse import urlsplit

from celery import Celery
from django.conf import settings
from django.db import connection

from perudo_site.leash import die_with_parent
from tests.conftest import POSTGRES_URL
from tests.integration.games.post_office import PostOffice, post_office
from tests.integration.security.stand_in import StandIn, listening
from tests.running_site import ROOT

PATIENCE_SECONDS = 60

RELAY = "games.tasks.relay_outbox"
SWEEP = "games.tasks.expire_turns"
COUNT = "games.tasks.count_rounds"


def wait_until(condition: Callable[[], object], what: str = "it") -> None:
    """Wait until ``condition`` holds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.02)


def database_url() -> str:
    """Return the address of the database that the tests of this process use."""
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    server = urlsplit(os.environ[POSTGRES_URL])
    return f"postgres://{server.netloc}/{name}?{server.query}"


@dataclass
class Street:
    """A web server that takes what is sent, and says so unless it is ``busy``."""

    busy: bool = False
    was_read: threading.Event = field(default_factory=threading.Event)

    def behave(self, client: SSLSocket) -> None:
        self.was_read.set()
        while self.busy:
            time.sleep(0.02)
        client.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")


@dataclass
class Worker:
    """A worker with one process in its pool, which a test kills in the middle of its work."""

    folder: Path
    broker: str
    office: PostOffice
    street: Street
    server: StandIn

    def start(self) -> None:
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "PERUDO_DEVELOPMENT": "1",
            "PERUDO_VAR": str(settings.VAR_DIR),
            "DATABASE_URL": database_url(),
            "REDIS_URL": self.broker,
            "EMAIL_URL": f"smtp://127.0.0.1:{self.office.port}",
            "HALT_FOLDER": str(self.folder),
            "HALT_TRUST": str(self.folder / "certificate.pem"),
            "HALT_PORT": str(self.server.port),
        }
        command = [
            *(sys.executable, "-m", "celery", "--quiet", "--skip-checks"),
            *("-A", "tests.integration.kills.halting", "worker", "-c", "1", "-l", "WARNING"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ]
        here = os.getpid()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                env=environment,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=lambda: die_with_parent(here),  # noqa: PLW1509
            )

    @property
    def log(self) -> Path:
        return self.folder / "worker.log"

    def ask(self, task: str, *args: object) -> None:
        """Send a task, as a nudge or the beat does."""
        address = f"redis+socket://{urlsplit(self.broker).path}"
        with Celery(broker=address, set_as_current=False) as queue:
            queue.send_task(task, args=args, ignore_result=True)

    def run(self, task: str, *args: object) -> None:
        """Send a task and wait until it is done."""
        before = self.done()
        self.ask(task, *args)
        self.wait_done(task, before)

    def done(self) -> list[str]:
        """Return the tasks that were done, with how they ended."""
        file = self.folder / "done"
        return file.read_text().splitlines() if file.exists() else []

    def wait_done(self, task: str, before: list[str]) -> None:
        # What was killed before comes again when the broker likes, and may end meanwhile.
        wait_until(lambda: f"{task} SUCCESS" in self.done()[len(before) :], task)
        assert all(line.endswith(" SUCCESS") for line in self.done()[len(before) :])

    def kill(self) -> None:
        """Kill the process that works, with -9; the worker puts another one in its place."""
        os.kill(int((self.folder / "works").read_text()), signal.SIGKILL)

    def kill_all(self) -> None:
        """Kill the worker and everything that it has started, with -9."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    @contextmanager
    def halting(self, at: str) -> Iterator[None]:
        """Let whoever executes a statement with these words in it halt behind it."""
        (self.folder / "at").write_text(at)
        try:
            yield
        finally:
            (self.folder / "at").unlink()

    def wait_halted(self) -> int:
        """Return the process that has halted, once one has."""
        halted = self.folder / "halted"
        wait_until(lambda: halted.exists() and halted.read_text(), "a halt")
        pid = int(halted.read_text())
        halted.unlink()
        return pid


@contextmanager
def worker_beside(folder: Path, broker: str) -> Iterator[Worker]:
    """Run a worker that is rung by ``broker`` until the block ends."""
    street = Street()
    with post_office() as office, listening(street.behave, folder) as server:
        worker = Worker(folder, broker, office, street, server)
        worker.start()
        try:
            yield worker
        finally:
            street.busy = office.busy = False
            worker.kill_all()

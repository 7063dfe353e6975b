"""A whole site that ``manage.py up`` runs for a test: its processes, its log, its end."""

import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).parents[1]
PATIENCE_SECONDS = 60


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Site:
    """A site that ``up`` runs on a folder of its own."""

    def __init__(self, var: Path, **environment: str) -> None:
        self.mark = uuid.uuid4().hex
        self.port = free_port()
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(var),
            "PERUDO_DEVELOPMENT": "1",
            "PERUDO_VAR": str(var),
            "PORT": str(self.port),
            # Any free one: sites of other tests start at the same moment, and look for the usual.
            "MAIL_PORT": "0",
            # Handed down to every process that it starts, and theirs.
            "MARK": self.mark,
            **environment,
        }
        self.log = var / f"{self.mark}.log"
        self.up = self.start()

    def start(self) -> "subprocess.Popen[bytes]":
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "up"],
                env=self.environment,
                cwd="/",
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self.log.read_text()

    def wait_for(self, pattern: str) -> re.Match[str]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := re.search(pattern, self.output)):
            assert self.up.poll() is None, self.output
            assert time.monotonic() < deadline, self.output
            time.sleep(0.05)
        return found

    def wait(self) -> int:
        return self.up.wait(PATIENCE_SECONDS)

    def get(self, path: str) -> tuple[int, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("GET", path)
        response = connection.getresponse()
        answer = response.status, response.read().decode()
        connection.close()
        return answer

    def processes(self) -> list[tuple[int, str]]:
        """Every living process of this site: number and command line."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                marked = f"MARK={self.mark}".encode() in (folder / "environ").read_bytes()
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue  # gone meanwhile, or somebody else's
            # The broker writes its title over its environment, but names its socket there.
            if (marked and command) or self.environment["PERUDO_VAR"] in command:
                found.append((int(folder.name), command))
        return found

    def wait_until_gone(self) -> None:
        deadline = time.monotonic() + 5
        while left := self.processes():
            assert time.monotonic() < deadline, left
            time.sleep(0.05)

    def kill(self) -> None:
        self.up.kill()
        self.up.wait()
        for pid, _ in self.processes():
            with contextlib.suppress(ProcessLookupError):  # it was on its way out by itself
                os.kill(pid, signal.SIGKILL)

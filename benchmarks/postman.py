"""The other end of SMTP, in a process of its own, whose CPU time is nobody's.

``python -m benchmarks.postman sink`` takes mails and throws them away; it prints its port first.
``python -m benchmarks.postman send`` reads lines of JSON, ``{"port": …, "mails": [[from, to, text],
…]}``, sends the mails over one connection and prints how many were taken.
"""

import asyncio
import contextlib
import json
import smtplib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import IO, Any

from aiosmtpd.smtp import SMTP

Mail = tuple[str, str, str]


class Discard:
    """Says that it kept every mail."""

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        return "250 OK"


async def take(handler: Any) -> None:
    """Take mails for ever."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(handler, hostname="localhost", loop=loop), "127.0.0.1", 0
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def send(lines: IO[str]) -> None:
    """Send what each line holds."""
    for line in lines:
        job = json.loads(line)
        taken = 0
        with smtplib.SMTP("127.0.0.1", job["port"], local_hostname="localhost") as smtp:
            for sender, to, text in job["mails"]:
                smtp.sendmail(sender, [to], text.encode())
                taken += 1
        print(taken, flush=True)


@contextlib.contextmanager
def sink() -> Iterator[int]:
    """Run a server that throws everything away; give its port."""
    with _running("sink") as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())


class Sender:
    """Sends mails from the other process."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def send(self, port: int, mails: Sequence[Mail]) -> int:
        """Send mails to a port of this machine; return how many were taken."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"port": port, "mails": mails}) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


@contextlib.contextmanager
def sender() -> Iterator[Sender]:
    """Run a process that sends mails."""
    with _running("send") as process:
        yield Sender(process)


@contextlib.contextmanager
def _running(what: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.postman", what]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


if __name__ == "__main__":
    if sys.argv[1] == "sink":
        asyncio.run(take(Discard()))
    else:
        send(sys.stdin)

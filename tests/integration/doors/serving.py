"""The listener in a thread of its own, for tests that talk to it as mail servers do."""

import asyncio
import smtplib
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from perudo_site.doors import listener

DOMAIN = "in.example.org"


@dataclass
class Desk:
    """Keeps what it is handed; knows only some, and can be out of order."""

    known: frozenset[str] = frozenset({f"alice@{DOMAIN}", f"bob@{DOMAIN}"})
    out_of_order: frozenset[str] = frozenset()
    kept: list[tuple[str, list[str], bytes]] = field(default_factory=list)
    times: list[datetime] = field(default_factory=list)

    def refuse(self, recipient: str) -> str | None:
        if "lookup" in self.out_of_order:
            raise OSError("no database")
        return None if recipient in self.known else "550 5.1.1 No such address here"

    def deliver(self, sender: str, to: Sequence[str], raw: bytes, received_at: datetime) -> None:
        if self.out_of_order & set(to):
            raise OSError("no database")
        self.kept.append((sender, list(to), raw))
        self.times.append(received_at)


@contextmanager
def listening(
    refuse: listener.Refuse,
    deliver: listener.Deliver,
    *,
    where: listener.Where | None = None,
) -> Iterator[int]:
    """Take mails in a thread; give the port."""
    ready = threading.Event()
    ports: list[int] = []
    loop = asyncio.new_event_loop()

    def say_ready(port: int) -> None:
        ports.append(port)
        ready.set()

    async def ends() -> None:
        """Wait for the connections' own ends, as asyncio.run does."""
        left = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*left, return_exceptions=True)

    task = loop.create_task(
        listener.serve(
            where=where or listener.Where(),
            refuse=refuse,
            deliver=deliver,
            hostname=DOMAIN,
            ready=say_ready,
        )
    )

    def run() -> None:
        try:
            loop.run_until_complete(task)
        except asyncio.CancelledError:
            loop.run_until_complete(ends())
        finally:
            loop.close()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert ready.wait(10)
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(10)


@contextmanager
def desk(
    *, where: listener.Where | None = None, **how: frozenset[str]
) -> Iterator[tuple[Desk, int]]:
    """Listen for a :class:`Desk`; give it and the port."""
    made = Desk(**how)
    with listening(made.refuse, made.deliver, where=where) as port:
        yield made, port


def smtp(port: int) -> smtplib.SMTP:
    """Return a connection as a mail server would make it."""
    return smtplib.SMTP("127.0.0.1", port, timeout=10, local_hostname="border.example.org")


def hears(port: int) -> str:
    """Return the first line that a new connection is told."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        return connection.recv(1000).decode()

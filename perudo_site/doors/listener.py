"""The server that takes mail on a port or a socket: connections, threads, and the end."""

import asyncio
import contextlib
import logging
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from django.db import close_old_connections, connections

from perudo_site.doors import protocol

T = TypeVar("T")
logger = logging.getLogger(__name__)

WORKERS: Final = 4
"""Threads that talk to the database, so that one that waits for a lock holds up no other."""

SOCKET_UMASK: Final = 0o117
"""The mail server in front shares a group with us; nobody else writes to the socket."""

Refuse = Callable[[str], str | None]
"""Gives the SMTP reply that refuses a recipient, or None to take him. May wait."""

Deliver = Callable[[str, Sequence[str], bytes, datetime], None]
"""Keeps a mail: its envelope's sender ("" for a bounce), recipients, source, when it came."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where to listen, and in which protocol. A ``socket`` path goes before host and port."""

    host: str = "127.0.0.1"
    port: int = 0
    socket: str = ""
    is_lmtp: bool = False

    def __str__(self) -> str:
        return self.socket or f"{self.host}:{self.port}"


class Counter:
    """Where mails are handed in: what waits for the database waits in a thread."""

    def __init__(self, *, refuse: Refuse, deliver: Deliver) -> None:
        self._refuse = refuse
        self._deliver = deliver
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="mail")

    async def refusal(self, recipient: str) -> str | None:
        """Return the reply that refuses ``recipient``; for now, when nobody can say."""
        try:
            return await self._away(lambda: self._refuse(recipient))
        except Exception as error:  # noqa: BLE001 - recorded, and the client keeps the mail
            logger.error("a recipient could not be looked up: %s", type(error).__name__)
            return protocol.BUSY

    async def keep(self, sender: str, groups: list[list[str]], raw: bytes) -> list[str]:
        """Return 250 for each group for which the mail is kept, and 451 for the others."""
        now = datetime.now(UTC)
        return [await self._keep(sender, group, raw, now) for group in groups]

    async def _keep(self, sender: str, to: Sequence[str], raw: bytes, now: datetime) -> str:
        try:
            await self._away(lambda: self._deliver(sender, to, raw, now))
        except Exception as error:  # noqa: BLE001 - recorded, and the client keeps the mail
            logger.error("a mail could not be kept: %s", type(error).__name__)
            return protocol.BUSY
        return "250 2.0.0 Kept"

    async def _away(self, work: Callable[[], T]) -> T:
        def run() -> T:
            close_old_connections()
            try:
                return work()
            finally:
                close_old_connections()

        return await asyncio.get_running_loop().run_in_executor(self._pool, run)

    def close(self) -> None:
        """Finish what was begun, and close each thread's connection to the database."""
        everybody = threading.Barrier(WORKERS)

        def leave() -> None:
            connections.close_all()
            everybody.wait(timeout=30)  # or one thread would do it for all of them

        for _ in range(WORKERS):
            self._pool.submit(leave)
        self._pool.shutdown()


async def serve(
    *, where: Where, refuse: Refuse, deliver: Deliver, hostname: str, ready: Callable[[int], None]
) -> None:
    """Take mails until SIGINT or SIGTERM; call ``ready`` with the real port (0 for a socket).

    :raises OSError: we cannot listen there.
    """
    loop = asyncio.get_running_loop()
    counter = Counter(refuse=refuse, deliver=deliver)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
            # Only the main thread takes signals; a test that runs elsewhere cancels instead.
            loop.add_signal_handler(number, stop.set)
    try:
        async with _listening(where, counter, hostname) as port:
            ready(port)
            await stop.wait()
    finally:
        counter.close()


@contextlib.asynccontextmanager
async def _listening(where: Where, counter: Counter, hostname: str) -> AsyncIterator[int]:
    """Listen until the block ends; give the port."""
    loop = asyncio.get_running_loop()
    present: set[asyncio.BaseTransport] = set()

    def connection() -> asyncio.BaseProtocol:
        return protocol.session(
            counter, is_lmtp=where.is_lmtp, hostname=hostname, present=present, loop=loop
        )

    if where.socket:
        kept = os.umask(SOCKET_UMASK)
        try:
            server: asyncio.Server = await loop.create_unix_server(connection, where.socket)
        finally:
            os.umask(kept)
    else:
        server = await loop.create_server(connection, where.host, where.port)
    try:
        yield 0 if where.socket else server.sockets[0].getsockname()[1]
    finally:
        server.close()
        # Clients that are in the middle of a mail keep it, and try again.
        for transport in list(present):
            transport.close()
        if where.socket:
            Path(where.socket).unlink(missing_ok=True)

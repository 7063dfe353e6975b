"""A real SMTP server on loopback that answers as a test tells it."""

import asyncio
import contextlib
import email
import email.policy
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any, cast

from aiosmtpd.smtp import SMTP


@dataclass
class PostOffice:
    """What the server took, and how it answers.

    ``answers`` maps an address, or "DATA", to an SMTP reply; ``dies_at`` is the number of the
    mail (from 1) at which it hangs up and closes for good; ``silent`` takes connections and never
    says a word. While it is ``busy`` it has read a mail, and does not say yet that it takes it.
    """

    port: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    dies_at: int | None = None
    mails: list[EmailMessage] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    connections: int = 0
    arrived: threading.Event = field(default_factory=threading.Event)
    busy: bool = False
    was_read: threading.Event = field(default_factory=threading.Event)
    close: Any = None

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        answer = self.answers.get(address, "250 OK")
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.dies_at is not None and len(self.mails) + 1 >= self.dies_at:
            self.close()
            server.transport.abort()
            return "421 gone"
        self.was_read.set()
        while self.busy:
            await asyncio.sleep(0.02)
        answer = self.answers.get("DATA", "250 OK")
        if answer.startswith("250"):
            parsed = email.message_from_bytes(envelope.content, policy=email.policy.default)
            self.mails.append(parsed)
            self.recipients += envelope.rcpt_tos
            self.arrived.set()
        return answer


@contextlib.contextmanager
def post_office(*, silent: bool = False, **how: Any) -> Iterator[PostOffice]:
    """Run a server in a thread until the block ends."""
    office = PostOffice(**how)
    loop = asyncio.new_event_loop()

    def session() -> asyncio.Protocol:
        office.connections += 1
        if silent:
            return asyncio.Protocol()
        return cast(asyncio.Protocol, SMTP(office, loop=loop, hostname="localhost"))

    server = loop.run_until_complete(loop.create_server(session, "127.0.0.1", 0))
    office.port = server.sockets[0].getsockname()[1]
    office.close = server.close
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield office
    finally:
        loop.call_soon_threadsafe(server.close)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(5)
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.01))
        loop.close()

"""The SMTP server that takes the mail of a development site."""

import asyncio
import contextlib
import logging
import signal
from collections.abc import Callable
from datetime import UTC, datetime

from aiosmtpd.smtp import SMTP, Envelope, Session
from asgiref.sync import sync_to_async

logger = logging.getLogger(__name__)

LARGEST_MAIL = 10 * 1024 * 1024
"""Bytes of a mail; larger ones are refused."""

Deliver = Callable[[str, list[str], bytes, datetime], None]


class MailboxHandler:
    """Hand each received mail to ``deliver``; refuse it for now when that fails."""

    def __init__(self, deliver: Deliver) -> None:
        self._deliver = sync_to_async(deliver, thread_sensitive=True)

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Answer 250 only when the mail is kept (RFC 5321, 4.5.3.2.6 leaves the time for it)."""
        content = envelope.content
        raw = content.encode("utf-8", "replace") if isinstance(content, str) else content or b""
        try:
            await self._deliver(
                envelope.mail_from or "", list(envelope.rcpt_tos), raw, datetime.now(UTC)
            )
        except Exception:
            logger.exception("a mail could not be kept")
            return "451 4.3.0 Could not be kept, try again later"
        return "250 2.0.0 Kept"


async def serve(*, host: str, port: int, deliver: Deliver, ready: Callable[[int], None]) -> None:
    """Take mails on ``host:port`` until SIGINT or SIGTERM; call ``ready`` with the real port."""
    loop = asyncio.get_running_loop()
    handler = MailboxHandler(deliver)

    def session() -> SMTP:
        return SMTP(handler, data_size_limit=LARGEST_MAIL, hostname="localhost", loop=loop)

    server = await loop.create_server(session, host, port)
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError, RuntimeError, NotImplementedError):
            # Only the main thread takes signals; a test that runs elsewhere cancels instead.
            loop.add_signal_handler(number, stop.set)
    async with server:
        ready(server.sockets[0].getsockname()[1])
        await stop.wait()

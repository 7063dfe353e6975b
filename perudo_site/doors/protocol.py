"""SMTP (RFC 5321) and LMTP (RFC 2033) as this site speaks them, on aiosmtpd."""

import logging
from asyncio import BaseTransport, WriteTransport
from typing import Any, Final, Protocol, cast

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

logger = logging.getLogger(__name__)

LARGEST_MAIL: Final = 2 * 1024 * 1024
"""Bytes of a mail; larger ones are refused."""

IDLE_SECONDS: Final = 300.0
"""How long a client may take for a command, or for all of a mail (RFC 5321, 4.5.3.2.7)."""

MOST_CONNECTIONS: Final = 100
MOST_RECIPIENTS: Final = 100
"""Of one mail (RFC 5321, 4.5.3.1.8)."""

MOST_REFUSALS: Final = 20
"""Unknown recipients that one connection may ask for: more is a search for addresses."""

COMMANDS: Final = {
    # A border keeps its connection and sends many mails over it; of the rest nobody needs many.
    **dict.fromkeys(("MAIL", "RCPT", "DATA", "RSET"), 1000),
    **dict.fromkeys(("NOOP", "HELO", "EHLO", "LHLO", "QUIT"), 20),
    "*": 5,
}
FULL: Final = b"421 4.7.0 Too many connections, try again later\r\n"
BUSY: Final = "451 4.3.0 Could not be kept, try again later"


class Smtp(SMTP):
    """One connection of a client that speaks SMTP.

    :ivar present: the connections that are open now.
    """

    # Mail programs send longer lines than RFC 5322 allows; the size of the mail is the limit.
    line_length_limit = LARGEST_MAIL
    present: set[BaseTransport]

    def connection_made(self, transport: BaseTransport) -> None:
        """Begin, unless too many others are here."""
        if len(self.present) >= MOST_CONNECTIONS:
            cast(WriteTransport, transport).write(FULL)
            transport.close()
        self.present.add(transport)
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """End."""
        self.present.discard(self.transport)
        super().connection_lost(error)


class Lmtp(LMTP, Smtp):
    """One connection of a client that speaks LMTP: after a mail, a reply for each recipient."""

    _owed = 0

    async def push(self, status: str | bytes) -> None:
        """Send a reply; what ends a mail is said once a recipient (RFC 2033, 4.2)."""
        text = status if isinstance(status, str) else status.decode()
        if text.startswith("354") and self.envelope is not None:
            self._owed = len(self.envelope.rcpt_tos)
        elif self._owed:
            replies = text.split("\r\n")
            text = "\r\n".join(replies * self._owed if len(replies) == 1 else replies)
            self._owed = 0
        await super().push(text)


class Site(Protocol):
    """What a conversation asks of the site."""

    async def refusal(self, recipient: str) -> str | None:
        """Return the reply that refuses ``recipient``, or None to take it."""

    async def keep(self, sender: str, groups: list[list[str]], raw: bytes) -> list[str]:
        """Keep a mail; return a reply for each group of its recipients."""


class Conversation:
    """What we answer in one connection. ``site`` decides and keeps, away from the event loop."""

    def __init__(self, site: Site, *, is_lmtp: bool) -> None:
        self._site = site
        self._is_lmtp = is_lmtp
        self._refusals = 0

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take a recipient whom the site knows; say at once when it does not."""
        if _as_text(address) != address:
            return "553 5.1.3 Not an address"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        if self._refusals >= MOST_REFUSALS:
            return "450 4.7.0 Too many unknown recipients, try again later"
        refusal = await self._site.refusal(address)
        if refusal is not None:
            self._refusals += 1
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Answer 250 only when the mail is kept (RFC 5321, 4.2.5)."""
        sender = _as_text(envelope.mail_from or "")
        sender = "" if sender == "<>" else sender  # as aiosmtpd spells the null sender
        raw = envelope.content if isinstance(envelope.content, bytes) else b""
        groups = [[to] for to in envelope.rcpt_tos] if self._is_lmtp else [envelope.rcpt_tos]
        return "\r\n".join(await self._site.keep(sender, groups, raw))

    async def handle_exception(self, error: Exception) -> str:
        """Say nothing of what went wrong; the mail stays with the client."""
        logger.error("a mail conversation broke: %s", type(error).__name__)
        return BUSY


def _as_text(address: str) -> str:
    """Replace what is no UTF-8, which aiosmtpd hands on as lone surrogates."""
    return address.encode(errors="replace").decode()


def session(
    site: Site, *, is_lmtp: bool, hostname: str, present: set[BaseTransport], loop: Any
) -> Smtp:
    """Return the protocol of a new connection."""
    made: Smtp = (Lmtp if is_lmtp else Smtp)(
        Conversation(site, is_lmtp=is_lmtp),
        data_size_limit=LARGEST_MAIL,
        enable_SMTPUTF8=True,  # addresses with ñ in them (RFC 6531)
        hostname=hostname,
        ident="ready",
        timeout=IDLE_SECONDS,
        command_call_limit=COMMANDS,
        loop=loop,
    )
    made.present = present
    return made

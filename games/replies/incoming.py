"""What is known of a mail once it has been read: frozen values, no bytes of it left.

Everything here was written by strangers. Nothing of it authorises anything by itself.
"""

from dataclasses import dataclass, field
from enum import StrEnum

MARKER = "##- reply above this line -##"
"""The first line of our mails that can be answered: it and all below it is not the player's."""

MOST_SHOWN = 80
"""As many characters of a line are ever quoted back to its writer."""


class Trouble(StrEnum):
    """Why the text of a mail was not looked at."""

    TOO_BIG = "too-big"
    """More than 1 MB."""
    HEADERS_TOO_BIG = "headers-too-big"
    """More than 64 kB of header fields."""
    TOO_MANY_PARTS = "too-many-parts"
    TOO_DEEP = "too-deep"
    """Parts within parts within parts, 20 and more."""
    ENCRYPTED = "encrypted"
    """PGP or S/MIME; ``Incoming.encrypted`` says which."""
    ONLY_ATTACHMENTS = "only-attachments"
    """There are attachments and no text part with anything in it."""
    UNREADABLE = "unreadable"
    """A mail that our own code failed on. Nothing is known of it; look for the bug."""


@dataclass(frozen=True, slots=True)
class Line:
    """The first line with text of one part: the only one that can be a command."""

    text: str
    """Cleaned (NFKC, one space between words, nothing unseen), in the case it was written in."""
    shown: str
    """As it was written, at most 80 characters, safe to quote: no control or bidi characters."""
    is_quote: bool = False
    """It is behind ``>`` or begins a quoted mail: the player wrote below our text, or nothing."""


class Severity(StrEnum):
    """What a delivery report says of the mail it is about."""

    HARD = "hard"
    SOFT = "soft"
    NONE = "none"
    """Delivered, relayed, or a status that says nothing."""


@dataclass(frozen=True, slots=True)
class Bounce:
    """A delivery status notification (RFC 3464)."""

    severity: Severity
    status: str
    """Such as ``5.1.1``; empty when there is none that can be read."""
    recipient: str
    """Whom the mail was for: the original recipient where it is named, else the final one."""
    message_id: str
    """Of the mail that came back, with its angle brackets, or empty."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """An abuse report of a mail provider (RFC 5965)."""

    kind: str
    """The feedback type: ``abuse``, ``fraud``, ``not-spam``, …"""
    recipient: str
    message_id: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """One result of a check: ``dmarc``, ``dkim`` or ``spf``, what it came to, and whose domain.

    ``result`` is a word of RFC 8601 (``pass``, ``fail``, ``none``, ``temperror`` …) in small
    letters; ``domain`` is ``header.from``, ``header.d`` or the domain of ``smtp.mailfrom``, empty
    where the provider doesn't tell.
    """

    method: str
    result: str
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A mail, taken apart. Every text in it is bounded and free of line breaks."""

    trouble: Trouble | None = None

    # --- who, to whom, when ---
    senders: tuple[str, ...] = ()
    """Every address of every ``From`` field (``""``: one that can't be read). Exactly one is a
    sender that can be judged; ``judge_sender`` refuses anything else."""
    recipients: tuple[str, ...] = ()
    """The addresses of ``To`` and ``Cc``, 50 at most."""
    delivered_to: tuple[str, ...] = ()
    """Where the mail went, best first: ``X-Original-To``, ``Delivered-To``, ``To``, ``Cc``. Only
    for doors that have no envelope."""
    message_id: str = ""
    """With its angle brackets; empty when there is none."""
    in_reply_to: tuple[str, ...] = ()
    date: str = ""
    """The ``Date`` field as written. It may lie: no clock looks at it."""
    subject: str = ""
    return_path: str | None = None
    """``""`` is the null sender, None: the mail has no such field."""

    # --- what it says ---
    text: Line | None = None
    """The first line of the first text/plain part; None when there is no text."""
    html: Line | None = None
    """The same of the first text/html part."""

    # --- how far it may be believed ---
    auth_results: tuple[str, ...] = field(default=(), repr=False)
    """Every ``Authentication-Results`` field, topmost first, unfolded, 20 at most."""

    # --- signs, each a stable code ("" or empty: none) ---
    machine: tuple[str, ...] = ()
    """Signs in the header that no person wrote this (RFC 3834 and habits): see ``is_machine``."""
    mailing_list: str = ""
    """``list.id`` or ``list.precedence``: it came through a list."""
    forward: str = ""
    """``forward.subject`` or ``forward.text``: somebody passed our mail on."""
    encrypted: str = ""
    """``encrypted.pgp``, ``encrypted.pgp-inline``, ``encrypted.smime``."""
    bounce: Bounce | None = None
    complaint: Complaint | None = None
    attachments: int = 0

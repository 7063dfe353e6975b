"""Signs that no person wrote a mail, that it came through a list, or that it was passed on."""

import re
from collections.abc import Collection
from types import MappingProxyType
from typing import Final

from games.replies.addresses import canonical, domain_of
from games.replies.choose import command_of
from games.replies.command import Unread
from games.replies.fields import Fields, with_parameters
from games.replies.incoming import Incoming
from games.replies.lines import fold, one_of
from games.replies.words import habits

MACHINE_SIGNS = MappingProxyType(
    {
        "machine.null-sender": "The envelope has no sender (RFC 5321): a report of a mail server.",
        "machine.auto-submitted": "Auto-Submitted is there and is not no (RFC 3834).",
        "machine.report": "It is a multipart/report (RFC 6522): a bounce, a receipt, a complaint.",
        "machine.list-id": "It has a List-Id (RFC 2919).",
        "machine.precedence": "Precedence is bulk, junk, list or auto_reply.",
        "machine.autoreply-field": "A field that only answering machines write.",
        "machine.apple-vacation": "X-Apple-Action says VACATION.",
        "machine.failed-recipients": "X-Failed-Recipients: an old style of bounce.",
        "machine.loop": "It has the field that our own mails have.",
        "machine.daemon": "It is from a daemon, a postmaster or an address that is not read.",
        "machine.own-address": "It is from one of our own domains.",
        "machine.out-of-office": "Its subject is an absence note's, and its line no command.",
    }
)
"""Every code that ``is_machine`` returns, and what it means. X-Auto-Response-Suppress is no sign:
some mail programs write it on all their mails."""

_AUTOREPLY_FIELDS: Final = (
    "x-autoreply",
    "x-autorespond",
    "x-auto-reply",
    "x-autoreply-from",
    "x-autoresponse",
    "x-post-messageclass",
)
_LOOP: Final = "x-perudo-mail"
_PRECEDENCES: Final = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
_DAEMONS: Final = frozenset(
    {"mailerdaemon", "postmaster", "noreply", "donotreply", "autoreply", "bounce", "bounces"}
)
_AWAY: Final = re.compile(rf"(?:(?:{one_of(habits('answers'))}) ?: ?)?(?:{one_of(habits('away'))})")
_FORWARD: Final = re.compile(rf"(?:{one_of(habits('forwards'))}) ?:")


def machine_signs(header: Fields, senders: Collection[str]) -> tuple[str, ...]:
    """Return the codes of the signs that a header shows, those that say most first."""
    submitted = with_parameters(header.first("auto-submitted"))[0]
    returns = return_path(header)
    signs = {
        "machine.null-sender": returns == "",
        "machine.auto-submitted": header.has("auto-submitted") and submitted != "no",
        "machine.report": with_parameters(header.first("content-type"))[0] == "multipart/report",
        "machine.list-id": header.has("list-id"),
        "machine.precedence": _precedence(header) in _PRECEDENCES,
        "machine.autoreply-field": any(header.has(name) for name in _AUTOREPLY_FIELDS),
        "machine.apple-vacation": "vacation" in header.first("x-apple-action").lower(),
        "machine.failed-recipients": header.has("x-failed-recipients"),
        "machine.loop": header.has(_LOOP),
        "machine.daemon": any(_is_daemon(sender) for sender in senders),
    }
    return tuple([code for code, shows in signs.items() if shows])


def mailing_list(header: Fields) -> str:
    """Return the code of the sign that a mail came through a list, or ``""``."""
    if header.has("list-id"):
        return "list.id"
    return "list.precedence" if _precedence(header) == "list" else ""


def return_path(header: Fields) -> str | None:
    """Return the envelope's sender as a mail server wrote it down: ``""`` is the null sender."""
    if not header.has("return-path"):
        return None
    written = header.first("return-path")[:400].strip()
    return "" if written in ("", "<>") else canonical(written.strip("<>")) or "?"


def is_forward(subject: str) -> bool:
    """Say whether a subject is that of a mail that was passed on."""
    return bool(_FORWARD.match(fold(subject)))


def is_machine(
    incoming: Incoming,
    *,
    envelope_sender: str | None = None,
    our_domains: Collection[str] = (),
) -> str:
    """Return the code of the first sign that no person wrote this, or ``""``.

    :param envelope_sender: MAIL FROM where the door knows it (``""``: the null sender).
    :param our_domains: the domains that we write from and take mail at: such a sender is a loop.
    """
    if envelope_sender == "":
        return "machine.null-sender"
    if incoming.machine:
        return incoming.machine[0]
    if any(_is_ours(sender, our_domains) for sender in incoming.senders):
        return "machine.own-address"
    away = _AWAY.match(fold(incoming.subject))
    if away is not None and isinstance(command_of(incoming), Unread):
        return "machine.out-of-office"
    return ""


def others(incoming: Incoming, *, our_domains: Collection[str]) -> tuple[str, ...]:
    """Return who else got this mail: its recipients but us and its own sender, each once."""
    senders = {each.lower() for each in incoming.senders}
    known = [each for each in incoming.recipients if not _is_ours(each, our_domains)]
    return tuple([each for each in dict.fromkeys(known) if each.lower() not in senders])


def _is_ours(address: str, our_domains: Collection[str]) -> bool:
    return bool(address) and domain_of(address) in {each.casefold() for each in our_domains}


def _is_daemon(address: str) -> bool:
    local = address.rpartition("@")[0].lower()
    return re.sub(r"[-_.]", "", local) in _DAEMONS


def _precedence(header: Fields) -> str:
    return header.first("precedence").strip().lower()

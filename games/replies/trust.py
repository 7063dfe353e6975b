"""Whether the sender of a mail is the player (the table of docs/mail.md, "Who is believed")."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from games.replies.addresses import canonical, domain_of
from games.replies.incoming import Incoming, Verdict
from games.replies.results import verdicts_of


class Effect(StrEnum):
    """What a mail may do."""

    ACT = "act"
    CONFIRM = "confirm"
    """Nothing yet: a link goes to ``Trust.address``, whose page shows the reading."""
    REFUSE = "refuse"


class WithoutBorder(StrEnum):
    """What is believed where no border checks signatures."""

    CONFIRM = "confirm"
    """The safe setting: every mail is answered with a link."""
    TRUST_LOCAL = "trust-local"
    """For development on one's own machine only: the ``From`` field is believed."""


@dataclass(frozen=True, slots=True)
class Border:
    """Who checks mails before we see them.

    With an ``authserv_id`` the topmost ``Authentication-Results`` of that name counts and no other
    (RFC 8601, section 5); ``verdicts``, where a provider's webhook brings some, take its place.
    """

    authserv_id: str = ""
    verdicts: tuple[Verdict, ...] | None = None
    without: WithoutBorder = WithoutBorder.CONFIRM


@dataclass(frozen=True, slots=True)
class Trust:
    """What may be done, why (a stable code), and who hears of it."""

    effect: Effect
    code: str
    """One of :data:`CODES`."""
    address: str = ""
    """The player's verified address that the mail claims to be from; empty when it is none."""
    tell_account: bool = False
    """Write to the account (never to the sender) that this happened."""
    rotate: bool = False
    """Somebody else knows the address that was written to: give the turn a new one."""


CODES: Final = MappingProxyType(
    {
        "sender.proven": "A check that we believe says that the player's domain sent it.",
        "sender.trusted-locally": "Nobody checks here, and the setting says to believe it.",
        "sender.always-confirm": "It is proven, and the player wants a link all the same.",
        "sender.no-border": "Nobody checks mails before we see them.",
        "sender.unproven": "It was checked, and nothing speaks for it or against it.",
        "sender.forged": "A check says that the player's domain did not send it.",
        "sender.unverified": "The player has this address, and has not verified it.",
        "sender.stranger": "The player has no such address.",
        "sender.list": "It came through a mailing list.",
        "sender.count": "It has no sender, or several, or one that can't be read.",
    }
)
"""Every ``Trust.code``, and what it means."""

_FAILED: Final = frozenset({"fail", "hardfail"})
_UNKNOWN_POLICY: Final = "temperror"


def judge_sender(
    incoming: Incoming,
    *,
    verified: Collection[str],
    unverified: Collection[str] = (),
    border: Border,
    always_confirm: bool = False,
) -> Trust:
    """Return what a mail from this sender may do to the account with these addresses.

    :param always_confirm: the account's own setting, for people who are spoofed.
    """
    if incoming.mailing_list:
        return Trust(Effect.REFUSE, "sender.list", tell_account=True)
    if len(incoming.senders) != 1 or not incoming.senders[0]:
        return Trust(Effect.REFUSE, "sender.count", tell_account=True, rotate=True)
    sender = incoming.senders[0]
    known = _by_small_letters(verified).get(sender.lower())
    if known is not None:
        return _judge_known(incoming, known, border, always_confirm=always_confirm)
    if sender.lower() in _by_small_letters(unverified):
        return Trust(Effect.REFUSE, "sender.unverified", tell_account=True)
    return Trust(Effect.REFUSE, "sender.stranger", tell_account=True, rotate=True)


def _by_small_letters(addresses: Collection[str]) -> dict[str, str]:
    """Return an account's addresses by how they are compared: no dot or + is taken off.

    Accounts keep them in small letters, whatever a mail program writes. What can't be read equals
    nothing.
    """
    return {canonical(each).lower(): each for each in addresses if canonical(each)}


def _judge_known(incoming: Incoming, sender: str, border: Border, *, always_confirm: bool) -> Trust:
    """Return what a mail may do that says to be from this verified address."""
    if border.verdicts is None and not border.authserv_id:
        code = "sender.no-border"
        if border.without is WithoutBorder.TRUST_LOCAL:
            code = "sender.trusted-locally"
    else:
        verdicts = border.verdicts
        if verdicts is None:
            verdicts = verdicts_of(incoming.auth_results, border.authserv_id)
        code = _proof(verdicts or (), domain_of(canonical(sender)))
    if code == "sender.forged":
        return Trust(Effect.REFUSE, code, sender, tell_account=True, rotate=True)
    if code not in ("sender.proven", "sender.trusted-locally"):
        return Trust(Effect.CONFIRM, code, sender)
    if always_confirm:
        return Trust(Effect.CONFIRM, "sender.always-confirm", sender)
    return Trust(Effect.ACT, code, sender)


def _proof(verdicts: Iterable[Verdict], domain: str) -> str:
    """Return what checks say of a mail whose sender is of ``domain``: proven, forged or neither.

    A DMARC result is about the domain it names. Where that has no policy, a signature or an
    envelope of the domain, or of one above it, speaks for it.
    """
    known = list(verdicts)
    policies = [each.result for each in known if each.method == "dmarc"]
    about_us = [
        each.result for each in known if each.method == "dmarc" and each.domain in ("", domain)
    ]
    aligned = [
        each.result
        for each in known
        if each.method in ("dkim", "spf") and _is_aligned(each.domain, domain)
    ]
    if any(result in _FAILED for result in about_us):
        return "sender.forged"
    if policies != about_us or _UNKNOWN_POLICY in policies:
        return "sender.unproven"
    if policies == ["pass"] or "pass" in aligned:
        return "sender.proven"
    return "sender.forged" if any(each in _FAILED for each in aligned) else "sender.unproven"


def _is_aligned(of: str, domain: str) -> bool:
    """Say whether a check of one domain speaks for another: it is the same, or above it.

    Who signs for a domain below has proven less than he needs to where such names are given away;
    which ones are is what DMARC's own check knows.
    """
    return of == domain or ("." in of and domain.endswith(f".{of}"))

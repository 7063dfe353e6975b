"""Who wrote a mail, and what that means: the account's addresses, and what our border says."""

from collections.abc import Mapping

from allauth.account.models import EmailAddress
from django.conf import settings

from games.mail.addresses import mail_domain
from games.mail.recipients import guest_of
from games.mail.words import masked
from games.models import ReplyToken, Wishes
from games.replies import (
    Border,
    Incoming,
    Trust,
    Verdict,
    WithoutBorder,
    is_machine,
    judge_sender,
)
from games.services.receiving.keeping import Parcel

_METHODS = ("dmarc", "dkim", "spf")


def judge(token: ReplyToken, incoming: Incoming, parcel: Parcel) -> Trust:
    """Return what a mail may do to whoever the address was given to."""
    user_id, invited = _owner(token)
    rows = EmailAddress.objects.filter(user_id=user_id).values_list("email", "verified")
    known = list(rows) if user_id else [(invited, True)]
    wishes = Wishes.objects.filter(pk=user_id).first() if user_id else None
    return judge_sender(
        incoming,
        verified=[email for email, verified in known if verified],
        unverified=[email for email, verified in known if not verified],
        border=_border(parcel.verdicts),
        always_confirm=wishes is not None and wishes.confirms_replies,
    )


def machine_sign(incoming: Incoming, parcel: Parcel) -> str:
    """Return the sign that no person wrote a mail, or nothing."""
    return is_machine(
        incoming,
        envelope_sender=parcel.sender,
        our_domains=(settings.INBOUND_DOMAIN, mail_domain()),
    )


def writer_of(incoming: Incoming) -> str:
    """Return who wrote, as far as an answer may say: "a…@example.org"."""
    return masked(incoming.senders[0]) if len(incoming.senders) == 1 else ""


def _owner(token: ReplyToken) -> tuple[int | None, str]:
    """Return the account that an address was given to, or the address that was invited."""
    if token.user_id is not None or token.invitation is None:
        return token.user_id, ""
    guest = guest_of(token.invitation)
    return (guest.user_id or None, guest.address) if guest else (None, "")


def _border(verdicts: Mapping[str, str] | None) -> Border:
    return Border(
        authserv_id=settings.MAIL_AUTHSERV_ID,
        verdicts=None if verdicts is None else tuple(_verdicts(verdicts)),
        without=WithoutBorder(settings.MAIL_WITHOUT_BORDER),
    )


def _verdicts(verdicts: Mapping[str, str]) -> list[Verdict]:
    """Return a provider's results; "pass example.org" names the domain that passed."""
    found = []
    for method in _METHODS:
        result, _, domain = verdicts.get(method, "").strip().lower().partition(" ")
        if result:
            found.append(Verdict(method, result, domain.strip()))
    return found

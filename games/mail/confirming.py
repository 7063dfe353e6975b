"""The link that confirms a mail: signed, for one mail, and good for as long as that is kept.

Opening it shows what was read and changes nothing; :mod:`games.services.receiving` does the rest.
"""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.urls import reverse

_SIGNER = Signer(salt="games.mail.confirm")


def confirm_link(mail_id: int) -> str:
    """Return the full address of the page on which a player confirms a mail of his."""
    return f"{settings.SITE_URL}{reverse('mail_confirm', args=[confirm_token(mail_id)])}"


def confirm_token(mail_id: int) -> str:
    """Return the token of the link; the same each time."""
    return _SIGNER.sign_object(mail_id)


def read_confirm(token: str) -> int | None:
    """Return which mail a token of ours confirms, None for any other text."""
    try:
        mail_id = _SIGNER.unsign_object(token)
    except (BadSignature, ValueError):
        return None
    return mail_id if isinstance(mail_id, int) else None

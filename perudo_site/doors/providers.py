"""The mail providers whose webhooks we can mount, and what has to be set for each."""

from collections.abc import Callable
from typing import Any, Final, Literal

from django.conf import settings
from django.utils.module_loading import import_string

Kind = Literal["inbound", "tracking"]
KINDS: Final[tuple[Kind, ...]] = ("inbound", "tracking")

_NAMES: Final = {
    "amazon_ses": "AmazonSES",
    "brevo": "Brevo",
    "mailersend": "MailerSend",
    "mailgun": "Mailgun",
    "mailjet": "Mailjet",
    "mailtrap": "Mailtrap",
    "mandrill": "Mandrill",
    "postal": "Postal",
    "postmark": "Postmark",
    "resend": "Resend",
    "sendgrid": "SendGrid",
    "sparkpost": "SparkPost",
}
PROVIDERS: Final = tuple(_NAMES)

SHARED_SECRET: Final = "WEBHOOK_SECRET"  # noqa: S105 - the name of a setting
# What a provider signs its posts with. The first group signs always; the others take the secret
# that all share (in the address: https://user:password@…) in place of it.
_SIGNED: Final[dict[tuple[str, Kind], str]] = {
    ("mailersend", "inbound"): "MAILERSEND_INBOUND_SECRET",
    ("mailersend", "tracking"): "MAILERSEND_SIGNING_SECRET",
    ("mailgun", "inbound"): "MAILGUN_WEBHOOK_SIGNING_KEY",
    ("mailgun", "tracking"): "MAILGUN_WEBHOOK_SIGNING_KEY",
    ("mandrill", "inbound"): "MANDRILL_WEBHOOK_KEY",
    ("mandrill", "tracking"): "MANDRILL_WEBHOOK_KEY",
    ("postal", "inbound"): "POSTAL_WEBHOOK_KEY",
    ("postal", "tracking"): "POSTAL_WEBHOOK_KEY",
}
_MAY_BE_SIGNED: Final[dict[tuple[str, Kind], str]] = {
    ("mailtrap", "inbound"): "MAILTRAP_INBOUND_SECRET",
    ("mailtrap", "tracking"): "MAILTRAP_TRACKING_SECRET",
    ("resend", "inbound"): "RESEND_INBOUND_SECRET",
    ("resend", "tracking"): "RESEND_SIGNING_SECRET",
    ("sendgrid", "tracking"): "SENDGRID_TRACKING_WEBHOOK_VERIFICATION_KEY",
}

_OUR_OWN: Final[dict[tuple[str, Kind], str]] = {
    ("postal", "inbound"): "perudo_site.doors.eight_bit.Postal",
    ("sparkpost", "inbound"): "perudo_site.doors.eight_bit.SparkPost",
}


def secrets_for(provider: str, kind: Kind) -> tuple[str, ...]:
    """Return the settings of ``ANYMAIL`` any of which guards a webhook."""
    if (provider, kind) in _SIGNED:
        return (_SIGNED[provider, kind],)
    own = _MAY_BE_SIGNED.get((provider, kind))
    return (own, SHARED_SECRET) if own else (SHARED_SECRET,)


def is_guarded(provider: str, kind: Kind) -> bool:
    """Return whether strangers cannot post to a webhook."""
    return any(settings.ANYMAIL.get(name) for name in secrets_for(provider, kind))


def addresses(provider: str, kind: Kind) -> tuple[str, ...]:
    """Return what a provider's addresses of one kind end in."""
    # Mailgun posts a mail as it came only to an address that ends in "mime", else taken apart.
    return (kind, f"{kind}_mime") if (provider, kind) == ("mailgun", "inbound") else (kind,)


def view_class(provider: str, kind: Kind) -> Callable[..., Any]:
    """Return anymail's view, which checks the signature or secret and reads the post."""
    what = "Combined" if provider == "mandrill" else kind.capitalize()
    anymails = f"anymail.webhooks.{provider}.{_NAMES[provider]}{what}WebhookView"
    found: Callable[..., Any] = import_string(_OUR_OWN.get((provider, kind), anymails))
    return found

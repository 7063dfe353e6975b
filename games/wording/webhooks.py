"""Webhooks in words: why the other side did not take an announcement."""

from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_ERRORS = MappingProxyType(
    {
        "outgoing.url": gettext_lazy("The address has to begin with https:// and name a host."),
        "outgoing.port": gettext_lazy(
            "A port cannot be chosen: the address has to work without one, on port 443."
        ),
        "outgoing.unknown-host": gettext_lazy("There is no such host."),
        "outgoing.address": gettext_lazy("That host is not on the open internet."),
        "outgoing.too-long": gettext_lazy("Its answer was too long."),
        "outgoing.slow": gettext_lazy("It took longer than five seconds."),
        "outgoing.failed": gettext_lazy("There was no secure connection to it."),
    }
)


def webhook_error(code: str) -> str:
    """Return why a webhook did not take what it was sent; nothing for no error."""
    if not code:
        return ""
    if code.startswith("status "):
        return _("It answered with status %(status)s.") % {"status": code.removeprefix("status ")}
    return str(_ERRORS.get(code, code))

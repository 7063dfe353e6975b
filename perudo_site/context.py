"""Template context that every page needs."""

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Return the site's name and whether its mail can be read here."""
    return {"SITE_NAME": settings.SITE_NAME, "MAILBOX_ENABLED": settings.MAILBOX_ENABLED}

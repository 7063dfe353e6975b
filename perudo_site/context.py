"""Template context that every page needs."""

from typing import Final

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.encoding import iri_to_uri

PUBLIC: Final = frozenset(
    {
        "home", "lobby", "rules", "rules_preset", "learn", "learn_step", "fairness", "mail_help",
        "order_help", "account_login", "account_signup",
    }
)  # fmt: skip
"""Pages that say the same to every visitor: their other languages are told to search engines."""


def site(request: HttpRequest) -> dict[str, object]:
    """Return the site's name, whether its mail can be read here, and who reads.

    ``READER`` tells the accounts of one device apart and says nothing else; it is empty for a
    visitor. ``HERE`` is the page's address in no language, ``ALTERNATES`` are those of a public
    page by language.
    """
    reader = getattr(request, "user", None)
    mark = _mark(reader.pk) if reader is not None and reader.is_authenticated else ""
    return {
        "SITE_NAME": settings.SITE_NAME,
        "MAILBOX_ENABLED": settings.MAILBOX_ENABLED,
        "READER": mark,
        "HERE": _here(request),
        "ALTERNATES": () if mark else _alternates(request),
    }


def _mark(user_id: int) -> str:
    return salted_hmac("perudo_site.context", str(user_id), algorithm="sha256").hexdigest()[:16]


def _here(request: HttpRequest) -> str:
    if "lang" not in request.GET:
        return request.get_full_path()
    query = request.GET.copy()
    del query["lang"]
    return iri_to_uri(request.path) + (f"?{query.urlencode()}" if query else "")


def _alternates(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    match = request.resolver_match
    if match is None or match.url_name not in PUBLIC:
        return ()
    address = settings.SITE_URL + iri_to_uri(request.path)
    return (
        ("x-default", address),
        *((code, f"{address}?lang={code}") for code, _name in settings.LANGUAGES),
    )

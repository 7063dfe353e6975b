"""Middleware of the accounts app."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]


def reader_locale(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language and time zone.

    Someone who is signed in has both in the account, whichever machine he sits at. For anybody
    else the language is that of the cookie, then of the browser, and times are in UTC. An address
    that ends in ``?lang=it`` is in that language for whoever opens it; a visitor keeps it. Costs no
    query beyond the one that loads ``request.user``.
    """
    languages = dict(settings.LANGUAGES)

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated:
            language = user.language
            zone = timezone.override(user.zone)
        else:
            language = translation.get_language_from_request(request)
            zone = timezone.override(None)
        asked = request.GET.get("lang", "")
        if asked in languages:
            language = asked
        request.LANGUAGE_CODE = language
        with translation.override(language), zone:
            response = get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", language)
        if asked in languages and not user.is_authenticated:
            _keep(response, language)
        if user.is_authenticated and not response.has_header("Cache-Control"):
            # What is shown to someone is his: no cache between may keep it for the next.
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return middleware


def _keep(response: HttpResponse, language: str) -> None:
    """Let the next page be in this language too, as the buttons at the foot of a page do."""
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        domain=settings.LANGUAGE_COOKIE_DOMAIN,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )

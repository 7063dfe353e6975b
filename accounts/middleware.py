"""Middleware of the accounts app."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

GetResponse = Callable[[HttpRequest], HttpResponse]


def reader_locale(get_response: GetResponse) -> GetResponse:
    """Answer in the reader's language and time zone.

    Someone who is signed in has both in the account, whichever machine he sits at. For anybody
    else the language is that of the cookie, then of the browser, and times are in UTC. Costs no
    query beyond the one that loads ``request.user``.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated:
            language = user.language
            zone = timezone.override(user.zone)
        else:
            language = translation.get_language_from_request(request)
            zone = timezone.override(None)
        request.LANGUAGE_CODE = language
        with translation.override(language), zone:
            response = get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", language)
        if user.is_authenticated and not response.has_header("Cache-Control"):
            # What is shown to someone is his: no cache between may keep it for the next.
            response.headers["Cache-Control"] = "private, no-store"
        return response

    return middleware

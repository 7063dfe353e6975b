"""How somebody plays in this browser: whether a move is asked about once more, and by which keys.

Kept in a cookie and not with the account: a thumb on a phone and a keyboard on a desk want other
things of the same person.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.template.response import TemplateResponse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods

from games.views.access import private_page

COOKIE = "playing"
AGE = timedelta(days=400)
"""As long as browsers keep a cookie."""

_AT_ONCE, _NO_KEYS = "at-once", "no-keys"


@dataclass(frozen=True, slots=True)
class Manner:
    """How moves are made. ``asks``: a move is confirmed. ``keys``: single keys do something."""

    asks: bool = True
    keys: bool = True


def manner_of(request: HttpRequest) -> Manner:
    """Return how this browser's reader plays."""
    said = request.COOKIES.get(COOKIE, "").split(".")
    return Manner(asks=_AT_ONCE not in said, keys=_NO_KEYS not in said)


@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def manner(request: HttpRequest) -> HttpResponseBase:
    """Show the keys, or keep how this browser's reader wants to play and lead him back."""
    sent = request.POST if request.method == "POST" else request.GET
    back = sent.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        back = resolve_url("home")
    if request.method != "POST":
        is_part = "HX-Request" in request.headers
        template = "components/manner.html" if is_part else "games/playing.html"
        context = {"manner": manner_of(request), "back_url": back, "as_fragment": is_part}
        return TemplateResponse(request, template, context)
    answer = HttpResponseRedirect(back)
    said = [
        *([] if "asks" in request.POST else [_AT_ONCE]),
        *([] if "keys" in request.POST else [_NO_KEYS]),
    ]
    answer.set_cookie(
        COOKIE,
        ".".join(said) or "plain",
        max_age=AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return answer

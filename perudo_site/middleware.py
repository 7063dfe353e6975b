"""What every answer has to pass, static files among them."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed

GetResponse = Callable[[HttpRequest], HttpResponseBase]

METHODS: Final = ("GET", "HEAD", "POST")
_PERMISSIONS: Final = ", ".join(
    [
        # Passkeys work on our own pages, and the invitation's copy button.
        "publickey-credentials-get=(self)",
        "publickey-credentials-create=(self)",
        "clipboard-write=(self)",
        *(
            f"{feature}=()"
            for feature in (
                "accelerometer", "autoplay", "browsing-topics", "camera",
                "clipboard-read", "display-capture", "encrypted-media", "fullscreen",
                "geolocation", "gyroscope", "hid", "idle-detection", "magnetometer",
                "microphone", "midi", "payment", "picture-in-picture", "screen-wake-lock",
                "serial", "sync-xhr", "usb", "xr-spatial-tracking",
            )
        ),
    ]
)  # fmt: skip
STEP: Final = 1024
"""What the length of a table's pages is rounded up to, in bytes."""

_HEADERS: Final = {
    "Permissions-Policy": _PERMISSIONS,
    "Cross-Origin-Resource-Policy": "same-origin",
}


def front_gate(get_response: GetResponse) -> GetResponse:
    """Refuse methods that nothing here answers, and add headers that Django has no setting for.

    A view without a method decorator would run for a TRACE or a PUT as it does for a GET; here
    none is asked.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.method in METHODS:
            response = get_response(request)
        else:
            response = HttpResponseNotAllowed(METHODS)
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            response.headers.setdefault("Cache-Control", "no-store")
        return response

    return middleware


def even_length(get_response: GetResponse) -> GetResponse:
    """Round up the length of a table's pages with blanks at their end.

    A page with its reader's own dice is a few bytes longer or shorter with other dice, and whoever
    watches the line can count bytes, encrypted or not.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if is_page and isinstance(response, HttpResponse) and request.path.startswith("/g/"):
            body = response.content
            if body:
                response.content = body + b" " * (-len(body) % STEP)
        return response

    return middleware

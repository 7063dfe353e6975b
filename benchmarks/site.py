"""Requests to the site, in this process: the WSGI handler called as a server calls it."""

import io
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.middleware.csrf import _get_new_csrf_string
from django.test import Client

from accounts.models import User

Application = Callable[[dict[str, Any], Callable[..., Any]], Any]


class Visitor:
    """Somebody who is signed in and asks for pages."""

    def __init__(self, application: Application, user: User) -> None:
        client = Client()
        client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        self._application = application
        self._token = _get_new_csrf_string()
        self._cookie = (
            f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={self._token}"
        )

    def get(self, path: str, query: str = "") -> tuple[int, bytes]:
        """Return status and body of a page."""
        return self._call("GET", path, query, b"")

    def post(self, path: str, form: dict[str, object]) -> int:
        """Send a form; return the status."""
        body = urlencode({**form, "csrfmiddlewaretoken": self._token}).encode()
        return self._call("POST", path, "", body)[0]

    def _call(self, method: str, path: str, query: str, body: bytes) -> tuple[int, bytes]:
        status: list[str] = []

        def start(line: str, headers: object, *_: object) -> None:
            status.append(line)

        response = self._application(
            {
                "REQUEST_METHOD": method,
                "PATH_INFO": path,
                "QUERY_STRING": query,
                "SERVER_NAME": "127.0.0.1",
                "SERVER_PORT": "8000",
                "REMOTE_ADDR": "127.0.0.1",
                "HTTP_HOST": "127.0.0.1:8000",
                "HTTP_ACCEPT_LANGUAGE": "en",
                "HTTP_COOKIE": self._cookie,
                "CONTENT_TYPE": "application/x-www-form-urlencoded",
                "CONTENT_LENGTH": str(len(body)),
                "wsgi.input": io.BytesIO(body),
                "wsgi.url_scheme": "http",
                "wsgi.errors": io.StringIO(),
            },
            start,
        )
        answer = b"".join(response)
        response.close()
        return int(status[0].split()[0]), answer


def visitors(users: list[User]) -> list[Visitor]:
    """Return the users, signed in, at one site."""
    application = get_wsgi_application()
    return [Visitor(application, user) for user in users]

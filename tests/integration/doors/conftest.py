"""A site that providers post to, and what they keep for it to fetch."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.test import Client
from django.urls import include, path
from pytest_django import Settings

from perudo_site import urls
from perudo_site.doors import webhooks
from tests.cast import table
from tests.integration.doors import payloads
from tests.integration.doors.known import turn_address
from tests.integration.doors.payloads import Post


@pytest.fixture
def address() -> str:
    """Where alice answers her turn."""
    return turn_address(table(), "alice")


@pytest.fixture
def send(settings: Settings, address: str) -> Iterator[Callable[..., int]]:
    """Post what a provider would; give the status."""
    client = Client(raise_request_exception=False)

    def deliver(provider: str, post: Post, *, kind: str = "inbound") -> int:
        settings.ANYMAIL = {**post.settings, **elsewhere}
        hooks = webhooks.urlpatterns([provider])
        settings.ROOT_URLCONF = (*urls.urlpatterns, *_below("mail/", hooks))
        answer = client.post(
            f"/mail/{provider}/{kind}/",
            post.body,
            content_type=post.content_type,
            headers=post.headers,
        )
        return answer.status_code

    with _storage(address) as origin:
        elsewhere = {
            "AMAZON_SES_CLIENT_PARAMS": {"region_name": "eu-west-1"},
            "MAILTRAP_API_URL": origin,
            "RESEND_API_URL": origin,
        }
        yield deliver


def _below(prefix: str, patterns: Any) -> Any:
    return [path(prefix, include(patterns))]


@contextmanager
def _storage(to: str) -> Iterator[str]:
    """Serve what Mailtrap and Resend do not post, but keep for us to fetch."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here = f"http://127.0.0.1:{self.server.server_address[1]}/source"
            if self.path == "/source":
                body = payloads.raw(to).encode()
            else:
                found = {"raw_message_url": here, "raw": {"download_url": here}}
                body = json.dumps(found).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()

"""What the browser tests share."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from tests.cast import person

PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def seat_down(
    new_context: Callable[..., BrowserContext], live_server: LiveServer
) -> Callable[..., Page]:
    """Return a function that opens the site as somebody, on a phone."""

    def open_as(name: str = "", path: str = "/", **options: Any) -> Page:
        context = new_context(**{**PHONE, "base_url": live_server.url, **options})
        if name:
            client = Client()
            client.force_login(person(name))
            cookie = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.goto(path)
        return page

    return open_as

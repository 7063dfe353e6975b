"""Every page in a real browser: in both themes, in every language, on a phone and on a desk."""

from collections.abc import Callable
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext
from pytest_django.live_server_helper import LiveServer

from tests.functional.every_page import LOOKS, NO_PAGE
from tests.functional.touring import DESK, touring
from tests.integration.secrecy.routes import every_route

NewContext = Callable[..., BrowserContext]


def walk(test: Callable[..., None]) -> Callable[..., None]:
    """Mark a test that goes through all pages."""
    for mark in (
        pytest.mark.django_db(transaction=True),
        pytest.mark.slow,
        pytest.mark.one_database,
        pytest.mark.timeout(600),
        # Pages of moments that went wrong say so by their status.
        pytest.mark.allow_console("status of 40[34]"),
    ):
        test = mark(test)
    return test


MOST_BYTES = 100_000
MOST_REQUESTS = 16
"""Of a first visit to any page, as production packs it."""
CHECKS = ("game-check", "game-check-running")
"""Pages that bring a second implementation of the rules along, to check games with."""

SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
FITS = "document.documentElement.scrollWidth <= innerWidth"
STRUCTURE = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": False}}}
COLOURS = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
"""The slow rule, apart: neither words nor the width of a page change a colour."""


def test_every_page_is_looked_at_or_has_a_reason_not_to_be() -> None:
    looked_at = {look.route for look in LOOKS}
    known = {route.name for route in every_route()}
    assert known - looked_at == set(NO_PAGE), "give new pages a row in LOOKS"
    assert looked_at <= known
    names = [look.name for look in LOOKS]
    assert len(names) == len(set(names))


@walk
@pytest.mark.parametrize("language", ["en", "it", "fr", "es"])
def test_a_phone_shows_no_fault_in_any_language(
    new_context: NewContext, live_server: LiveServer, language: str
) -> None:
    faults = []
    with touring(new_context, live_server.url, language=language) as tour:
        for name, opened in tour.looks():
            opened()
            page = tour.page
            if page.evaluate("document.documentElement.lang") != language:
                faults.append(f"{name}: is in another language")
            if not page.evaluate(FITS):
                faults.append(f"{name}: is wider than a phone")
            size, requests = tour.weight()
            extra = name in CHECKS
            if size > MOST_BYTES + 20_000 * extra or requests > MOST_REQUESTS + 4 * extra:
                faults.append(f"{name}: weighs {size} bytes in {requests} requests")
            faults += _faults(name, Axe().run(page, options=STRUCTURE))
            if language == "en":
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    faults += _faults(f"{name}, {scheme}", Axe().run(page, options=COLOURS))
    assert not faults, "\n".join(faults)


@walk
def test_a_desk_shows_no_fault(new_context: NewContext, live_server: LiveServer) -> None:
    faults = []
    with touring(new_context, live_server.url, viewport=DESK) as tour:
        for name, opened in tour.looks():
            opened()
            faults += _faults(name, Axe().run(tour.page, options=STRUCTURE))
            if not tour.page.evaluate(FITS):
                faults.append(f"{name}: is wider than the desk")
    assert not faults, "\n".join(faults)


def _faults(name: str, result: Any) -> list[str]:
    return [
        f"{name}: {found['id']}: {node['html'][:200]}"
        for found in result.response["violations"]
        for node in found["nodes"]
    ]

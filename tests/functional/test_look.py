"""The pages that everybody may see, in a real browser: readable, calm and light."""

import gzip
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Response, Route
from pytest_django.live_server_helper import LiveServer

PATHS = ("/", "/rules/", "/rules/asmodee/", "/rules/wikipedia/")
FIRST_LOAD = 100_000
"""Bytes of the first page with fonts and scripts, packed as production sends them."""

SHIFT = """() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  document.fonts.ready.then(() => setTimeout(() => resolve(sum), 300));
})"""


@pytest.fixture
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Take a phone."""
    return {**browser_context_args, "viewport": {"width": 390, "height": 844}}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PATHS)
def test_a_page_has_no_fault_that_axe_finds(
    page: Page, live_server: LiveServer, path: str, scheme: Any
) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(live_server.url + path)
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()


@pytest.mark.parametrize("path", PATHS)
def test_a_page_fits_a_phone_and_nothing_moves(
    page: Page, live_server: LiveServer, path: str
) -> None:
    page.goto(live_server.url + path)
    assert page.evaluate(SHIFT) < 0.01
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_first_page_is_light(page: Page, live_server: LiveServer) -> None:
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.setdefault(response.url, _packed(response)))
    page.goto(live_server.url, wait_until="networkidle")
    assert {url.rsplit(".", 1)[-1] for url in sizes} >= {"css", "js", "woff2", "svg"}
    assert all(url.startswith(live_server.url) for url in sizes)
    assert sum(sizes.values()) < FIRST_LOAD, sizes


def _packed(response: Response) -> int:
    body = response.body()
    return len(body) if response.url.endswith("woff2") else len(gzip.compress(body))


def test_the_keyboard_reaches_the_content_first(page: Page, live_server: LiveServer) -> None:
    page.goto(live_server.url + "/rules/")
    page.keyboard.press("Tab")
    skip = page.locator(".skip")
    assert skip.evaluate("element => element === document.activeElement")
    box = skip.bounding_box()
    assert box is not None
    assert box["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_form_is_sent_once(page: Page, live_server: LiveServer) -> None:
    sent: list[str] = []

    def hold(route: Route) -> None:
        sent.append(route.request.post_data or "")  # never answered: the first one is under way

    page.goto(live_server.url + "/rules/")
    page.route("**/language/", hold)
    # Two clicks in one turn a browser makes into one by itself.
    page.evaluate(
        """() => {
          const button = document.querySelector("button[value=it]");
          button.click();
          setTimeout(() => button.click(), 100);
        }"""
    )
    page.wait_for_timeout(400)
    assert len(sent) == 1
    assert "language=it" in sent[0]

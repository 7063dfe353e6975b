"""The pages that everybody may see, in a real browser: calm and light, and kept by their policy."""

import gzip
from typing import Any

import pytest
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


@pytest.mark.parametrize("path", PATHS)
def test_nothing_moves_on_a_page(page: Page, live_server: LiveServer, path: str) -> None:
    page.goto(live_server.url + path)
    assert page.evaluate(SHIFT) < 0.01


@pytest.mark.parametrize(
    "breach",
    [
        "document.body.setAttribute('style', 'color: red')",
        "document.body.append(Object.assign(document.createElement('script'), {text: '1'}))",
        "new Image().src = 'https://example.org/'",
    ],
)
@pytest.mark.allow_console("Content Security Policy")
def test_a_breach_of_the_policy_is_a_complaint(
    page: Page, live_server: LiveServer, breach: str
) -> None:
    """Every browser test fails on such a message: this one shows that it comes."""
    page.goto(live_server.url)
    with page.expect_console_message(lambda said: "Content Security Policy" in said.text) as heard:
        page.evaluate(breach)
    assert heard.value.type == "error"


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

"""The browser tests' Chromium: the system's own, kept off the network, not allowed to complain."""

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebError, expect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
REQUIRED = "PERUDO_REQUIRE_BROWSER"
NO_FAULT = (
    # What Playwright says where a page would get a worker.
    "Service Worker registration blocked",
    # A busy machine had no time to draw a letter yet.
    "was preloaded using link preload but not used",
)
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    # Nothing but this machine has an address.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Launch the system's Chromium; without one, skip (or fail, where CI demands it)."""
    path = next(filter(starts, filter(None, map(shutil.which, NAMES))), None)
    if path is None:
        reason = f"no Chromium in PATH that starts (looked for {', '.join(NAMES)})"
        if os.environ.get(REQUIRED):
            pytest.fail(reason)
        pytest.skip(reason)
    arguments = [*QUIET]
    if os.geteuid() == 0:
        # Chromium's sandbox does not run as root.
        arguments.append("--no-sandbox")
    return {**browser_type_launch_args, "executable_path": path, "args": arguments}


def starts(path: str) -> bool:
    """Say whether the command is a browser: on Ubuntu it may only name a snap to install."""
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, check=False, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def wait_for_version_after(page: Page, seen: str | None) -> None:
    """Wait until a table page shows a later version than ``seen``.

    That the old one has gone is not enough: between two documents there is none, and a reload
    then finds no active page.
    """
    expect(page.locator(f'#game:not([data-since="{seen}"])')).to_have_count(1)
    page.wait_for_load_state()


@pytest.fixture
def new_context(
    request: pytest.FixtureRequest, new_context: Callable[..., BrowserContext]
) -> Iterator[Callable[..., BrowserContext]]:
    """Make browser contexts whose pages may not report an error or a blocked resource.

    A content-security-policy violation is such an error. Mark what a test provokes on purpose:
    ``@pytest.mark.allow_console("status of 422")``. Workers come with
    ``service_workers="allow"`` alone.
    """
    marks = request.node.iter_markers("allow_console")
    allowed = [re.compile(words) for words in (*NO_FAULT, *(mark.args[0] for mark in marks))]
    complaints: list[str] = []

    def note(text: str) -> None:
        if not any(pattern.search(text) for pattern in allowed):
            complaints.append(text)

    def on_console(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            note(f"{message.type}: {message.text} ({message.page.url if message.page else ''})")

    def on_error(error: WebError) -> None:
        note(f"exception: {error.error}")

    def make(**options: Any) -> BrowserContext:
        # Nothing moves but where a test asks for it; and a worker would take requests out of the
        # sight of a test that answers them itself.
        usual = {"reduced_motion": "reduce", "service_workers": "block"}
        context = new_context(**{**usual, **options})
        context.on("console", on_console)
        context.on("weberror", on_error)
        return context

    yield make
    assert not complaints, "the browser complained:\n" + "\n".join(complaints)

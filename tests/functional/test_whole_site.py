"""From ``manage.py up`` to the winner, as somebody who has just cloned the project does it."""

import random
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import wait_for_version_after
from tests.running_site import Site

pytestmark = [pytest.mark.one_database, pytest.mark.slow, pytest.mark.timeout(300)]

MOST_TURNS = 150


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(tmp_path, BOT_DELAY_SECONDS="0.1")
    yield site
    site.kill()


def code_from_mailbox(page: Page) -> str:
    """Read the newest mail to Dora on the mailbox page, as a person would in another tab."""
    tab = page.context.new_page()
    for _ in range(60):
        tab.goto("/mailbox/?to=dora@example.org")
        if tab.locator(".mailbox-list a").count():
            break
        time.sleep(0.25)
    tab.locator(".mailbox-list a").first.click()
    text = tab.locator("main").inner_text()
    found = re.search(r"^\s*([A-Z0-9]{3,4}-?[A-Z0-9]{3,4})\s*$", text, re.MULTILINE)
    tab.close()
    assert found, text
    return found[1]


def wait_for_turn_or_end(page: Page) -> bool:
    """Reload until it is our turn (True) or the game is over or we are out (False)."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        page.reload()
        if page.get_by_role("heading", name="It is your turn").count():
            return True
        if page.get_by_role("button", name=re.compile("rematch|again", re.IGNORECASE)).count():
            return False
        time.sleep(0.3)
    raise AssertionError(page.locator("main").inner_text())


def test_one_person_signs_up_and_plays_a_whole_game_against_bots(
    site: Site, new_context: Callable[..., BrowserContext]
) -> None:
    site.wait_for("ready: ")
    context = new_context(
        viewport={"width": 390, "height": 844}, base_url=f"http://127.0.0.1:{site.port}"
    )
    page = context.new_page()
    page.goto("/")
    page.get_by_role("link", name="Sign up").first.click()
    page.get_by_label("E-mail address").fill("dora@example.org")
    page.get_by_label("Display name").fill("Dora")
    page.get_by_role("button", name="Sign up").click()
    page.get_by_label("Code").fill(code_from_mailbox(page))
    page.locator("main form button[type=submit]").first.click()
    expect(page.get_by_role("heading", name="My games")).to_be_visible()

    page.get_by_role("button", name="Play against 3 bots now").first.click()
    chance = random.Random(3)
    for _ in range(MOST_TURNS):
        if not wait_for_turn_or_end(page):
            break
        seen = page.locator("#game").get_attribute("data-since")
        dudo = page.get_by_role("button", name=re.compile("^Dudo"))
        if dudo.count() and chance.random() < 0.7:
            dudo.click()
            page.get_by_role("button", name="Call dudo").click()
        else:
            page.locator("input[name=bid]").first.check()
            page.get_by_role("button", name=re.compile("^Bid")).click()
        wait_for_version_after(page, seen)
    expect(page.get_by_text(re.compile(r"wins|won|winner", re.IGNORECASE)).first).to_be_visible()
    assert not re.search(r"Traceback|ERROR", site.output), site.output

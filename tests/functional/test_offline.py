"""The site on a phone that loses its line: what was seen is shown as old, and no die at all."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone, translation
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from tests.cast import give_turn, person, table
from tests.functional.touring import PHONE

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.one_database,
    pytest.mark.allow_console("ERR_INTERNET_DISCONNECTED|ERR_FAILED"),
]

NewContext = Callable[..., BrowserContext]
READY = """async () => {
  await navigator.serviceWorker.ready;
  while (!navigator.serviceWorker.controller) await new Promise((done) => setTimeout(done, 20));
}"""
KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys()) {
    for (const request of await (await caches.open(name)).keys()) kept.push(request.url);
  }
  return kept;
}"""


@pytest.fixture
def context(new_context: NewContext, live_server: LiveServer) -> BrowserContext:
    return new_context(viewport=PHONE, base_url=live_server.url, service_workers="allow")


def sign_in(context: BrowserContext, name: str, site: str) -> Page:
    """Open the games of ``name`` in a browser that has its worker."""
    client = Client()
    client.force_login(person(name))
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": site}])
    page = context.pages[0] if context.pages else context.new_page()
    page.goto("/")
    page.evaluate(READY)
    return page


def game_of(*names: str, to_move: str) -> Game:
    game = table(names, now=timezone.now())
    Game.objects.filter(pk=game.pk).update(name="Office round")
    give_turn(game, to_move)
    return game


def test_without_a_line_the_tables_are_shown_as_old_and_no_die_is(
    context: BrowserContext, live_server: LiveServer
) -> None:
    game = game_of("alice", "bob", to_move="bob")
    page = sign_in(context, "alice", live_server.url)
    page.goto(f"/g/{game.code}/")
    expect(page.locator(".own-dice .die")).to_have_count(5)
    context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.get_by_text("This is old")).to_be_visible()
    row = page.locator("main li")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Office round")
    expect(row).to_contain_text("Bob is to move")
    expect(row.locator("time")).to_contain_text(re.compile("minute"))
    # Three covered dice are the picture of the page.
    expect(page.locator(".die:not([aria-label='covered die'])")).to_have_count(0)
    context.set_offline(False)
    expect(page.locator(".own-dice .die")).to_have_count(5)


def test_nothing_is_kept_but_the_page_without_a_line_and_its_files(
    context: BrowserContext, live_server: LiveServer
) -> None:
    game = game_of("alice", "bob", to_move="alice")
    page = sign_in(context, "alice", live_server.url)
    page.goto(f"/g/{game.code}/")
    paths = {re.sub(r"^https?://[^/]+", "", url) for url in page.evaluate(KEPT)}
    pages = {path for path in paths if not path.startswith("/static/")}
    assert pages == {*(f"/offline/?lang={code}" for code in ("en", "it", "fr", "es")),
                     "/offline/language"}  # fmt: skip


def test_the_page_without_a_line_is_in_the_reader_s_language(
    context: BrowserContext, live_server: LiveServer
) -> None:
    reader = person("alice")
    reader.language = "it"
    reader.save(update_fields=["language"])
    page = sign_in(context, "alice", live_server.url)
    page.reload()  # the first page was there before the worker
    context.set_offline(True)
    page.goto("/lobby/")
    assert page.locator("html").get_attribute("lang") == "it"
    with translation.override("it"):
        heading = translation.gettext("You are offline")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)


def test_logging_out_forgets_what_was_seen(
    context: BrowserContext, live_server: LiveServer
) -> None:
    game_of("alice", "bob", to_move="bob")
    page = sign_in(context, "alice", live_server.url)
    assert "Office round" in page.evaluate("localStorage.getItem('perudo-seen')")
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    assert page.evaluate("localStorage.getItem('perudo-seen')") is None


def test_another_account_does_not_see_what_the_first_saw(
    context: BrowserContext, live_server: LiveServer
) -> None:
    game_of("alice", "bob", to_move="bob")
    sign_in(context, "alice", live_server.url)
    page = sign_in(context, "mallory", live_server.url)
    assert "Office round" not in page.evaluate("localStorage.getItem('perudo-seen')")
    context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("main li")).to_have_count(0)


def test_a_page_that_stays_open_says_when_the_line_is_gone(
    context: BrowserContext, live_server: LiveServer
) -> None:
    page = sign_in(context, "alice", live_server.url)
    note = page.get_by_text("what you see may be old")
    expect(note).to_be_hidden()
    context.set_offline(True)
    expect(note).to_be_visible()
    context.set_offline(False)
    expect(note).to_be_hidden()

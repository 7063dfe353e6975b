"""A reveal and a replay in a real browser: by buttons, by keys, and with scripts switched off."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from games.models import Game
from games.selectors import Viewer
from games.selectors.replay import end_of, replay_moment
from tests.cast import give_turn, person
from tests.integration.games.pages import bid, dudo, live_table
from tests.integration.games.test_pages_history import finished

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NewContext = Callable[..., BrowserContext]
Open = Callable[..., Page]


@pytest.fixture
def open_as_alice(new_context: NewContext, live_server: LiveServer) -> Open:
    """Return a function that opens a page as alice, on a phone."""

    def open_page(path: str, **options: Any) -> Page:
        client = Client()
        client.force_login(person("alice"))
        context = new_context(
            viewport={"width": 390, "height": 844}, base_url=live_server.url, **options
        )
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.goto(path)
        return page

    return open_page


def end_of_first_round(game: Game) -> str:
    last = replay_moment(game, (1, 0), Viewer()).last_moves[0]
    return f"/g/{game.code}/replay/1/{last}/"


def button(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=name)


def test_the_cups_are_lifted_one_by_one_by_hand(open_as_alice: Open) -> None:
    page = open_as_alice(end_of_first_round(finished("alice", "bob", "carol")))
    cups = page.locator("[data-reveal-cup]")
    verdict, live = page.locator("[data-reveal-verdict]"), page.locator("[data-reveal-live]")
    expect(verdict).to_be_visible()
    button(page, "See the cups lifted").focus()
    page.keyboard.press("Enter")
    expect(live).to_have_text(re.compile(r"^The bid is"))
    expect(button(page, "Lift the next cup")).to_be_focused()
    expect(verdict).to_be_hidden()
    for number in range(cups.count()):
        for place in range(cups.count()):
            first_die = cups.nth(place).locator(".die").first
            (
                expect(first_die).to_be_visible
                if place < number
                else expect(first_die).to_be_hidden
            )()
        page.keyboard.press("Enter")
        expect(live).to_have_text(cups.nth(number).get_attribute("data-reveal-cup") or "")
    page.keyboard.press("Enter")
    expect(verdict).to_be_visible()
    expect(live).to_have_text(verdict.inner_text())
    expect(button(page, "See the cups lifted")).to_be_focused()


def test_a_reveal_can_be_skipped_and_seen_again(open_as_alice: Open) -> None:
    page = open_as_alice(end_of_first_round(finished("alice", "bob")))
    for _ in range(2):
        button(page, "See the cups lifted").click()
        expect(page.locator(".reveal-sum")).to_be_hidden()
        button(page, "Lift them all").click()
        expect(page.locator(".reveal-sum")).to_be_visible()
        expect(page.locator(".cup .die").last).to_be_visible()


def _fresh_reveal() -> Game:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    return dudo(bid(game, "alice", "9x6"), "bob")


def test_a_round_that_has_just_ended_plays_once_by_itself(open_as_alice: Open) -> None:
    game = _fresh_reveal()
    page = open_as_alice(f"/g/{game.code}/", reduced_motion="no-preference")
    expect(page.locator("[data-reveal-verdict]")).to_be_visible(timeout=20_000)
    expect(page.locator("[data-reveal-live]")).to_have_text(re.compile("called dudo"))
    page.reload()
    expect(page.locator('[data-reveal="ready"]')).to_have_count(1)
    expect(page.locator("[data-reveal-live]")).to_have_text("")
    expect(page.locator("[data-reveal-verdict]")).to_be_visible()


def test_nothing_plays_by_itself_where_motion_is_not_wanted(open_as_alice: Open) -> None:
    page = open_as_alice(f"/g/{_fresh_reveal().code}/")
    expect(page.locator('[data-reveal="ready"]')).to_have_count(1)
    expect(page.locator("[data-reveal-live]")).to_have_text("")
    button(page, "See the cups lifted").click()
    expect(button(page, "Lift the next cup")).to_be_visible()
    expect(page.locator(".cup.is-lifted")).to_have_count(0)


def test_a_reveal_moves_nothing_else_on_the_page(open_as_alice: Open) -> None:
    page = open_as_alice(end_of_first_round(finished("alice", "bob")))
    heights = [page.evaluate("document.documentElement.scrollHeight")]
    button(page, "See the cups lifted").click()
    heights.append(page.evaluate("document.documentElement.scrollHeight"))
    button(page, "Lift the next cup").click()
    heights.append(page.evaluate("document.documentElement.scrollHeight"))
    assert len(set(heights)) == 1


def test_a_replay_is_walked_through_by_keys(open_as_alice: Open) -> None:
    game = finished("alice", "bob")
    number, last = end_of(game)
    page = open_as_alice(f"/g/{game.code}/replay/?as=all")
    for key, place in (
        ("ArrowRight", "1/1"),
        ("ArrowRight", "1/2"),
        ("ArrowLeft", "1/1"),
        ("End", f"{number}/{last}"),
        ("Home", "1/0"),
    ):
        page.keyboard.press(key)
        page.wait_for_url(re.compile(rf"/replay/{place}/\?as=all"))
    expect(page.locator("[aria-current=step]")).to_have_text("The roll")


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_replay_is_walked_through_by_links(open_as_alice: Open, script: bool) -> None:
    game = finished("alice", "bob")
    page = open_as_alice(f"/g/{game.code}/", java_script_enabled=script)
    page.get_by_role("link", name="Replay it move by move").click()
    number, last = end_of(game)
    steps = sum(replay_moment(game, (1, 0), Viewer()).last_moves) + number - 1
    for _ in range(steps):
        page.get_by_role("link", name="Next").click()
    page.wait_for_url(re.compile(rf"/replay/{number}/{last}/"))
    expect(page.get_by_text("wins the game!").first).to_be_visible()
    page.get_by_role("link", name="All cups open").click()
    expect(page.locator(".replay-seats .die").first).to_be_visible()
    field = page.get_by_label("Link to this moment")
    expect(field).to_have_value(re.compile(rf"^http.*/g/{game.code}/replay/{number}/{last}/$"))


def test_without_scripts_every_step_of_a_reveal_is_told(open_as_alice: Open) -> None:
    game = finished("alice", "bob", "carol")
    page = open_as_alice(end_of_first_round(game), java_script_enabled=False)
    expect(button(page, "See the cups lifted")).to_have_count(0)
    cups = page.locator("[data-reveal-cup]")
    for place in range(cups.count()):
        expect(cups.nth(place).locator(".die").first).to_be_visible()
        expect(cups.nth(place)).to_contain_text("needed")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_moment_and_a_reveal_under_way_have_no_barriers(open_as_alice: Open, scheme: str) -> None:
    game = finished("alice", "bob", "carol")
    page = open_as_alice(end_of_first_round(game), color_scheme=scheme)
    assert Axe().run(page).violations_count == 0
    button(page, "See the cups lifted").click()
    button(page, "Lift the next cup").click()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.goto(f"/g/{game.code}/replay/1/1/?as=all")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()

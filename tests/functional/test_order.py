"""The page of standing orders in a real browser: on a phone, without scripts, in both themes."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from games import rules
from games.models import Game, Order
from tests.cast import act, give_turn, person, seat_of, table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PHONE = {"width": 390, "height": 844}
NewContext = Callable[..., BrowserContext]


@pytest.fixture
def open_order(new_context: NewContext, live_server: LiveServer) -> Callable[..., Page]:
    """Return a function that opens alice's order at a table where she has bid 2 threes."""

    def opened(**options: Any) -> Page:
        context = new_context(**{"viewport": PHONE, **options}, base_url=live_server.url)
        client = Client()
        client.force_login(person("alice"))
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.goto(f"/g/{game().code}/order/")
        return page

    return opened


def game() -> Game:
    """Return the game, made at the first call."""
    known = Game.objects.first()
    if known is not None:
        return known
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    made = table(("alice", "bob", "carol"), ruleset=ruleset, now=timezone.now())
    give_turn(made, "alice")
    bid = rules.MakeBid(seat_of(made, "alice").number, rules.Bid.parse("2x3"))
    return act(made, bid, now=timezone.now())


def test_an_order_is_chosen_tried_left_and_withdrawn_without_scripts(
    open_order: Callable[..., Page],
) -> None:
    page = open_order(java_script_enabled=False)
    page.get_by_label("Call dudo when the chance that the bid holds is below").fill("30")
    page.get_by_label("Otherwise bid the first of these").fill("4x5, five fives")
    page.get_by_role("button", name="Show what it would do").first.click()
    tried = page.get_by_role("region", name="What it would do")
    expect(tried.locator("code")).to_have_text("dudo below 30%; bid 4x5, 5x5; else ask")
    expect(tried.get_by_role("row", name="It bids 4 fives").first).to_be_visible()
    assert not Order.objects.exists()
    tried.get_by_role("button", name="Leave this order").click()
    expect(page.get_by_text("Only you know of it.")).to_be_visible()
    page.get_by_role("link", name="dudo below 30%").click()
    page.get_by_role("button", name="Withdraw it").click()
    expect(page.get_by_role("link", name="Leave an order for this round")).to_be_visible()


@pytest.mark.allow_console("status of 422")
def test_a_mistake_is_shown_where_it_was_typed(open_order: Callable[..., Page]) -> None:
    page = open_order()
    page.get_by_label("Your order", exact=True).fill("dudo below thirty")
    page.get_by_role("button", name="Leave this order").last.click()
    field = page.get_by_label("Your order", exact=True)
    expect(field).to_have_value("dudo below thirty")
    expect(page.get_by_text("“thirty” (character 12)")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_fault_that_axe_finds_and_fits_a_phone(
    open_order: Callable[..., Page], scheme: Any
) -> None:
    page = open_order(color_scheme=scheme)
    page.get_by_label("Your order", exact=True).fill(
        "calza on 6x5; dudo below 30%; bid 4x5, 5x5, 1x2; ask from 9; least"
    )
    page.get_by_role("button", name="Show what it would do").last.click()
    expect(page.get_by_role("table").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()

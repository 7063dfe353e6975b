"""Notifications in a real Chromium: the worker shows a turn, and a click on it leads to the game.

A Chromium without a network reaches no push service. What one would bring is put in by its
developer tools; what the browser subscribes with is put in by the test.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import BrowserContext, CDPSession, Page, Worker, expect
from pytest_django.live_server_helper import LiveServer

from games.mail.alerts import turn_alert
from games.models import Game, PushSubscription
from games.services import devices, pushes
from tests.cast import NOON, person, table
from tests.integration.notices.browsers import Browser
from tests.integration.notices.test_pushes import TAKEN, read
from tests.integration.security.stand_in import StandIn, listening
from tests.integration.security.test_outgoing import here, url_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PAGE = "/settings/notices/"
NewContext = Callable[..., BrowserContext]

# What Chromium would get from its push service: the address and the keys of this test's browser.
SUBSCRIBE = """(said) => {
  if (location.protocol === "about:") return;
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")),
    (sign) => sign.charCodeAt(0)).buffer;
  let made = JSON.parse(sessionStorage.getItem("made"));
  const subscription = () => made && {
    endpoint: said.endpoint,
    options: { applicationServerKey: bytes(made) },
    toJSON: () => ({ endpoint: said.endpoint, keys: said }),
    unsubscribe: async () => { sessionStorage.removeItem("made"); made = null; return true; },
  };
  PushManager.prototype.getSubscription = async () => subscription();
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly) throw new Error("browsers refuse that");
    made = applicationServerKey;
    sessionStorage.setItem("made", JSON.stringify(made));
    return subscription();
  };
}"""


@pytest.fixture
def context(new_context: NewContext, live_server: LiveServer) -> Callable[..., BrowserContext]:
    """Return a function that makes a browser in which alice is signed in."""

    def made(**options: Any) -> BrowserContext:
        context = new_context(**{"viewport": {"width": 390, "height": 844}, **options},
                              base_url=live_server.url, service_workers="allow")  # fmt: skip
        client = Client()
        client.force_login(person("alice"))
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        return context

    return made


def allow(context: BrowserContext, page: Page) -> None:
    """Let the site show notifications, as its reader does by a click on the browser's question."""
    context.grant_permissions(["notifications"], origin=page.evaluate("location.origin"))


def registration(tools: CDPSession, page: Page) -> str:
    """Return by which number the developer tools know the site's worker."""
    seen: list[str] = []
    tools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: seen.extend(each["registrationId"] for each in told["registrations"]),
    )
    tools.send("ServiceWorker.enable")
    for _ in range(100):
        if seen:
            return seen[-1]
        page.wait_for_timeout(50)
    raise AssertionError("no worker is registered")


ACTIVATE = """async () => {
  await navigator.serviceWorker.register("/worker.js");
  const { active } = await navigator.serviceWorker.ready;
  while (active.state !== "activated") await new Promise((done) => setTimeout(done, 10));
}"""


def push(context: BrowserContext, page: Page, text: str) -> Worker:
    """Let the worker get what a push service would bring it; return the worker."""
    page.evaluate(ACTIVATE)  # before that, a message is dropped
    tools = context.new_cdp_session(page)
    number = registration(tools, page)
    known = context.service_workers
    worker = known[0] if known else context.wait_for_event("serviceworker")
    worker.evaluate(WATCH)
    tools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": page.evaluate("location.origin"), "registrationId": number, "data": text},
    )
    return worker


# What the worker has shown: without a desktop Chromium's own list of it loses one now and then.
WATCH = """() => {
  const show = registration.showNotification.bind(registration);
  self.shown = [];
  registration.showNotification = async (title, about) => {
    await show(title, about);
    self.shown.push({ title, ...about });
  };
}"""
SHOWN = """async () => {
  const moment = () => new Promise((done) => setTimeout(done, 50));
  for (let i = 0; i < 100 && !self.shown.length; i++) await moment();
  return self.shown;
}"""


CLICK = """async (tag) => {
  const opened = [];
  // Only a click of a person may open a window: here it is told what would be opened.
  clients.openWindow = async (url) => { opened.push(url); };
  WindowClient.prototype.focus = async function () { opened.push(`focus ${this.url}`); };
  let notification;
  while (!notification) {
    await registration.showNotification(self.shown[0].title, self.shown[0]);
    [notification] = await registration.getNotifications({ tag });
  }
  let done;
  const event = new NotificationEvent("notificationclick", { notification });
  event.waitUntil = (promise) => { done = promise; };
  dispatchEvent(event);
  await done;
  return [opened, (await registration.getNotifications({ tag })).length];
}"""


def game(live_server: LiveServer, settings: Any) -> Game:
    settings.SITE_URL = live_server.url
    made = table(("alice", "bob"))
    Game.objects.filter(pk=made.pk).update(name="Friday night")
    made.refresh_from_db()
    return made


def test_the_worker_shows_the_turn_in_words_and_a_click_opens_the_game(
    context: Callable[..., BrowserContext], live_server: LiveServer, settings: Any
) -> None:
    waiting = game(live_server, settings)
    browser = context()
    page = browser.new_page()
    page.goto(PAGE)
    allow(browser, page)
    worker = push(browser, page, turn_alert(waiting).decode())
    url = f"{live_server.url}/g/{waiting.code}/"
    assert worker.evaluate(SHOWN) == [
        {
            "title": "Your turn in Friday night",
            "tag": waiting.code,
            "renotify": True,
            "lang": "en",
            "data": {"url": url},
        }
    ]
    assert worker.evaluate(CLICK, waiting.code) == [[url], 0]


def test_a_browser_that_logs_out_gives_its_subscription_up(
    context: Callable[..., BrowserContext],
) -> None:
    said = Browser("https://push.example.org/here").said
    devices.keep(
        user_id=person("alice").pk, device=devices.NewDevice(**said, name="Chrome"), now=NOON
    )
    page = context().new_page()
    page.add_init_script(f"({SUBSCRIBE})({json.dumps(said)})")
    page.goto(PAGE)
    page.evaluate(ACTIVATE)
    key = pushes.public_key()
    page.evaluate("""async (key) => {
      const { pushManager } = await navigator.serviceWorker.ready;
      await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    }""", key)  # fmt: skip
    page.goto("/accounts/logout/")
    expect(page.locator("[name=device]")).to_have_value(said["endpoint"])
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/")
    assert not PushSubscription.objects.exists()
    assert page.evaluate("sessionStorage.getItem('made')") is None


def test_a_click_leads_to_the_game_where_it_is_open_already(
    context: Callable[..., BrowserContext], live_server: LiveServer, settings: Any
) -> None:
    waiting = game(live_server, settings)
    browser = context()
    page = browser.new_page()
    page.goto(f"/g/{waiting.code}/")
    allow(browser, page)
    worker = push(browser, page, turn_alert(waiting).decode())
    assert len(worker.evaluate(SHOWN)) == 1
    url = f"{live_server.url}/g/{waiting.code}/"
    assert worker.evaluate(CLICK, waiting.code) == [[f"focus {url}"], 0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no JSON",
        json.dumps({"notification": None}),
        json.dumps({"notification": {"navigate": "https://elsewhere.example/"}}),
    ],
)
def test_a_message_that_is_not_ours_shows_the_site_and_leads_nowhere_else(
    context: Callable[..., BrowserContext], live_server: LiveServer, text: str
) -> None:
    browser = context()
    page = browser.new_page()
    page.goto(PAGE)
    allow(browser, page)
    (told,) = push(browser, page, text).evaluate(SHOWN)
    assert told["title"] == "Perudo by Post"
    assert told["data"]["url"].rstrip("/") == live_server.url


def test_a_device_is_turned_on_by_a_click_tried_and_removed(
    context: Callable[..., BrowserContext],
    live_server: LiveServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with listening(TAKEN, tmp_path) as service:
        trust(service, monkeypatch)
        said = Browser(url_of(service, "/push/v1/a-secret-of-one-browser")).said
        browser = context()
        browser.add_init_script(f"({SUBSCRIBE})({json.dumps(said)})")
        page = browser.new_page()
        page.goto(PAGE)
        allow(browser, page)
        page.reload()
        page.get_by_role("button", name="Turn it on here").click()
        expect(page.get_by_text("It is on here.")).to_be_visible()
        expect(page.get_by_text("this device", exact=True)).to_be_visible()
        expect(page.get_by_role("button", name="Turn it on here")).to_be_hidden()
        assert PushSubscription.objects.get().endpoint == said["endpoint"]
        page.locator("[data-digest]").get_by_role("button", name="Send a test").click()
        expect(page.get_by_text("The test is on its way to the device.")).to_be_visible()
        (told,) = read(service)
        assert "This is a test" in told.text["notification"]["title"]
        expect(page.get_by_text("It is on here.")).to_be_visible()
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_text("That device shows no notifications any more.")).to_be_visible()
        expect(page.get_by_role("button", name="Turn it on here")).to_be_visible()
        assert not PushSubscription.objects.exists()
        kept = page.evaluate("sessionStorage.getItem('made')")
        assert kept is None, "the browser has forgotten it too"


def trust(service: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the site reach the push service on this machine, port and all."""
    from games import outgoing

    check = outgoing.check_url
    ports = frozenset({service.port})
    monkeypatch.setattr(outgoing, "check_url", lambda url, **_: check(url, ports=ports))
    monkeypatch.setattr(pushes, "GUARD", here(service))


def test_the_site_learns_of_an_address_that_the_push_service_changed(
    context: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    before = Browser("https://push.example.org/before").said
    after = Browser("https://push.example.org/after").said
    old = devices.NewDevice(**before, name="")
    devices.keep(user_id=person("alice").pk, device=old, now=NOON)
    browser = context()
    page = browser.new_page()
    page.goto(PAGE)
    allow(browser, page)
    worker = push(browser, page, "")
    worker.evaluate(
        """async ([before, after]) => {
          const as = (said) => {
            const { endpoint } = said;
            return { endpoint, toJSON: () => ({ endpoint, keys: said }) };
          };
          const event = new ExtendableEvent("pushsubscriptionchange");
          Object.assign(event, { oldSubscription: as(before), newSubscription: as(after) });
          let done;
          event.waitUntil = (promise) => { done = promise; };
          dispatchEvent(event);
          await done;
        }""",
        [before, after],
    )
    assert [row.endpoint for row in PushSubscription.objects.all()] == [after["endpoint"]]


def test_without_scripts_a_sentence_says_what_it_takes(
    context: Callable[..., BrowserContext],
) -> None:
    page = context(java_script_enabled=False).new_page()
    page.goto(PAGE)
    expect(page.get_by_text("To turn it on, your browser has to run scripts.")).to_be_visible()
    expect(page.get_by_role("button", name="Turn it on here")).to_be_hidden()


def test_a_browser_that_may_not_says_so_and_asks_for_nothing(
    context: Callable[..., BrowserContext],
) -> None:
    browser = context()
    browser.add_init_script(
        "Object.defineProperty(Notification, 'permission', { get: () => 'denied' });"
    )
    page = browser.new_page()
    page.goto(PAGE)
    expect(page.get_by_text("Your browser does not let this site show")).to_be_visible()
    expect(page.get_by_role("button", name="Turn it on here")).to_be_hidden()
    assert not PushSubscription.objects.exists()


def test_a_browser_without_push_says_so(context: Callable[..., BrowserContext]) -> None:
    browser = context()
    browser.add_init_script("delete window.PushManager;")
    page = browser.new_page()
    page.goto(PAGE)
    expect(page.get_by_text("This browser shows no notifications of websites.")).to_be_visible()


@pytest.mark.allow_console("does not support the Push API in incognito mode")
def test_a_push_service_out_of_reach_is_told_and_can_be_tried_again(
    context: Callable[..., BrowserContext],
) -> None:
    browser = context()
    page = browser.new_page()
    page.goto(PAGE)
    allow(browser, page)
    page.reload()
    page.get_by_role("button", name="Turn it on here").click()
    expect(page.get_by_text("It could not be turned on just now")).to_be_visible()
    expect(page.get_by_role("button", name="Turn it on here")).to_be_enabled()
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_fault_that_axe_finds_and_fits_a_phone(
    context: Callable[..., BrowserContext], scheme: Any
) -> None:
    for number in range(2):
        said = Browser(f"https://push.example.org/{number}").said
        device = devices.NewDevice(**said, name="Samsung Internet · Android")
        devices.keep(user_id=person("alice").pk, device=device, now=NOON)
    row = PushSubscription.objects.order_by("pk")[0]
    PushSubscription.objects.filter(pk=row.pk).update(
        last_error="outgoing.slow", failed_at=NOON, failures=3, last_ok_at=NOON
    )
    page = context(color_scheme=scheme).new_page()
    page.goto(PAGE)
    expect(page.get_by_role("button", name="Turn it on here")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    result = Axe().run(page)
    assert result.violations_count == 0, result.generate_report()

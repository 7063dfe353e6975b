"""The account's pages in a real browser: sign-up, passkeys, and what a screen reader finds."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.core import mail
from django.core.cache import cache
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts import services
from accounts.models import User

NewContext = Callable[..., BrowserContext]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


@pytest.fixture(autouse=True)
def _fresh_limits(transactional_db: None) -> None:
    cache.clear()


@pytest.fixture
def site(live_server: LiveServer) -> str:
    """The site by a name: a passkey belongs to a name and never to a number."""
    return live_server.url.replace("127.0.0.1", "localhost")


@pytest.fixture
def page(new_context: NewContext) -> Page:
    """A phone in Rome."""
    return new_context(**PHONE, timezone_id="Europe/Rome", locale="en-GB").new_page()


def type_code(page: Page, address: str) -> None:
    """Type the code that was mailed to ``address``."""
    newest = next(message for message in reversed(mail.outbox) if address in message.to)
    found = re.search(r"^ {4}(\S{9})$", str(newest.body), re.MULTILINE)
    assert found, newest.body
    page.get_by_label("Code", exact=True).fill(found[1])
    page.get_by_role("button", name="Confirm").click()


def log_in(page: Page, site: str, user: User) -> None:
    page.goto(f"{site}/accounts/login/?next=/settings/")
    page.get_by_label("E-mail address").fill(user.email)
    page.get_by_role("button", name="Log in", exact=True).click()
    type_code(page, user.email)
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


def add_authenticator(page: Page) -> None:
    """Give the browser a key that asks for a finger, and always gets one."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )


@pytest.fixture
def alice(transactional_db: None) -> User:
    return services.create_user(email="alice@example.org", display_name="Alice")


def test_signing_up_on_a_phone_guesses_the_time_zone(page: Page, site: str) -> None:
    page.goto(f"{site}/accounts/signup/?next=/settings/")
    zone = page.get_by_label("Time zone")
    expect(zone).to_have_value("Europe/Rome")
    page.get_by_label("E-mail address").fill("carol@example.org")
    page.get_by_label("Display name").fill("Carol")
    zone.select_option("America/Lima")
    page.get_by_role("button", name="Sign up").click()
    type_code(page, "carol@example.org")
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_have_value("America/Lima")
    page.get_by_role("button", name="Use Europe/Rome, as this browser says").click()
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Rome")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Your settings are saved.")).to_be_visible()
    assert User.objects.get(email="carol@example.org").time_zone == "Europe/Rome"


def test_a_refused_sign_up_keeps_the_zone_that_was_chosen(
    page: Page, site: str, alice: User
) -> None:
    page.goto(f"{site}/accounts/signup/")
    page.get_by_label("E-mail address").fill("carol@example.org")
    page.get_by_label("Display name").fill("ALICE")
    page.get_by_label("Time zone").select_option("America/Lima")
    page.get_by_role("button", name="Sign up").click()
    expect(page.get_by_text("This name, or one that looks like it, is taken.")).to_be_visible()
    expect(page.get_by_label("Time zone")).to_have_value("America/Lima")


def test_signing_up_works_without_javascript(new_context: NewContext, site: str) -> None:
    page = new_context(**PHONE, java_script_enabled=False).new_page()
    page.goto(f"{site}/accounts/signup/?next=/settings/")
    page.get_by_label("E-mail address").fill("carol@example.org")
    page.get_by_label("Display name").fill("Carol")
    page.get_by_label("Time zone").select_option("Europe/Paris")
    page.get_by_role("button", name="Sign up").click()
    type_code(page, "carol@example.org")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Paris")


def test_a_passkey_is_added_logs_in_and_is_removed(page: Page, site: str, alice: User) -> None:
    add_authenticator(page)
    log_in(page, site, alice)
    page.get_by_role("link", name="Passkeys and second factors").click()
    page.get_by_role("link", name="Add a passkey").click()
    page.get_by_label("Name of the passkey").fill("My phone")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("heading", name="Recovery Codes")).to_be_visible()
    page.get_by_label("I have saved my recovery codes").check()

    page.goto(f"{site}/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Log out").click()
    page.goto(f"{site}/accounts/login/?next=/accounts/2fa/webauthn/")
    sent = len(mail.outbox)
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_text("My phone")).to_be_visible()
    assert len(mail.outbox) == sent, "a passkey needs no mail"

    page.get_by_role("link", name="Remove").click()
    expect(page.get_by_role("heading", name="Is it still you?")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("You have no passkey yet.")).to_be_visible()


def test_a_passkey_is_asked_for_after_the_code(page: Page, site: str, alice: User) -> None:
    add_authenticator(page)
    log_in(page, site, alice)
    page.goto(f"{site}/accounts/2fa/webauthn/add/")
    page.get_by_role("button", name="Add").click()
    page.get_by_label("I have saved my recovery codes").check()
    page.goto(f"{site}/accounts/logout/")
    page.get_by_role("main").get_by_role("button", name="Log out").click()

    page.goto(f"{site}/accounts/login/?next=/settings/")
    page.get_by_label("E-mail address").fill(alice.email)
    page.get_by_role("button", name="Log in", exact=True).click()
    type_code(page, alice.email)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()


def test_a_passkey_that_does_not_answer_is_said_in_words(
    new_context: NewContext, site: str
) -> None:
    page = new_context(**PHONE).new_page()
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")  # and no authenticator at all
    page.goto(f"{site}/accounts/login/")
    page.evaluate("() => { navigator.credentials.get = () => Promise.reject(new Error('no key')) }")
    page.get_by_role("button", name="Log in with a passkey").click()
    expect(page.get_by_role("alert")).to_have_text(
        "The passkey did not answer. Please try again, or use another way."
    )


ENTRANCE = ("login/", "signup/", "login/code/", "password/reset/")
INSIDE = (
    "/settings/",
    "/settings/delete/",
    "/accounts/email/",
    "/accounts/password/set/",
    "/accounts/2fa/",
    "/accounts/2fa/totp/activate/",
    "/accounts/2fa/webauthn/",
    "/accounts/2fa/webauthn/add/",
    "/accounts/sessions/",
    "/accounts/logout/",
)


def complaints(page: Page) -> list[str]:
    """Return what axe finds wrong with the page, and whether it scrolls sideways."""
    found = [
        f"{page.url}: {violation['id']}: {node['html'][:160]}"
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
    ]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append(f"{page.url}: scrolls sideways")
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_clean_for_axe_and_fits_a_phone(
    new_context: NewContext, site: str, alice: User, scheme: str
) -> None:
    page = new_context(**PHONE, color_scheme=scheme).new_page()
    found: list[str] = []
    for address in ENTRANCE:
        page.goto(f"{site}/accounts/{address}")
        found += complaints(page)
    page.goto(f"{site}/accounts/login/")
    page.get_by_label("E-mail address").fill(alice.email)
    page.get_by_role("button", name="Log in", exact=True).click()
    found += complaints(page)
    type_code(page, alice.email)
    for address in INSIDE:
        page.goto(site + address)
        found += complaints(page)
    assert not found, "\n".join(found)

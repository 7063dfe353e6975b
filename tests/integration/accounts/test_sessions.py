"""Sessions: whose they are, when they end, and what a change of the site's keys does to them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from tests.integration.accounts.conftest import PASSWORD

LogIn = Callable[..., Client]
Code = Callable[[str], str]
OLD, NEW = "the-key-of-last-year-" * 3, "the-key-of-this-year-" * 3


def is_in(browser: Client) -> bool:
    return browser.get("/settings/").status_code == 200


def test_a_key_that_was_planted_before_the_log_in_is_worth_nothing_after_it(
    client: Client, alice: User, mailed_code: Code
) -> None:
    client.post("/accounts/login/", {"login": alice.email})
    planted = client.cookies["sessionid"].value
    client.post("/accounts/login/code/confirm/", {"code": mailed_code(alice.email)})
    assert is_in(client)
    assert client.cookies["sessionid"].value != planted
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert not is_in(thief)
    assert not Session.objects.filter(session_key=planted).exists()


def test_a_made_up_key_starts_no_session_under_it(client: Client, bob: User) -> None:
    client.cookies["sessionid"] = "a" * 32
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    assert is_in(client)
    assert client.cookies["sessionid"].value != "a" * 32


def test_logging_out_ends_the_session_itself_and_not_the_cookie_alone(
    alice: User, log_in: LogIn
) -> None:
    browser = log_in(alice)
    thief = Client()
    thief.cookies["sessionid"] = browser.cookies["sessionid"].value
    assert is_in(thief)
    browser.post("/accounts/logout/")
    assert not is_in(thief)
    assert Session.objects.count() == 0


def test_a_get_logs_nobody_out(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.get("/accounts/logout/")
    assert is_in(browser)


def test_a_reset_password_ends_every_session(bob: User, client: Client, mailed_code: Code) -> None:
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    fresh, new = Client(), "a-third-leather-cup"
    answer = fresh.post("/accounts/password/reset/", {"email": bob.email})
    answer = fresh.post(answer["Location"], {"code": mailed_code(bob.email)})
    fresh.post(answer["Location"], {"password1": new, "password2": new})
    assert not is_in(client)


def test_the_site_s_key_can_be_changed_without_logging_anybody_out(
    alice: User, bob: User, log_in: LogIn, settings: Any
) -> None:
    """The drill: the new key first, the old one as a fallback, and later no more."""
    settings.SECRET_KEY = OLD
    here, away = log_in(alice), log_in(bob, Client())
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, [OLD]
    assert is_in(here), "what the old key vouched for still counts"
    settings.SECRET_KEY_FALLBACKS = []
    assert is_in(here), "and was written anew under the new one"
    assert not is_in(away), "who did not come by in between logs in again"


def test_a_key_that_leaked_is_dropped_at_once_and_with_it_every_session(
    alice: User, log_in: LogIn, settings: Any
) -> None:
    settings.SECRET_KEY = OLD
    browser = log_in(alice)
    settings.SECRET_KEY = NEW
    assert not is_in(browser)


@pytest.mark.parametrize("hops", ["", "203.0.113.9", "rubbish", "1.2.3.4, rubbish", ",", " , , "])
def test_a_request_past_the_proxies_breaks_no_page_and_escapes_no_limit(
    client: Client, settings: Any, hops: str
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 2
    statuses = [
        client.post(
            "/accounts/login/",
            {"login": f"n{attempt}@example.org", "password": "wrong-wrong"},
            headers={"x-forwarded-for": hops} if hops else {},
        ).status_code
        for attempt in range(32)
    ]
    assert statuses[0] == 200
    assert statuses[-1] == 429

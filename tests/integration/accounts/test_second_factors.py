"""Authenticator apps and recovery codes. Passkeys: tests/functional/test_accounts.py."""

import re
from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.core import mail
from django.test import Client

from accounts.models import User

LogIn = Callable[..., Client]
Code = Callable[[str], str]
AddApp = Callable[[Client], tuple[str, str]]


def totp_now(secret: str) -> str:
    """Return what the app shows."""
    counters = list(yield_hotp_counters_from_time())
    return str(format_hotp_value(hotp_value(secret, counters[len(counters) // 2])))


@pytest.fixture
def add_app(transactional_db: None) -> AddApp:
    """Add an authenticator app in a browser; return its secret and where that leads.

    Really committed: allauth tells of it on commit.
    """

    def add(browser: Client) -> tuple[str, str]:
        page = browser.get("/accounts/2fa/totp/activate/").content.decode()
        found = re.search(r'id="authenticator_secret"\s+value="([A-Z2-7]+)"', page)
        assert found, page
        response = browser.post("/accounts/2fa/totp/activate/", {"code": totp_now(found[1])})
        return found[1], response["Location"]

    return add


@pytest.fixture
def guarded(alice: User, log_in: LogIn, add_app: AddApp) -> tuple[Client, str, list[str]]:
    """Alice's browser, her authenticator's secret and her recovery codes."""
    browser = log_in(alice)
    secret, next_page = add_app(browser)
    codes = browser.get(next_page).content.decode()
    return browser, secret, re.findall(r"\b\d{8}\b", codes)


def test_an_authenticator_app_is_asked_for_after_the_code(
    alice: User, guarded: tuple[Client, str, list[str]], mailed_code: Code
) -> None:
    _browser, secret, codes = guarded
    assert len(codes) == 10
    fresh = Client()
    fresh.post("/accounts/login/", {"login": alice.email})
    response = fresh.post("/accounts/login/code/confirm/", {"code": mailed_code(alice.email)})
    assert response["Location"].startswith("/accounts/2fa/authenticate/")
    assert fresh.get("/settings/").status_code == 302
    assert fresh.get(response["Location"]).status_code == 200
    fresh.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert fresh.get("/settings/").status_code == 302
    fresh.post("/accounts/2fa/authenticate/", {"code": totp_now(secret)})
    assert fresh.get("/settings/").status_code == 200


def test_a_password_reset_does_not_skip_the_second_factor(
    alice: User, guarded: tuple[Client, str, list[str]], mailed_code: Code
) -> None:
    _browser, secret, _codes = guarded
    fresh = Client()
    answer = fresh.post("/accounts/password/reset/", {"email": alice.email})
    answer = fresh.post(answer["Location"], {"code": mailed_code(alice.email)})
    new = "a-fourth-leather-cup"
    fresh.post(answer["Location"], {"password1": new, "password2": new})
    alice.refresh_from_db()
    assert alice.check_password(new)
    assert fresh.get("/settings/").status_code == 302
    answer = fresh.post("/accounts/login/", {"login": alice.email, "password": new})
    assert answer["Location"].startswith("/accounts/2fa/authenticate/")
    assert fresh.get("/settings/").status_code == 302
    fresh.post("/accounts/2fa/authenticate/", {"code": totp_now(secret)})
    assert fresh.get("/settings/").status_code == 200


def test_a_second_factor_that_goes_ends_the_other_sessions(
    alice: User, guarded: tuple[Client, str, list[str]], mailed_code: Code
) -> None:
    here, _secret, codes = guarded
    there = Client()
    there.post("/accounts/login/", {"login": alice.email})
    there.post("/accounts/login/code/confirm/", {"code": mailed_code(alice.email)})
    there.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    assert there.get("/settings/").status_code == 200
    here.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.filter(user=alice, type="totp").exists()
    assert there.get("/settings/").status_code == 302
    assert here.get("/settings/").status_code == 200


def test_a_recovery_code_is_good_once(
    alice: User, guarded: tuple[Client, str, list[str]], mailed_code: Code
) -> None:
    _browser, _secret, codes = guarded
    outcomes = []
    for _attempt in range(2):
        fresh = Client()
        fresh.post("/accounts/login/", {"login": alice.email})
        fresh.post("/accounts/login/code/confirm/", {"code": mailed_code(alice.email)})
        fresh.post("/accounts/2fa/authenticate/", {"code": codes[0]})
        outcomes.append(fresh.get("/settings/").status_code)
    assert outcomes == [200, 302]


def test_recovery_codes_are_shown_once(guarded: tuple[Client, str, list[str]]) -> None:
    browser, _secret, codes = guarded
    again = browser.get("/accounts/2fa/recovery-codes/").content.decode()
    assert not any(code in again for code in codes)


def test_a_second_factor_ends_the_other_sessions(
    alice: User, log_in: LogIn, add_app: AddApp
) -> None:
    here, there = log_in(alice), log_in(alice, Client())
    add_app(here)
    assert Authenticator.objects.filter(user=alice, type="totp").exists()
    assert there.get("/settings/").status_code == 302
    assert here.get("/settings/").status_code == 200
    assert "Something changed in your account" in str(mail.outbox[-1].body)


@pytest.mark.parametrize(
    "address",
    [
        "2fa/",
        "2fa/webauthn/",
        "2fa/webauthn/add/",
        "2fa/totp/activate/",
        "email/",
        "password/set/",
        "sessions/",
        "logout/",
    ],
)
def test_every_page_about_the_account_can_be_read(alice: User, log_in: LogIn, address: str) -> None:
    response = log_in(alice).get(f"/accounts/{address}")
    assert response.status_code == 200
    html = response.content.decode()
    assert html.count("<h1>") == 1
    assert html.count("<main") == 1
    assert " style=" not in html
    assert "no-store" in response["Cache-Control"]

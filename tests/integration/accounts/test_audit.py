"""What happens to accounts stands in the log, by number; what was typed does not."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.integration.accounts.conftest import PASSWORD

LogIn = Callable[..., Client]
Code = Callable[[str], str]


@pytest.fixture(autouse=True)
def _heard(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, logger="accounts.audit")


def lines(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == "accounts.audit"]


def test_getting_in_and_out_is_told(
    alice: User, log_in: LogIn, caplog: pytest.LogCaptureFixture
) -> None:
    browser = log_in(alice)
    browser.post("/accounts/logout/")
    assert lines(caplog) == [f"logged in account={alice.pk}", f"logged out account={alice.pk}"]


def test_a_log_in_that_fails_is_told_without_what_was_typed(
    client: Client, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    client.post("/accounts/login/", {"login": bob.email, "password": "wrong-wrong"})
    client.post("/accounts/login/", {"login": "nobody@example.org", "password": "wrong-wrong"})
    assert lines(caplog)[:2] == ["log-in refused account=-"] * 2
    assert "wrong-wrong" not in caplog.text
    assert bob.email not in caplog.text


def test_a_wrong_code_is_told(
    client: Client, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    client.post("/accounts/login/", {"login": alice.email})
    client.post("/accounts/login/code/confirm/", {"code": "AAAA-AAAA"})
    assert f"wrong code for a log-in account={alice.pk}" in lines(caplog)
    assert "AAAA" not in caplog.text


def test_what_is_changed_copied_and_erased_is_told(
    alice: User, log_in: LogIn, mailed_code: Code, caplog: pytest.LogCaptureFixture
) -> None:
    browser, number = log_in(alice), alice.pk
    browser.get("/settings/export/file")
    browser.post("/accounts/email/", {"action_add": "", "email": "alice@new.example.org"})
    browser.post("/accounts/confirm-email/", {"code": mailed_code("alice@new.example.org")})
    browser.post("/settings/delete/", {"sure": "on"})
    told = lines(caplog)
    for event in ("data exported", "address confirmed", "account closed"):
        assert f"{event} account={number}" in told, event


def test_a_new_password_is_told(
    alice: User, log_in: LogIn, caplog: pytest.LogCaptureFixture
) -> None:
    log_in(alice).post("/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD})
    assert f"password set account={alice.pk}" in lines(caplog)
    assert PASSWORD not in caplog.text


def test_no_code_and_no_address_ever_stands_in_the_log(
    alice: User, log_in: LogIn, caplog: pytest.LogCaptureFixture, client: Client
) -> None:
    caplog.set_level(logging.DEBUG)
    log_in(alice)
    client.post("/accounts/password/reset/", {"email": alice.email})
    texts = [str(message.body) for message in mail.outbox]
    import re

    codes = re.findall(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b", "\n".join(texts))
    assert len(codes) >= 2
    said = "\n".join(
        each.getMessage() for each in caplog.records if not each.name.startswith("django.db")
    )
    for secret in (*codes, alice.email):
        assert secret not in said


def test_denied_access_is_told(
    client: Client, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    client.get("/g/0000000000/")
    client.delete("/settings/")
    denied: list[Any] = [each for each in caplog.records if each.name == "django.request"]
    assert [each.status_code for each in denied] == [404, 405]

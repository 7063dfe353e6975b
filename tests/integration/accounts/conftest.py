"""The cast, and reading what was mailed to it."""

import re
from collections.abc import Callable

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts import services
from accounts.models import User

PASSWORD = "six-sided-leather-cup"


@pytest.fixture(autouse=True)
def _fresh_limits(db: None) -> None:
    """Start every test with unused rate limits."""
    cache.clear()


def _person(name: str) -> User:
    return services.create_user(email=f"{name}@example.org", display_name=name.title())


@pytest.fixture
def alice(db: None) -> User:
    """Someone who logs in by code."""
    return _person("alice")


@pytest.fixture
def bob(db: None) -> User:
    """Someone with a password."""
    user = _person("bob")
    user.set_password(PASSWORD)
    user.save()
    return user


@pytest.fixture
def mailed_code() -> Callable[[str], str]:
    """Return the code in the newest mail to an address."""

    def read(address: str) -> str:
        newest = next(message for message in reversed(mail.outbox) if address in message.to)
        found = re.search(r"^ {4}([0-9A-Z]{4}-[0-9A-Z]{4})$", str(newest.body), re.MULTILINE)
        assert found, newest.body
        return found[1]

    return read


@pytest.fixture
def log_in(client: Client, mailed_code: Callable[[str], str]) -> Callable[..., Client]:
    """Log somebody in by code, as a browser does."""

    def do(user: User, browser: Client | None = None) -> Client:
        browser = browser or client
        browser.post("/accounts/login/", {"login": user.email})
        browser.post("/accounts/login/code/confirm/", {"code": mailed_code(user.email)})
        assert browser.get("/settings/").status_code == 200
        return browser

    return do

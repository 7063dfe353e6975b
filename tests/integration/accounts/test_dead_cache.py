"""With Redis dead people sign up and log in, and guessing is limited all the same."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from accounts.models import User
from perudo_site import cache as steady
from tests.integration.accounts.conftest import PASSWORD

Code = Callable[[str], str]
NOBODY = "redis://127.0.0.1:1/1"  # nothing listens on port 1


@pytest.fixture(autouse=True)
def _dead_redis(settings: Any, monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    settings.CACHES = {
        **settings.CACHES,
        "database": {
            "BACKEND": "django.core.cache.backends.db.DatabaseCache",
            "LOCATION": "perudo_site_cacheentry",
        },
        "default": {"BACKEND": "perudo_site.cache.SteadyRedisCache", "LOCATION": NOBODY},
    }
    caches["database"].clear()
    monkeypatch.setattr(steady._Outage, "until", 0.0)


def test_somebody_signs_up(client: Client, mailed_code: Code) -> None:
    client.post(
        "/accounts/signup/",
        {"email": "carol@example.org", "display_name": "Carol", "time_zone": "UTC"},
    )
    client.post("/accounts/confirm-email/", {"code": mailed_code("carol@example.org")})
    assert client.get("/settings/").status_code == 200


def test_alice_logs_in_by_code(client: Client, alice: User, mailed_code: Code) -> None:
    client.post("/accounts/login/", {"login": alice.email})
    client.post("/accounts/login/code/confirm/", {"code": mailed_code(alice.email)})
    assert client.get("/settings/").status_code == 200


def test_guessing_is_limited_all_the_same(client: Client, bob: User) -> None:
    for _attempt in range(5):
        client.post("/accounts/login/", {"login": bob.email, "password": "wrong-wrong"})
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    assert client.get("/settings/").status_code == 302


def test_nobody_waits_for_a_dead_redis(client: Client, alice: User) -> None:
    started = time.monotonic()
    for _attempt in range(5):
        assert client.post("/accounts/login/", {"login": alice.email}).status_code in {200, 302}
    assert time.monotonic() - started < 5

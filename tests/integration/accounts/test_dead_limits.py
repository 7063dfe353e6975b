"""Where not even the database can count, the limiter refuses in words; there is no 500."""

from typing import Any

import pytest
from django.core.cache import caches
from django.db import DatabaseError
from django.test import Client

from accounts.models import User
from perudo_site.cache import SteadyDatabaseCache


@pytest.fixture(autouse=True)
def _no_table(monkeypatch: pytest.MonkeyPatch, db: None) -> None:
    def fail(*args: Any, **kwargs: Any) -> Any:
        raise DatabaseError("no such table: perudo_site_cacheentry")

    base = SteadyDatabaseCache.__mro__[1]
    for name in ("add", "get_many", "set", "delete"):
        monkeypatch.setattr(base, name, fail)
    monkeypatch.setattr("allauth.core.internal.ratelimit.CACHE_LOCK_WAIT_TIMEOUT", 0)


def test_a_cache_that_cannot_count_grants_nothing_and_breaks_nothing() -> None:
    cache = caches["database"]
    assert isinstance(cache, SteadyDatabaseCache)
    assert cache.add("a", 1) is False
    cache.set("a", 1)
    assert cache.get("a", "nothing") == "nothing"
    assert "a" not in cache
    assert cache.delete("a") is False


def test_trying_to_get_in_is_refused_in_words(client: Client, bob: User) -> None:
    answer = client.post("/accounts/login/", {"login": bob.email, "password": "wrong-wrong"})
    assert answer.status_code == 429
    assert "Too many tries" in answer.content.decode()


def test_who_is_in_stays_in(client: Client, bob: User) -> None:
    client.force_login(bob)
    assert client.get("/settings/").status_code == 200
    assert client.get("/").status_code == 200

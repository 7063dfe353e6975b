"""Without Redis the same counts are kept in the database, and nobody waits for it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import caches

from perudo_site import broker
from perudo_site.cache import PAUSE_SECONDS, SteadyRedisCache, _Outage, is_degraded

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_outage() -> Iterator[None]:
    _Outage.until = 0.0
    yield
    _Outage.until = 0.0


def cache_at(url: str) -> SteadyRedisCache:
    return SteadyRedisCache(
        f"{url}?db=1", {"OPTIONS": {"socket_timeout": 1, "socket_connect_timeout": 1}}
    )


def test_a_redis_that_answers_is_used(broker: str) -> None:
    cache = cache_at(broker)
    cache.set("a", 1)
    assert cache.incr("a") == 2
    assert cache.get_many(["a", "b"]) == {"a": 2}
    assert caches["database"].get("a") is None
    assert not is_degraded()
    cache.close()


def test_a_dead_redis_leaves_every_call_working(tmp_path: Path) -> None:
    cache = cache_at(f"unix://{tmp_path}/nobody.sock")
    cache.set("a", 1)
    assert is_degraded()
    assert cache.get("a") == 1
    assert cache.incr("a") == 2
    assert not cache.add("a", 5)
    assert cache.get_or_set("b", 7) == 7
    assert "b" in cache
    cache.set_many({"c": 3})
    assert cache.get_many(["a", "c"]) == {"a": 2, "c": 3}
    cache.delete("a")
    cache.delete_many(["b"])
    assert caches["database"].get_many(["a", "b", "c"]) == {"c": 3}


def test_a_redis_that_dies_and_returns_is_left_and_used_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with broker.start_broker(tmp_path) as running:
        cache = cache_at(running.url)
        cache.set("a", "in Redis")
    assert cache.get("a") is None
    assert is_degraded()
    with broker.start_broker(tmp_path):
        # Not asked again before the pause is over.
        assert cache.get("a") is None
        later = time.monotonic() + PAUSE_SECONDS + 1
        monkeypatch.setattr("perudo_site.cache.time.monotonic", lambda: later)
        assert cache.get("a") == "in Redis"
        cache.close()

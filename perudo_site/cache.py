"""Caches that the site can do without.

Rate limits are counted in the cache, so a cache that raises would close the door to sign-in. While
Redis does not answer, the same calls go to the database cache; and where that fails too, nothing is
granted: a limiter that cannot count refuses, in words, until it can.
"""

import logging
import time
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.core.cache.backends.redis import RedisCache
from django.db import DatabaseError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0
"""How long a process leaves Redis alone after a failure: nobody waits for it at every call."""


class _Outage:
    """Until when this process leaves Redis alone (monotonic seconds)."""

    until = 0.0


def is_degraded() -> bool:
    """Say whether this process now does without Redis."""
    return time.monotonic() < _Outage.until


def _steady(name: str) -> Any:
    def method(self: RedisCache, *args: Any, **kwargs: Any) -> Any:
        if not is_degraded():
            try:
                return getattr(RedisCache, name)(self, *args, **kwargs)
            except (RedisError, OSError) as error:
                # Away, slow, or there and refusing to write (full, loading, a replica).
                _Outage.until = time.monotonic() + PAUSE_SECONDS
                logger.warning("Redis does not answer, using the database: %s", error)
        return getattr(caches["database"], name)(*args, **kwargs)

    method.__name__ = name
    return method


class SteadyRedisCache(RedisCache):
    """Answer from Redis, or from the database cache while Redis is away."""

    add = _steady("add")
    get = _steady("get")
    set = _steady("set")
    touch = _steady("touch")
    delete = _steady("delete")
    get_many = _steady("get_many")
    has_key = _steady("has_key")
    incr = _steady("incr")
    set_many = _steady("set_many")
    delete_many = _steady("delete_many")
    clear = _steady("clear")


class SteadyDatabaseCache(DatabaseCache):
    """Count in a table; while that fails, nothing is found and nothing can be added.

    allauth takes an ``add`` that fails for a lock that somebody else holds, and refuses.
    """

    def add(self, *args: Any, **kwargs: Any) -> bool:
        """Return whether the entry is new and kept."""
        try:
            return super().add(*args, **kwargs)
        except DatabaseError as error:
            _complain(error)
            return False

    def get_many(self, keys: Any, version: int | None = None) -> dict[Any, Any]:
        """Return what is known of ``keys``; ``get`` asks here too."""
        try:
            return super().get_many(keys, version)
        except DatabaseError as error:
            _complain(error)
            return {}

    def has_key(self, key: Any, version: int | None = None) -> bool:
        """Return whether there is an entry."""
        return key in self.get_many([key], version)

    def set(self, *args: Any, **kwargs: Any) -> None:
        """Keep an entry."""
        try:
            super().set(*args, **kwargs)
        except DatabaseError as error:
            _complain(error)

    def delete(self, *args: Any, **kwargs: Any) -> bool:
        """Forget an entry; return whether there was one."""
        try:
            return super().delete(*args, **kwargs)
        except DatabaseError as error:
            _complain(error)
            return False


def _complain(error: DatabaseError) -> None:
    logger.error("the database cache does not answer: %s", type(error).__name__)

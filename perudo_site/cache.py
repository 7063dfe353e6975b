"""A Redis cache that the site can do without.

Rate limits are counted in the cache, so a cache that raises would close the door to sign-in. While
Redis does not answer, the same calls go to the database cache.
"""

import logging
import time
from typing import Any

from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

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
            except (RedisConnectionError, RedisTimeoutError) as error:
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

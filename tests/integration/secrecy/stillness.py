"""What makes two runs comparable: the same chance, and rows that get the same numbers."""

import hashlib
import itertools
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction

from tests.oracle.derivations import replace


@contextmanager
def put_in(real: Callable[..., Any], other: Callable[..., Any]) -> Iterator[None]:
    replace(real, other)
    try:
        yield
    finally:
        replace(other, real)


@contextmanager
def undone() -> Iterator[None]:
    """Take back all rows at the end, and begin to number them where the twin began."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            for sql in connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
                cursor.execute(sql)
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Chance:
    """The operating system's chance, the same stream each time."""

    def __init__(self) -> None:
        self.begin("play")

    def begin(self, what: str) -> None:
        """Begin the stream of one part of the story, whatever came before it."""
        self._parts = (f"{what} {number}" for number in itertools.count())
        random.seed(what)

    def urandom(self, size: int) -> bytes:
        """Stand in for :func:`os.urandom`."""
        blocks = -(-size // 32)
        stream = [hashlib.sha256(next(self._parts).encode()).digest() for _ in range(blocks)]
        return b"".join(stream)[:size]


@contextmanager
def same(chance: Chance) -> Iterator[None]:
    state = random.getstate()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", chance.urandom)
        patch.setattr(random, "_urandom", chance.urandom)
        yield
    random.setstate(state)

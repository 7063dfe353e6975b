"""The texts within a value: what would be written if the value were."""

from collections.abc import Iterator, Mapping
from typing import Any

SHORTEST = 8
"""Signs of the shortest text that could hold eight bytes."""


def texts_of(value: Any) -> Iterator[str | bytes]:
    """Yield every text and every run of bytes in ``value``, whatever it is."""
    if value is None or isinstance(value, bool | float):
        return
    if isinstance(value, str | bytes):
        if len(value) >= SHORTEST:
            yield value
    elif isinstance(value, bytearray | memoryview):
        yield bytes(value)
    elif isinstance(value, int):
        if value.bit_length() > 64:
            yield str(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from texts_of(key)
            yield from texts_of(item)
    elif isinstance(value, list | tuple | set | frozenset):
        if value and all(isinstance(item, int) for item in value):
            yield repr(list(value))
        for item in value:
            yield from texts_of(item)
    elif (inner := getattr(value, "obj", None)) is not None:  # how psycopg wraps JSON
        yield from texts_of(inner)
    else:
        yield repr(value)

"""What a template could reach from its context: views and primitives, never a model."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser
from django.db import models

from games import rules


def reachable(value: Any, path: str = "context") -> Iterator[tuple[str, Any]]:
    """Yield everything that a template could reach from ``value``, with the way to it."""
    yield from _walk(value, path, set())


def check_context(context: Mapping[str, Any], *, reader_may_be_there: bool = False) -> None:
    """Prove that no template of this context gets a model or the whole truth of a game.

    :param reader_may_be_there: the reader's own account, which every page knows.
    """
    for path, value in reachable(dict(context)):
        assert not isinstance(value, rules.GameState | rules.RoundState), path
        is_reader = reader_may_be_there and isinstance(value, AbstractBaseUser)
        is_row = isinstance(value, models.Model | models.QuerySet | models.Manager)
        assert is_reader or not is_row, f"{path} is a {type(value).__name__}"


def _walk(value: Any, path: str, seen: set[int]) -> Iterator[tuple[str, Any]]:
    if id(value) in seen or isinstance(value, str | bytes | int | float | None):
        return
    seen.add(id(value))
    yield path, value
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(item, f"{path}.{key}", seen)
    elif isinstance(value, list | tuple | set | frozenset):
        for index, item in enumerate(value):
            yield from _walk(item, f"{path}[{index}]", seen)
    elif type(value).__module__.startswith("games"):
        slots = [slot for kind in type(value).__mro__ for slot in getattr(kind, "__slots__", ())]
        for name in [*getattr(value, "__dict__", {}), *slots]:
            if hasattr(value, name):
                yield from _walk(getattr(value, name), f"{path}.{name}", seen)

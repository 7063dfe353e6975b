"""The oracle's part in every test: it watches, and a leak fails the test that caused it."""

from collections.abc import Generator
from pathlib import Path

import pytest
from django.conf import settings

from tests.oracle import derivations, files, statements, taps
from tests.oracle.book import Book, Kind, book


class Leaked(AssertionError):
    """A secret has been seen where it does not belong."""


def pytest_collection_finish() -> None:
    """Install the taps, once all modules are loaded that a test may use."""
    derivations.install()
    taps.install()
    files.install(Path(settings.VAR_DIR))
    seed_keys = [entry.partition(":")[2] for entry in settings.SEED_KEYS]
    book.fix((bytes.fromhex(key), Kind.SEED_KEY) for key in seed_keys)
    book.fix([(bytes.fromhex(settings.SECRET_KEY), Kind.SITE)])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup() -> Generator[None, object, object]:
    book.clear()
    files.forget()
    statements.forget()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    result = yield
    _judge()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    # A test that leaks on purpose may have printed it: its log is shown if it fails.
    for phase, key, text in [] if book.leaks_on_purpose else item._report_sections:
        book.look(f"what was printed ({key}, {phase})", text)
    files.look()
    result = yield
    _judge()
    return result


def _judge() -> None:
    book.settle()
    leaks, book.leaks = book.leaks, []
    if leaks:
        lines = sorted({f"  {leak}" for leak in leaks})
        raise Leaked("\n".join(["a secret got out:", *lines]))


@pytest.fixture
def oracle() -> Book:
    """The book of secrets: for tests that leak on purpose, or look for themselves."""
    return book

"""The manual of the package is true."""

import doctest

import pytest

import games.clock

pytestmark = pytest.mark.one_database


def test_the_manual_runs() -> None:
    results = doctest.testmod(games.clock)
    assert results.failed == 0
    assert results.attempted > 60


def test_everything_that_is_exported_exists_once() -> None:
    for name in games.clock.__all__:
        assert hasattr(games.clock, name)
    assert len(set(games.clock.__all__)) == len(games.clock.__all__)


def test_every_code_of_a_refusal_has_been_used() -> None:
    """A sentence that nobody can ever read would still be translated four times."""
    from pathlib import Path

    source = "".join(
        path.read_text()
        for path in Path(games.clock.__path__[0]).glob("*.py")
        if path.name != "errors.py"
    )
    for code in games.clock.ALL_CODES:
        assert f'"{code}"' in source, code

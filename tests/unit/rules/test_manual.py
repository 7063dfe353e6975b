"""The manual of the package is true."""

import doctest

import games.rules


def test_the_manual_runs() -> None:
    results = doctest.testmod(games.rules)
    assert results.failed == 0
    assert results.attempted > 40


def test_everything_that_is_exported_exists_once() -> None:
    for name in games.rules.__all__:
        assert hasattr(games.rules, name)
    assert len(set(games.rules.__all__)) == len(games.rules.__all__)

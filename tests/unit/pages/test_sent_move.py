"""A move's form: what has the shape of a move, whatever becomes of it."""

import pytest

from games.forms import SentMove

GOOD = {"version": "7", "idem_key": "aB3_-", "act": "bid", "bid": "4x5"}


def test_a_move_is_read_as_the_page_writes_it() -> None:
    assert SentMove.read(GOOD) == SentMove(7, "aB3_-", "bid", "4x5")


def test_a_call_needs_no_bid() -> None:
    assert SentMove.read({"version": "0", "idem_key": "k", "act": "dudo"}) is not None


def test_its_key_answers_one_version_only() -> None:
    keys = {
        move.key_of_answer()
        for version in ("7", "8")
        if (move := SentMove.read({**GOOD, "version": version}))
    }
    assert keys == {"7.aB3_-", "8.aB3_-"}


@pytest.mark.parametrize(
    "spoiled",
    [
        {"version": ""},
        {"version": "-1"},
        {"version": "1.5"},
        {"version": "٣"},
        {"version": "2147483648"},
        {"version": "9" * 5_000},
        {"idem_key": ""},
        {"idem_key": "k" * 25},
        {"idem_key": "a b"},
        {"idem_key": "a\nb"},
        {"act": "resign"},
        {"act": "forfeit"},
        {"act": ""},
        {"bid": "4x5" * 4},
    ],
)
def test_what_has_not_the_shape_of_a_move_is_not_read(spoiled: dict[str, str]) -> None:
    assert SentMove.read({**GOOD, **spoiled}) is None


@pytest.mark.parametrize("missing", ["version", "idem_key", "act"])
def test_a_move_that_lacks_a_field_is_not_read(missing: str) -> None:
    assert SentMove.read({name: GOOD[name] for name in GOOD if name != missing}) is None

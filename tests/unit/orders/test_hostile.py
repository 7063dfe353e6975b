"""Whatever is written is read or refused, at once."""

import time
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.orders import MOST_CHARACTERS, Order, OrderError, parse, parse_bids, words

pytestmark = pytest.mark.one_database

PHRASES = sorted(
    " ".join(phrase)
    for table in vars(words).values()
    if isinstance(table, words.Phrases)
    for phrase in table.meanings
)
scraps = st.sampled_from([*PHRASES, "4x5", "30%", "8", ";", ",", ":", "s", "'", "99999", "é", "?"])
texts = st.one_of(
    st.text(max_size=MOST_CHARACTERS + 5),
    st.text(st.characters(codec=None), max_size=60),  # lone surrogates too
    st.lists(scraps, max_size=40).map(" ".join),
    st.lists(scraps, max_size=40).map("".join),
)


def attempt(text: str) -> Order | OrderError:
    try:
        return parse(text)
    except OrderError as refused:
        return refused


@settings(max_examples=600, deadline=None)
@given(texts)
@example("9" * 300)
@example("4x" * 150)
@example(";" * 300)
@example("dix-" * 75)
@example("\u0345\ufdfa" * 150)
@example("if " * 100)
@example("0" * 299 + "x")
def test_any_text_is_an_order_or_a_coded_error(text: str) -> None:
    read = attempt(text)
    if isinstance(read, OrderError):
        assert 1 <= int(read.params.get("position", 1)) <= len(text) + 1
        assert str(read.params.get("word", "x")).isprintable()
    else:
        assert parse(str(read)) == read
        assert len(str(read)) <= MOST_CHARACTERS
    with suppress(OrderError):
        parse_bids(text)


def test_the_worst_of_texts_takes_no_time() -> None:
    worst = ("if " * 100, "dix-" * 75, "4x5," * 75, "de n'importe " * 23, "\ufdfa" * 300)
    begun = time.process_time()
    for text in worst:
        with pytest.raises(OrderError):
            parse(text)
    assert time.process_time() - begun < 0.5

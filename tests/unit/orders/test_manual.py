"""The manual of the package and the page for players are true."""

import doctest
import re
from pathlib import Path

import pytest

import games.orders
from games.orders import OrderError, parse, words
from games.orders.tokens import tokenize

pytestmark = pytest.mark.one_database

PAGE = (Path(__file__).parents[3] / "docs" / "orders.md").read_text()
TABLES = {
    "bid": words.LEAD,
    "dudo": words.CALLS,
    "calza": words.CALLS,
    "least": words.CALLS,
    "ask": words.CALLS,
    "if": words.IF,
    "below": words.RELATIONS,
    "from": words.RELATIONS,
    "above": words.RELATIONS,
    "on": words.RELATIONS,
    "opening": words.OPENING,
    "and": words.AND,
    "else": words.ELSE,
}


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table under a heading, without its head."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_the_manual_runs() -> None:
    results = doctest.testmod(games.orders)
    assert results.failed == 0
    assert results.attempted > 25


def test_everything_that_is_exported_exists_once() -> None:
    for name in games.orders.__all__:
        assert hasattr(games.orders, name)
    assert len(set(games.orders.__all__)) == len(games.orders.__all__)


@pytest.mark.parametrize(("written", "read"), [row[:2] for row in rows("Examples")])
def test_every_example_of_the_page_is_read_as_it_says(written: str, read: str) -> None:
    assert str(parse(written.strip("`"))) == read.strip("`")


@pytest.mark.parametrize("name", ["How it works", "Examples"])
def test_every_line_of_code_on_the_page_is_an_order_or_part_of_one(name: str) -> None:
    section = PAGE.split(f"## {name}\n")[1].split("\n## ")[0]
    spans = [span for span in re.findall(r"`([^`]+)`", section) if len(span) > 1]
    assert len(spans) > 15
    for span in spans:
        if span in ("else", "and", "if", "below", "above", "on"):
            continue  # named as words
        try:
            parse(span)
        except OrderError:
            parse(f"dudo {span}")


@pytest.mark.parametrize(("written", "code", "word"), rows("What is refused"))
def test_every_refusal_of_the_page_is_as_it_says(written: str, code: str, word: str) -> None:
    with pytest.raises(OrderError) as refused:
        parse(written.strip("`"))
    assert refused.value.code == code.strip("`")
    assert refused.value.params.get("word", "") == word.strip("`")


@pytest.mark.parametrize("row", rows("Words")[0:], ids=lambda row: row[0])
def test_every_word_of_the_page_is_known(row: list[str]) -> None:
    table: words.Phrases[object] = TABLES[row[0]]  # type: ignore[assignment]
    for phrase in ", ".join(row[1:]).replace("`", "").split(","):
        for said in (re.sub(r"[()]", "", phrase), re.sub(r"\(.*\)", "", phrase)):
            tokens = tokenize(said)
            found = [each.match(tokens, 0) for each in (table, words.OR_MORE)]
            assert len(tokens) in [match[1] for match in found if match], said

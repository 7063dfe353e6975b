"""What the page says that a player can write is what is read, to the word."""

import doctest
import re
from pathlib import Path

import pytest

import games.replies
from games.orders import words as spoken_orders
from games.replies import Reason, Unread, Verb, parse_command, words
from games.replies.bids import FACE_WORDS, JOINERS, LEADS, QUANTITIES, phrases
from games.replies.grammar import CALLS, NEXT, QUERIES
from games.replies.lines import fold
from tests.unit.replies.letters import summary

pytestmark = pytest.mark.one_database

PAGE = (Path(__file__).parents[3] / "docs" / "mail.md").read_text()
SECTION = PAGE.split("## What a player can write\n")[1].split("\n## ")[0]


def tables(text: str) -> list[list[list[str]]]:
    """Return the tables of a text, each as rows of cells without their head."""
    found = re.findall(r"(?:^\|.*\n?)+", text, re.MULTILINE)
    return [
        [[cell.strip() for cell in row.strip("| ").split(" | ")] for row in table.splitlines()[2:]]
        for table in found
    ]


READ, NOT_READ, WORDS, NUMBERS, FACES = tables(SECTION)


def said(row: list[str]) -> set[str]:
    """Return the folded phrases of a row of words."""
    return {fold(phrase) for cell in row[1:] for phrase in cell.split(", ")}


def examples(rows: list[list[str]]) -> list[tuple[str, str]]:
    return [(line, row[1].strip("`")) for row in rows for line in re.findall(r"`([^`]+)`", row[0])]


@pytest.mark.parametrize(("line", "meaning"), examples(READ))
def test_every_example_of_the_page_is_read_as_it_says(line: str, meaning: str) -> None:
    assert summary(parse_command(line)) == meaning


@pytest.mark.parametrize(("line", "reason"), examples(NOT_READ))
def test_every_refusal_of_the_page_is_as_it_says(line: str, reason: str) -> None:
    refused = parse_command(line)
    assert isinstance(refused, Unread)
    assert refused.reason == Reason(reason)


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row[0])
def test_the_page_has_every_word_of_a_row_and_no_other(row: list[str]) -> None:
    known = {
        "`next:`": NEXT,
        "`order:`": words.every("order"),
        "`say:`": words.every("say"),
        "before a bid": LEADS,
        "between its numbers": JOINERS,
        "a courtesy": words.every("polite"),
    }
    if row[0] in known:
        assert said(row) == set(known[row[0]])
    else:
        verb = Verb(row[0])
        assert said(row) == {word for word, of in {**QUERIES, **CALLS}.items() if of is verb}


def test_the_page_has_every_command() -> None:
    rows = {row[0] for row in WORDS}
    assert rows >= {verb for verb in Verb if verb not in (Verb.BID, Verb.ORDER, Verb.SAY)}
    assert len(rows) == len(WORDS)


@pytest.mark.parametrize(
    ("rows", "known"), [(NUMBERS, QUANTITIES), (FACES, FACE_WORDS)], ids=["numbers", "faces"]
)
def test_the_page_has_every_number_and_face(rows: list[list[str]], known: dict[str, int]) -> None:
    assert {phrase: int(row[0]) for row in rows for phrase in said(row)} == dict(known)


@pytest.mark.parametrize("place", range(len(words.LANGUAGES)))
def test_each_language_has_its_own_column(place: int) -> None:
    language = words.LANGUAGES[place]
    columns = {row[0].strip("`:").replace("-", "_"): row[place + 1] for row in WORDS}
    for name in ("my_dice", "status", "history", "help", "cancel", "stop_mail", "order", "say"):
        written = {fold(phrase) for phrase in columns[name].split(", ")}
        assert written == set(words.spoken(getattr(language, name))), (language.code, name)


def test_orders_and_mails_have_the_same_words_for_bids() -> None:
    assert set(phrases(spoken_orders.NUMBERS)) == set(QUANTITIES)
    assert set(phrases(spoken_orders.FACES)) == set(FACE_WORDS)


def test_the_manual_of_the_package_runs() -> None:
    results = doctest.testmod(games.replies)
    assert results.failed == 0
    assert results.attempted > 10


def test_everything_that_is_exported_exists_once() -> None:
    for name in games.replies.__all__:
        assert hasattr(games.replies, name)
    assert len(set(games.replies.__all__)) == len(games.replies.__all__)

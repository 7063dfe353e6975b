"""No line is ever read as what the specification does not say."""

from random import Random

import pytest

from games.orders import words as spoken
from games.replies import Command, Verb, parse_command
from games.replies.bids import FACE_WORDS, JOINERS, LEADS, QUANTITIES
from games.replies.grammar import CALLS, QUERIES
from tests.unit.replies import reference
from tests.unit.replies.letters import summary

pytestmark = pytest.mark.one_database

MOST = 30


@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_lines_mean_what_the_reference_says_and_nothing_else(seed: int) -> None:
    rng = Random(seed)
    counted = {"read": 0, "not read": 0}
    for _ in range(1_000):
        line = reference.random_line(rng)
        allowed = reference.readings(line, most=MOST)
        read = parse_command(line, most=MOST)
        said = {summary(read)} if isinstance(read, Command) else set()
        assert len(allowed) <= 1, (line, allowed)
        assert said == allowed, line
        counted["read" if said else "not read"] += 1
    assert min(counted.values()) > 150, counted  # the lines are worth the test


def test_every_way_to_write_a_bid_is_read() -> None:
    for lead in reference.LEAD:
        assert summary(parse_command("".join(lead) + "5 fours")) == "5x4"
    for quantity, number in reference.QUANTITY.items():
        expected = f"{number}x5" if quantity != ("once",) else "unread two-readings"
        assert summary(parse_command("".join(quantity) + " 5")) == expected
    for separator in reference.SEPARATOR:
        assert summary(parse_command("5" + "".join(separator) + "4")) == "5x4"
    for face, number in reference.FACE.items():
        assert summary(parse_command("5 " + "".join(face))) == f"5x{number}"
    for courtesy in reference.COURTESIES:
        assert summary(parse_command("5 fours, " + "".join(courtesy))) == "5x4"


def test_the_reference_and_the_code_know_the_same_words() -> None:
    def known(phrases: object) -> set[tuple[str, ...]]:
        return {reference.tokens(phrase) for phrase in phrases}

    words = {phrase: number for phrase, number in reference.QUANTITY.items() if phrase[0].isalpha()}
    assert {reference.tokens(each): number for each, number in QUANTITIES.items()} == words
    assert {
        reference.tokens(each): face for each, face in FACE_WORDS.items()
    } == reference.FACE_WORDS
    assert known(LEADS) == {lead[:-1] for lead in reference.LEAD if lead}
    assert known(JOINERS) == {each[1:-1] for each in reference.SEPARATOR if len(each) > 2} - {
        (mark,) for mark in reference.MARKS
    }
    verbs = {**QUERIES, **CALLS}
    assert {reference.tokens(each): str(verb) for each, verb in verbs.items()} == reference.WORDS


def test_no_word_means_two_things() -> None:
    assert not set(QUERIES) & set(CALLS)
    assert not set(QUERIES) & (set(FACE_WORDS) | set(QUANTITIES))
    assert not set(CALLS) & (set(FACE_WORDS) | set(QUANTITIES))
    assert {verb for verb in Verb if verb not in {*QUERIES.values(), *CALLS.values()}} == {
        Verb.BID,
        Verb.ORDER,
        Verb.SAY,
    }
    for table in (spoken.NUMBERS, spoken.FACES):
        assert len(table.meanings) == len(set(table.meanings))

"""A game looked back on, in sentences."""

from pathlib import Path

import pytest
from django.utils import translation

from games.rules import Bid, OutcomeKind
from games.rules.record import GameRecord, ResultEntry, load
from games.wording import lifting_sentence, record_lines, rolled_sentence, tally_text

pytestmark = pytest.mark.one_database

RECORDS = sorted((Path(__file__).parents[2] / "transcripts" / "records").glob("*.jsonl"))


def test_the_count_is_said_with_what_it_is_held_against() -> None:
    assert tally_text(3, Bid(5, 4), OutcomeKind.DUDO) == "3 fours so far, 5 needed"
    assert tally_text(0, Bid(1, 1), OutcomeKind.DUDO) == "0 aces so far, 1 needed"
    assert tally_text(1, Bid(2, 6), OutcomeKind.CALZA) == "1 six so far, exactly 2 were called"
    assert tally_text(2, Bid(1, 6), OutcomeKind.CALZA) == "2 sixes so far, exactly 1 was called"


def test_a_reveal_begins_with_the_bid() -> None:
    assert lifting_sentence(Bid(4, 5)) == "The bid is 4 fives. Now the cups are lifted."


def test_a_round_begins_with_its_roll_if_there_was_one() -> None:
    assert rolled_sentence("Alice", is_rolled=True) == "Everybody rolled. Alice opens the round."
    assert "Alice" not in rolled_sentence("Alice", is_rolled=False)


@pytest.fixture(params=RECORDS, ids=lambda file: file.stem)
def record(request: pytest.FixtureRequest) -> GameRecord:
    return load(request.param.read_bytes())


def test_a_record_is_told_round_by_round_to_its_end(record: GameRecord) -> None:
    lines = list(record_lines(record))
    rounds = [line for line in lines if line.startswith("Round ")]
    ended = sum(isinstance(entry, ResultEntry) for entry in record.entries)
    assert rounds == [f"Round {number}" for number in range(1, len(rounds) + 1)]
    assert ended <= len(rounds) <= ended + 1
    for place, name in zip(record.places, record.seats, strict=True):
        assert place is None or f"{place}. {name}" in lines


def test_a_record_is_told_in_the_readers_language() -> None:
    record = load(RECORDS[0].read_bytes())
    english = list(record_lines(record))
    with translation.override("it"):
        italian = list(record_lines(record))
    assert len(italian) == len(english)
    assert italian != english

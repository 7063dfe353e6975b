"""The golden records: what an older version wrote is read, replayed and told the same for good."""

from pathlib import Path

import pytest

from games.rules.record import account, dump, load, replay

pytestmark = pytest.mark.one_database

FOLDER = Path(__file__).parents[2] / "transcripts" / "records"
FILES = sorted(FOLDER.glob("*.jsonl"))


def test_there_are_golden_records() -> None:
    assert len(FILES) >= 5


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_golden_record_replays_and_is_told_as_before(file: Path) -> None:
    record = load(file.read_bytes())
    assert replay(record) == []
    told = "".join(f"{line}\n" for line in account(record))
    assert told == file.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "file", [file for file in FILES if not file.stem.startswith("by-hand")], ids=lambda f: f.stem
)
def test_a_golden_record_is_written_as_before(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert dump(load(text)) == text

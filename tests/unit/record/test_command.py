"""``manage.py replay FILE`` tells a game, judges it, and says why when it cannot."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.rules.record import dump
from games.rules.record.lines import MAX_BYTES
from tests.unit.record.records import edited, random_record

pytestmark = pytest.mark.one_database

GOOD = dump(random_record(1))


def replayed(file: Path, **options: object) -> str:
    out = StringIO()
    call_command("replay", str(file), stdout=out, **options)
    return out.getvalue()


def test_a_good_record_is_told_and_has_no_difference(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text(GOOD)
    told = replayed(file)
    assert told.startswith("Rules: custom, version 1")
    assert "Round 1, opened by" in told
    assert "Place 1: " in told
    assert told.endswith("\nno difference\n")
    assert replayed(file, quiet=True) == "no difference\n"


def test_differences_are_listed_by_line_and_end_with_code_1(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    number = next(n for n, line in enumerate(GOOD.splitlines(), 1) if '"count":' in line)
    file.write_text(edited(GOOD, number, count=17))
    out = StringIO()
    with pytest.raises(CommandError, match=r"^1 difference$") as caught:
        call_command("replay", str(file), stdout=out)
    assert caught.value.returncode == 1
    assert f'line {number}: In the record "count" is 17, by the rules' in out.getvalue()


def test_a_cut_record_ends_with_code_2_and_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_text("".join(GOOD.splitlines(keepends=True)[:-1]))
    with pytest.raises(CommandError, match=r"line \d+: The record is cut off") as caught:
        replayed(file)
    assert caught.value.returncode == 2


def test_a_missing_file_and_a_folder_end_with_code_2(tmp_path: Path) -> None:
    for file, reason in ((tmp_path / "none", "No such file"), (tmp_path, "Is a directory")):
        with pytest.raises(CommandError, match=reason) as caught:
            replayed(file)
        assert caught.value.returncode == 2


def test_an_endless_file_is_not_read_to_its_end(tmp_path: Path) -> None:
    file = tmp_path / "endless"
    with file.open("wb") as stream:
        stream.truncate(MAX_BYTES * 1000)  # a hole, which takes no room on the disk
    with pytest.raises(CommandError, match="The text is longer than") as caught:
        replayed(file)
    assert caught.value.returncode == 2

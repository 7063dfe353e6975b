"""The golden transcripts say what the rules do: ``python -m tests.transcripts.regenerate``."""

import pytest

from tests.transcripts.regenerate import FOLDER, printed
from tests.transcripts.scripts import SCRIPTS


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_is_played_as_its_transcript_says(name: str) -> None:
    assert printed(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


def test_no_transcript_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SCRIPTS)


def test_the_transcripts_cover_what_they_claim() -> None:
    told = {name: printed(name) for name in SCRIPTS}
    assert {"piatnik", "bga", "asmodee", "wikipedia"} <= set(told)
    assert "any-face" in told["piatnik"]  # a face changed in palifico
    assert "calza" in told["bga"]
    assert ": resign" in told["wikipedia"]
    # an early stop: carol, dave and alice are lifted, bob's 45 is not
    second = told["piatnik"].split("== round 2")[1].split("== round 3")[0]
    assert [line.split()[2] for line in second.splitlines() if "lifted" in line] == [
        "carol:",
        "dave:",
        "alice:",
    ]

"""Write the golden transcripts anew: ``python -m tests.transcripts.regenerate``.

Read the difference before you commit it: it is the behaviour of the rules that changed.
"""

from pathlib import Path

from games.rules import dump, load
from tests.transcripts.printer import transcript
from tests.transcripts.scripts import SCRIPTS

FOLDER = Path(__file__).parent


def printed(name: str) -> str:
    """Return the transcript of a script, printed from its game record as read back from text."""
    return transcript(load(dump(SCRIPTS[name].record())))


def main() -> None:
    """Write every transcript beside this module."""
    for name in SCRIPTS:
        (FOLDER / f"{name}.txt").write_text(printed(name), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

"""What a sceptical player does: fetch the log of a game and run the verifier on it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from games.models import Game
from games.selectors.log import transcript
from tests.integration.games.pages import browser

VERIFIER = Path(__file__).parents[3] / "games/static/games/verify_perudo.py"


def log_of(game: Game) -> list[dict[str, Any]]:
    """Return the events of a game as its transcript has them."""
    return [json.loads(line) for line in transcript(Game.objects.get(pk=game.pk)).splitlines()]


def kinds(game: Game) -> list[str]:
    """Return the kinds of the log's events."""
    return [event["kind"] for event in log_of(game)]


def verify(text: str, folder: Path, *more: str) -> tuple[int, str]:
    """Return the exit status and the words of the offline verifier."""
    path = folder / "transcript.jsonl"
    path.write_text(text)
    command = [sys.executable, str(VERIFIER), str(path), *more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def download(name: str, game: Game) -> str:
    """Return the transcript as ``name`` downloads it."""
    answer = browser(name).get(f"/g/{game.code}/transcript")
    assert answer.status_code == 200
    return str(answer.content.decode())

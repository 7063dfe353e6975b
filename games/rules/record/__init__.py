"""The game record: one text that holds a whole game, and the means to check it.

``dump`` writes it, ``load`` reads it back from anybody's hands, ``replay`` plays it again through
the engine and lists what differs, ``account`` tells it in sentences. The format is in ``text``.
"""

from games.rules.record.account import account
from games.rules.record.lines import RecordError
from games.rules.record.model import (
    GameRecord,
    MoveEntry,
    ResultEntry,
    RollEntry,
    clean_label,
    record_game,
    without_covered_cups,
)
from games.rules.record.replay import Difference, replay
from games.rules.record.text import dump, load

__all__ = [
    "Difference",
    "GameRecord",
    "MoveEntry",
    "RecordError",
    "ResultEntry",
    "RollEntry",
    "account",
    "clean_label",
    "dump",
    "load",
    "record_game",
    "replay",
    "without_covered_cups",
]

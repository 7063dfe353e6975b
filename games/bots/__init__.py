"""Players that see a TableView and nothing else.

A kind of bot is a function from a view and one draw of luck to an action. All that it knows is in
the view, so it can't know more than the person whose chair it sits in.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from games.bots import paco
from games.rules.state import Move
from games.rules.view import TableView


class Decide(Protocol):
    """How every kind of bot is asked."""

    def __call__(self, view: TableView, *, luck: float) -> Move:
        """Return a legal action for the viewer, whose turn it is; ``luck`` is in [0, 1)."""


BOTS: Mapping[str, Decide] = MappingProxyType({"paco": paco.decide})
DEFAULT_BOT = "paco"
BOT_NAMES = ("Bot Paco", "Bot Rosa", "Bot Inti", "Bot Luz", "Bot Tito", "Bot Nina", "Bot Coco")


def decide(view: TableView, *, luck: float) -> Move:
    """Return the default bot's move.

    :raises ValueError: it is not the viewer's turn.
    """
    return BOTS[DEFAULT_BOT](view, luck=luck)

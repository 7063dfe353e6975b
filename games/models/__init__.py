"""The tables of the game: thin rows, constraints and querysets; no game logic.

The secret's module is loaded so that Django knows its table, but its model is not exported:
only :mod:`games.store` may import it.
"""

import games.models.secret  # noqa: F401
from games.models.contribution import Contribution, ContributionKind
from games.models.event import Event
from games.models.game import Game, GameStatus, Seat
from games.models.hours import Hours
from games.models.invitation import Invitation
from games.models.outbox import OutboxKind, OutboxMessage, OutboxStatus
from games.models.round import VOTE_AFTER, Bid, Round

__all__ = [
    "VOTE_AFTER",
    "Bid",
    "Contribution",
    "ContributionKind",
    "Event",
    "Game",
    "GameStatus",
    "Hours",
    "Invitation",
    "OutboxKind",
    "OutboxMessage",
    "OutboxStatus",
    "Round",
    "Seat",
]

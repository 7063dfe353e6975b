"""What happens by itself: bots move, missed turns are played, dead waiting rooms close.

Everything due is found by one sweep of ``Game.wake_at``. A sweep may run late, twice or beside
another one: each game is taken under its lock and only if it still is where the sweep saw it.
"""

import logging
import secrets
from datetime import datetime, timedelta

from games import rules
from games.bots import BOTS
from games.clock.automatic import automatic_move
from games.models import Game, GameStatus, Seat
from games.services import lobby, moves
from games.services.errors import LobbyRefusal, StaleMove

logger = logging.getLogger(__name__)

QUARANTINE = timedelta(minutes=5)
"""How long a game that cannot be moved on is left alone, so that it holds up no other."""


def expire_turns(*, now: datetime, limit: int = 500) -> int:
    """Act in every game that is due at ``now``, oldest first; return how many were moved on."""
    due = (
        Game.objects.filter(wake_at__lte=now)
        .order_by("wake_at")
        .values_list("pk", "version", "status")[:limit]
    )
    return sum(_expire(game_id, version, status, now=now) for game_id, version, status in list(due))


def _expire(game_id: int, version: int, status: str, *, now: datetime) -> bool:
    try:
        if status == GameStatus.OPEN:
            lobby.expire(game_id=game_id, now=now)
        else:
            moves.play_for_seat(game_id=game_id, expected_version=version, choose=_choose, now=now)
    except (StaleMove, LobbyRefusal):
        return False  # the player, or another sweep, got there first
    except Exception as error:  # noqa: BLE001 - recorded; one game's fault must hold up no other
        # No traceback: its values may hold dice.
        logger.error("game %s cannot be moved on: %s", game_id, type(error).__name__)
        Game.objects.filter(pk=game_id, version=version, wake_at__lte=now).update(
            wake_at=now + QUARANTINE
        )
        return False
    return True


def _choose(view: rules.TableView, seat: Seat) -> rules.Move:
    if seat.bot:
        # A bot's own chance comes from the system, never from the game's seed.
        return BOTS[seat.bot](view, luck=secrets.randbelow(10**9) / 10**9)
    return automatic_move(view)

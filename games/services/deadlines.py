"""What happens by itself: bots move, missed turns are played, waiting rolls rolled, rooms closed.

Everything due is found by one sweep of ``Game.wake_at``. A sweep may run late, twice or beside
another one: each game is taken under its lock and only if it still is where the sweep saw it.
"""

import logging
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from games import rules
from games.bots import BOTS
from games.clock.automatic import automatic_move
from games.models import Game, GameStatus, Seat
from games.services import lobby, moves, receiving, rolling
from games.services.errors import LobbyRefusal, StaleMove

logger = logging.getLogger(__name__)

QUARANTINE = timedelta(minutes=5)
"""How long a game that cannot be moved on is left alone, so that it holds up no other."""


def expire_turns(*, now: datetime, limit: int = 500) -> int:
    """Act in every game that is due at ``now``, oldest first; return how many were moved on."""
    due = _due(now=now, limit=limit)
    if any(game.has_mail for game in due):
        # What came in time by mail goes before the clock; what fails is tried again, for minutes.
        receiving.sweep(now=now)
        due = [game for game in _due(now=now, limit=limit) if not game.has_mail]
    # What takes the network comes last: a beacon that is away holds up nobody else's game.
    due.sort(key=_Due.waits_for_beacon)
    pulses = rolling.Pulses()
    return sum(_expire(game, pulses, now=now) for game in due)


class _Due(NamedTuple):
    """A game that is due, as the sweep saw it."""

    pk: int
    version: int
    status: str
    chain: str
    beacon_round: int | None
    beacon_signature: str | None
    has_mail: bool

    def waits_for_beacon(self) -> bool:
        """Return whether its round is not rolled yet."""
        return bool(self.beacon_round) and not self.beacon_signature


def _due(*, now: datetime, limit: int) -> list[_Due]:
    found = (
        Game.objects.filter(wake_at__lte=now)
        .annotate(has_mail=receiving.has_mail())
        .order_by("wake_at")
        .values_list(
            "pk",
            "version",
            "status",
            "chain",
            "current_round__beacon_round",
            "current_round__beacon_signature",
            "has_mail",
        )[:limit]
    )
    return [_Due(*row) for row in found]


def _expire(game: _Due, pulses: rolling.Pulses, *, now: datetime) -> bool:
    try:
        return _act(game, pulses, now=now)
    except (StaleMove, LobbyRefusal):
        return False  # the player, or another sweep, got there first
    except Exception as error:  # noqa: BLE001 - recorded; one game's fault must hold up no other
        # No traceback: its values may hold dice.
        logger.error("game %s cannot be moved on: %s", game.pk, type(error).__name__)
        Game.objects.filter(pk=game.pk, version=game.version, wake_at__lte=now).update(
            wake_at=now + QUARANTINE
        )
        return False


def _act(game: _Due, pulses: rolling.Pulses, *, now: datetime) -> bool:
    """Do what is due in one game; return whether it was moved on."""
    if game.status == GameStatus.OPEN:
        lobby.expire(game_id=game.pk, now=now)
    elif game.beacon_round and game.waits_for_beacon():
        return rolling.roll_when_out(
            game_id=game.pk, chain=game.chain, number=game.beacon_round, pulses=pulses, now=now
        )
    else:
        moves.play_for_seat(game_id=game.pk, expected_version=game.version, choose=_choose, now=now)
    return True


def _choose(view: rules.TableView, seat: Seat) -> rules.Move:
    if seat.bot:
        # A bot's own chance comes from the system, never from the game's seed.
        return BOTS[seat.bot](view, luck=secrets.randbelow(10**9) / 10**9)
    return automatic_move(view)

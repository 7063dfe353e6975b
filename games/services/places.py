"""Whether a player may take one more seat: how many he has, what he did with others, the gate.

Who takes a seat holds the lock on his own row meanwhile (:func:`games.services.conduct.ensure`), so
that two seats taken at once are counted one after the other.
"""

from datetime import datetime

from django.db.models import Q

from games import clock
from games.clock.ladder import RETIRED_AFTER
from games.clock.reliability import BAN_FROM, BAN_WINDOW, BANS
from games.models import Conduct, Game, GameStatus, Hours, Seat, Tenure
from games.selectors.conduct import reliability_of
from games.selectors.hours import aways
from games.services.errors import LobbyRefusal

TABLES_AT_SIGN_UP = 5
MOST_TABLES = 50
"""Tables that one may sit at: so many at first, one more with each finished game, up to these."""


def most_tables(finished_games: int) -> int:
    """Return at how many tables somebody may sit who has finished so many games."""
    return min(TABLES_AT_SIGN_UP + finished_games, MOST_TABLES)


def check(row: Conduct, *, now: datetime) -> None:
    """Refuse a seat to a player, whose locked row this is, who may take none now.

    :raises LobbyRefusal: ``lobby.banned`` or ``lobby.too-many-tables``.
    """
    until = banned_until(row.pk, now=now)
    if until is not None:
        raise LobbyRefusal("lobby.banned", at=until)
    in_play = Q(game__status=GameStatus.OPEN) | Q(game__status=GameStatus.ACTIVE, dice__gt=0)
    held = Q(user_id=row.pk) | Q(heir_id=row.pk)
    taken = Seat.objects.filter(in_play, held).count()
    most = most_tables(row.games)
    if taken >= most:
        code = "lobby.most-tables" if most == MOST_TABLES else "lobby.too-many-tables"
        raise LobbyRefusal(code, most=most)


def check_gate(row: Conduct, game: Game) -> None:
    """Refuse a seat in ``game`` to a player who has not kept as many turns as its host asks for.

    :raises LobbyRefusal: ``gate.turns`` or ``gate.new``.
    """
    if not game.gate:
        return
    known = reliability_of(row)
    refusal = clock.why_not_gate(known, percent=game.gate, new_allowed=game.new_welcome)
    if refusal is not None:
        raise LobbyRefusal(refusal.code, **refusal.params)


def banned_until(user_id: int, *, now: datetime) -> datetime | None:
    """Return until when a player may take no seat, None when he may.

    A seat that the clock took from somebody who had announced an absence was not left silently.
    """
    since = now - BAN_WINDOW - max(BANS)
    left = Tenure.objects.filter(user_id=user_id, retired_at__gt=since)
    moments = list(left.values_list("retired_at", flat=True))
    if len(moments) < BAN_FROM:
        return None
    hours = Hours.objects.filter(pk=user_id).first()
    announced = aways(hours.absences) if hours else ()
    silent = [
        at
        for at in moments
        if not any(away.start < at and at - RETIRED_AFTER < away.end for away in announced)
    ]
    until = clock.banned_until(silent)
    return until if until is not None and until > now else None

"""The floor's move: lock, insert, update, insert; by the ORM, and by the bare driver."""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction

from benchmarks.floor.models import FloorGame, FloorMove, FloorOutbox

DAY = timedelta(days=1)


def orm_move(game_id: int, player_id: int, *, now: datetime) -> None:
    """Make the next move of a game in one transaction, in plain ORM style."""
    with transaction.atomic():
        game = FloorGame.objects.select_for_update().get(pk=game_id)
        game.version += 1
        game.to_act = game.version % 6
        game.bid_quantity = game.version
        game.bid_face = 1 + game.version % 6
        game.turn_deadline_at = now + DAY
        FloorMove.objects.create(
            game=game,
            number=game.version,
            player_id=player_id,
            quantity=game.bid_quantity,
            face=game.bid_face,
            made_at=now,
        )
        game.save()
        FloorOutbox.objects.create(game=game, kind="turn", version=game.version, due_at=now)


class RawMoves:
    """The same four statements by the driver alone, on a connection of its own."""

    def __init__(self) -> None:
        self._is_sqlite = connection.vendor == "sqlite"
        parameters = connection.get_connection_params()
        self._connection: Any = connection.get_new_connection(parameters)
        self._lock = "" if self._is_sqlite else " FOR UPDATE"
        if not self._is_sqlite:
            self._connection.autocommit = False

    def move(self, game_id: int, player_id: int, *, now: datetime) -> None:
        """Make the next move of a game in one transaction."""
        moment = now.isoformat() if self._is_sqlite else now
        deadline = (now + DAY).isoformat() if self._is_sqlite else now + DAY
        cursor = self._connection.cursor()
        if self._is_sqlite:
            cursor.execute("BEGIN IMMEDIATE")
        cursor.execute(
            self._sql("SELECT version FROM floor_floorgame WHERE id = %s" + self._lock), (game_id,)
        )
        version = cursor.fetchone()[0] + 1
        face = 1 + version % 6
        cursor.execute(
            self._sql(
                "INSERT INTO floor_floormove (game_id, number, player_id, quantity, face, made_at)"
                " VALUES (%s, %s, %s, %s, %s, %s)"
            ),
            (game_id, version, player_id, version, face, moment),
        )
        cursor.execute(
            self._sql(
                "UPDATE floor_floorgame SET version = %s, to_act = %s, bid_quantity = %s,"
                " bid_face = %s, turn_deadline_at = %s WHERE id = %s"
            ),
            (version, version % 6, version, face, deadline, game_id),
        )
        cursor.execute(
            self._sql(
                "INSERT INTO floor_flooroutbox (game_id, kind, version, due_at)"
                " VALUES (%s, %s, %s, %s)"
            ),
            (game_id, "turn", version, moment),
        )
        self._connection.commit()

    def _sql(self, text: str) -> str:
        return text.replace("%s", "?") if self._is_sqlite else text

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

"""Many games at once: copies of one that has just begun, written in bulk."""

import secrets
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, models

from games import store
from games.models import Game, Round, Seat
from games.models.ids import new_code, new_gid, new_token

FAR = timedelta(days=30)
BATCH = 500
Changes = dict[str, str | None]
"""What stands in a column of a copy, in SQL; None leaves it to the database."""


def playable(template: Game, count: int) -> list[int]:
    """Make copies of a game that can be played on, each with a seed of its own; return keys."""
    seats = list(Seat.objects.filter(game=template).order_by("number"))
    opened = Round.objects.get(game=template)
    made: list[Game] = []
    for first in range(0, count, BATCH):
        games = [
            _copy(template, code=new_code(), gid=new_gid(), invite_token=new_token())
            for _ in range(first, min(first + BATCH, count))
        ]
        for game in games:
            game.current_round_id = None
        games = Game.objects.bulk_create(games)
        rounds = Round.objects.bulk_create([_copy(opened, game_id=game.pk) for game in games])
        Seat.objects.bulk_create([_copy(seat, game_id=game.pk) for game in games for seat in seats])
        for game, row in zip(games, rounds, strict=True):
            game.current_round_id = row.pk
            store.create_secret(game)
        Game.objects.bulk_update(games, ["current_round"])
        made += games
    return [game.pk for game in made]


def idle(template: Game, count: int, *, wake_at: datetime) -> None:
    """Add open games whose turns are far from due, with their seats and rounds, in PostgreSQL.

    Nobody will ever play them: they have no seeds.
    """
    first = Game.objects.aggregate(last=models.Max("pk"))["last"] + 1
    mark = secrets.token_hex(2)
    changed: Changes = {
        "id": f"{first} + n",
        "code": f"'{mark}' || n",
        "invite_token": f"'{mark}' || n",
        "gid": f"md5('{mark}' || n)",
        "wake_at": "%s + n * interval '1 second'",
        "turn_deadline_at": "%s + n * interval '1 second'",
        "current_round_id": "NULL",
    }
    _multiply(Game, changed, f"id = {template.pk}", count, [wake_at, wake_at])
    of_game: Changes = {"id": None, "game_id": f"{first} + n"}
    _multiply(Seat, of_game, f"game_id = {template.pk}", count, [])
    _multiply(Round, of_game, f"game_id = {template.pk}", count, [])
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)",
            [Game._meta.db_table, first + count],
        )
        cursor.execute("ANALYZE")


def _multiply(
    model: type[models.Model],
    changed: Changes,
    which: str,
    count: int,
    values: list[datetime],
) -> None:
    """Write ``count`` copies of the rows that ``which`` names, some columns changed."""
    fields: list[Any] = [
        field
        for field in model._meta.concrete_fields
        if changed.get(str(field.column), "") is not None
    ]
    names = ", ".join(field.column for field in fields)
    # Values come in the order in which their columns stand.
    columns = ", ".join(changed.get(str(field.column)) or field.column for field in fields)
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({names}) SELECT {columns}"
            f" FROM {table}, generate_series(1, {count}) AS n WHERE {which}",
            values,
        )


def _copy(row: Any, **changes: object) -> Any:
    fields = row._meta.concrete_fields
    values = {field.attname: getattr(row, field.attname) for field in fields}
    values.pop("id")
    return type(row)(**{**values, **changes})

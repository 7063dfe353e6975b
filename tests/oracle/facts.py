"""What the database says, asked past Django: no tap, no log and no count sees the question."""

import json
import sqlite3
from typing import Any

from django.db import connection

ENDED = ("finished", "cancelled")


def holder_in(gid: str, seat: int | None, number: int | None) -> int | None:
    """Return the account that held a seat when a round was rolled: under whose cup the dice lay."""
    place, number = f"g.gid = '{gid}' AND s.number = {-1 if seat is None else seat}", number or 0
    held = _one(
        "SELECT s.user_id FROM games_seat s JOIN games_game g ON g.id = s.game_id"
        f" WHERE {place} AND s.held_from <= {number}"
    )
    if held is not None and held[0] is not None:
        return int(held[0])
    once = _one(
        "SELECT t.user_id FROM games_tenure t JOIN games_seat s ON s.id = t.seat_id"
        f" JOIN games_game g ON g.id = t.game_id WHERE {place}"
        f" AND t.from_round <= {number} AND t.to_round >= {number}"
    )
    return once[0] if once else None


def owner_of(gid: str, seat: int | None, number: int | None) -> int | None:
    """Return the account that may look under a cup while the rules have not lifted it.

    That is who held the seat; once it was retired he has to wait for the end of the round.
    """
    holder = holder_in(gid, seat, number)
    is_there = _one(
        "SELECT s.user_id FROM games_seat s JOIN games_game g ON g.id = s.game_id"
        f" WHERE g.gid = '{gid}' AND s.user_id = {holder or 0}"
    )
    return holder if is_there or is_closed(gid, number) else None


def is_closed(gid: str, number: int | None) -> bool:
    """Return whether a round has its result."""
    return bool(
        _one(
            "SELECT r.id FROM games_round r JOIN games_game g ON g.id = r.game_id"
            f" WHERE g.gid = '{gid}' AND r.number = {number or 0} AND r.result IS NOT NULL"
        )
    )


def may_be_opened(gid: str) -> bool:
    """Return whether a game has ended and its rules let its seed be shown."""
    row = _one(f"SELECT status, ruleset FROM games_game WHERE gid = '{gid}'")
    if row is None or row[0] not in ENDED:
        return False
    ruleset = json.loads(row[1]) if isinstance(row[1], str) else row[1]
    return bool(ruleset.get("covered_cups_after_game") != "never")


def _one(sql: str) -> tuple[Any, ...] | None:
    """Return the first row. ``sql`` is made of numbers and of hex digits alone."""
    raw: Any = connection.connection
    if raw is None:
        return None
    if connection.vendor == "sqlite":
        cursor = sqlite3.Connection.cursor(raw)
        row: tuple[Any, ...] | None = cursor.execute(sql).fetchone()
        return row
    with raw.cursor() as cursor:
        return cursor.execute(sql).fetchone()  # type: ignore[no-any-return]

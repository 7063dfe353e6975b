"""How statements are run: together where the database can, and reads by name where it plans them.

Used by :mod:`games.rows`, which builds their text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

_PREPARED: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()
"""For each open connection the reads that it knows by name, and what runs them."""

SEPARATOR = ";\n"
"""What stands between statements that travel together."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and the values of its placeholders."""

    sql: str
    values: tuple[Any, ...]


def results(cursor: Any, statements: Sequence[Statement]) -> Iterator[None]:
    """Run statements and stop at the result of each.

    PostgreSQL takes them in one round trip where values are put in on our side, as Django does
    unless it is told otherwise. Each is still a statement of its own, with its own snapshot.
    """
    connection = cursor.db
    if connection.vendor != "postgresql" or _binds_there(connection):
        for statement in statements:
            cursor.execute(statement.sql, statement.values)
            yield
        return
    sql = SEPARATOR.join(statement.sql for statement in statements)
    cursor.execute(sql, [value for statement in statements for value in statement.values])
    for _ in statements:
        yield
        cursor.nextset()


def by_name(cursor: Any, sql: str) -> str:
    """Return what runs a read: in PostgreSQL, which plans it once a connection, by its name."""
    connection = cursor.db
    # A pooler that hands each transaction to another server knows no names.
    is_pooled = connection.settings_dict.get("DISABLE_SERVER_SIDE_CURSORS")
    if connection.vendor != "postgresql" or is_pooled or _binds_there(connection):
        return sql
    known = _PREPARED.setdefault(connection.connection, {})
    if sql not in known:
        name = f"perudo_{len(known)}"
        parts = sql.split("%s")
        text = "".join(f"{part}${place}" for place, part in enumerate(parts[:-1], 1)) + parts[-1]
        with connection.wrap_database_errors:
            connection.connection.execute(f"PREPARE {name} AS {text}")
        values = ", ".join(["%s"] * (len(parts) - 1))
        known[sql] = f"EXECUTE {name} ({values})"
    return known[sql]


def _binds_there(connection: Any) -> bool:
    return bool(connection.settings_dict["OPTIONS"].get("server_side_binding"))

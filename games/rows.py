"""Rows read and written by statements whose text is built once: for the path of a move alone.

The ORM compiles a statement anew each time it runs, which costs more CPU than all the rest of a
move (docs/performance.md). Tables, columns and the conversion of values are still the models':
nothing here has to change when a field does.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.base import ModelState

from games.models import Game, Round, Seat

Row = TypeVar("Row", bound=models.Model)
Convert = Callable[[Any], Any]

SEPARATOR = ";\n"
"""What stands between statements that travel together."""

# The drivers take the values of these fields as they are.
_PLAIN = (models.IntegerField, models.CharField, models.BooleanField, models.ForeignKey)


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement and the values of its placeholders."""

    sql: str
    values: tuple[Any, ...]


def lock_game(game_id: int) -> tuple[Game, list[Seat]]:
    """Lock a game until the transaction ends; return it with its round, and its seats in order.

    Round and seats are read by a second statement: in the first one PostgreSQL would hand out
    theirs as they were before it waited for the lock.

    :raises Game.DoesNotExist: there is no such game.
    """
    statements = (Statement(_lock_sql(), (game_id,)), Statement(_seats_sql(), (game_id,)))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        found, joined = (cursor.fetchall() for _ in _results(cursor, statements))
    if not found:
        raise Game.DoesNotExist
    game = _build(Game, found[0])
    width = len(_fields(Seat))
    if game.current_round_id is not None and joined:
        game.current_round = _build(Round, joined[0][width:])
    return game, [_build(Seat, values[:width]) for values in joined]


def get(model: type[Row], key: int) -> Row:
    """Return the row with this primary key.

    :raises ObjectDoesNotExist: there is none.
    """
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(_get_sql(model), (key,))
        found = cursor.fetchone()
    if found is None:
        raise ObjectDoesNotExist(f"{model.__name__} {key}")
    return _build(model, found)


def insertion(rows: Sequence[models.Model]) -> Statement:
    """Return the statement that inserts new rows of one model. Their keys are not read back."""
    model = type(rows[0])
    names = _insert_names(model)
    return Statement(
        _insert_sql(model, len(rows)),
        tuple(value for row in rows for value in _written(row, names)),
    )


def change(row: models.Model, names: tuple[str, ...], **expected: object) -> Statement:
    """Return the statement that writes named fields of a row, if others are as ``expected``."""
    return Statement(
        _update_sql(type(row), names, tuple(expected)),
        (*_written(row, names), row.pk, *expected.values()),
    )


def run(statements: Sequence[Statement]) -> int:
    """Run statements in their order; return how many rows the first one touched."""
    if not statements:
        return 0
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        touched = [int(cursor.rowcount) for _ in _results(cursor, statements)]
    return touched[0]


def insert_with_key(row: models.Model) -> None:
    """Insert one new row and give it its key."""
    sql, values = _insert_sql(type(row), 1), _written(row, _insert_names(type(row)))
    connection = connections[DEFAULT_DB_ALIAS]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":  # not every SQLite in use knows RETURNING
            cursor.execute(sql, values)
            row.pk = cursor.lastrowid
        else:
            cursor.execute(f"{sql} RETURNING id", values)
            row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def _results(cursor: Any, statements: Sequence[Statement]) -> Iterator[None]:
    """Run statements and stop at the result of each.

    PostgreSQL takes them in one round trip where values are put in on our side, as Django does
    unless it is told otherwise. That saves a third of the CPU time of both.
    """
    connection = cursor.db
    binds_there = connection.settings_dict["OPTIONS"].get("server_side_binding")
    if connection.vendor != "postgresql" or binds_there:
        for statement in statements:
            cursor.execute(statement.sql, statement.values)
            yield
        return
    sql = SEPARATOR.join(statement.sql for statement in statements)
    cursor.execute(sql, [value for statement in statements for value in statement.values])
    for _ in statements:
        yield
        cursor.nextset()


def _build(model: type[Row], values: Sequence[Any]) -> Row:
    """Return the instance of a row of all columns, made as unpickling makes it: no signals."""
    names, readers = _reading(model, connections[DEFAULT_DB_ALIAS].vendor)
    row = model.__new__(model)
    row.__dict__.update(zip(names, values, strict=True))
    for name, read in readers:
        row.__dict__[name] = read(row.__dict__[name])
    row._state = ModelState()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return row


@lru_cache
def _fields(model: type[models.Model]) -> tuple[Any, ...]:
    return tuple(model._meta.concrete_fields)


@lru_cache
def _reading(model: type[models.Model], vendor: str) -> tuple[list[str], list[tuple[str, Convert]]]:
    """Return the attributes in the order of the columns, and how some of them are converted.

    :param vendor: the kind of database; it is the same for all connections of a site.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    readers = [
        (field.attname, _reader(converter, field.cached_col, connection))
        for field in _fields(model)
        for converter in (
            *connection.ops.get_db_converters(field.cached_col),
            *field.get_db_converters(connection),
        )
    ]
    return [field.attname for field in _fields(model)], readers


def _reader(converter: Callable[..., Any], column: object, connection: object) -> Convert:
    return lambda value: converter(value, column, connection)


def _written(row: models.Model, names: tuple[str, ...]) -> list[Any]:
    """Return the values of the named fields as the driver takes them."""
    writing = _writing(type(row), names, connections[DEFAULT_DB_ALIAS].vendor)
    values = row.__dict__
    return [write(values[name]) if write else values[name] for name, write in writing]


@lru_cache
def _insert_names(model: type[models.Model]) -> tuple[str, ...]:
    return tuple(field.name for field in _fields(model) if not field.primary_key)


@lru_cache
def _writing(
    model: type[models.Model], names: tuple[str, ...], vendor: str
) -> list[tuple[str, Convert | None]]:
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    return [(field.attname, _writer(field)) for field in fields]


def _writer(field: Any) -> Convert | None:
    connection = connections[DEFAULT_DB_ALIAS]
    if isinstance(field, _PLAIN):
        return None
    if isinstance(field, models.DateTimeField):
        adapt: Convert = connection.ops.adapt_datetimefield_value
        return adapt
    return lambda value: field.get_db_prep_save(value, connection)


# What follows is put together from the names of tables and columns alone.
# ruff: noqa: S608


def _columns(model: type[models.Model], table: str) -> str:
    return ", ".join(f"{table}.{field.column}" for field in _fields(model))


@lru_cache
def _lock_sql() -> str:
    features = connections[DEFAULT_DB_ALIAS].features
    lock = " FOR UPDATE" if features.has_select_for_update else ""
    return f"SELECT {_columns(Game, 'g')} FROM {Game._meta.db_table} g WHERE id = %s{lock}"


@lru_cache
def _get_sql(model: type[models.Model]) -> str:
    table, key = model._meta.db_table, model._meta.pk.column
    return f"SELECT {_columns(model, table)} FROM {table} WHERE {key} = %s"


@lru_cache
def _seats_sql() -> str:
    return (
        f"SELECT {_columns(Seat, 's')}, {_columns(Round, 'r')} FROM {Seat._meta.db_table} s"
        f" JOIN {Game._meta.db_table} g ON g.id = s.game_id"
        f" LEFT JOIN {Round._meta.db_table} r ON r.id = g.current_round_id"
        f" WHERE s.game_id = %s ORDER BY s.number"
    )


@lru_cache
def _insert_sql(model: type[models.Model], count: int) -> str:
    names = [field.column for field in _fields(model) if not field.primary_key]
    row = f"({', '.join(['%s'] * len(names))})"
    return (
        f"INSERT INTO {model._meta.db_table} ({', '.join(names)}) VALUES {', '.join([row] * count)}"
    )


@lru_cache
def _update_sql(
    model: type[models.Model], names: tuple[str, ...], expected: tuple[str, ...]
) -> str:
    changes = ", ".join(f"{_column(model, name)} = %s" for name in names)
    conditions = "".join(f" AND {_column(model, name)} = %s" for name in expected)
    return f"UPDATE {model._meta.db_table} SET {changes} WHERE id = %s{conditions}"


def _column(model: type[models.Model], name: str) -> str:
    field: Any = model._meta.get_field(name)
    return str(field.column)

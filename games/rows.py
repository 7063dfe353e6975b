"""Rows read and written by statements whose text is built once, for what runs at every move.

The ORM compiles a statement anew each time it runs, which costs more CPU than all the rest of a
move (docs/performance.md). Tables, columns and the conversion of values are still the models':
nothing here has to change when a field does. What is read stands in :mod:`games.queries`.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.models.base import ModelState

from games.sql import Statement, by_name, results

Row = TypeVar("Row", bound=models.Model)
Model = type[models.Model]
Convert = Callable[[Any], Any]

# The drivers take the values of these fields as they are.
_PLAIN = (models.IntegerField, models.CharField, models.BooleanField, models.ForeignKey)


@dataclass(frozen=True, slots=True)
class Part:
    """What is read of one table: all columns, or the named fields. Others load when asked for."""

    model: Model
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Select:
    """A read. ``tail`` goes on from the columns; it writes {0} for the first table, called t0."""

    parts: tuple[Part, ...]
    tail: str

    def one(self, *values: object) -> tuple[Any, ...] | None:
        """Return the first row, or None: an instance a table, None where a join found nothing."""
        return next(iter(self.all(*values)), None)

    def all(self, *values: object) -> list[tuple[Any, ...]]:
        """Return all rows."""
        return read((self, values))[0]


def read(*selects: tuple[Select, tuple[object, ...]]) -> list[list[tuple[Any, ...]]]:
    """Run reads one after the other, together where the database can; return the rows of each."""
    connection = connections[DEFAULT_DB_ALIAS]
    compiled = [_compiled(select, connection.vendor) for select, _ in selects]
    with connection.cursor() as cursor:
        statements = [
            Statement(by_name(cursor, sql), values)
            for (sql, _), (_, values) in zip(compiled, selects, strict=True)
        ]
        found = [cursor.fetchall() for _ in results(cursor, statements)]
    return [
        _instances(builders, fetched)
        for (_, builders), fetched in zip(compiled, found, strict=True)
    ]


def attach(row: models.Model, name: str, related: models.Model | None) -> None:
    """Give a row the other row that its foreign key ``name`` points to, as a joined read does."""
    row._state.fields_cache[name] = related


def new(model: type[Row], **values: object) -> Row:
    """Return an unsaved row: as ``model(**values)``, without its checks, signals and descriptors.

    :param values: by the names of columns, such as ``game_id``; the others get their defaults.
    """
    defaults, made = _defaults(model)
    row = model.__new__(model)
    row.__dict__.update(defaults, _state=ModelState())
    for name, make in made:
        if name not in values:
            row.__dict__[name] = make()
    row.__dict__.update(values)
    return row


def insertion(rows: Sequence[models.Model]) -> Statement:
    """Return the statement that inserts new rows of one model. Their keys are not read back."""
    model = type(rows[0])
    names = _insert_names(model)
    written = [_written(row, names) for row in rows]
    sql = _insert_sql(model, tuple([_literals(values) for values in written]))
    return Statement(sql, tuple([value for values in written for value in _bound(values)]))


def change(row: models.Model, names: tuple[str, ...], **expected: object) -> Statement:
    """Return the statement that writes named fields of a row, if others are as ``expected``."""
    values = _written(row, names)
    sql = _update_sql(type(row), names, _literals(values), tuple(expected))
    return Statement(sql, (*_bound(values), row.pk, *expected.values()))


def change_all(rows: Sequence[models.Model], names: tuple[str, ...]) -> Statement:
    """Return the one statement that writes named fields of several rows of one model."""
    if len(rows) == 1:
        return change(rows[0], names)
    keys = [row.pk for row in rows]
    columns = zip(*(_written(row, names) for row in rows), strict=True)
    chosen = [
        part for column in columns for pair in zip(keys, column, strict=True) for part in pair
    ]
    return Statement(_update_all_sql(type(rows[0]), names, len(rows)), (*chosen, *keys))


def run(statements: Sequence[Statement]) -> int:
    """Run statements in their order; return how many rows the first one touched."""
    if not statements:
        return 0
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        touched = [int(cursor.rowcount) for _ in results(cursor, statements)]
    return touched[0]


def insert_with_key(row: models.Model) -> None:
    """Insert one new row and give it its key."""
    statement = insertion([row])
    connection = connections[DEFAULT_DB_ALIAS]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":  # not every SQLite in use knows RETURNING
            cursor.execute(statement.sql, statement.values)
            row.pk = cursor.lastrowid
        else:
            cursor.execute(f"{statement.sql} RETURNING id", statement.values)
            row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def _instances(
    builders: Sequence["_Builder"], fetched: Sequence[Sequence[Any]]
) -> list[tuple[Any, ...]]:
    # The key is the first column: an outer join that found nothing has none.
    return [
        tuple(
            [
                None if values[builder.start] is None else builder.build(values)
                for builder in builders
            ]
        )
        for values in fetched
    ]


@dataclass(frozen=True, slots=True)
class _Builder:
    """How the columns from ``start`` to ``end`` become an instance."""

    model: Model
    start: int
    end: int
    names: tuple[str, ...]
    readers: tuple[tuple[str, Convert], ...]

    def build(self, values: Sequence[Any]) -> models.Model:
        """Return the instance of a row, made as unpickling makes it: no signals, no defaults."""
        row = self.model.__new__(self.model)
        row.__dict__.update(zip(self.names, values[self.start : self.end], strict=True))
        read = row.__dict__
        for name, convert in self.readers:
            if (value := read[name]) is not None:
                read[name] = convert(value)
        state = row._state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        return row


def _fields(part: Part) -> list[Any]:
    fields = part.model._meta.concrete_fields
    return [
        field for field in fields if not part.names or field.primary_key or field.name in part.names
    ]


@lru_cache
def _compiled(select: Select, vendor: str) -> tuple[str, tuple[_Builder, ...]]:
    """Return the text of a read and how its rows become instances.

    :param vendor: the kind of database; it is the same for all connections of a site.
    """
    builders: list[_Builder] = []
    start = 0
    for part in select.parts:
        fields = _fields(part)
        end = start + len(fields)
        names = tuple(field.attname for field in fields)
        readers = tuple(reader for field in fields for reader in _readers(field))
        builders.append(_Builder(part.model, start, end, names, readers))
        start = end
    return _select_sql(select), tuple(builders)


def _readers(field: Any) -> Iterator[tuple[str, Convert]]:
    """Yield how the database's value of a field becomes Python's, where it is not the same."""
    if type(field) is models.JSONField and field.decoder is None:
        yield field.attname, json.loads  # what its converter comes to, without looking for paths
        return
    connection = connections[DEFAULT_DB_ALIAS]
    for converter in connection.ops.get_db_converters(field.cached_col):
        yield field.attname, _reader(converter, field.cached_col, connection)
    for converter in field.get_db_converters(connection):
        yield field.attname, _reader(converter, field.cached_col, connection)


def _reader(converter: Callable[..., Any], column: object, connection: object) -> Convert:
    return lambda value: converter(value, column, connection)


def _written(row: models.Model, names: tuple[str, ...]) -> list[Any]:
    """Return the values of the named fields as the driver takes them."""
    writing = _writing(type(row), names, connections[DEFAULT_DB_ALIAS].vendor)
    values = row.__dict__
    return [write(values[name]) if write else values[name] for name, write in writing]


def _literals(values: Sequence[Any]) -> tuple[str | None, ...]:
    """Return which values stand in the text itself: psycopg keeps no text with 50 placeholders."""
    return tuple([_literal(value) for value in values])


def _literal(value: object) -> str | None:
    if value is None:
        return "NULL"
    if value is True or value is False:
        return "TRUE" if value else "FALSE"
    if type(value) is int and not value:
        return "0"
    return "''" if type(value) is str and not value else None


def _bound(values: Sequence[Any]) -> list[Any]:
    return [value for value in values if _literal(value) is None]


@lru_cache
def _defaults(model: Model) -> tuple[dict[str, Any], list[tuple[str, Callable[[], Any]]]]:
    """Return the constant defaults of a model's columns, and those that are made for each row."""
    fields: Sequence[Any] = model._meta.concrete_fields
    made = [each for each in fields if each.has_default() and callable(each.default)]
    constant = {each.attname: each.get_default() for each in fields if each not in made}
    return constant, [(each.attname, each.get_default) for each in made]


@lru_cache
def _insert_names(model: Model) -> tuple[str, ...]:
    return tuple(field.name for field in model._meta.concrete_fields if not field.primary_key)


@lru_cache
def _writing(model: Model, names: tuple[str, ...], vendor: str) -> list[tuple[str, Convert | None]]:
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


def _select_sql(select: Select) -> str:
    tables = [part.model._meta.db_table for part in select.parts]
    columns = [
        f"t{number}.{field.column}"
        for number, part in enumerate(select.parts)
        for field in _fields(part)
    ]
    return f"SELECT {', '.join(columns)} {select.tail.format(*tables)}"


@lru_cache(maxsize=512)
def _insert_sql(model: Model, rows: tuple[tuple[str | None, ...], ...]) -> str:
    names = ", ".join(_column(model, name) for name in _insert_names(model))
    values = ", ".join(f"({', '.join(literal or '%s' for literal in row)})" for row in rows)
    return f"INSERT INTO {model._meta.db_table} ({names}) VALUES {values}"


@lru_cache(maxsize=512)
def _update_sql(
    model: Model,
    names: tuple[str, ...],
    literals: tuple[str | None, ...],
    expected: tuple[str, ...],
) -> str:
    changes = ", ".join(
        f"{_column(model, name)} = {literal or '%s'}"
        for name, literal in zip(names, literals, strict=True)
    )
    conditions = "".join(f" AND {_column(model, name)} = %s" for name in expected)
    return f"UPDATE {model._meta.db_table} SET {changes} WHERE id = %s{conditions}"


@lru_cache
def _update_all_sql(model: Model, names: tuple[str, ...], count: int) -> str:
    # Where all values are NULL, the column at the end tells PostgreSQL what they are.
    cases = "WHEN %s THEN %s " * count
    columns = [_column(model, name) for name in names]
    changes = ", ".join(f"{column} = CASE id {cases}ELSE {column} END" for column in columns)
    return f"UPDATE {model._meta.db_table} SET {changes} WHERE id IN ({', '.join(['%s'] * count)})"


def _column(model: Model, name: str) -> str:
    field: Any = model._meta.get_field(name)
    return str(field.column)

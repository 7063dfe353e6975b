"""Rows are written in ``games.services`` alone, and a move is played through one door."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WRITES = {
    "save", "create", "bulk_create", "get_or_create", "update_or_create", "update", "bulk_update",
    "delete", "execute", "executemany", "insertion", "insert_with_key", "change",
}  # fmt: skip
WRITERS = (
    "games/services/",
    "games/store.py",
    "games/rows.py",
    "games/sql.py",
    "games/migrations/",
)
# No import-linter contract lets these reach a row.
PURE = tuple(f"games/{name}/" for name in ("rules", "fairness", "clock", "bots", "orders"))
# What is called so, and is no row: a dictionary.
OTHERS = {("games/forms/new_game.py", "self.fields.update")}
# A site to look at is made by the services; it only settles the mails of days that never were.
SEEDS = {
    ("perudo_site/management/commands/seed_demo.py", "OutboxMessage.objects.filter().update"),
}


def spell(node: ast.expr) -> str:
    """Return the dotted name of what is called, without the arguments on the way."""
    match node:
        case ast.Attribute(value=value, attr=name):
            return f"{spell(value)}.{name}"
        case ast.Call(func=func):
            return f"{spell(func)}()"
        case ast.Name(id=name):
            return name
    return "…"


def calls(folder: str) -> Iterator[tuple[str, str]]:
    """Yield each call in the product's code: the file and what is called."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                called = spell(node.func)
                # What is made by `rows.new(Event, …)` is made as by `Event(…)`.
                yield name, spell(node.args[0]) if called == "rows.new" else called


def users(name: str) -> set[str]:
    """Return the files of the product that make this call."""
    folders = ("games", "perudo_site", "accounts")
    return {path for folder in folders for path, called in calls(folder) if called == name}


def test_only_services_and_the_store_write_the_rows_of_the_game() -> None:
    found = {
        (path, called)
        for path, called in calls("games")
        if called.rpartition(".")[2] in WRITES
        and "." in called
        and not path.startswith(WRITERS + PURE)
    }
    assert found == OTHERS


def test_the_site_itself_writes_no_row_of_the_game() -> None:
    found = {
        (path, called)
        for path, called in calls("perudo_site")
        if called.rpartition(".")[2] in WRITES and "objects." in called
    }
    assert {each for each in found if "MailboxMessage" not in each[1]} == SEEDS


@pytest.mark.parametrize(
    ("name", "callers"),
    [
        ("commit.advance", {"games/services/moves.py"}),
        ("commit.begin", {"games/services/starting.py"}),
        ("Event", {"games/services/log.py"}),
        ("commit.roll_again", {"games/services/restore.py"}),
        ("store.replace_secret", {"games/services/restore.py"}),
        ("rules.apply", {"games/services/commit.py"}),
        ("rules.Forfeit", {"games/services/attendance.py"}),
        ("store.create_secret", {"games/services/lobby.py"}),
    ],
)
def test_a_move_has_one_door(name: str, callers: set[str]) -> None:
    assert users(name) == callers


def test_a_write_beside_the_services_would_be_seen() -> None:
    tree = ast.parse("Seat.objects.filter(pk=1).update(dice=5)\ngame.save()\n")
    seen = [spell(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert {"Seat.objects.filter().update", "game.save"} <= set(seen)

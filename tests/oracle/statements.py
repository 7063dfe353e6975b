"""What may stand in an SQL statement: a seed's ciphertext, and what the public log may hold.

A key gets public by being written to the log, so the statement that writes it is judged when its
transaction ends: is the cup lifted by then, the round closed, the game over?
"""

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.oracle import facts
from tests.oracle.book import Kind, Place, book
from tests.oracle.flatten import texts_of
from tests.oracle.spellings import Found

PUBLIC_TABLES = ("games_event", "games_round")
"""Where the public log and the rounds' public results are kept."""

MAILBOX = "perudo_site_mailboxmessage"
"""Where a development site keeps its mails: in a mail, addresses are where they belong."""


@dataclass
class _Written(threading.local):
    """What this thread has written in a transaction that has not ended."""

    entries: list[Mapping[str, Any]] = field(default_factory=list)
    found: list[tuple[str, Found]] = field(default_factory=list)


_written = _Written()
_clean: set[str] = set()
"""Texts with placeholders that have been looked through: a few hundred, run again and again."""


def look_at_statement(sql: Any, params: Any, *, is_atomic: bool) -> None:
    """Look through a statement that has been run, and through the values of its placeholders."""
    text = sql if isinstance(sql, str) else repr(sql)
    values = list(texts_of(params))
    if text not in _clean:
        values.append(text)
        if params:
            _clean.add(text)
    for value in values:
        hits = book.search(value)
        if MAILBOX in text:
            hits = {hit for hit in hits if book.tokens[hit[0]].kind is not Kind.ADDRESS}
        if hits:
            where = f"the SQL statement {text[:60]!r}"
            _written.found += [(where, hit) for hit in hits]
    if not _written.found:
        return
    if text.startswith(("INSERT", "UPDATE")) and any(table in text for table in PUBLIC_TABLES):
        _written.entries += _objects(params)
    if not is_atomic:
        judge()


def judge() -> None:
    """Judge what was written, now that the transaction has ended or the test has."""
    entries, found = _written.entries, _written.found
    _written.entries, _written.found = [], []
    for entry in entries:
        for value in _made_public_by(entry):
            book.publish(value)
    for where, hit in found:
        if not book.is_public(hit[0]):
            book.report(where, [hit])


book.settle = judge


def forget() -> None:
    """Drop what was written: the transaction is rolled back, or another test begins."""
    _written.entries, _written.found = [], []


def _made_public_by(entry: Mapping[str, Any]) -> Iterator[bytes]:
    """Yield the tokens that an entry of the public log publishes, and may."""
    lifted = {cup["seat"] for cup in entry.get("lifted") or ()}
    for seat, text in entry.get("keys") or ():
        key = bytes.fromhex(text)
        token = book.tokens.get(key)
        place = token.place if token and token.kind is Kind.CUP else Place()
        if place.seat == seat and seat in lifted and facts.is_closed(place.gid, place.number):
            yield key
    if "seed" in entry:
        seed = bytes.fromhex(entry["seed"])
        token = book.tokens.get(seed)
        # After a restore the old seed is shown while the game goes on, with dice from a new one.
        is_replaced = "commitment" in entry
        if token and (is_replaced or facts.may_be_opened(token.place.gid)):
            yield seed


def _objects(params: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the JSON objects among the values of a statement."""
    for value in params.values() if isinstance(params, Mapping) else params or ():
        if isinstance(value, list | tuple):
            yield from _objects(value)
            continue
        inner = getattr(value, "obj", value)
        if isinstance(inner, str) and inner.startswith("{"):
            try:
                inner = json.loads(inner)
            except ValueError:
                continue
        if isinstance(inner, dict):
            yield inner

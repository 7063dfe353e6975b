"""The game record as text: UTF-8 JSON Lines, one object a line, no blank lines, no unknown keys.

Line 1 is the header, then comes a line for each thing that happened, then the end::

    {"format": "perudo-record", "version": 1, "rules": {all toggles}, "seats": ["alice", "bob"],
     "opener": 0, "meta": {"code": "K7QF"}}
    {"do": "roll", "cups": [[1, 4, 4], [2, 5, 6]]}
    {"do": "bid", "seat": 0, "bid": "2x4"}
    {"do": "dudo", "seat": 1, "auto": true}
    {"do": "result", "kind": "dudo", "caller": 1, "lifted": [...], ...}
    {"do": "end", "places": [null, null], "lines": 6, "sha256": "..."}

A cup that was never shown is ``null``. ``auto`` marks what the clock did for a seat, ``meta`` is
for people. ``result`` follows whatever closes a round. The end line counts the lines, so that a
cut file is noticed, and may carry the SHA-256 of all lines before it, so that a changed one is; a
record written by hand can leave the checksum out.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping

from games.rules.errors import RuleViolation
from games.rules.record.fields import Fields
from games.rules.record.lines import RecordError, read_object, shown, split_lines
from games.rules.record.model import (
    Entry,
    GameRecord,
    MoveEntry,
    ResultEntry,
    RollEntry,
    is_clean,
)
from games.rules.record.outcomes import read_outcome
from games.rules.ruleset import Ruleset
from games.rules.state import Calza, Cup, Dudo, Forfeit, MakeBid, Resign

FORMAT = "perudo-record"
VERSION = 1
MAX_META = 20


def dump(record: GameRecord) -> str:
    """Return ``record`` as text, ended by a newline.

    :raises ValueError: a label or a bit of meta cannot stand on a line (see ``clean_label``).
    """
    for text in (*record.seats, *record.meta.keys(), *record.meta.values()):
        if not is_clean(text):
            raise ValueError(f"{shown(text)} cannot stand in a game record")
    header: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "rules": record.rules.to_dict(),
        "seats": list(record.seats),
        "opener": record.opener,
    }
    if record.meta:
        header["meta"] = dict(record.meta)
    lines = [_line(header), *(_line(_entry_to_fields(entry)) for entry in record.entries)]
    end = {"do": "end", "places": list(record.places), "lines": len(lines) + 1}
    lines.append(_line({**end, "sha256": _checksum(line.encode() for line in lines)}))
    return "".join(f"{line}\n" for line in lines)


def load(text: str | bytes) -> GameRecord:
    """Return the game that ``text`` holds; whether the rules allow it is for ``replay`` to say.

    :raises RecordError: the text is cut, wrong or hostile; nothing else is ever raised.
    """
    raw = split_lines(text)
    header = Fields(1, read_object(1, raw[0]))
    rules, seats, opener, meta = _read_header(header)
    entries: list[Entry] = []
    for number, line in enumerate(raw[1:], start=2):
        fields = Fields(number, read_object(number, line))
        kind = fields.text("do")
        if kind == "end":
            places, damaged = _read_end(fields, raw, len(seats))
            if number < len(raw):
                raise RecordError(number + 1, "There is more text after the end of the record.")
            return GameRecord(rules, seats, opener, tuple(entries), places, meta, damaged)
        entries.append(_read_entry(kind, fields, len(seats)))
        fields.done()
    raise RecordError(len(raw), "The record is cut off: its end line is missing.")


def _line(fields: Mapping[str, object]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def _checksum(lines: Iterable[bytes]) -> str:
    """Return the SHA-256 of the lines, each with a newline, in hexadecimal."""
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line + b"\n")
    return digest.hexdigest()


def _entry_to_fields(entry: Entry) -> dict[str, object]:
    match entry:
        case RollEntry(cups):
            return {"do": "roll", "cups": [None if cup is None else list(cup) for cup in cups]}
        case ResultEntry(outcome):
            return {"do": "result", **outcome.to_dict()}
        case MoveEntry(move, auto):
            fields: dict[str, object] = {"do": _MOVE_NAMES[type(move)], "seat": move.seat}
            if isinstance(move, MakeBid):
                fields["bid"] = str(move.bid)
            if auto:
                fields["auto"] = True
            return fields


_CALLS: Mapping[str, type[Dudo] | type[Calza] | type[Resign] | type[Forfeit]] = {
    "dudo": Dudo,
    "calza": Calza,
    "resign": Resign,
    "forfeit": Forfeit,
}
_MOVE_NAMES: Mapping[type, str] = {MakeBid: "bid", **{call: do for do, call in _CALLS.items()}}


def _read_header(
    fields: Fields,
) -> tuple[Ruleset, tuple[str, ...], int, dict[str, str]]:
    if fields.text("format") != FORMAT:
        raise RecordError(1, f'This is no game record: "format" is not "{FORMAT}".')
    version = fields.integer("version", 0, 999_999_999)
    if version != VERSION:
        raise RecordError(1, f"The record is of version {version}; this program reads {VERSION}.")
    raw_rules = fields.mapping("rules")
    try:
        rules = Ruleset.from_dict(raw_rules)
    except RuleViolation as violation:
        # The sentence may quote a key of the text; it has to be safe to print.
        reason = "".join(sign if sign.isprintable() else "?" for sign in violation.message)
        raise RecordError(1, f"The rules cannot be read: {reason}") from None
    _clean(rules.name, "The name of the rules")
    seats = tuple(_clean(item, "A seat's label") for item in fields.items("seats", 2, 10))
    opener = fields.integer("opener", 0, len(seats) - 1)
    meta = fields.mapping("meta") if "meta" in fields else {}
    fields.done()
    if len(meta) > MAX_META:
        raise RecordError(1, f'"meta" holds more than {MAX_META} entries.')
    return (
        rules,
        seats,
        opener,
        {
            _clean(key, "A key of the meta data"): _clean(value, "A value of the meta data")
            for key, value in meta.items()
        },
    )


def _clean(value: object, what: str) -> str:
    if isinstance(value, str) and is_clean(value):
        return value
    raise RecordError(1, f"{what} must be a short printable text, not {shown(value)}.")


def _read_entry(kind: str, fields: Fields, seats: int) -> Entry:
    if kind == "roll":
        return RollEntry(_read_cups(fields, seats))
    if kind == "result":
        return ResultEntry(read_outcome(fields, seats))
    if kind not in ("bid", *_CALLS):
        raise RecordError(fields.line, f'"do" cannot be {shown(kind)}.')
    seat = fields.integer("seat", 0, seats - 1)
    auto = fields.flag("auto") if "auto" in fields else False
    if kind == "bid":
        return MoveEntry(MakeBid(seat, fields.bid("bid")), auto)
    if kind == "forfeit" and not auto:
        raise RecordError(fields.line, '"auto" must be true: only the clock forfeits a die.')
    return MoveEntry(_CALLS[kind](seat), auto)


def _read_cups(fields: Fields, seats: int) -> tuple[Cup | None, ...]:
    return tuple(
        None if item is None else fields.cup("cups", item)
        for item in fields.items("cups", seats, seats)
    )


def _read_end(fields: Fields, raw: list[bytes], seats: int) -> tuple[tuple[int | None, ...], bool]:
    places = tuple(
        None if item is None else fields.within("places", item, 1, seats)
        for item in fields.items("places", seats, seats)
    )
    lines = fields.integer("lines", 0, 999_999_999)
    if lines != fields.line:
        reason = (
            f"The record had {lines} lines when it was written, and this is line {fields.line}."
        )
        raise RecordError(fields.line, reason)
    checksum = fields.text("sha256") if "sha256" in fields else None
    fields.done()
    return places, checksum is not None and checksum != _checksum(raw[: fields.line - 1])

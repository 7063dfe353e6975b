"""Texts that are no game record: each gets a line and a reason, quickly, and nothing else."""

import json
import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.record import RecordError, account, dump, load, replay
from games.rules.record.lines import MAX_BYTES, MAX_LINE_BYTES, MAX_LINES
from tests.unit.record.records import edited, random_record, without_checksum

pytestmark = pytest.mark.one_database

GOOD = dump(random_record(1))
LINES = without_checksum(GOOD).splitlines()
HEADER = json.loads(LINES[0])


def refusal(text: str | bytes) -> RecordError:
    """Return the error that reading ``text`` gives; it must come within a second."""
    began = time.process_time()
    with pytest.raises(RecordError) as caught:
        load(text)
    assert time.process_time() - began < 1.0
    reason = caught.value.reason
    assert reason.isprintable()
    assert len(reason) < 300
    assert reason.endswith(".")
    return caught.value


def assert_printable(error: RecordError) -> None:
    assert error.line >= 1
    assert error.reason.isprintable()


def test_the_good_one_is_good() -> None:
    assert replay(load(GOOD)) == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"do":"bid","seat":0,"bid":"1x2"', "This is not JSON"),
        ('{"do":"bid","seat":0,"bid":"1x2"} x', "This is not JSON: Extra data"),
        ('{"do":"bi', "This is not JSON: Unterminated string starting at character 7."),
        ("", "The line is empty."),
        ("   ", "The line is empty."),
        ("[]", "A line must be a JSON object."),
        ("7", "A line must be a JSON object."),
        ("null", "A line must be a JSON object."),
        ('{"do":"bid","seat":0,"seat":1,"bid":"1x2"}', "The key 'seat' comes twice."),
        ('{"do":"bid","seat":NaN,"bid":"1x2"}', "Only whole numbers are allowed, not 'NaN'."),
        ('{"do":"bid","seat":-Infinity,"bid":"1x2"}', "Only whole numbers are allowed"),
        ('{"do":"bid","seat":1.0,"bid":"1x2"}', "Only whole numbers are allowed, not '1.0'."),
        ('{"do":"bid","seat":1e9,"bid":"1x2"}', "Only whole numbers are allowed, not '1e9'."),
        ('{"do":"bid","seat":' + "9" * 5000 + "}", "A number has more than 9 digits."),
        ('{"do":"bid","seat":true,"bid":"1x2"}', '"seat" must be a whole number from 0 to'),
        ('{"do":"bid","seat":99,"bid":"1x2"}', '"seat" must be a whole number from 0 to'),
        ('{"do":"bid","seat":-1,"bid":"1x2"}', '"seat" must be a whole number from 0 to'),
        ('{"do":"bid","seat":0}', '"bid" is missing.'),
        ('{"do":"bid","seat":0,"bid":"2x7"}', "\"bid\" must be a bid like 4x5, not '2x7'."),
        ('{"do":"bid","seat":0,"bid":" 2x6"}', '"bid" must be a bid like 4x5'),
        ('{"do":"bid","seat":0,"bid":"99999999999999x6"}', '"bid" must be a bid like 4x5'),
        ('{"do":"bid","seat":0,"bid":[2,6]}', '"bid" must be a text, not [2, 6].'),
        ('{"do":"bid","seat":0,"bid":"1x2","auto":1}', '"auto" must be true or false, not 1.'),
        ('{"do":"bid","seat":0,"bid":"1x2","why":1}', "The key 'why' is unknown here."),
        ('{"do":"fold","seat":0}', "\"do\" cannot be 'fold'."),
        ('{"do":{}}', '"do" must be a text, not {}.'),
        ('{"seat":0}', '"do" is missing.'),
        ('{"do":"roll","cups":[]}', '"cups" must be a list of'),
        ('{"do":"roll","cups":"11"}', '"cups" must be a list of'),
        ('{"do":"result"}', '"kind" is missing.'),
        ('{"do":"\\ud800"}', "\"do\" cannot be '\\ud800'."),
        ("[" * 9 + "]" * 9, "The brackets are nested more than 8 deep."),
        ("[" * 10_000, "The brackets are nested more than 8 deep."),
        ('{"a":' * 3000, "The brackets are nested more than 8 deep."),
        ('"' + '\\"' * 8000, "This is not JSON"),
        ('["' + '\\"[' * 5000, "This is not JSON"),
        ("x" * (MAX_LINE_BYTES + 1), "The line is longer than"),
    ],
)
def test_a_bad_line_is_named(line: str, reason: str) -> None:
    error = refusal("\n".join([*LINES[:3], line, *LINES[4:]]) + "\n")
    assert error.line == 4
    assert error.reason.startswith(reason)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": "chess"}, 'This is no game record: "format" is not "perudo-record".'),
        ({"version": 2}, "The record is of version 2; this program reads 1."),
        ({"rules": 5}, '"rules" must be an object, not 5.'),
        ({"rules": {}}, "The rules cannot be read: A ruleset is an object with exactly the known"),
        ({"rules": {**HEADER["rules"], "\ud800\n": 1}}, "The rules cannot be read:"),
        ({"rules": {**HEADER["rules"], "start_dice": 99}}, "The rules cannot be read: The value"),
        ({"rules": {**HEADER["rules"], "reveal": []}}, "The rules cannot be read: The value"),
        ({"rules": {**HEADER["rules"], "palifico": None}}, "The rules cannot be read: A ruleset"),
        ({"rules": {**HEADER["rules"], "name": "a\nb"}}, "The name of the rules must be a short"),
        ({"seats": ["alice"]}, '"seats" must be a list of 2 to 10 items'),
        ({"seats": ["a"] * 11}, '"seats" must be a list of 2 to 10 items'),
        ({"seats": ["alice", 5]}, "A seat's label must be a short printable text, not 5."),
        ({"seats": ["alice", "\ud800"]}, "A seat's label must be a short printable text"),
        ({"seats": ["alice", "x\x1b[31m"]}, "A seat's label must be a short printable text"),
        ({"opener": 10}, '"opener" must be a whole number from 0 to'),
        ({"meta": []}, '"meta" must be an object'),
        ({"meta": {"a": 1}}, "A value of the meta data must be a short printable text, not 1."),
        ({"meta": {"a": "y" * 500}}, "A value of the meta data must be a short printable text"),
        ({"meta": {str(n): "" for n in range(99)}}, '"meta" holds more than 20 entries.'),
        ({"extra": 1}, "The key 'extra' is unknown here."),
    ],
)
def test_a_bad_header_is_named(changes: dict[str, object], reason: str) -> None:
    error = refusal(edited(GOOD, 1, **changes))
    assert error.line == 1
    assert error.reason.startswith(reason)


RESULT = next(number for number, line in enumerate(LINES, 1) if '"do":"result"' in line)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kind": "poker"}, "\"kind\" cannot be 'poker'."),
        ({"caller": None}, '"caller" must be a whole number'),
        ({"bid": "x"}, '"bid" must be a bid like 4x5'),
        ({"held": 1}, '"held" must be true or false, not 1.'),
        ({"count": 999}, '"count" must be a whole number from 0 to 80, not 999.'),
        ({"next_mode": "fast"}, "\"next_mode\" cannot be 'fast'."),
        ({"lifted": [7]}, '"lifted" must list objects, not 7.'),
        ({"lifted": [{"seat": 0, "dice": [7], "matching": 0}]}, '"dice" must be a whole number'),
        ({"lifted": [{"seat": 0, "dice": [1] * 9, "matching": 0}]}, '"dice" must be a list of at'),
        ({"lifted": [{"seat": 0, "dice": []}]}, '"matching" is missing.'),
        ({"lifted": [{"seat": 0, "dice": [], "matching": 0, "x": 0}]}, "The key 'x' is unknown"),
        ({"surplus": 0}, "The key 'surplus' is unknown here."),
    ],
)
def test_a_bad_result_is_named(changes: dict[str, object], reason: str) -> None:
    error = refusal(edited(GOOD, RESULT, **changes))
    assert error.line == RESULT
    assert error.reason.startswith(reason)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"places": [1]}, '"places" must be a list of'),
        ({"places": [0] * len(HEADER["seats"])}, '"places" must be a whole number from 1 to'),
        ({"lines": 3}, "The record had 3 lines when it was written, and this is line"),
        ({"sha256": 5}, '"sha256" must be a text, not 5.'),
        ({"more": 5}, "The key 'more' is unknown here."),
    ],
)
def test_a_bad_end_is_named(changes: dict[str, object], reason: str) -> None:
    error = refusal(edited(GOOD, len(LINES), **changes))
    assert error.line == len(LINES)
    assert error.reason.startswith(reason)


@pytest.mark.parametrize("kept", range(1, len(LINES)))
def test_a_cut_record_is_noticed_wherever_it_is_cut(kept: int) -> None:
    error = refusal("\n".join(LINES[:kept]) + "\n")
    assert (error.line, error.reason) == (kept, "The record is cut off: its end line is missing.")


def test_text_after_the_end_is_noticed() -> None:
    for surplus in (LINES[-1], "x", " "):
        error = refusal("\n".join([*LINES, surplus]))
        assert error.line == len(LINES) + 1
        assert error.reason == "There is more text after the end of the record."


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "The text is empty."),
        (b"\n\n  \n", 1, "The text is empty."),
        (b"\xef\xbb\xbf" + GOOD.encode(), 1, "The line begins with a byte order mark."),
        (b"\xff\xfe{}", 1, "Byte 1 is not UTF-8."),
        ("\n".join(LINES[:2]).encode() + b'\n{"do":"\xc3\x28"}', 3, "Byte 8 is not UTF-8."),
        ("\n".join(LINES[:2]) + "\n\ud800", 3, "The text holds half a character"),
        ("x" * (MAX_BYTES + 1), 1, "The text is longer than"),
        (b"x" * (MAX_BYTES + 1), 1, "The text is longer than"),
        ("é" * (MAX_BYTES - 5), 1, "The text is longer than"),
        ("\n" * (MAX_LINES + 2) + "x", MAX_LINES + 1, "There are more than"),
    ],
)
def test_a_bad_text_is_named(text: str | bytes, line: int, reason: str) -> None:
    error = refusal(text)
    assert error.line == line
    assert error.reason.startswith(reason)
    assert str(error) == f"line {line}: {error.reason}"


def test_the_longest_texts_are_refused_quickly() -> None:
    many = ",".join(f'"{number}":0' for number in range(1500))
    for line in (
        f"{{{many}}}",
        '{"do":"' + "\\u0041" * 2500 + '"}',
        '["' + '\\"[' * 5000 + '"]',
        '{"do":"roll","cups":[' + ",".join("[1]" * 1 for _ in range(3000)) + "]}",
    ):
        count = min(MAX_LINES, MAX_BYTES // (len(line) + 1)) - 20
        refusal("\n".join([*LINES[:3], *[line] * count]))


def test_the_longest_legal_looking_game_is_read_and_replayed_in_seconds() -> None:
    # Nobody stops raising: as many bids as a file may hold, each legal.
    bids = [
        json.dumps({"do": "bid", "seat": number % 2, "bid": f"{number + 1}x2"})
        for number in range(9_000)
    ]
    header = {**HEADER, "seats": ["alice", "bob"], "opener": 0}
    rules = {**HEADER["rules"], "start_dice": 1, "bid_cap": "none", "raise_mode": "free"}
    lines = [
        json.dumps({**header, "rules": rules}),
        '{"do":"roll","cups":[[2],[2]]}',
        *bids,
    ]
    end = {"do": "end", "places": [None, None], "lines": len(lines) + 1}
    began = time.process_time()
    record = load("\n".join([*lines, json.dumps(end)]))
    assert replay(record) == []
    assert len(list(account(record))) > 9_000
    assert time.process_time() - began < 5.0


@given(st.binary(max_size=400) | st.text(max_size=400))
def test_any_bytes_and_any_text_give_a_record_error(text: str | bytes) -> None:
    refusal(text)


@given(st.integers(0, 2**32))
def test_a_damaged_record_gives_a_record_error_or_a_difference(seed: int) -> None:
    rng = Random(seed)
    data = bytearray(without_checksum(GOOD).encode())
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(data))
        piece = rng.choice(
            [
                b"",
                b'"',
                b"[",
                b"]",
                b"{",
                b"}",
                b"0",
                b"9",
                b",",
                b"\n",
                b"\xff",
                b"null",
                b"-",
                b"true",
                bytes([rng.randrange(256)]),
            ]
        )
        data[at : at + rng.randrange(3)] = piece
    try:
        record = load(bytes(data))
    except RecordError as error:
        assert_printable(error)
    else:
        for difference in replay(record):
            assert str(difference).isprintable()
        assert all(line == "" or line.isprintable() for line in account(record))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.sampled_from(["", "1x2", "dudo", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["seat", "dice", "matching", "do"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.integers(0, len(LINES) - 1), st.data())
def test_a_field_of_any_value_gives_a_record_error_or_a_game(at: int, data: st.DataObject) -> None:
    fields = json.loads(LINES[at])
    key = data.draw(st.sampled_from(sorted(fields)))
    value = data.draw(json_values)
    if isinstance(fields[key], dict) and data.draw(st.booleans()):
        inner = data.draw(st.sampled_from(sorted(fields[key])))
        value = {**fields[key], inner: value}
    try:
        record = load(edited(GOOD, at + 1, **{key: value}))
    except RecordError as error:
        assert_printable(error)
    else:
        replay(record)
        list(account(record))

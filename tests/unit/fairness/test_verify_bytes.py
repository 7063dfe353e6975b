"""The script refuses what is not a transcript to the byte, and never breaks."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.fairness.forgery import (
    BEACON,
    FOUR,
    PALIFICO,
    RESTORED,
    ROLL_OFF,
    SCRIPT,
    SHORT,
    failures,
    game,
    retold,
    unfinished,
    verifier,
)

pytestmark = pytest.mark.one_database


BYTES = b'0f1"},{x \n\xff'


def assert_refused(text: bytes, line: int) -> None:
    """A change is refused by the form or by the chain, with its line."""
    found = failures(text)
    assert line in (found.get("V0"), found.get("V2")), (line, found)


@pytest.mark.slow
@pytest.mark.parametrize("text", [game(SHORT), unfinished()], ids=["finished", "unfinished"])
def test_any_other_byte_anywhere_is_refused_with_its_line(text: bytes) -> None:
    rng = Random(3)
    for place, byte in enumerate(text):
        line = 1 + text.count(b"\n", 0, place)
        others = {*rng.sample(BYTES, 2), byte ^ 1, byte ^ 32} - {byte}
        for other in others:
            if byte == 10 and place == len(text) - 1 and other == 10:
                continue
            assert_refused(text[:place] + bytes([other]) + text[place + 1 :], line)


@pytest.mark.slow
@pytest.mark.parametrize("text", [game(SHORT), unfinished()], ids=["finished", "unfinished"])
def test_a_byte_too_many_or_too_few_is_refused_with_its_line(text: bytes) -> None:
    rng = Random(4)
    for place in range(len(text) + 1):
        line = 1 + text.count(b"\n", 0, place)
        if place < len(text):
            assert_refused(text[:place] + text[place + 1 :], line)
        other = rng.choice(BYTES)
        splits_before_the_end = other == 10 and text[place : place + 1] == b"\n"
        assert_refused(text[:place] + bytes([other]) + text[place:], line + splits_before_the_end)


@pytest.mark.parametrize("seed", [FOUR, BEACON, RESTORED, ROLL_OFF, PALIFICO])
def test_changes_of_longer_games_are_refused_with_their_line(seed: int) -> None:
    rng, text = Random(seed), game(seed)
    for place in rng.sample(range(len(text)), 60):
        other = text[place] ^ rng.choice((1, 2, 16, 128))
        line = 1 + text.count(b"\n", 0, place)
        assert_refused(text[:place] + bytes([other]) + text[place + 1 :], line)


LINE = game(SHORT).splitlines()[0]
HOSTILE = {
    "nothing": (b"", 1),
    "an empty line": (b"\n", 1),
    "no last line feed": (game(SHORT)[:-1], game(SHORT).count(b"\n")),
    "a byte order mark": (b"\xef\xbb\xbf" + game(SHORT), 1),
    "CRLF": (game(SHORT).replace(b"\n", b"\r\n"), 1),
    "UTF-16": (game(SHORT).decode().encode("utf-16"), 1),
    "deep lists": (b"[" * 200_000 + b"]" * 200_000 + b"\n", 1),
    "deep objects": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n", 1),
    "NaN": (LINE.replace(b'"seq":0', b'"seq":NaN') + b"\n", 1),
    "Infinity": (LINE.replace(b'"seq":0', b'"seq":Infinity') + b"\n", 1),
    "a float": (LINE.replace(b'"seq":0', b'"seq":0.0') + b"\n", 1),
    "minus nought": (LINE.replace(b'"seq":0', b'"seq":-0') + b"\n", 1),
    "a negative number": (LINE.replace(b'"seq":0', b'"seq":-1') + b"\n", 1),
    "a huge number": (LINE.replace(b'"seq":0', b'"seq":' + b"9" * 100_000) + b"\n", 1),
    "a truth value": (LINE.replace(b'"seq":0', b'"seq":false') + b"\n", 1),
    "a key twice": (LINE.replace(b'"seq":0', b'"seq":0,"seq":0') + b"\n", 1),
    "a lone surrogate": (LINE.replace(b'"PF1"', b'"\\ud800"') + b"\n", 1),
    "an escape too many": (LINE.replace(b'"PF1"', b'"P\\u0046\\u0031"') + b"\n", 1),
    "an unknown kind": (LINE.replace(b'"create"', b'"creation"') + b"\n", 1),
    "a kind that is a list": (LINE.replace(b'"create"', b'["create"]') + b"\n", 1),
    "a payload that is a list": (b'{"hash":"","kind":"create","payload":[],"seq":0}\n', 1),
    "a list": (b"[]\n", 1),
    "a string": (b'"\\u001b[2J"\n', 1),
    "null": (b"null\n", 1),
    "zero bytes": (bytes(1000), 1),
    "a huge file": (b"0\n" * (1 << 22) + b"0\n", 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_with_its_line(name: str) -> None:
    text, line = HOSTILE[name]
    assert failures(text) == {"V0": line}


@pytest.mark.parametrize("name", ["nothing", "deep lists", "a string", "a lone surrogate"])
def test_a_hostile_file_gives_no_traceback(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(HOSTILE[name][0])
    command = [sys.executable, "-I", "-S", str(SCRIPT), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert (done.returncode, done.stderr) == (1, "")
    assert "V0 FAIL form of the file: line 1: " in done.stdout
    assert "\x1b" not in done.stdout


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("00" * 32),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_and_no_error_escapes(data: bytes) -> None:
    assert failures(data).keys() == {"V0"}


@given(st.data())
@settings(max_examples=200)
def test_any_value_in_any_field_gives_findings_and_no_error(data: st.DataObject) -> None:
    seed = data.draw(st.sampled_from([SHORT, BEACON, RESTORED, ROLL_OFF]))
    events = [json.loads(line) for line in game(seed).splitlines()]
    event = data.draw(st.sampled_from(events))
    payload = event["payload"]
    name = data.draw(st.sampled_from(sorted(payload)) | st.text(max_size=5))
    payload[name] = data.draw(values)
    try:
        text = retold(events, reseal=False)
    except (ValueError, TypeError, AttributeError, UnicodeError):
        return  # no chain can be made of it
    assert len(verifier().check(text)) == 10


@given(st.data())
@settings(max_examples=100)
def test_lines_in_any_order_give_findings_and_no_error(data: st.DataObject) -> None:
    events = [json.loads(line) for line in game(RESTORED).splitlines()]
    events += [json.loads(line) for line in game(BEACON).splitlines()]
    chosen = data.draw(st.lists(st.sampled_from(events), max_size=8))
    text = retold([events[0], *json.loads(json.dumps(chosen))], reseal=False)
    assert len(verifier().check(text)) == 10

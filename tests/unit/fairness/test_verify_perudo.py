"""The script that a player downloads refuses what is not as PF1 and the rules have it."""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.fairness import commitment_line, seal_line
from tests.unit.fairness.forgery import (
    SCRIPT,
    Events,
    failures,
    first,
    forged,
    last,
    retold,
    set_rule,
    transcript,
    verifier,
)
from tests.unit.fairness.log_maker import random_log

pytestmark = pytest.mark.one_database

# Seeds of random games (of at most four seats) that hold what a test is about.
SHORT, UNFINISHED, FOUR, BEACON, VOTED, RESTORED, ROLL_OFF, PALIFICO = (
    *(2519, 2570, 431, 2153, 3299, 3087, 684, 970),
)
BYTES = b'0f1"},{x \n\xff'


def game(seed: int) -> bytes:
    return transcript(seed, most_seats=2 if seed in (SHORT, VOTED, RESTORED) else 4)


def unfinished() -> bytes:
    return transcript(UNFINISHED, most_seats=2, quits_after=0)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the script as a reader does, without any library that may be installed."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)


def status(text: bytes, check: str, **options: Any) -> str:
    found = {finding.check: finding.status for finding in verifier().check(text, **options)}
    return str(found[check])


# --- what is right passes -------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(120))
def test_every_game_that_was_played_by_the_rules_passes(seed: int) -> None:
    rng = Random(seed)
    text = random_log(rng, quits_after=rng.choice((None, None, 1, 8))).text().encode()
    assert not failures(text)


def test_the_command_says_what_it_checked_and_what_must_be_trusted(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(FOUR))
    done = run(path)
    assert done.returncode == 0, done.stderr
    assert [line[:7] for line in done.stdout.splitlines()[:4]] == [f"V{i} PASS" for i in range(4)]
    assert "What must be trusted" in done.stdout


def test_the_command_names_the_line_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(game(FOUR).replace(b'"count":', b'"count":1', 1))
    done = run(path)
    number = 1 + next(i for i, x in enumerate(game(FOUR).splitlines()) if b'"count":' in x)
    assert done.returncode == 1
    assert f"FAIL chain of hashes: line {number}: " in done.stdout
    assert not done.stderr


@pytest.mark.parametrize("option", [(), ("--mail", "nowhere"), ("--beacon", "nowhere")])
def test_a_file_that_is_not_there_is_status_two(tmp_path: Path, option: tuple[str, ...]) -> None:
    path = tmp_path / "game.jsonl"
    if option:
        path.write_bytes(game(SHORT))
    done = run(path, *option)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_what_an_unfinished_game_cannot_show_is_a_dash_with_its_reason() -> None:
    found = {finding.check: finding for finding in verifier().check(unfinished())}
    assert {found[check].status for check in ("V1", "V3", "V6", "V8", "V9")} == {"–"}
    assert "until the game is over" in found["V1"].words
    assert {found[check].status for check in ("V0", "V2", "V5", "V7")} == {"PASS"}


def test_a_game_that_never_shows_covered_cups_says_so() -> None:
    def never(events: Events) -> None:
        set_rule(events, covered_cups_after_game="never")
        del events[-1]

    text = forged(game(SHORT), never)
    found = {finding.check: finding for finding in verifier().check(text)}
    assert not failures(text)
    assert found["V1"].status == "–"
    assert "for good" in found["V1"].words


def test_restores_new_secrets_and_votes_are_listed_with_their_lines() -> None:
    for seed, kinds in ((RESTORED, ("rekey", "epoch")), (VOTED, ("fallback",))):
        text = game(seed)
        words = next(x.words for x in verifier().check(text) if x.check == "V8")
        for number, line in enumerate(text.splitlines(), 1):
            if json.loads(line)["kind"] in kinds:
                assert f"line {number}: round " in words


# --- a change of one byte -------------------------------------------------------------------------
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


# --- forgeries whose hashes and seals fit ---------------------------------------------------------
def number_of(text: bytes, *kinds: str) -> int:
    return next(
        number
        for number, line in enumerate(text.splitlines(), 1)
        if json.loads(line)["kind"] in kinds
    )


def other_die(events: Events) -> None:
    cup = first(events, "dudo")["lifted"][0]
    cup["dice"][0] = cup["dice"][0] % 6 + 1


def other_key(events: Events) -> None:
    first(events, "dudo")["keys"][0][1] = "00" * 32


def one_key_less(events: Events) -> None:
    first(events, "dudo")["keys"].pop()


def other_leaf(events: Events) -> None:
    first(events, "seal")["cups"][0][2][0] = "11" * 32


def other_seats(events: Events) -> None:
    first(events, "start")["seats"].reverse()


def one_seat_twice(events: Events) -> None:
    first(events, "start")["seats"][0] = first(events, "start")["seats"][1]


def other_contribution(events: Events) -> None:
    first(events, "start")["contributions"][0] = ["rand", "22" * 32]


def no_raise(events: Events) -> None:
    bids = [event["payload"] for event in events if event["kind"] == "bid"]
    bids[1]["bid"] = bids[0]["bid"]


def out_of_turn(events: Events) -> None:
    first(events, "bid")["seat"] = 1


def with_field(name: str, value: Callable[[Any], Any]) -> Callable[[Events], None]:
    def edit(events: Events) -> None:
        payload = first(events, "dudo")
        payload[name] = value(payload[name])

    return edit


def other_winner(events: Events) -> None:
    payload = last(events, "dudo", "calza", "resign")
    payload["winner"] = payload["winner"] ^ 1


def drop(kind: str) -> Callable[[Events], None]:
    def edit(events: Events) -> None:
        del events[next(i for i, event in enumerate(events) if event["kind"] == kind)]

    return edit


def twice(kind: str) -> Callable[[Events], None]:
    def edit(events: Events) -> None:
        i = next(i for i, event in enumerate(events) if event["kind"] == kind)
        events.insert(i, json.loads(json.dumps(events[i])))

    return edit


def swapped(events: Events) -> None:
    i = next(i for i, event in enumerate(events) if event["kind"] == "bid")
    events[i], events[i + 1] = events[i + 1], events[i]


def seed_of_another_game(events: Events) -> None:
    last(events, "open")["seed"] = "33" * 32


def other_rules(events: Events) -> None:
    set_rule(events, start_dice=8)


def unknown_rule(events: Events) -> None:
    set_rule(events, house="ours")


def one_die_more(events: Events) -> None:
    first(events, "seal")["cups"][0][2].append("44" * 32)


FORGERIES: list[tuple[Callable[[Events], None], str, tuple[str, ...]]] = [
    (other_die, "V6", ("dudo",)),
    (other_key, "V6", ("dudo",)),
    (one_key_less, "V6", ("dudo",)),
    (other_leaf, "V5", ("seal",)),
    (one_die_more, "V5", ("seal",)),
    (one_die_more, "V7", ("seal",)),
    (other_seats, "V3", ("start",)),
    (one_seat_twice, "V3", ("start",)),
    (other_contribution, "V5", ("seal",)),
    (out_of_turn, "V7", ("bid",)),
    (with_field("count", lambda count: count + 1), "V7", ("dudo",)),
    (with_field("held", lambda held: not held), "V7", ("dudo",)),
    (with_field("loser", lambda loser: (loser + 1) % 4), "V7", ("dudo",)),
    (with_field("gainer", lambda _: 0), "V7", ("dudo",)),
    (with_field("caller", lambda caller: (caller + 1) % 4), "V7", ("dudo",)),
    (with_field("bid", lambda _: "1x2"), "V7", ("dudo",)),
    (with_field("out", lambda _: 3), "V7", ("dudo",)),
    (with_field("next_opener", lambda seat: (seat + 1) % 4), "V7", ("dudo",)),
    (with_field("next_mode", lambda _: "palifico"), "V7", ("dudo",)),
    (with_field("next_mode", lambda _: "wild"), "V0", ("dudo",)),
    (with_field("lifted", lambda cups: [{**cups[0], "matching": 9}, *cups[1:]]), "V7", ("dudo",)),
    (with_field("kind", lambda _: "calza"), "V7", ("dudo",)),
    (with_field("auto", lambda _: 1), "V0", ("dudo",)),
    (with_field("seat", lambda _: True), "V0", ("dudo",)),
    (with_field("seat", lambda _: -1), "V0", ("dudo",)),
    (with_field("count", lambda _: 10**30), "V0", ("dudo",)),
    (other_winner, "V7", ()),
    (drop("start"), "V0", ("seal",)),
    (drop("seal"), "V0", ("bid",)),
    (drop("bid"), "V7", ("bid",)),
    (twice("bid"), "V7", ()),
    (twice("seal"), "V0", ()),
    (twice("dudo"), "V0", ()),
    (twice("open"), "V0", ()),
    (swapped, "V7", ("bid",)),
    (seed_of_another_game, "V1", ("open",)),
    (other_rules, "V5", ("seal",)),
    (other_rules, "V7", ("seal",)),
    (unknown_rule, "V0", ("create",)),
]


@pytest.mark.parametrize(
    ("edit", "check", "kinds"), FORGERIES, ids=[f"{i}-{x[1]}" for i, x in enumerate(FORGERIES)]
)
def test_a_forgery_is_refused_by_the_check_that_is_there_for_it(
    edit: Callable[[Events], None], check: str, kinds: tuple[str, ...]
) -> None:
    text = forged(game(FOUR), edit)
    found = failures(text)
    assert check in found, found
    assert "V2" not in found, "the chain itself is whole"
    if kinds:
        assert found[check] == number_of(text, *kinds)


def test_a_log_without_its_first_event_is_refused() -> None:
    assert failures(b"".join(game(FOUR).splitlines(keepends=True)[1:])) == {"V0": 1}


def test_an_illegal_bid_is_refused_by_the_rules() -> None:
    text = forged(game(FOUR), no_raise)
    assert failures(text).keys() == {"V7"}


def test_a_leaf_that_is_changed_while_the_game_lasts_shows_when_its_cup_is_lifted() -> None:
    def edit(events: Events) -> None:
        del events[1 + next(i for i, event in enumerate(events) if event["kind"] == "dudo") :]
        seat = first(events, "dudo")["keys"][0][0]
        next(cup for cup in first(events, "seal")["cups"] if cup[0] == seat)[2][0] = "55" * 32

    assert failures(forged(game(FOUR), edit)).keys() == {"V6"}


def test_a_seal_that_was_made_later_does_not_fit_its_place() -> None:
    def edit(events: Events) -> None:
        first(events, "start")["contributions"][0] = ["none", ""]

    assert "V5" in failures(forged(game(FOUR), edit, reseal=False))
    moved = forged(game(FOUR), lambda events: first(events, "bid").update(auto=True), reseal=False)
    assert failures(moved).keys() == {"V5"}


def test_a_cup_that_is_sealed_with_another_hash_is_refused() -> None:
    def edit(events: Events) -> None:
        first(events, "seal")["cups"][0][1] = "66" * 32

    text = forged(game(FOUR), edit, reseal=False)
    assert failures(text)["V5"] == number_of(text, "seal")


@pytest.mark.parametrize(
    ("edit", "check"),
    [
        (lambda events: first(events, "intent").update(at=1_790_000_000), "V4"),
        (lambda events: first(events, "seal").update(beacon="77" * 32), "V4"),
        (lambda events: first(events, "seal").update(signature="77" * 48), "V4"),
        (lambda events: first(events, "seal").update(beacon_round=5), "V4"),
        (lambda events: first(events, "seal").update(chain="none"), "V0"),
        (lambda events: first(events, "seal").pop("signature"), "V0"),
        (lambda events: first(events, "create")["chain"].update(public_key="88" * 96), "V4"),
        (lambda events: first(events, "create")["chain"].update(genesis=7), "V4"),
        (lambda events: first(events, "create").update(chain={"name": "none"}), "V0"),
        (drop("intent"), "V0"),
        (twice("intent"), "V0"),
    ],
)
def test_a_beacon_that_was_bent_is_refused(edit: Callable[[Events], None], check: str) -> None:
    assert check in failures(forged(game(BEACON), edit))


@pytest.mark.parametrize(
    "edit",
    [
        lambda events: first(events, "epoch").update(epoch=2),
        lambda events: last(events, "seal").update(epoch=0),
        drop("epoch"),
        drop("rekey"),
        lambda events: first(events, "rekey").update(seed="99" * 32),
        lambda events: first(events, "rekey").update(commitment="99" * 32),
    ],
)
def test_a_restore_that_was_bent_is_refused(edit: Callable[[Events], None]) -> None:
    assert {"V0", "V1"} & failures(forged(game(RESTORED), edit)).keys()


def test_a_roll_off_that_was_bent_is_refused() -> None:
    def other_face(events: Events) -> None:
        lap = first(events, "start")["rolls"][0]
        lap["0"] = lap["0"] % 6 + 1

    def other_opener(events: Events) -> None:
        payload = first(events, "start")
        payload["opener"] = (payload["opener"] + 1) % len(payload["seats"])

    def no_rolls(events: Events) -> None:
        del first(events, "start")["rolls"]

    for edit in (other_face, other_opener, no_rolls):
        text = forged(game(ROLL_OFF), edit)
        assert failures(text)["V3"] == 2, edit


def test_a_palifico_round_that_is_denied_is_refused() -> None:
    def edit(events: Events) -> None:
        for event in events:
            if event["payload"].get("next_mode") == "palifico":
                event["payload"]["next_mode"] = "normal"

    assert "V7" in failures(forged(game(PALIFICO), edit))


def test_a_secret_that_must_stay_closed_may_not_be_opened() -> None:
    text = forged(game(SHORT), lambda e: set_rule(e, covered_cups_after_game="never"))
    assert failures(text)["V0"] == text.count(b"\n")


# --- the reader's own mails and pulses ------------------------------------------------------------
def seal_lines(text: bytes) -> list[str]:
    lines = [json.loads(line) for line in text.splitlines()]
    seals = [line for line in lines if line["kind"] == "seal"]
    return [commitment_line(bytes.fromhex(lines[0]["payload"]["commitment"]))] + [
        seal_line(
            bytes.fromhex(seal["payload"]["seal"]),
            number=seal["payload"]["round"],
            epoch=seal["payload"]["epoch"],
            seq=seal["seq"],
        )
        for seal in seals
    ]


def mail_of(lines: list[str], encoding: str) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "Your turn"
    mail.set_content("Hello\n\n" + "\n".join(lines), cte=encoding)
    html = "<br>".join(f"<p>{line.replace('·', '&middot;')}</p>" for line in lines)
    mail.add_alternative(f"<html>{html}</html>", subtype="html", cte=encoding)
    return mail.as_bytes()


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit", "plain"])
def test_the_seals_of_own_mails_are_compared(tmp_path: Path, encoding: str) -> None:
    text = game(RESTORED)
    lines = seal_lines(text)
    plain = "\n> ".join(lines).encode()
    mail = plain if encoding == "plain" else mail_of(lines, encoding)
    transcript_file, mail_file = tmp_path / "game.jsonl", tmp_path / "turn.eml"
    transcript_file.write_bytes(text)
    mail_file.write_bytes(mail)
    done = run(transcript_file, "--mail", mail_file)
    assert done.returncode == 0, done.stdout
    assert "V9 PASS" in done.stdout
    other = mail_of([lines[0], lines[-1].replace("log ", "log 1")], "base64")
    mail_file.write_bytes(other)
    done = run(transcript_file, "--mail", mail_file)
    assert done.returncode == 1
    assert f"V9 FAIL your mails: line {[*seal_numbers(text)][-1]}: " in done.stdout


def seal_numbers(text: bytes) -> list[int]:
    lines = enumerate(text.splitlines(), 1)
    return [number for number, line in lines if json.loads(line)["kind"] == "seal"]


def test_a_mail_of_another_game_is_refused_and_one_without_seals_is_a_dash() -> None:
    text = game(FOUR)
    foreign = [("a", "\n".join(seal_lines(game(BEACON))))]
    assert "V9" in failures(text, mails=foreign)
    assert status(text, "V9", mails=[("a", "Seal of approval")]) == "–"


def test_a_mail_that_is_younger_than_the_file_is_not_held_against_it() -> None:
    text = game(FOUR)
    younger = "Seal r99 · ABCDEFGHIJKLMNOPQRSTUVWXYZ · log 999"
    assert status(text, "V9", mails=[("a", younger)]) == "–"
    older = younger.replace("999", "3")
    assert status(text, "V9", mails=[("a", older)]) == "FAIL"


@pytest.mark.parametrize("form", ["lines", "document", "list"])
def test_pulses_that_the_reader_fetched_are_compared(tmp_path: Path, form: str) -> None:
    text = game(BEACON)
    seals = [json.loads(line)["payload"] for line in text.splitlines()]
    pulses = [
        {"round": p["beacon_round"], "randomness": p["beacon"], "signature": p["signature"]}
        for p in seals
        if p.get("chain") == "quicknet"
    ]
    assert pulses
    written = {
        "lines": "\n".join(map(json.dumps, pulses)),
        "document": json.dumps(pulses[0], indent=2),
        "list": json.dumps(pulses),
    }[form]
    game_file, beacon_file = tmp_path / "game.jsonl", tmp_path / "beacon.json"
    game_file.write_bytes(text)
    beacon_file.write_text(written)
    assert run(game_file, "--beacon", beacon_file).returncode == 0
    beacon_file.write_text(written.replace(pulses[0]["randomness"], "ab" * 32))
    done = run(game_file, "--beacon", beacon_file)
    assert done.returncode == 1
    assert "V4 FAIL" in done.stdout
    beacon_file.write_text("{" + written)
    assert run(game_file, "--beacon", beacon_file).returncode == 2


def test_without_a_library_the_values_to_compare_are_printed() -> None:
    text = game(BEACON)
    words = next(x.words for x in verifier().check(text) if x.check == "V4")
    for line in text.splitlines():
        payload = json.loads(line)["payload"]
        if payload.get("chain") == "quicknet":
            assert f"{payload['beacon_round']} {payload['beacon']}" in words


def test_with_a_library_each_signature_is_verified() -> None:
    asked: list[tuple[int, str]] = []

    def answering(answer: bool) -> Callable[[str, int, bytes], bool]:
        def is_signed(public_key: str, number: int, signature: bytes) -> bool:
            asked.append((number, hashlib.sha256(signature).hexdigest()))
            return answer

        return is_signed

    text = game(BEACON)
    assert not failures(text, bls=answering(True))
    pulses = [json.loads(line)["payload"] for line in text.splitlines()]
    signed = [(p["beacon_round"], p["beacon"]) for p in pulses if "signature" in p]
    assert asked == signed
    assert failures(text, bls=answering(False)).keys() == {"V4"}


# --- hostile files --------------------------------------------------------------------------------
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
    done = run(path)
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

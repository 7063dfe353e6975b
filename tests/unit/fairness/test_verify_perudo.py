"""The script that a player downloads: what it says of games, mails and the beacon."""

import json
import subprocess
import sys
from email.message import EmailMessage
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.fairness import commitment_line, seal_line
from tests.unit.fairness.forgery import (
    BEACON,
    FOUR,
    RESTORED,
    SCRIPT,
    SHORT,
    VOTED,
    Events,
    failures,
    forged,
    game,
    set_rule,
    unfinished,
    verifier,
)
from tests.unit.fairness.log_maker import random_log

pytestmark = pytest.mark.one_database


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the script as a reader does, without any library that may be installed."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=60)


def status(text: bytes, check: str, **options: Any) -> str:
    found = {finding.check: finding.status for finding in verifier().check(text, **options)}
    return str(found[check])


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


@pytest.mark.parametrize("option", [(), ("--mail", "nowhere")])
def test_a_file_that_is_not_there_is_status_two(tmp_path: Path, option: tuple[str, ...]) -> None:
    path = tmp_path / "game.jsonl"
    if option:
        path.write_bytes(game(SHORT))
    done = run(path, *option)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_what_an_unfinished_game_cannot_show_is_a_dash_with_its_reason() -> None:
    found = {finding.check: finding for finding in verifier().check(unfinished())}
    assert {found[check].status for check in ("V1", "V3", "V6", "V9")} == {"–"}
    assert "until the game is over" in found["V1"].words
    assert {found[check].status for check in ("V0", "V2", "V5", "V7", "V8")} == {"PASS"}


def test_the_first_line_says_that_a_game_has_no_beacon(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    for seed, is_said in ((FOUR, True), (BEACON, False)):
        path.write_bytes(game(seed))
        assert ("no public beacon" in run(path).stdout.splitlines()[0]) is is_said
    path.write_bytes(game(FOUR))
    assert "V4 –    public beacon: nothing to check" in run(path).stdout


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
    foreign = ["\n".join(seal_lines(game(BEACON))).encode()]
    assert "V9" in failures(text, mails=foreign)
    assert status(text, "V9", mails=[b"Seal of approval"]) == "–"


def test_a_mail_that_is_younger_than_the_file_is_not_held_against_it() -> None:
    text = game(FOUR)
    younger = "Seal r99 · ABCDEFGHIJKLMNOPQRSTUVWXYZ · log 999"
    assert status(text, "V9", mails=[younger.encode()]) == "–"
    older = younger.replace("999", "3")
    assert status(text, "V9", mails=[older.encode()]) == "FAIL"


def pulses(text: bytes) -> list[dict[str, Any]]:
    """Return the seals that took a value of the beacon."""
    payloads = [json.loads(line)["payload"] for line in text.splitlines()]
    return [payload for payload in payloads if "signature" in payload]


def answers(text: bytes, **other: object) -> str:
    """Return what drand says of these rounds, as its API puts it."""
    told = [
        {
            "round": pulse["beacon_round"],
            "randomness": pulse["beacon"],
            "signature": pulse["signature"],
        }
        for pulse in pulses(text)
    ]
    told[-1] |= other
    return "\n".join(map(json.dumps, told))


def test_without_the_beacons_answers_the_values_to_compare_are_printed() -> None:
    text = game(BEACON)
    words = next(x.words for x in verifier().check(text) if x.check == "V4")
    assert pulses(text)
    for pulse in pulses(text):
        assert f"of round {pulse['beacon_round']}: {pulse['beacon']}" in words


def test_the_beacons_answers_are_compared(tmp_path: Path) -> None:
    text, transcript_file, answer = game(BEACON), tmp_path / "game.jsonl", tmp_path / "drand.json"
    transcript_file.write_bytes(text)
    answer.write_text(answers(text))
    done = run(transcript_file, "--beacon", answer)
    assert done.returncode == 0, done.stdout
    assert "V4 PASS public beacon\n" in done.stdout
    answer.write_text(answers(text, signature="ab" * 48))
    done = run(transcript_file, "--beacon", answer)
    assert done.returncode == 1
    last_line = text.splitlines().index(next(x for x in text.splitlines()[::-1] if b"sign" in x))
    assert f"V4 FAIL public beacon: line {last_line + 1}: " in done.stdout


@pytest.mark.parametrize("answer", ["", "[]", "<html>404</html>", '{"round": "x"}', "\xff"])
def test_a_file_without_answers_leaves_the_values_to_compare(tmp_path: Path, answer: str) -> None:
    transcript_file, path = tmp_path / "game.jsonl", tmp_path / "drand.json"
    transcript_file.write_bytes(game(BEACON))
    path.write_text(answer, encoding="latin-1")
    done = run(transcript_file, "--beacon", path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "V4 PASS public beacon: line " in done.stdout
    assert "compare with drand's value" in done.stdout

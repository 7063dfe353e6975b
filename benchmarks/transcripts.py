"""``python -m benchmarks.transcripts``: do the two verifiers of PF1 agree?

Random games are told as transcripts; of each there are a valid one, one with another byte, one in
which a value was forged and one in which events were moved, the last two with their hashes made to
fit. ``verify_perudo.py`` and the browser's ``verify.js`` (run by node) judge them all. Ends with
status 1 when one accepts what the other refuses, when a valid transcript is refused, or when a
change of one byte is not; with status 2 where there is no node.
"""

import argparse
import base64
import contextlib
import json
import multiprocessing
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.unit.fairness.forgery import Events, retold, verifier
from tests.unit.fairness.log_maker import random_log
from tests.unit.random_games import random_rules

SCRIPTS = Path(__file__).parents[1] / "games/static/games/js"
DRIVER = Path(__file__).with_name("verify_driver.mjs")
KINDS = ("valid", "byte", "value", "events")
TIMED = ("telling", "verify_perudo.py", "verify.js")
BATCH = 25  # games
SHOWN = 12


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a verifier says: the checks that fail, each with its line."""

    failed: frozenset[tuple[str, int | None]]

    @property
    def first(self) -> tuple[str, int | None]:
        """Return the first check that fails, and its line."""
        return min(self.failed, key=str, default=("", None))

    def __str__(self) -> str:
        return ", ".join(f"{check}:{line}" for check, line in sorted(self.failed, key=str)) or "ok"


@dataclass(slots=True)
class Tally:
    """Counts of one or more batches, and the cases in which the verifiers differ."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    differing: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=lambda: dict.fromkeys(TIMED, 0.0))

    def add(self, other: "Tally") -> None:
        self.counts.update(other.counts)
        self.differing += other.differing
        for name in TIMED:
            self.seconds[name] += other.seconds[name]


def tell(seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield a game's transcript and three that were changed, the same for the same seed."""
    rng = Random(seed)
    text = random_log(rng, quits_after=rng.choice((None, None, 2, 9))).text().encode()
    yield "valid", text
    yield "byte", other_byte(text, rng)
    yield "value", retold(forge(events_of(text), rng), reseal=rng.random() < 0.8)
    yield "events", retold(shuffle(events_of(text), rng), reseal=rng.random() < 0.8)


def events_of(text: bytes) -> Events:
    return [json.loads(line) for line in text.splitlines()]


def other_byte(text: bytes, rng: Random) -> bytes:
    """Return the text with a byte replaced, put in or left out."""
    place, byte = rng.randrange(len(text)), rng.choice(b'0123456789abcdef"{}[],:x \n\xc3')
    end = place + rng.choice((0, 1, 1))
    changed = text[:place] + bytes([byte] * rng.choice((0, 1, 1, 1))) + text[end:]
    return changed if changed != text else text[:place] + text[place + 1 :]


def forge(events: Events, rng: Random) -> Events:
    """Change one value of one event."""
    payload = rng.choice(events)["payload"]
    name = rng.choice(sorted(payload))
    payload[name] = other(payload[name], rng)
    return events


def other(value: Any, rng: Random) -> Any:
    """Return a value of the same type, mostly."""
    if rng.random() < 0.05:
        return rng.choice((None, True, 0, 1, -1, 10**9, "", [], {}))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + rng.choice((-1, 1, 1, 2)))
    if isinstance(value, list) and value:
        place = rng.randrange(len(value))
        changed = [other(value[place], rng)]
        return (
            value[:place]
            + rng.choice((changed, changed, [], value[place:][:1] * 2))
            + value[place + 1 :]
        )
    if isinstance(value, dict) and value:
        name = rng.choice(sorted(value))
        return {**value, name: other(value[name], rng)}
    if isinstance(value, str) and value.startswith("{"):
        return other_rules(json.loads(value), rng)
    if isinstance(value, str) and len(value) > 2 and set(value) <= set("0123456789abcdef"):
        return rng.randbytes(len(value) // 2).hex()
    if isinstance(value, str):
        words = ("none", "rand", "normal", "palifico", "random", "declared", "cancelled", "3x1")
        return rng.choice((*words, f"{rng.randint(1, 20)}x{rng.randint(1, 6)}"))
    return rng.choice((0, 1, 2, None))


def other_rules(rules: dict[str, Any], rng: Random) -> str:
    """Return the rules text with one toggle of another table."""
    name, theirs = rng.choice(sorted(rules)), random_rules(rng).to_dict()
    changed = {**rules, name: theirs[name]}
    return json.dumps(changed, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def shuffle(events: Events, rng: Random) -> Events:
    """Leave out, repeat, move or cut off events."""
    place = rng.randrange(1, len(events))
    what = rng.choice(("out", "twice", "move", "cut"))
    if what == "cut":
        return events[:place]
    event = events.pop(place)
    if what == "twice":
        events[place:place] = [event, json.loads(json.dumps(event))]
    if what == "move":
        events.insert(rng.randrange(1, len(events) + 1), event)
    return events


@contextlib.contextmanager
def browser_verifier() -> Iterator[subprocess.Popen[str]]:
    """Run the browser's modules in node. It takes them for modules only where a file says so."""
    with tempfile.TemporaryDirectory(prefix="perudo-verify-") as folder:
        for script in SCRIPTS.glob("verify*.js"):
            shutil.copy(script, folder)
        (Path(folder) / "package.json").write_text('{"type": "module"}')
        shutil.copy(DRIVER, folder)
        node = subprocess.Popen(
            ["node", DRIVER.name],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield node
        finally:
            assert node.stdin is not None
            node.stdin.close()
            node.wait(timeout=30)


def ask(node: "subprocess.Popen[str]", text: bytes) -> Verdict:
    """Return the verdict of the browser's verifier."""
    assert node.stdin is not None
    assert node.stdout is not None
    node.stdin.write(base64.b64encode(text).decode() + "\n")
    node.stdin.flush()
    answer = json.loads(node.stdout.readline())
    verdict = Verdict(frozenset((check, line) for check, line in answer["failed"]))
    assert answer["ok"] == (not verdict.failed)
    return verdict


def judge(text: bytes) -> Verdict:
    """Return the verdict of the script."""
    findings = verifier().check(text)
    return Verdict(frozenset((f.check, f.line) for f in findings if f.status == "FAIL"))


def compare(seeds: Iterable[int]) -> Tally:
    """Let both verifiers judge the transcripts of these games."""
    tally = Tally()
    with browser_verifier() as node:
        for seed in seeds:
            began = time.perf_counter()
            told = list(tell(seed))
            tally.seconds["telling"] += time.perf_counter() - began
            for kind, text in told:
                began = time.perf_counter()
                ours = judge(text)
                between = time.perf_counter()
                theirs = ask(node, text)
                tally.seconds["verify_perudo.py"] += between - began
                tally.seconds["verify.js"] += time.perf_counter() - between
                count(tally, kind, ours, theirs, f"seed {seed}, {kind}")
    return tally


def count(tally: Tally, kind: str, ours: Verdict, theirs: Verdict, name: str) -> None:
    """Enter the verdicts of both on one transcript."""
    is_same = bool(ours.failed) == bool(theirs.failed)
    entries = {
        "transcripts": True,
        "both accept": is_same and not ours.failed,
        "both refuse": is_same and bool(ours.failed),
        "differ": not is_same,
        "same line": is_same and bool(ours.failed) and ours.first[1] == theirs.first[1],
        "same check": is_same and bool(ours.failed) and ours.first == theirs.first,
    }
    tally.counts.update((kind, entry) for entry, holds in entries.items() if holds)
    wrong = (kind == "valid" and ours.failed) or (kind == "byte" and not ours.failed)
    if not is_same or wrong or ours.first[1] != theirs.first[1]:
        tally.differing.append(f"{name}: verify_perudo.py {ours} / verify.js {theirs}")


def main(arguments: list[str]) -> int:
    """Compare, print the figures and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.transcripts", description=__doc__)
    parser.add_argument("--count", type=int, default=2_000, help="transcripts, four for each game")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--first-seed", type=int, default=0)
    options = parser.parse_args(arguments)
    if shutil.which("node") is None:
        print("The browser's verifier runs in node, and there is none: nothing was compared.")
        return 2
    seeds = range(options.first_seed, options.first_seed - (-options.count // len(KINDS)))
    batches = [seeds[start : start + BATCH] for start in range(0, len(seeds), BATCH)]
    began, tally = time.monotonic(), Tally()
    with multiprocessing.Pool(options.jobs) as pool:
        for part in pool.imap_unordered(compare, batches):
            tally.add(part)
    report(tally)
    print(
        f"\nSeeds {seeds[0]} to {seeds[-1]}, {time.monotonic() - began:.0f} s, of them in all jobs:"
    )
    print(", ".join(f"{name} {seconds:.0f} s" for name, seconds in tally.seconds.items()))
    counts = tally.counts
    failed = sum(counts[kind, "differ"] for kind in KINDS)
    failed += counts["valid", "both refuse"] + counts["byte", "both accept"]
    print("The verifiers disagree, or are wrong." if failed else "The verifiers agree.")
    return 1 if failed else 0


def report(tally: Tally) -> None:
    """Print the table, and the first cases in which something differs."""
    entries = ("transcripts", "both accept", "both refuse", "differ", "same line", "same check")
    print(f"{'':8}" + "".join(f"{entry:>13}" for entry in entries))
    for kind in KINDS:
        print(f"{kind:8}" + "".join(f"{tally.counts[kind, entry]:13,}" for entry in entries))
    totals = (sum(tally.counts[kind, entry] for kind in KINDS) for entry in entries)
    print(f"{'all':8}" + "".join(f"{total:13,}" for total in totals))
    for case in tally.differing[:SHOWN]:
        print(case)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

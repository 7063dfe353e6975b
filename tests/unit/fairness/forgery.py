"""Transcripts that somebody has tampered with, their chain of hashes made whole again."""

import contextlib
import importlib.util
import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from games.fairness import FIRST, canonical, link
from tests.unit.fairness.log_maker import random_log

SCRIPT = Path(__file__).parents[3] / "games/static/games/verify_perudo.py"
Events = list[dict[str, Any]]
# Seeds of random games (of at most four seats) that hold what a test is about.
SHORT, UNFINISHED, FOUR, BEACON, VOTED, RESTORED, ROLL_OFF, PALIFICO, FORFEIT = (
    *(2519, 2570, 431, 2153, 3299, 3087, 684, 970, 364),
)
# What a payload may raise out of which no seal can be made.
MALFORMED = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)


@cache
def verifier() -> ModuleType:
    """Return the script that readers download, as a module."""
    spec = importlib.util.spec_from_file_location("verify_perudo", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def failures(text: bytes, **options: Any) -> dict[str, int | None]:
    """Return the line of each check that fails."""
    findings = verifier().check(text, **options)
    return {found.check: found.line for found in findings if found.status == "FAIL"}


def transcript(seed: int, **options: Any) -> bytes:
    """Return the transcript of the random game of this seed."""
    return random_log(Random(seed), **options).text().encode()


def forged(text: bytes, edit: Callable[[Events], object], *, reseal: bool = True) -> bytes:
    """Return a transcript after an edit, with hashes (and seals) that suit it again."""
    events = [json.loads(line) for line in text.splitlines()]
    edit(events)
    return retold(events, reseal=reseal)


def retold(events: Events, *, reseal: bool = True) -> bytes:
    """Return the transcript of these kinds and payloads."""
    lines, after = [], FIRST
    for seq, event in enumerate(events):
        kind, payload = event["kind"], event["payload"]
        if kind == "seal" and reseal:
            with contextlib.suppress(*MALFORMED):
                _reseal(payload, events[0]["payload"]["gid"], after)
        linked = link(kind, payload, seq=seq, after=after)
        after = linked.digest
        lines.append(linked.line())
    return "".join(lines).encode()


def _reseal(payload: dict[str, Any], gid: str, after: bytes) -> None:
    pf1 = verifier()
    where = (bytes.fromhex(gid), pf1.u(payload["round"], 4), pf1.u(payload["epoch"], 2))
    parts = []
    for cup in payload["cups"]:
        seat, leaves = pf1.u(cup[0], 1), [bytes.fromhex(leaf) for leaf in cup[2]]
        cup[1] = pf1.H("cup", *where, seat, pf1.u(len(leaves), 1), *leaves).hex()
        parts.append(seat + bytes.fromhex(cup[1]))
    beacon_round = pf1.u(payload["beacon_round"], 8)
    payload["seal"] = pf1.H("seal", *where, beacon_round, after, *parts).hex()


def first(events: Events, *kinds: str) -> dict[str, Any]:
    """Return the payload of the first event of one of these kinds."""
    return next(event["payload"] for event in events if event["kind"] in kinds)


def last(events: Events, *kinds: str) -> dict[str, Any]:
    """Return the payload of the last event of one of these kinds."""
    return first(events[::-1], *kinds)


def rules_of(text: bytes) -> dict[str, Any]:
    """Return the toggles of a transcript's game."""
    rules: dict[str, Any] = json.loads(json.loads(text.splitlines()[0])["payload"]["rules"])
    return rules


def set_rule(events: Events, **toggles: object) -> None:
    """Change toggles in the rules text."""
    payload = events[0]["payload"]
    payload["rules"] = canonical({**json.loads(payload["rules"]), **toggles})


def game(seed: int) -> bytes:
    """Return the transcript of one of the games above."""
    return transcript(seed, most_seats=2 if seed in (SHORT, VOTED, RESTORED) else 4)


def unfinished() -> bytes:
    """Return the transcript of a game whose first round is under way."""
    return transcript(UNFINISHED, most_seats=2, quits_after=0)


def number_of(text: bytes, *kinds: str) -> int:
    """Return the line of the first event of one of these kinds."""
    return next(
        number
        for number, line in enumerate(text.splitlines(), 1)
        if json.loads(line)["kind"] in kinds
    )

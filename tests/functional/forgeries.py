"""Logs that were forged so that every hash fits again, as whoever runs a site could make them."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

from games.fairness import FIRST, canonical, link
from tests.unit.fairness.log_maker import LogMaker, random_log

Lines = list[dict[str, Any]]


def rechained(lines: Lines) -> str:
    """Return the log of these events, with hashes that fit."""
    after, text = FIRST, ""
    for seq, line in enumerate(lines):
        event = link(line["kind"], line["payload"], seq=seq, after=after)
        after, text = event.digest, text + event.line()
    return text


def lines_of(maker: LogMaker) -> Lines:
    return [json.loads(line) for line in maker.text().splitlines()]


def first(lines: Lines, *kinds: str) -> tuple[int, dict[str, Any]]:
    """Return the number of the first line of such a kind, and its payload."""
    return next((at + 1, line["payload"]) for at, line in enumerate(lines) if line["kind"] in kinds)


def whole_log(
    *, with_beacon: bool = False, kinds: frozenset[str] = frozenset({"dudo"})
) -> LogMaker:
    """Return the log of a finished game, short, with or without a beacon, that has such events."""
    for number in range(1000):
        maker = random_log(Random(number), most_seats=3)
        has = {event.kind for event in maker.events}
        if maker.with_beacon is with_beacon and {"open", *kinds} <= has and "rekey" not in has:
            return maker
    raise AssertionError("no such game")


def forfeited_log() -> LogMaker:
    """Return the log of a game in which a seat lost a die to the clock while a bid stood."""
    for number in range(1000):
        maker = random_log(Random(number), most_seats=3)
        forfeits = (event for event in maker.events if event.kind == "forfeit")
        told = next(forfeits, None)
        if told is not None and told.payload["bid"] and not maker.with_beacon:
            return maker
    raise AssertionError("no such game")


def _other_seed(lines: Lines) -> int:
    line, payload = first(lines, "open")
    payload["seed"] = "00" * 32
    return line


def _other_seats(lines: Lines) -> int:
    line, payload = first(lines, "start")
    payload["seats"].reverse()
    return line


def _a_leaf(lines: Lines) -> int:
    line, payload = first(lines, "seal")
    payload["cups"][0][2][0] = "00" * 32
    return line


def _a_cup(lines: Lines) -> int:
    line, payload = first(lines, "seal")
    payload["cups"][0][1] = "00" * 32
    return line


def _a_seal(lines: Lines) -> int:
    line, payload = first(lines, "seal")
    payload["seal"] = "00" * 32
    return line


def _a_shown_die(lines: Lines) -> int:
    line, payload = first(lines, "dudo")
    dice = payload["lifted"][0]["dice"]
    dice[0] = dice[0] % 6 + 1
    return line


def _a_key(lines: Lines) -> int:
    line, payload = first(lines, "dudo")
    payload["keys"][0][1] = "00" * 32
    return line


def _a_turn(lines: Lines) -> int:
    line, payload = first(lines, "bid")
    payload["seat"] = 1 - payload["seat"]
    return line


def _a_bid(lines: Lines) -> int:
    number = next(
        at for at in range(1, len(lines)) if {lines[at]["kind"], lines[at - 1]["kind"]} == {"bid"}
    )
    lines[number]["payload"]["bid"] = lines[number - 1]["payload"]["bid"]
    return number + 1


def _a_count(lines: Lines) -> int:
    line, payload = first(lines, "dudo")
    payload["count"] += 1
    return line


def _a_loser(lines: Lines) -> int:
    line, payload = first(lines, "dudo")
    payload["loser"] = payload["caller"] + payload["bidder"] - payload["loser"]
    return line


def _an_opener(lines: Lines) -> int:
    line, payload = first(lines, "dudo")
    payload["next_opener"] = (payload["next_opener"] + 1) % 2
    return line


def _a_calling_off(lines: Lines) -> int:
    line, payload = first(lines, "open")
    payload["reason"] = "cancelled"
    return line


def _a_round(lines: Lines) -> int:
    line, payload = first(lines, "seal")
    payload["round"] = 2
    return line


def _an_epoch(lines: Lines) -> int:
    line, payload = first(lines, "seal")
    payload["epoch"] = 1
    return line


def _rules(lines: Lines) -> int:
    toggles = json.loads(lines[0]["payload"]["rules"])
    lines[0]["payload"]["rules"] = canonical({**toggles, "start_dice": 9})
    return 1


def _a_forfeit(lines: Lines, **changes: object) -> int:
    line, payload = first(lines, "forfeit")
    payload.update(changes)
    return line


def _a_forfeit_out_of_turn(lines: Lines) -> int:
    bidder = first(lines, "forfeit")[1]["bidder"]
    return _a_forfeit(lines, seat=bidder, caller=bidder, loser=bidder, next_opener=bidder)


FORFEITS: dict[str, tuple[Callable[[Lines], int], str]] = {
    "by another seat": (_a_forfeit_out_of_turn, "V7.call"),
    "for nothing": (lambda lines: _a_forfeit(lines, loser=None), "V7.loss"),
    "that judges": (lambda lines: _a_forfeit(lines, held=False), "V7.lifted"),
    "that forgets the bid": (lambda lines: _a_forfeit(lines, bid=None), "V7.bid-named"),
}
"""What is forged of a die that was lost to the clock, as above."""


FORGERIES: dict[str, tuple[Callable[[Lines], int], str]] = {
    "another secret": (_other_seed, "V1.differs"),
    "other seats": (_other_seats, "V3.seats"),
    "another leaf": (_a_leaf, "V5.leaf"),
    "another cup": (_a_cup, "V5.cup"),
    "another seal": (_a_seal, "V5.seal"),
    "another die": (_a_shown_die, "V6.dice"),
    "another key": (_a_key, "V6.dice"),
    "a turn": (_a_turn, "V7.turn"),
    "a bid that is no raise": (_a_bid, "V7.bid"),
    "a count": (_a_count, "V7.count"),
    "the loser": (_a_loser, "V7.loss"),
    "the next opener": (_an_opener, "V7.next"),
    "the end": (_a_calling_off, "V7.reason"),
    "a round's number": (_a_round, "V7.round"),
    "an epoch": (_an_epoch, "V8.differs"),
    "the rules": (_rules, "V7.rules"),
}
"""What is forged (the function returns its line), and the finding that has to name it."""

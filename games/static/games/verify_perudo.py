#!/usr/bin/env python3
"""Check the transcript of a game of Perudo by Post without trusting its site.

    python verify_perudo.py FILE [--mail FILE ...] [--beacon FILE]

--mail compares the seals in mails you kept (.eml or text); --beacon compares pulses that you
fetched from drand yourself (its JSON). Needs Python 3.8 and no network. Written from PF1, the
specification, and the numbered rules (R-01 …), not from the site's code. Exit status: 0 nothing
failed, 1 something failed, 2 a file could not be read.
"""

from __future__ import annotations

import argparse
import base64
import email
import hashlib
import hmac
import html
import json
import re
import sys
import unicodedata
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace as Record
from typing import Any, NamedTuple

TRUST = """
What must be trusted: the dice are unbiased if the operator is honest, or if the public beacon is;
without a beacon your own contribution suffices only if no seat that joined after you works with
the operator. The operator's server knows the current dice; players, spectators, backups and
readers of the database do not. PF1 is verifiable; it has not been proved."""
# The SHA-256 of the chain that is drand's quicknet. Whoever keeps another could choose its values.
QUICKNET = "3e17d81a3d4ae897fa5a2821809cba6ecc20aadee42b1855f4403cd269cfb5a9"
CALLS, NO_BEACON = ("dudo", "calza", "resign"), {"name": "none"}
MOST_BYTES, MARGIN = 1 << 23, "\n        "
SEAL = re.compile(  # in a mail; the dot may have been lost in its encoding
    r"Seal\s+(c|r[0-9]+(?:\.[0-9]+)?)\s*[·*\ufffd]\s*([\w ]+)(?:\s*[·*\ufffd]\s*log\s+([0-9]+))?"
)


def table(text: str) -> dict[str, str]:
    """Read lines of "name … = value"."""
    rows = [line.split(" = ") for line in text.strip().split("\n")]
    return {name: value for names, value in rows for name in names.split()}


# What each kind of event holds (rolls and signature: or not), and after ":" what it may follow.
# After a new S the round under way is rolled anew.
OUTCOME = "kind caller bid bidder lifted count held loser gainer out next_opener next_mode winner"
READY = "start dudo calza resign epoch"
GAME = f"intent fallback seal bid {READY}"
KINDS = table(f"""
create = protocol gid rules commitment chain : nothing
start = contributions seats starter opener rolls : create
intent = round epoch beacon_round at : {READY}
fallback = round epoch : intent
seal = round epoch chain beacon_round beacon cups seal signature : intent fallback {READY}
bid = seat auto bid : seal bid
dudo calza = seat auto keys {OUTCOME} : seal bid
resign = seat auto keys {OUTCOME} : intent fallback seal bid
epoch = round epoch : rekey {GAME}
rekey = seed commitment : create rekey {GAME}
open = seed reason : create rekey {GAME}
""")
INT, HASH = "0|[1-9][0-9]{0,14}", '"[0-9a-f]{64}"'
BEACON = (
    rf'\{{"genesis":({INT}),"hash":{HASH},"name":"quicknet","period":({INT}),"public_key":"\w+"\}}'
)
FORMS = table(rf"""
round epoch beacon_round at seq = {INT}
commitment seed beacon seal hash = {HASH}
seat caller opener = [0-9]
bidder loser gainer out next_opener winner = [0-9]|null
count = {INT}|null
auto = true|false
held = true|false|null
bid.bid = "[1-9][0-9]{{0,3}}x[1-6]"
bid = "[1-9][0-9]{{0,3}}x[1-6]"|null
kind = "[a-z]+"
next_mode = "(normal|palifico)"|null
lifted = \[(,?\{{"dice":\[(,?[1-6])+\],"matching":[0-9]+,"seat":[0-9]\}})*\]
keys = \[(,?\[[0-9],{HASH}\])*\]
cups = \[(,?\[[0-9],{HASH},\[(,?{HASH}){{1,8}}\]\])+\]
contributions = \[(,?\[("rand",{HASH}|"text","([0-9a-f]{{2}})*"|"none","")\]){{2,10}}\]
seats = \[(,?[0-9])+\]
rolls = \[(,?\{{(,?"[0-9]":[1-6])+\}})+\]
starter = "(random|roll_off|declared)"
reason = "(finished|cancelled)"
chain = "(none|quicknet)"
create.chain = \{{"name":"none"\}}|{BEACON}
signature = "[0-9a-f]{{96}}"
protocol = "PF1"
gid = "[0-9a-f]{{32}}"
rules = ".*"
""")
RULES = r"""
\{"bid_cap":"(none|dice_at_start|dice_in_play)","calza":\{"enabled":FLAG,"in_palifico":FLAG,
"needs_lost_die":FLAG,"two_players":FLAG,"window":"(next_action|grace|turn_only)"\},
"covered_cups_after_game":"(after_end|never)","dice_counts":"(shown|hidden)",
"first_starter":"(random|roll_off|declared)","max_players":([2-9]|10),"name":"[^"\\]*",
"palifico":\{"enabled":FLAG,"face_change":"(nobody|one_die_players)",
"trigger":"(first_time|every_drop_to_one)","two_players":FLAG\},"raise_mode":"(free|one_way)",
"reveal":"(all|clockwise_early_stop)","start_dice":[1-8],"version":(0|[1-9][0-9]{0,14})\}
""".replace("FLAG", "(true|false)").replace("\n", "")


class Finding(NamedTuple):
    check: str
    status: str  # PASS, FAIL, or – where there is nothing to check
    line: int | None
    words: str


class Failed(Exception):
    """A check fails: the line of the file (or None), and what is wrong."""


class Nothing(Exception):
    """There is nothing to check yet: why."""


def need(event: Any, holds: object, words: str) -> None:
    """Fail at the line of the event unless the condition holds."""
    if not holds:
        raise Failed(event.line, words)


# --- Sections 1 and 2 of the specification, in its own names -------------------------------------
def u(number: int, width: int) -> bytes:
    return number.to_bytes(width, "big")


def framed(label: str, parts: tuple[bytes, ...]) -> bytes:
    return b"PF1:" + label.encode() + b"\0" + b"".join(u(len(part), 4) + part for part in parts)


def H(label: str, *parts: bytes) -> bytes:
    return hashlib.sha256(framed(label, parts)).digest()


def M(key: bytes, label: str, *parts: bytes) -> bytes:
    return hmac.new(key, framed(label, parts), hashlib.sha256).digest()


def uniform(key: bytes, label: str, n: int, i: int) -> int:
    """Return one of 1..n; a byte that would favour some of them is skipped."""
    c = 0
    while True:
        for byte in M(key, label, u(i, 2), u(c, 4)):
            if byte < 256 - 256 % n:
                return 1 + byte % n
        c += 1


def seating(G: bytes, n: int) -> list[int]:
    seats = list(range(n))
    for i in range(n - 1, 0, -1):
        j = uniform(G, "seat", i + 1, i) - 1
        seats[i], seats[j] = seats[j], seats[i]
    return seats


def open_cup(ck: bytes, seal: Any, seat: int, n: int) -> tuple[list[int], list[str]]:
    """Return the n dice of the cup whose key is ck, and the leaves that bind them."""
    dice = [uniform(ck, "die", 6, j) for j in range(n)]
    parts = [(u(seat, 1), u(j, 1), u(dice[j], 1), M(ck, "salt", u(j, 1))) for j in range(n)]
    return dice, [H("leaf", *seal.where, *part).hex() for part in parts]


def cup_key(seal: Any, seat: int) -> bytes | None:
    """Return the key that follows from S, or None while S is closed."""
    if seal.secret.G is None:
        return None
    pulse = (seal.chain.encode(), u(seal.beacon_round, 8), bytes.fromhex(seal.beacon))
    return M(M(seal.secret.G, "round", *seal.where, *pulse), "cup", u(seat, 1))


# --- V0: sections 3 and 4, the form of a transcript ----------------------------------------------
def whole(text: str) -> int:
    if not re.fullmatch("[0-9]{1,15}", text):
        raise ValueError("a number is not whole, or too large")
    return int(text)


def canonical(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def is_phrase(raw: bytes) -> bool:
    text = raw.decode("utf-8", "replace")
    return unicodedata.normalize("NFC", text).encode() == raw


def parse(text: bytes) -> Any:
    """Return the event that stands on a line."""
    entry = json.loads(text.decode(), parse_int=whole, parse_float=whole, parse_constant=whole)
    if canonical(entry) != text or entry.keys() != {"hash", "kind", "payload", "seq"}:
        raise ValueError("its form is not canonical")
    kind, payload, seq = entry["kind"], entry["payload"], entry["seq"]
    event = Record(**{"rolls": [], "signature": "", **payload, "kind": kind, "payload": payload})
    event.text, event.hash, event.seq = canonical(payload), bytes.fromhex(entry["hash"]), seq
    fields = set(KINDS[kind].split(" : ")[0].split())
    if not fields - {"rolls", "signature"} <= payload.keys() <= fields:
        raise ValueError(f"the fields of this {kind}")
    for name, value in {"hash": entry["hash"], "seq": seq, **payload}.items():
        if not re.fullmatch(FORMS.get(f"{kind}.{name}") or FORMS[name], canonical(value).decode()):
            raise ValueError(f"the field {name}")
    return event


def read(data: bytes) -> Any:
    """Return the log that stands in a file, or refuse the file."""
    log = Record(events=[], secrets=[], contributions=[], round=1, epoch=0, start=None)
    log.last, before, (*lines, rest) = "nothing", bytes(32), data.split(b"\n")
    for line, text in enumerate(lines, 1):
        try:
            if len(data) > MOST_BYTES:
                raise ValueError("the file is longer than that of any game")
            event = parse(text)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise Failed(line, f"no canonical JSON of an event: {error!s:.90}") from None
        event.line, event.before, before = line, before, event.hash
        follow(log, event)
        log.events.append(event)
    if rest or not lines:
        raise Failed(len(lines) + 1, "the last line is cut off" if rest else "the file is empty")
    P = [H("contrib", kind.encode(), bytes.fromhex(raw)) for kind, raw in log.contributions]
    rules = hashlib.sha256(log.events[0].rules.encode()).digest()
    for secret in log.secrets:
        is_bound = secret.S and H("server", log.gid, secret.S).hex() == secret.C
        secret.G = M(secret.S, "game", log.gid, rules, u(len(P), 1), *P) if is_bound else None
    return log


def follow(log: Any, event: Any) -> None:
    """Refuse an event that may not stand here; keep what later ones are judged by."""
    kind, last, log.last = event.kind, log.last, event.kind
    need(event, last in KINDS[kind].split(" : ")[1].split(), f"no {kind} may follow {last}")
    if kind == "create":
        need(event, re.fullmatch(RULES, event.rules), "its rules are not a ruleset's toggles")
        log.rules, log.chain = json.loads(event.rules), event.chain
        log.gid = bytes.fromhex(event.gid)
        log.is_never = log.rules["covered_cups_after_game"] == "never"
        log.until = "for good, by its rules" if log.is_never else "until the game is over"
    has_beacon, is_lit = log.chain != NO_BEACON, last == "intent"
    if kind == "start":
        log.start, log.contributions = event, event.contributions
        phrases = [bytes.fromhex(raw) for what, raw in event.contributions if what == "text"]
        need(event, all(map(is_phrase, phrases)), "a phrase is not NFC in UTF-8")
    elif kind == "intent":
        need(event, has_beacon, "this game has no beacon")
        log.intent = event
    elif kind == "seal":
        need(event, (last in ("intent", "fallback")) == has_beacon, f"no seal may follow {last}")
        due = ("quicknet" if is_lit else "none", is_lit)
        is_due = (event.chain, event.signature != "") == due
        need(event, is_due, f"its chain is {due[0]}, and only quicknet signs")
        log.seal, event.intent = event, is_lit and log.intent
    elif kind == "rekey":
        log.last = kind if log.start else "create"
    elif kind == "epoch":
        log.epoch += 1
    event.number, event.where = log.round, [log.gid, u(log.round, 4), u(log.epoch, 2)]
    named = (getattr(event, "round", log.round), getattr(event, "epoch", log.epoch))
    need(event, named == (log.round, log.epoch), f"round {log.round}, epoch {log.epoch} is due")
    if kind in CALLS:
        event.sealed = log.seal if last in ("seal", "bid") else None
        log.round, log.epoch = log.round + 1, 0
    if kind in ("rekey", "open"):
        log.secrets[-1].S, log.secrets[-1].line = bytes.fromhex(event.seed), event.line
    if kind in ("create", "rekey"):
        log.secrets.append(Record(C=event.commitment, since=event.line, S=b""))
    event.secret = log.secrets[-1]


# --- V1 to V6: the dice --------------------------------------------------------------------------
def v1(log: Any) -> str:
    opened = [secret for secret in log.secrets if secret.S]
    for secret in opened:
        need(secret, secret.G, f"S is not what the commitment of line {secret.since} binds")
    if not opened:
        raise Nothing(f"S stays closed {log.until}")
    return f"S is what was committed to before the contributions ({len(opened)} opened)"


def v2(log: Any) -> str:
    for i, event in enumerate(log.events):
        need(event, event.seq == i, f"its number is {event.seq}, not {i}")
        digest = H("event", event.before, u(i, 4), event.kind.encode(), event.text)
        need(event, event.hash == digest, "its hash does not follow from what is before it")
    return f"{len(log.events)} events; the last hash is {log.events[-1].hash.hex()}"


def v3(log: Any) -> str:
    start, rule, seats = begun(log), log.rules["first_starter"], list(range(len(log.contributions)))
    G, n, left = start.secret.G, len(seats), seats
    need(start, sorted(start.seats) == seats, "the seats are not those of the contributors")
    need(start, not G or start.seats == seating(G, n), "the seats do not follow from S")
    is_due = start.starter == rule or (rule, start.starter) == ("declared", "random")
    need(start, is_due, f"by the rules the starter is {rule}")
    for lap, rolled in enumerate(start.rolls):
        faces = [uniform(G, "roll-off", 6, lap * n + s) if G else rolled.get(str(s)) for s in left]
        is_due = len(left) > 1 and rolled == {str(s): face for s, face in zip(left, faces)}
        need(start, is_due, f"lap {lap + 1} of the roll-off is not by the rules, or not from S")
        left = [s for s, face in zip(left, faces) if face == max(faces)]
    openers = {"random": [0], "declared": seats, "roll_off": left if len(left) == 1 else []}
    need(start, start.opener in openers[start.starter], f"seat {start.opener} is not the opener")
    need(start, bool(start.rolls) == (start.starter == "roll_off"), "there is a roll-off too many")
    if not G:
        raise Nothing(f"the seats follow from S, which stays closed {log.until}")
    return f"contributors in the order of seats {start.seats}; seat {start.opener} opens"


def v4(log: Any) -> str:
    compare = []
    is_drand = hashlib.sha256(canonical(log.chain)).hexdigest() == QUICKNET
    words = "this is not drand's quicknet: its keeper could choose the values"
    need(log.events[0], is_drand or log.chain == NO_BEACON, words)
    for event in log.events:
        if event.kind == "intent":
            due = (event.at - log.chain["genesis"]) // log.chain["period"] + 3
            need(event, event.beacon_round == due, f"from its time follows R = {due}")
        elif event.kind == "seal" and event.chain == "none":
            is_empty = event.beacon_round == int(event.beacon, 16) == 0
            need(event, is_empty, "without a beacon R is 0, and B is 32 zero bytes")
        elif event.kind == "seal":
            R, B, signature = event.beacon_round, event.beacon, bytes.fromhex(event.signature)
            digest = hashlib.sha256(signature).hexdigest()
            need(event, event.intent.beacon_round == R, "R is not that of the intent")
            need(event, digest == B, "B is not the SHA-256 of the signature")
            need(event, log.pulses.get(R, B) == B, f"your own pulse of round {R} is another")
            is_signed = log.bls is None or log.bls(log.chain["public_key"], R, signature)
            need(event, is_signed, f"this is not quicknet's signature of round {R}")
            compare += [] if log.bls or R in log.pulses else [f"line {event.line}: {R} {B}"]
    if not is_drand:
        raise Nothing("this game has no beacon")
    url = f"https://api.drand.sh/{log.chain['hash']}/public/ROUND"
    first = "each R follows from its time, each B from its signature"
    return MARGIN.join([f"{first}; compare with {url}:" if compare else first, *compare])


def v5(log: Any) -> str:
    seals = [event for event in log.events if event.kind == "seal"]
    for seal in seals:
        parts = []
        for seat, cup, leaves in seal.cups:
            n, bound = len(leaves), map(bytes.fromhex, leaves)
            digest = H("cup", *seal.where, u(seat, 1), u(n, 1), *bound)
            need(seal, digest.hex() == cup, f"the cup of seat {seat} is not that of its leaves")
            ck = cup_key(seal, seat)
            is_due = ck is None or open_cup(ck, seal, seat, n)[1] == leaves
            need(seal, is_due, f"the leaves of seat {seat} do not follow from S")
            parts.append(u(seat, 1) + digest)
        digest = H("seal", *seal.where, u(seal.beacon_round, 8), seal.before, *parts)
        need(seal, digest.hex() == seal.seal, "the seal is not that of the cups")
    closed = sum(not seal.secret.G for seal in seals)
    if not seals:
        raise Nothing("no dice have been rolled")
    if closed:
        return (
            f"{len(seals)} rolls; what was covered in {closed} follows from S, closed {log.until}"
        )
    return f"{len(seals)} rolls, every die of them from S"


def v6(log: Any) -> str:
    count = 0
    for event in (event for event in log.events if event.kind in CALLS):
        seats, sealed = [cup["seat"] for cup in event.lifted], event.sealed
        need(event, seats == [seat for seat, _ in event.keys], "its keys are of other cups")
        for (seat, key), cup in zip(event.keys, event.lifted):
            cups = sealed.cups if sealed else []
            leaves = next((leaves for sitter, _, leaves in cups if sitter == seat), None)
            ck = bytes.fromhex(key)
            is_due = leaves and open_cup(ck, sealed, seat, len(leaves)) == (cup["dice"], leaves)
            need(event, is_due, f"the key of seat {seat} yields other dice or leaves")
            is_due = cup_key(sealed, seat) in (None, ck)
            need(event, is_due, f"the key of seat {seat} does not follow from S")
            count += 1
    if not count:
        raise Nothing("no cup has been lifted")
    return f"{count} lifted cups had the dice that were sealed"


# --- V7: the rules (R-01 … are their numbers) ----------------------------------------------------
class Table:
    def __init__(self, log: Any) -> None:
        self.rules, self.palifico, self.calza = log.rules, log.rules["palifico"], log.rules["calza"]
        self.dice = [log.rules["start_dice"]] * len(log.start.seats)
        self.all_dice = sum(self.dice)
        self.dropped: set[int] = set()  # who has had the palifico round of R-41
        self.deal(log.start.opener, None)

    def deal(self, opener: int, hero: int | None) -> None:
        """Begin a round: a palifico round where there is a hero, whom a loss left with one die."""
        self.opener = self.turn = opener
        self.hero, self.bid, self.bidder = hero, "", None

    def clockwise(self, seat: int) -> list[int]:
        """Return the seats still in, from this one on (R-01)."""
        return [s for s in [*range(seat, len(self.dice)), *range(seat)] if self.dice[s]]

    def take_bid(self, event: Any) -> None:
        q, f = map(int, event.bid.split("x"))
        caps = {"none": q, "dice_at_start": self.all_dice, "dice_in_play": sum(self.dice)}
        need(event, event.seat == self.turn, f"it is the turn of seat {self.turn}")
        need(event, q <= caps[self.rules["bid_cap"]], "the bid is over the cap (R-28)")
        if not self.bid:
            need(event, f > 1 or self.hero is not None, "nobody opens on aces (R-21)")
        else:
            old_q, old_f = map(int, self.bid.split("x"))
            may_change = self.palifico["face_change"] != "nobody" and self.dice[event.seat] == 1
            is_free = f == old_f or self.hero is None or may_change
            need(event, is_free, f"the face {old_f} stays (R-44)")
            is_more = self.rank(q, f) > self.rank(old_q, old_f)
            need(event, is_more, f"this does not raise {self.bid} (R-22 to R-27)")
            is_priced = self.hero is None and 1 in (f, old_f)
            is_one_way = q == old_q or f == old_f or is_priced or self.rules["raise_mode"] == "free"
            need(event, is_one_way, "a raise does one thing only (R-23)")
        self.bid, self.bidder, self.turn = event.bid, event.seat, self.clockwise(event.seat)[1]

    def rank(self, q: int, f: int) -> int:
        """Return a bid's place in the order of R-27."""
        return 10 * (2 * q + 1) + 1 if f == 1 and self.hero is None else 10 * q + f

    def may_call(self, event: Any) -> None:
        kind, seat, calza, left = event.kind, event.seat, self.calza, self.clockwise(0)
        need(event, seat in left, f"seat {seat} is out")
        if kind != "resign":
            need(event, self.bid, "there is no bid (R-21)")
            anybody = kind == "calza" and calza["window"] != "turn_only"
            need(event, anybody or seat == self.turn, f"it is the turn of seat {self.turn}")
        if kind == "calza":
            need(event, calza["enabled"] and seat != self.bidder, "no calza (R-50, R-51)")
            need(event, calza["two_players"] or len(left) > 2, "no calza of two (R-53)")
            need(event, calza["in_palifico"] or self.hero is None, "no calza in palifico (R-53)")
            has_lost = self.dice[seat] < self.rules["start_dice"]
            need(event, has_lost or not calza["needs_lost_die"], "no calza with all dice (R-53)")

    def close(self, event: Any) -> dict[str, Any]:
        """Return the outcome that the rules give to a call or a resignation."""
        kind, seat, opener, hero = event.kind, event.seat, self.opener, self.hero
        bid, bidder, lifted = self.bid or None, self.bidder, []
        count = held = loser = gainer = None
        if kind == "resign":
            self.dice[seat] = 0
        else:
            (q, f), count = map(int, self.bid.split("x")), 0
            stops = kind == "dudo" and self.rules["reveal"] != "all"
            for s in self.clockwise(seat):
                dice = next((cup["dice"] for cup in event.lifted if cup["seat"] == s), ())
                wild = 1 if hero is None else f
                matching = sum(die in (f, wild) for die in dice)
                lifted.append({"seat": s, "dice": dice, "matching": matching})
                count += matching
                if stops and count >= q:
                    break
            held = count >= q if kind == "dudo" else count == q
            if kind == "dudo":
                loser = seat if held else bidder
            elif not held:
                loser = seat
            elif self.dice[seat] < self.rules["start_dice"]:
                gainer = seat
            opener, hero = seat if loser is None else loser, None
        if gainer is not None:
            self.dice[gainer] += 1
        if loser is not None:
            self.dice[loser] -= 1
            if self.dice[loser] == 1 and self.palifico["enabled"]:
                is_new = loser not in self.dropped or self.palifico["trigger"] != "first_time"
                hero = loser if is_new else None
                self.dropped.add(loser)
        left = self.clockwise(opener)
        if hero not in left or (len(left) == 2 and not self.palifico["two_players"]):
            hero = None
        self.deal(left[0], hero)
        goes_on = len(left) > 1
        return {
            **{"kind": kind, "caller": seat, "bid": bid, "bidder": bidder, "lifted": lifted},
            **{"count": count, "held": held, "loser": loser, "gainer": gainer},
            "out": next((s for s in (seat, loser) if s is not None and not self.dice[s]), None),
            "next_opener": left[0] if goes_on else None,
            "next_mode": ("normal" if hero is None else "palifico") if goes_on else None,
            "winner": None if goes_on else left[0],
        }


def v7(log: Any) -> str:
    end = log.events[-1]
    if end.kind == "open":
        need(end, not log.is_never, "by these rules S stays closed")
        need(end, log.start or end.reason == "cancelled", "no game was begun")
    start, n = begun(log), len(log.start.seats)
    need(start, 2 <= n <= log.rules["max_players"], "not so many may play (R-01)")
    need(start, start.opener < n, "the opener has no seat")
    table, is_over = Table(log), False
    for event in log.events[start.line :]:
        is_end = event.kind == "open"
        need(event, is_end or not is_over, "the game was over")
        if is_end:
            need(event, is_over == (event.reason == "finished"), f"it was not {event.reason}")
        elif event.kind == "seal":
            due = [(seat, dice) for seat, dice in enumerate(table.dice) if dice]
            is_due = [(seat, len(leaves)) for seat, _, leaves in event.cups] == due
            need(event, is_due, f"the seats and their numbers of dice must be {due}")
        elif event.kind == "epoch":
            table.deal(table.opener, table.hero)
        elif event.kind == "bid":
            table.take_bid(event)
        elif event.kind in CALLS:
            table.may_call(event)
            for name, due in table.close(event).items():
                words = f"by the rules {name} is {json.dumps(due)}"
                need(event, event.payload[name] == due, words)
            is_over = event.winner is not None
    return f"{log.round - 1} rounds by the rules; the dice left are {table.dice}"


# --- V8, V9 and the reader's own files -----------------------------------------------------------
def v8(log: Any) -> str:
    words = {
        "epoch": "rolled anew after a restore, its bids are void",
        "rekey": "a new S after a restore, when the contributions were known",
        "fallback": "rolled without the beacon, by a vote of the table",
    }
    found = [event for event in log.events if event.kind in words]
    if not found:
        raise Nothing("no restore, and no vote against the beacon")
    lines = [f"line {event.line}: round {event.number} {words[event.kind]}" for event in found]
    return MARGIN.join(["look at", *lines])


def v9(log: Any) -> str:
    known = [("c", short(secret.C), secret.since) for secret in log.secrets]
    for seal in (event for event in log.events if event.kind == "seal"):
        epoch = f".{seal.epoch}" if seal.epoch else ""
        known.append((f"r{seal.round}{epoch}", short(seal.seal), seal.line))
    count, found = 0, [(name, *seal) for name, text in log.mails for seal in SEAL.findall(text)]
    for name, label, letters, seq in found:
        rows = [row for row in known if row[0] == label]
        own = letters.replace(" ", "")[:26].upper()
        is_known = any(row[1] == own and seq in ("", str(row[2] - 1)) for row in rows)
        if not is_known and (rows or int(seq or 0) < len(log.events)):
            words = f"Seal {label} · {own} of {name} is not the seal of this file"
            raise Failed(rows[0][2] if rows else None, words)
        count += is_known
    if not count:
        raise Nothing("no mail (--mail) with a seal of a round that stands in this file")
    return f"{count} of {len(found)} seals in your mails are compared and alike"


def begun(log: Any) -> Any:
    if not log.start:
        raise Nothing("the game has not begun")
    return log.start


def short(digest: str) -> str:
    """Return the first 128 bits as mails show them."""
    return base64.b32encode(bytes.fromhex(digest)[:16]).decode().rstrip("=")


def mail_text(data: bytes) -> str:
    """Return the text of a mail, decoded and without tags, or of a plain file."""
    texts = [] if b"content-transfer-encoding" in data.lower() else [data]
    for part in email.message_from_bytes(data).walk():
        payload = part.get_payload(decode=True)
        texts += [payload] if isinstance(payload, bytes) else []
    return html.unescape(re.sub("<[^>]*>", " ", b"\n".join(texts).decode("utf-8", "replace")))


def read_pulses(text: str) -> dict[int, str]:
    """Return B of each round in drand's JSON: a document, a list of them, or one a line."""
    pulses: dict[int, str] = {}
    text, decoder = text.strip(), json.JSONDecoder()
    while text:
        value, end = decoder.raw_decode(text)
        text = text[end:].lstrip()
        for pulse in value if isinstance(value, list) else [value]:
            pulses[int(pulse["round"])] = str(pulse["randomness"]).lower()
    return pulses


def bls_check() -> Callable[[str, int, bytes], bool] | None:
    """Return a check of a beacon's signature where the library py_ecc is installed."""
    try:
        bls = import_module("py_ecc.bls.g2_primitives")
        curve = import_module("py_ecc.bls.hash_to_curve")
        group = import_module("py_ecc.optimized_bls12_381")
    except ImportError:
        return None

    def is_signed(public_key: str, R: int, signature: bytes) -> bool:
        domain = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
        key = bls.decompress_G2((int(public_key[:96], 16), int(public_key[96:], 16)))
        pulse = curve.hash_to_G1(hashlib.sha256(u(R, 8)).digest(), domain, hashlib.sha256)
        try:
            point = bls.decompress_G1(int.from_bytes(signature, "big"))
        except ValueError:
            return False
        is_equal = group.pairing(group.G2, point) == group.pairing(key, pulse)
        return bool(bls.subgroup_check(point)) and is_equal

    return is_signed


TITLES = (
    *("form of the file", "commitment", "chain of hashes", "seats and opener", "public beacon"),
    *("seals, cups and leaves", "lifted cups", "rules", "restores and votes", "your mails"),
)


def check(data: bytes, mails: Any = (), pulses: Any = None, bls: Any = None) -> list[Finding]:
    """Return the findings V0 to V9 on a transcript; where V0 fails the others find nothing."""
    try:
        log = read(data)
    except Failed as failed:
        unread = [Finding(f"V{i}", "–", None, "the file cannot be read") for i in range(1, 10)]
        return [Finding("V0", "FAIL", *failed.args), *unread]
    log.mails, log.pulses, log.bls = mails, pulses or {}, bls
    findings = [Finding("V0", "PASS", None, f"{len(log.events)} lines")]
    for number, function in enumerate((v1, v2, v3, v4, v5, v6, v7, v8, v9), 1):
        try:
            findings.append(Finding(f"V{number}", "PASS", None, function(log)))
        except Failed as failed:
            findings.append(Finding(f"V{number}", "FAIL", *failed.args))
        except Nothing as nothing:
            findings.append(Finding(f"V{number}", "–", None, str(nothing)))
    return findings


def main() -> int:
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--mail", metavar="FILE", nargs="+", action="extend", default=[])
    parser.add_argument("--beacon", metavar="FILE")
    options = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        with open(options.file, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        mails = [(name, mail_text(Path(name).read_bytes())) for name in options.mail]
        pulses = read_pulses(Path(options.beacon).read_text("utf-8")) if options.beacon else {}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        print(f"A file could not be read: {error}", file=sys.stderr)
        return 2
    findings = check(data, mails, pulses, bls_check())
    for (name, status, line, words), title in zip(findings, TITLES):
        print(f"{name} {status:4} {title}: {'' if line is None else f'line {line}: '}{words}")
    print(TRUST)
    return int(any(finding.status == "FAIL" for finding in findings))


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Check the transcript of a game of Perudo by Post without trusting its site.

    python3 verify_perudo.py FILE [--mail FILE ...]

--mail compares the seals in mails that you kept (.eml or text). Needs Python 3.11 and no network.
Written from PF1, the specification, and the numbered rules (R-01 …), not from the site's code.
Exit status: 0 nothing failed, 1 something failed, 2 a file could not be read.
"""

import base64
import email
import hashlib
import hmac
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace as Record
from typing import Any

TRUST = """
What must be trusted: the dice are unbiased if the operator is honest, or if the public beacon is;
without a beacon your own contribution suffices only if no seat that joined after you works with
the operator. The operator's server knows the current dice; players, spectators, backups and
readers of the database do not. PF1 is verifiable; it has not been proved."""
TITLES = "form of the file|commitment|chain of hashes|seats and opener|public beacon|"
TITLES += "seals, cups and leaves|lifted cups|rules|restores and votes|your mails"
UNUSUAL = {"epoch": "was rolled anew", "rekey": "has a new S", "fallback": "had a vote: no beacon"}
# The SHA-256 of the chain that is drand's quicknet. Whoever keeps another could choose its values.
QUICKNET = "3e17d81a3d4ae897fa5a2821809cba6ecc20aadee42b1855f4403cd269cfb5a9"
SEAL = r"Seal\s+(c|r[0-9.]+)\s*[·*\ufffd]\s*([\w ]+)(?:\s*[·*\ufffd]\s*log\s+([0-9]{1,9}))?"
# Canonical JSON in regular expressions made of those above them; a ' is a quote inside a string.
# A kind of event has two: what it may follow (a kind, or that a roll is "due", or "lit" where it
# takes a beacon), and its payload.
FORMS: dict[str, list[str]] = {}
for row in r"""INT (0|[1-9][0-9]{0,14})
FLAG (true|false)
HASH "[0-9a-f]{64}"
SEAT ([0-9]|null)
BID "[1-9][0-9]{0,3}x[1-6]"
ROLL "cups":\[(,?\[[0-9],HASH,\[(,?HASH){1,8}\]\])+\],"epoch":INT,"round":INT,"seal":HASH
CALL "bid":(BID|null),"bidder":SEAT,"caller":[0-9],"count":(INT|null),"gainer":SEAT,"held":
 (FLAG|null),"keys":\[(,?\[[0-9],HASH\])*\],"kind":"[a-z]+","lifted":\[(,?{"dice":\[(,?[1-6])+\],
 "matching":INT,"seat":[0-9]})*\],"loser":SEAT,"next_mode":("(normal|palifico)"|null),
 "next_opener":SEAT,"out":SEAT,"seat":[0-9],"winner":SEAT}
RULES {'bid_cap':'(none|dice_at_start|dice_in_play)','calza':{'enabled':FLAG,'in_palifico':FLAG,
 'needs_lost_die':FLAG,'two_players':FLAG,'window':'(next_action|grace|turn_only)'},
 'covered_cups_after_game':'(after_end|never)','dice_counts':'(shown|hidden)','first_starter':
 '(random|roll_off|declared)','max_players':([2-9]|10),'name':'[^'\\]*','palifico':{'enabled':FLAG,
 'face_change':'(nobody|one_die_players)','trigger':'(first_time|every_drop_to_one)','two_players':
 FLAG},'raise_mode':'(free|one_way)','reveal':'(all|clockwise_early_stop)','start_dice':[1-8],
 'version':INT}
ANY (due|lit|intent|fallback|seal|bid)
create nothing {"chain":{("genesis":INT,"hash":HASH,"name":"quicknet","period":[1-9][0-9]{0,8},
 "public_key":"[0-9a-f]{192}"|"name":"none")},"commitment":HASH,"gid":"[0-9a-f]{32}",
 "protocol":"PF1","rules":"RULES"}
start create {"contributions":\[(,?\[("rand",HASH|"text","([0-9a-f]{2})*"|"none","")\]){2,10}\],
 "opener":[0-9],("rolls":\[(,?{(,?"[0-9]":[1-6])+})+\],)?"seats":\[(,?[0-9])+\],"starter":
 "(random|roll_off|declared)"}
intent lit {"at":INT,"beacon_round":INT,"epoch":INT,"round":INT}
fallback intent {"epoch":INT,"round":INT}
seal due|intent|fallback {"beacon":HASH,"beacon_round":INT,"chain":("none",ROLL|"quicknet",ROLL,
 "signature":"[0-9a-f]{96}")}
bid seal|bid {"auto":FLAG,"bid":BID,"seat":[0-9]}
dudo seal|bid {"auto":FLAG,CALL
calza seal|bid {"auto":FLAG,CALL
forfeit seal|bid {"auto":true,CALL
resign intent|fallback|seal|bid {"auto":FLAG,CALL
epoch rekey|ANY {"epoch":INT,"round":INT}
rekey create|ANY {"commitment":HASH,"seed":HASH}
open create|ANY {"reason":"(finished|cancelled)","seed":HASH}
LINE {"hash":HASH,"kind":"([a-z]+)","payload":({.*}),"seq":INT}""".replace("\n ", "").split("\n"):
    name, *forms = row.replace("'", r"\\" + '"').split(" ")
    FORMS[name] = [re.sub("[A-Z]{3,}", lambda part: FORMS[part[0]][0], form) for form in forms]
# What is found: the check, the event, whether it holds (None: a note), and what to say of it.
Claims = Iterator[tuple[str, Any, object, str]]
canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
u = int.to_bytes  # sections 1 and 2 of the specification, in its own names


def H(label: str, *parts: bytes, key: bytes = b"") -> bytes:
    """Return H, or with a key M."""
    text = b"PF1:" + label.encode() + b"\0" + b"".join(u(len(part), 4) + part for part in parts)
    return hmac.digest(key, text, "sha256") if key else hashlib.sha256(text).digest()


def uniform(key: bytes, label: str, n: int, i: int) -> int:
    blocks = (H(label, u(i, 2), u(c, 4), key=key) for c in range(1 << 32))
    return next(1 + byte % n for block in blocks for byte in block if byte < 256 - 256 % n)


def open_cup(ck: bytes, where: list[bytes], seat: int, n: int) -> tuple[list[int], list[str]]:
    """Return the n dice of the cup whose key is ck, and the leaves that bind them."""
    dice = [uniform(ck, "die", 6, j) for j in range(n)]
    parts = [(u(seat, 1), u(j, 1), u(dice[j], 1), H("salt", u(j, 1), key=ck)) for j in range(n)]
    return dice, [H("leaf", *where, *part).hex() for part in parts]


def is_signed(public_key: str, R: int, signature: bytes) -> bool | None:
    """Say whether the beacon signed round R (RFC 9380); None without the library for it."""
    suite, pulse = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_", hashlib.sha256(u(R, 8)).digest()
    try:
        from py_arkworks_bls12381 import GT, G1Point, G2Point

        point = G1Point.from_compressed_bytes(signature)
        keys = [-G2Point(), G2Point.from_compressed_bytes(bytes.fromhex(public_key))]
    except (ImportError, ValueError) as error:  # no library, or no point of the curve
        return None if isinstance(error, ImportError) else False
    is_paired = GT.pairing_check([point, G1Point.hash_to_curve(pulse, suite)], keys)
    return bool(is_paired) and point.to_compressed_bytes() == signature


def need(holds: object, words: str) -> None:
    if not holds:
        raise ValueError(words)


def read(lines: list[bytes]) -> Iterator[Any]:
    """Yield the events of lines that have the one form, in an order that a game has (V0)."""
    state, waiting, gid, number, epoch, before = "nothing", "", b"", 1, 0, bytes(32)
    for line, raw in enumerate(lines, 1):
        found: Any = re.fullmatch(FORMS["LINE"][0], raw.decode()) or ("", "", "")
        kind, (after, form) = found[1], FORMS.get(found[1], ("", "nothing"))
        entry: Any = json.loads(raw) if re.fullmatch(form, found[2]) else None
        need(entry and canonical(entry) == found[0], "this is not the canonical JSON of an event")
        need(re.fullmatch(after, state), f"no {kind} may follow {state}")
        event = Record(**{"contributions": [], "signature": "", **entry["payload"], **entry})
        if kind == "create":
            gid, waiting = bytes.fromhex(event.gid), "lit" if "hash" in event.chain else "due"
        for what, text in event.contributions:
            phrase = bytes.fromhex(text).decode() if what == "text" else ""
            need(unicodedata.normalize("NFC", phrase) == phrase, "a phrase is not NFC")
        epoch += kind == "epoch"
        named = event.payload.get("round", number), event.payload.get("epoch", epoch)
        need(named == (number, epoch), f"round {number}, epoch {epoch} is due")
        event.line, event.number, event.follows = line, number, state
        event.where, event.is_call = [gid, u(number, 4), u(epoch, 2)], "keys" in event.payload
        event.before, before = before, bytes.fromhex(event.hash)
        event.label = f"r{number}.{epoch}".removesuffix(".0") if kind == "seal" else "c"
        sealed = event.payload.get("seal") or event.payload.get("commitment", "")
        event.short = base64.b32encode(bytes.fromhex(sealed)[:16]).decode()[:26]
        yield event
        number, epoch = (number + 1, 0) if event.is_call else (number, epoch)
        if kind != "rekey" or state != "create":  # before the start it changes nothing
            state = waiting if event.is_call or kind in ("start", "epoch") else kind


def check_dice(events: list[Any], bls: Any) -> Claims:
    """Check the dice, and list what is out of the ordinary (V1 to V6, V8)."""
    (gid, _, _), chain, G, cups = events[0].where, events[0].chain, b"", dict[int, Any]()
    rules = hashlib.sha256(events[0].rules.encode()).digest()
    added = [pair for event in events for pair in event.contributions]
    P = [H("contrib", kind.encode(), bytes.fromhex(raw)) for kind, raw in added]
    commitments = [event for event in events if "commitment" in event.payload]
    for event, opened in zip(commitments, [event for event in events if "seed" in event.payload]):
        S = bytes.fromhex(opened.seed)
        is_bound = H("server", gid, S).hex() == event.commitment
        yield "V1", opened, is_bound, f"S is not what line {event.line} committed to"
        event.G = H("game", gid, rules, u(len(P), 1), *P, key=S) if is_bound else b""
    if len(chain) > 1:
        is_drand = hashlib.sha256(canonical(chain).encode()).hexdigest() == QUICKNET
        yield "V4", events[0], is_drand, "not drand's quicknet: its keeper could choose the values"
    for event in events:
        where, seq, text = event.where, event.line - 1, canonical(event.payload).encode()
        digest = H("event", event.before, u(seq, 4), event.kind.encode(), text).hex()
        is_next = (event.seq, event.hash) == (seq, digest)
        yield "V2", event, is_next, f"this is not event {seq}, or does not follow from those before"
        if event.kind in UNUSUAL:
            yield "V8", event, None, f"round {event.number} {UNUSUAL[event.kind]}"
        if event.kind in ("create", "rekey"):
            G = vars(event).get("G", b"")
        elif event.kind == "start":
            is_due = is_seated(event, G, json.loads(events[0].rules)["first_starter"])
            if G or not is_due:
                yield "V3", event, is_due, "the seats, the roll-off or the opener are not by chance"
        elif event.kind == "intent":
            announced = event.beacon_round
            due = (event.at - chain["genesis"]) // chain["period"] + 3
            yield "V4", event, announced == due, f"from its time follows R = {due}"
        elif event.kind == "seal":
            R, B, signature = event.beacon_round, event.beacon, bytes.fromhex(event.signature)
            due, parts, cups = ("none", 0, "00" * 32), [], {}
            if event.follows == "intent":
                due = ("quicknet", announced, hashlib.sha256(signature).hexdigest())
                signed = bls(chain["public_key"], R, signature) if bls else None
                words = "compare with drand's" if signed is None else "drand has not signed"
                yield "V4", event, signed, f"{words}: {R} {B}"
            if (event.chain, R, B) != due:
                yield "V4", event, False, f"chain, R and B must be {due}"
            K = H("round", *where, due[0].encode(), u(R, 8), bytes.fromhex(B), key=G)
            for seat, cup, leaves in event.cups:
                s, n, ck = u(seat, 1), len(leaves), H("cup", u(seat, 1), key=K) if G else b""
                parts.append(s + H("cup", *where, s, u(n, 1), *map(bytes.fromhex, leaves)))
                is_due = not G or open_cup(ck, where, seat, n)[1] == leaves
                yield "V5", event, is_due, f"the leaves of seat {seat} do not follow from S"
                yield "V5", event, parts[-1][1:].hex() == cup, f"the cup of seat {seat} is another"
                cups[seat] = leaves, ck
            digest = H("seal", *where, u(R, 8), event.before, *parts).hex()
            yield "V5", event, digest == event.seal, "the seal is not that of the cups"
        elif event.is_call:
            if [cup["seat"] for cup in event.lifted] != [seat for seat, _ in event.keys]:
                yield "V6", event, False, "its keys are of other cups"
            for (seat, key), cup in zip(event.keys, event.lifted):
                (leaves, due), ck = cups.get(seat, ([""], b"")), bytes.fromhex(key)
                is_due = open_cup(ck, where, seat, len(leaves)) == (cup["dice"], leaves)
                yield "V6", event, is_due, f"the key of seat {seat} yields other dice or leaves"
                yield "V6", event, due in (b"", ck), f"the key of seat {seat} is not from S"
            cups = {}


def is_seated(start: Any, G: bytes, rule: str) -> bool:
    """Say whether chance and the rules gave the seats, the roll-off and the opener (V3)."""
    n, laps, fits = len(start.contributions), start.payload.get("rolls", []), True
    seats, left = list(range(n)), list(range(n))
    for i in range(n - 1, 0, -1):
        j = uniform(G, "seat", i + 1, i) - 1 if G else i
        seats[i], seats[j] = seats[j], seats[i]
    for lap, told in enumerate(laps):
        faces = [uniform(G, "roll-off", 6, lap * n + s) if G else told.get(str(s), 0) for s in left]
        fits = fits and len(left) > 1 and told == {str(s): face for s, face in zip(left, faces)}
        left = [s for s, face in zip(left, faces) if face == max(faces)]
    openers = {"random": [0], "declared": sorted(seats), "roll_off": left if len(left) == 1 else []}
    fits = fits and start.starter in (rule, "random" if rule == "declared" else rule)
    fits = fits and bool(laps) == (start.starter == "roll_off")
    fits = fits and start.opener in openers[start.starter]
    return fits and (start.seats if G else sorted(start.seats)) == seats


class Game:
    """The game, played again by its rules (V7); R-01 … are their numbers."""

    def __init__(self, rules: Any) -> None:
        self.rules, self.most, self.dice = rules, rules["start_dice"], list[int]()
        self.dropped = set[int]()  # who has had the palifico round of R-41

    def deal(self, opener: int, hero: int | None) -> None:
        """Begin a round: palifico where there is a hero, whom a loss left with one die."""
        self.opener, self.turn, self.hero = opener, opener, hero
        self.bid: Any = None
        self.bidder: Any = None

    def left(self, first: int) -> list[int]:
        """Return the seats still in, clockwise from this one (R-01)."""
        return [s for s in (*range(first, len(self.dice)), *range(first)) if self.dice[s]]

    def play(self, event: Any) -> None:
        kind, alive = event.kind, self.left(0)
        need(len(alive) != 1 or kind == "open", "the game was over (R-62)")
        if kind == "open":
            need(self.rules["covered_cups_after_game"] != "never", "by its rules S stays closed")
            need((event.reason == "finished") == (len(alive) == 1), f"it was not {event.reason}")
        elif kind == "start":
            seats, most = len(event.seats), self.rules["max_players"]
            need(event.opener < seats <= most, "so many may not play (R-01)")
            self.dice = [self.most] * seats
            self.deal(event.opener, None)
        elif kind == "epoch":
            self.deal(self.opener, self.hero)
        elif kind == "seal":
            rolled = [(seat, len(leaves)) for seat, _, leaves in event.cups]
            due = [(seat, self.dice[seat]) for seat in alive]
            need(rolled == due, f"the seats and their dice are {due} (R-04)")
        elif kind == "bid":
            self.take_bid(event)
        elif event.is_call:
            self.may_call(kind, event.seat)
            for name, due in self.close(event).items():
                need(event.payload[name] == due, f"by the rules {name} is {canonical(due)}")

    def rank(self, bid: str) -> tuple[int, int, int]:
        """Return the quantity and the face of a bid, and its place in the order of R-27."""
        q, f = map(int, bid.split("x"))
        return q, f, 20 * q + 11 if f == 1 and self.hero is None else 10 * q + f

    def take_bid(self, event: Any) -> None:
        (q, f, new), is_wild, rules = self.rank(event.bid), self.hero is None, self.rules
        caps = {"none": q, "dice_at_start": self.most * len(self.dice)}
        need(event.seat == self.turn, f"it is the turn of seat {self.turn}")
        need(q <= caps.get(rules["bid_cap"], sum(self.dice)), "the bid is over the cap (R-28)")
        need(self.bid or f > 1 or not is_wild, "nobody opens on aces (R-21)")
        if self.bid:
            old_q, old_f, old = self.rank(self.bid)
            may_change = self.dice[self.turn] == 1 and rules["palifico"]["face_change"] != "nobody"
            is_one = q == old_q or f == old_f or (is_wild and 1 in (f, old_f))
            need(new > old, f"this does not raise {self.bid} (R-22 to R-27)")
            need(f == old_f or is_wild or may_change, f"the face {old_f} stays (R-44)")
            need(is_one or rules["raise_mode"] == "free", "a raise does one thing only (R-23)")
        self.bid, self.bidder, self.turn = event.bid, event.seat, self.left(event.seat)[1]

    def may_call(self, kind: str, seat: int) -> None:
        calza, alive = self.rules["calza"], self.left(0)
        is_free = kind == "resign" or (kind == "calza" and calza["window"] != "turn_only")
        need(seat in alive, f"seat {seat} is out")
        need(is_free or seat == self.turn, f"it is the turn of seat {self.turn}")
        need(self.bid or kind in ("resign", "forfeit"), "there is no bid (R-21)")
        if kind == "calza":
            need(calza["enabled"] and seat != self.bidder, "no calza (R-50, R-51)")
            need(calza["two_players"] or len(alive) > 2, "no calza of two (R-53)")
            need(calza["in_palifico"] or self.hero is None, "no calza in palifico (R-53)")
            has_lost = self.dice[seat] < self.most
            need(has_lost or not calza["needs_lost_die"], "no calza with all dice (R-53)")

    def close(self, event: Any) -> dict[str, Any]:
        """Return the outcome that the rules give to a call, a forfeit or a resignation."""
        kind, seat, palifico, dice = event.kind, event.seat, self.rules["palifico"], self.dice
        due: dict[str, Any] = {"kind": kind, "caller": seat, "bid": self.bid, "bidder": self.bidder}
        count = held = loser = gainer = hero = None
        opener, lifted = seat, list[Any]()
        if kind in ("dudo", "calza"):
            (q, f, _), count, is_early = self.rank(self.bid), 0, self.rules["reveal"] != "all"
            shown = {cup["seat"]: cup["dice"] for cup in event.lifted}
            faces = (f, 1 if self.hero is None else f)
            for s in self.left(seat):
                matching = sum(die in faces for die in shown.get(s, ()))
                lifted.append({"seat": s, "dice": shown.get(s), "matching": matching})
                count += matching
                if is_early and kind == "dudo" and count >= q:
                    break
            held = count >= q if kind == "dudo" else count == q
        if kind == "resign":
            dice[seat], opener, hero = 0, self.opener, self.hero
        elif kind == "calza" and held:
            gainer = seat if dice[seat] < self.most else None
            dice[seat] = min(dice[seat] + 1, self.most)
        else:
            opener = loser = self.bidder if kind == "dudo" and not held else seat
            dice[loser] -= 1
            if dice[loser] == 1 and palifico["enabled"]:
                is_new = loser not in self.dropped or palifico["trigger"] != "first_time"
                hero = loser if is_new else None
                self.dropped.add(loser)
        alive = self.left(opener)
        if hero not in alive or (len(alive) == 2 and not palifico["two_players"]):
            hero = None
        self.deal(alive[0], hero)
        mode = "normal" if hero is None else "palifico"
        ends = (alive[0], mode, None) if len(alive) > 1 else (None, None, alive[0])
        due |= {"lifted": lifted, "count": count, "held": held, "loser": loser, "gainer": gainer}
        due["out"] = next((s for s in (seat, loser) if s is not None and not dice[s]), None)
        return due | dict(zip(("next_opener", "next_mode", "winner"), ends))


def check_rules(events: list[Any]) -> Claims:
    """Yield the lines of a game that was begun (V7); one against the rules raises an error."""
    game = Game(json.loads(events[0].rules))
    for event in events:
        if len(events) > 1:
            yield "V7", event, True, ""
        game.play(event)


def check_mail(mail: bytes, events: list[Any]) -> Claims:
    """Yield the seals in a mail or a text, and whether they are those of the file (V9)."""
    parts: Any = [part.get_payload(decode=True) for part in email.message_from_bytes(mail).walk()]
    is_encoded = b"content-transfer-encoding" in mail.lower()
    text = b"\n".join(filter(None, parts) if is_encoded else [mail]).decode("utf-8", "replace")
    for label, letters, seq in re.findall(SEAL, text):
        own = letters.replace(" ", "")[:26].upper()
        same = [event for event in events if event.short and event.label == label]
        is_known = any(event.short == own and seq in ("", str(event.seq)) for event in same)
        if same or int(seq or 0) < len(events):  # or the mail is younger than the file
            where = same[0] if same else Record(line=None)
            yield "V9", where, is_known, f"Seal {label} · {own} is that of your mail alone"


def check(data: bytes, mails: Any = (), bls: Any = None) -> list[Any]:
    """Return the findings V0 to V9; where V0 fails the others find nothing."""
    events, (*lines, rest) = list[Any](), data.split(b"\n")
    found: dict[str, Any] = {"V0": None}  # of each check that found work: where it first failed
    try:
        need(len(data) < 1 << 23, "the file is longer than that of any game")
        for event in read(lines):
            events.append(event)
        need(events and not rest, "the last line is cut off, or there is none")
    except ValueError as error:
        found["V0"], events = (len(events) + 1, str(error)), []
    notes: dict[str, list[str]] = {}
    checks = [check_dice(events, bls), check_rules(events)] if events else []
    for claims in (*checks, *(check_mail(mail, events) for mail in mails)):
        try:
            for name, event, holds, words in claims:
                is_failing = not holds and holds is not None
                found[name] = found.get(name) or ((event.line, words) if is_failing else None)
                if holds is None:
                    notes.setdefault(name, []).append(f"line {event.line}: {words}")
        except ValueError as error:
            found[name] = (event.line, str(error))
    is_never = any('_game":"never"' in event.rules for event in events[:1])
    closed = [f"S stays closed {'for good' if is_never else 'until the game is over'}"]
    notes |= {} if "V1" in found else {"V1": closed, "V3": closed}
    findings = []
    for number, title in enumerate(TITLES.split("|")):
        name = f"V{number}"
        status = "–" if name not in found else "FAIL" if found[name] else "PASS"
        told = notes.get(name, [] if name in found else ["nothing to check"])
        line, words = found.get(name) or (None, "; ".join(told))
        findings.append(Record(check=name, title=title, status=status, line=line, words=words))
    return findings


def main() -> int:
    names = [name for name in sys.argv[1:] if name != "--mail"]
    try:
        data, *mails = [Path(name).read_bytes() for name in names]
    except (OSError, ValueError) as error:
        print(f"{__doc__}\nA file could not be read: {error}", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    findings = check(data, mails, is_signed)
    for found in findings:
        where = f"line {found.line}" if found.line else ""
        words = ": ".join(filter(None, (found.title, where, found.words)))
        print(f"{found.check} {found.status:4} {words}")
    print(TRUST)
    return int(any(found.status == "FAIL" for found in findings))


if __name__ == "__main__":
    sys.exit(main())

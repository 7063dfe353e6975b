#!/usr/bin/env python3
"""Check the transcript of a game of Perudo by Post without trusting its site.

The log is written once more out of what the site was free to say, by PF1, the specification, and
the numbered rules (R-01 …), and compared. --mail compares the seals in mails that you kept (.eml or
text), --beacon the public values with drand's own answers. Needs Python 3.11, no library and no
network. Exit status: 0 nothing failed, 1 something failed, 2 a file could not be read.
"""

import argparse
import base64
import email
import hashlib
import hmac
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
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
MAILED = r"Seal\s+(c|r[0-9.]+)\s*[·*\ufffd]\s*([\w ]+)(?:\s*[·*\ufffd]\s*log\s+([0-9]{1,9}))?"
# The SHA-256 of the chain that is drand's quicknet. Whoever keeps another could choose its values.
QUICKNET = "3e17d81a3d4ae897fa5a2821809cba6ecc20aadee42b1855f4403cd269cfb5a9"
# fmt: off
# What each kind of event may follow (a kind, or that a roll is "due", or "lit" where it takes a
# beacon), and what it is free to say. Its other fields are compared with what follows from the log.
ANY = "due|lit|seal|bid|intent|fallback"
KINDS = {
    "create": ("nothing", "chain commitment gid protocol rules"), "intent": ("lit", "at"),
    "start": ("create", "contributions opener seats starter"), "fallback": ("intent", ""),
    "seal": ("due|intent|fallback", "cups"), "bid": ("seal|bid", "auto bid seat"),
    "dudo": ("seal|bid", "auto keys seat"), "calza": ("seal|bid", "auto keys seat"),
    "forfeit": ("seal|bid", "keys seat"), "resign": (ANY[8:], "auto keys seat"),
    "epoch": (f"rekey|{ANY}", ""), "rekey": (f"create|{ANY}", "commitment seed"),
    "open": (f"create|{ANY}", "seed")}
HASH = '"[0-9a-f]{64}"'
FORMS = {  # of what it is free to say, in JSON
    "protocol": '"PF1"', "gid": '"[0-9a-f]{32}"', "signature": '"[0-9a-f]{96}"', "hash": HASH,
    "commitment": HASH, "seed": HASH, "seat": "[0-9]", "opener": "[0-9]", "auto": "true|false",
    "bid": '"[1-9][0-9]{0,3}x[1-6]"', "starter": '"(random|roll_off|declared)"', "chain": "{.*}",
    "at": "0|[1-9][0-9]{0,14}", "seq": "0|[1-9][0-9]{0,8}", "seats": r"\[(,?[0-9])+\]",
    "rolls": r'\[(,?{(,?"[0-9]":[1-6])+})+\]', "keys": rf"\[(,?\[[0-9],{HASH}\])*\]",
    "contributions": rf'\[(,?\[("rand",{HASH}|"text","([0-9a-f]{{2}})*"|"none","")\]){{2,10}}\]',
    "cups": rf"\[(,?\[[0-9],{HASH},\[(,?{HASH}){{1,8}}\]\])+\]", "rules": '"{.*}"'}
RULES = (
    '{"bid_cap":"(none|dice_at_start|dice_in_play)","calza":{"enabled":FLAG,"in_palifico":FLAG,'
    '"needs_lost_die":FLAG,"two_players":FLAG,"window":"(next_action|grace|turn_only)"},'
    '"covered_cups_after_game":"(after_end|never)","dice_counts":"(shown|hidden)","first_starter":'
    r'"(random|roll_off|declared)","max_players":([2-9]|10),"name":"[^"\\]*","palifico":{"enabled":'
    'FLAG,"face_change":"(nobody|one_die_players)","trigger":"(first_time|every_drop_to_one)",'
    '"two_players":FLAG},"raise_mode":"(free|one_way)","reveal":"(all|clockwise_early_stop)",'
    '"start_dice":[1-8],"version":[1-9][0-9]{0,9}}').replace("FLAG", "(true|false)")
CHECKS = {  # that its other fields concern; V7 where none is named
    "seats": "V3", "starter": "V3", "opener": "V3", "rolls": "V3", "chain": "V4", "beacon": "V4",
    "beacon_round": "V4", "signature": "V4", "cups": "V5", "seal": "V5", "round": "V8",
    "epoch": "V8"}
# fmt: on
canonical = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode
UNREADABLE = ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError
u, raw = int.to_bytes, bytes.fromhex
# What is found: the check, a line, whether it holds (None: a note), and what to say of it.
Claims = Iterator[tuple[str, int, object, str]]


def need(holds: object, words: str) -> None:
    if not holds:
        raise ValueError(words)


def H(label: str, *parts: bytes, key: bytes = b"") -> bytes:
    """Return H of PF1, or with a key M."""
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


def read(data: bytes, events: list[Any]) -> Claims:
    """Read the lines of a file that has the one form, in an order that a game has (V0)."""
    (*lines, rest), follows, roll = data.split(b"\n"), "nothing", "due"
    for line, text in enumerate(lines, 1):
        yield "V0", line, len(data) < 1 << 23, "the file is longer than that of any game"
        entry = json.loads(text.decode())
        is_event = canonical(entry).encode() == text and len(entry) == 4
        need(is_event, "this is not the canonical JSON of an event")
        kind, told = entry["kind"], entry["payload"]
        after, names = KINDS[kind]
        need(re.fullmatch(after, follows), f"no {kind} may follow {follows}")
        for name in [*names.split(), "hash", "seq", *({"rolls", "signature"} & told.keys())]:
            has_form = re.fullmatch(FORMS[name], canonical((told | entry)[name]))
            need(has_form, f"this is no {name}")
        for what, phrase in told.get("contributions", []):
            is_nfc = what != "text" or unicodedata.is_normalized("NFC", raw(phrase).decode())
            need(is_nfc, "a phrase is not NFC")
        if kind == "create":
            need(re.fullmatch(RULES, told["rules"]), "these are no rules")
            roll = "lit" if "hash" in told["chain"] else "due"
            yield "V0", line, roll == "lit" or None, "the game has no public beacon"
        events.append(Record(**told | entry | {"line": line, "follows": follows}))
        if kind != "rekey" or follows != "create":  # before the start it changes nothing
            follows = roll if kind in ("start", "epoch") or "keys" in told else kind
    yield "V0", len(lines) + 1, lines and not rest, "the last line is cut off, or there is none"


def seating(start: Any, G: bytes, rule: str) -> dict[str, Any]:
    """Return the seats, the roll-off and the opener, by chance and the rules (V3)."""
    n, rolls = len(start.contributions), list[Any]()
    seats, still = list(range(n)), list(range(n))
    for i in range(n - 1, 0, -1):
        j = uniform(G, "seat", i + 1, i) - 1 if G else i
        seats[i], seats[j] = seats[j], seats[i]
    for lap in start.payload.get("rolls", []):
        faces = {s: lap.get(str(s), 0) for s in still}
        if G:
            faces = {s: uniform(G, "roll-off", 6, len(rolls) * n + s) for s in still}
        rolls.append({str(s): faces[s] for s in still if len(still) > 1})
        still = [s for s in still if faces[s] == max(faces.values())]
    starter = "random" if (rule, start.starter) == ("declared", "random") else rule
    due = {"starter": starter, "opener": {"random": 0, "declared": start.opener}.get(starter)}
    if starter == "roll_off":
        due |= {"rolls": rolls, "opener": still[0] if len(still) == 1 else None}
    return due | {"seats": seats} if G or sorted(start.seats) != seats else due


def replay(events: list[Any], published: dict[str, str]) -> Claims:
    """Write the log once more, and compare (V1 to V8); a move against the rules ends it."""
    create, rules = events[0], json.loads(events[0].rules)
    most, calza, palifico, gid = rules["start_dice"], rules["calza"], rules["palifico"], create.gid
    given = [pair for event in events if event.kind == "start" for pair in event.contributions]
    P = [H("contrib", what.encode(), raw(text)) for what, text in given]
    terms = [raw(gid), hashlib.sha256(create.rules.encode()).digest(), u(len(P), 1), *P]
    seeds = [(event.line, raw(event.seed)) for event in events if event.kind in ("rekey", "open")]
    is_lit, is_never = "hash" in create.chain, rules["covered_cups_after_game"] == "never"
    before, number, epoch, R, dice, dropped = bytes(32), 1, 0, 0, list[int](), set[int]()
    opener, turn, cups = 0, 0, dict[int, Any]()
    nobody: Any = None
    bid = bidder = hero = nobody  # hero: whose palifico round it is

    def left(first: int) -> list[int]:
        """Return the seats still in, clockwise from this one (R-01)."""
        return [s for s in (*range(first, len(dice)), *range(first)) if dice[s]]

    def rank(bid: str) -> tuple[int, int, int]:
        """Return the quantity and the face of a bid, and its place in the order of R-27."""
        q, f = map(int, bid.split("x"))
        return q, f, 20 * q + 11 if f == 1 and hero is None else 10 * q + f

    for event in events:
        line, kind, told, alive = event.line, event.kind, event.payload, left(0)
        text, seat, epoch = canonical(told).encode(), told.get("seat"), epoch + (kind == "epoch")
        digest = H("event", before, u(line - 1, 4), kind.encode(), text).hex()
        is_next = (event.seq, event.hash) == (line - 1, digest)
        yield "V2", line, is_next, f"not event {line - 1}, or it does not follow from those before"
        need(len(alive) != 1 or kind == "open", "the game was over (R-62)")
        where = [raw(gid), u(number, 4), u(epoch, 2)]
        # What this event must say, field by field: what it is free to say, and what follows.
        due = {name: told[name] for name in KINDS[kind][1].split()}
        if kind in ("intent", "fallback", "seal", "epoch"):
            due |= {"round": number, "epoch": epoch}
        if kind in UNUSUAL:
            yield "V8", line, None, f"round {number} {UNUSUAL[kind]}"
        if kind == "create" and create.chain != {"name": "none"}:
            is_drand = hashlib.sha256(canonical(create.chain).encode()).hexdigest() == QUICKNET
            yield "V4", line, is_drand, "not drand's quicknet: its keeper could choose the values"
        if kind in ("create", "rekey"):
            at, S = seeds.pop(0) if seeds else (line, b"")
            is_bound = H("server", raw(gid), S).hex() == event.commitment if S else None
            closed = f"S stays closed {'for good' if is_never else 'until the game is over'}"
            yield "V1", at, is_bound, f"S is not what line {line} committed to" if S else closed
            G = H("game", *terms, key=S) if is_bound else b""
        elif kind == "start":
            dice, opener = [most] * len(P), event.opener
            need(opener < len(P) <= rules["max_players"], "so many may not play (R-01)")
            due |= seating(event, G, rules["first_starter"])
        elif kind == "intent":
            due["beacon_round"] = R = (event.at - 1692803367) // 3 + 3
        elif kind == "seal":
            due |= {"chain": "none", "beacon_round": 0, "beacon": "00" * 32}
            if event.follows == "intent":
                signature = told.get("signature", "")
                B = hashlib.sha256(raw(signature)).hexdigest()
                due |= {"chain": "quicknet", "beacon_round": R, "beacon": B}
                due["signature"] = published.get(str(R), signature)
                is_known = str(R) in published or None
                yield "V4", line, is_known, f"compare with drand's value of round {R}: {B}"
            R_bytes, chain = u(due["beacon_round"], 8), due["chain"].encode()
            K = H("round", *where, chain, R_bytes, raw(due["beacon"]), key=G)
            parts, cups, due["cups"] = list[bytes](), {}, []
            for s, _, leaves in event.cups:
                n, ck = len(leaves), H("cup", u(s, 1), key=K) if G else b""
                bound = open_cup(ck, where, s, n)[1] if G else leaves
                cup = H("cup", *where, u(s, 1), u(n, 1), *map(raw, bound))
                due["cups"].append([s, cup.hex(), bound])
                parts, cups[s] = [*parts, u(s, 1) + cup], (leaves, ck)
            rolled, sizes = [(s, len(x)) for s, _, x in event.cups], [(s, dice[s]) for s in alive]
            yield "V7", line, rolled == sizes, f"the seats and their dice are {sizes} (R-04)"
            due["seal"] = H("seal", *where, R_bytes, before, *parts).hex()
        elif kind == "bid":
            (q, f, new), (old_q, old_f, old) = rank(event.bid), rank(bid or event.bid)
            caps = {"none": q, "dice_at_start": most * len(dice), "dice_in_play": sum(dice)}
            may_change = hero is None or (dice[turn] == 1 and palifico["face_change"] != "nobody")
            is_one = q == old_q or f == old_f or (hero is None and 1 in (f, old_f))
            need(seat == turn, f"it is the turn of seat {turn}")
            need(q <= caps[rules["bid_cap"]], "the bid is over the cap (R-28)")
            need(bid or f > 1 or hero is not None, "nobody opens on aces (R-21)")
            need(not bid or new > old, f"this does not raise {bid} (R-22 to R-27)")
            need(f == old_f or may_change, f"the face {old_f} stays (R-44)")
            need(is_one or rules["raise_mode"] == "free", "a raise does one thing only (R-23)")
            turn, bid, bidder = left(seat)[1], event.bid, seat
        elif "keys" in told:
            is_free = kind == "resign" or (kind == "calza" and calza["window"] != "turn_only")
            need(seat in alive and (is_free or seat == turn), f"it is the turn of seat {turn}")
            need(bid or kind in ("resign", "forfeit"), "there is no bid (R-21)")
            if kind == "calza":
                need(calza["enabled"] and seat != bidder, "no calza (R-50, R-51)")
                need(calza["two_players"] or len(alive) > 2, "no calza of two (R-53)")
                need(calza["in_palifico"] or hero is None, "no calza in palifico (R-53)")
                has_lost = dice[seat] < most
                need(has_lost or not calza["needs_lost_die"], "no calza with all dice (R-53)")
            due |= {"kind": kind, "caller": seat, "bid": bid, "bidder": bidder}
            due |= {"lifted": [], "keys": []}
            count = held = loser = gainer = heir = nobody
            if kind in ("dudo", "calza"):
                (q, f, _), count, stops = rank(bid), 0, kind == "dudo" and rules["reveal"] != "all"
                faces = (f, 1 if hero is None else f)
                said = {cup["seat"]: cup["dice"] for cup in event.lifted}
                keys = dict(event.keys)
                for s in left(seat):
                    if not (stops and count >= q):
                        (leaves, ck), key = cups[s], raw(keys.get(s, ""))
                        shown, bound = open_cup(key, where, s, len(leaves))
                        is_its = bound == leaves and ck in (b"", key) and said.get(s) == shown
                        if s in keys or s in said:
                            yield "V6", line, is_its, f"seat {s}: that key, these dice, its leaves"
                        due["keys"].append([s, key.hex()])
                        matching = sum(die in faces for die in shown)
                        due["lifted"].append({"seat": s, "dice": shown, "matching": matching})
                        count += matching
                held = count >= q if kind == "dudo" else count == q
            if kind == "resign":
                dice[seat], heir = 0, hero
            elif kind == "calza" and held:
                opener, gainer = seat, seat if dice[seat] < most else None
                dice[seat] = min(dice[seat] + 1, most)
            else:
                opener = loser = bidder if kind == "dudo" and not held else seat
                dice[loser] -= 1
                if dice[loser] == 1 and palifico["enabled"]:
                    is_new = loser not in dropped or palifico["trigger"] != "first_time"
                    heir = loser if is_new else None
                    dropped.add(loser)
            alive = left(opener)
            has_hero = heir in alive and (len(alive) > 2 or palifico["two_players"])
            opener, hero = alive[0], heir if has_hero else None
            mode = "normal" if hero is None else "palifico"
            ends = (opener, mode, None) if len(alive) > 1 else (None, None, opener)
            due |= dict(zip(("next_opener", "next_mode", "winner"), ends))
            due |= {"count": count, "held": held, "loser": loser, "gainer": gainer}
            due["out"] = next((s for s in (seat, loser) if s is not None and not dice[s]), None)
            due |= {"auto": True} if kind == "forfeit" else {}
            cups, number, epoch = {}, number + 1, 0
        elif kind == "open":
            need(not is_never, "by its rules S stays closed")
            due["reason"] = "finished" if len(alive) == 1 else "cancelled"
        if kind in ("start", "epoch") or "keys" in told:
            turn, bid, bidder = opener, None, None
        before = raw(event.hash)
        yield "V7", line, told.keys() == due.keys(), f"its fields are not {' '.join(sorted(due))}"
        for name, value in due.items():
            found, wanted = CHECKS.get(name, "V7"), canonical(value)
            holds = canonical(told.get(name)) == wanted
            if not holds or {"V3": G, "V4": is_lit}.get(found, True):
                yield found, line, holds, f"by the rest of the log {name} is {wanted:.99}"


def check_mails(mails: Any, events: list[Any]) -> Claims:
    """Yield the seals in mails or texts, and whether they are those of the file (V9)."""
    parts: list[Any] = [part for mail in mails for part in email.message_from_bytes(mail).walk()]
    texts = [*mails, *(part.get_payload(decode=True) or b"" for part in parts)]
    quoted = re.findall(MAILED, b"\n".join(texts).decode("utf-8", "replace"))
    known = dict[str, list[Any]]()
    for event in events if quoted else ():
        label = f"r{event.round}.{event.epoch}".removesuffix(".0") if event.kind == "seal" else "c"
        if sealed := event.payload.get("seal") or event.payload.get("commitment"):
            short = base64.b32encode(raw(sealed)[:16]).decode()[:26]
            known.setdefault(label, []).append((event.line, short, str(event.seq)))
    for label, letters, seq in quoted:
        own, same = letters.replace(" ", "")[:26].upper(), known.get(label, [])
        is_known = any(own == short and seq in ("", at) for _, short, at in same)
        if same or int(seq or 0) < len(events):  # or the mail is younger than the file
            line = same[0][0] if same else 0
            yield "V9", line, is_known, f"Seal {label} · {own} is that of your mail alone"


def check(data: bytes, mails: Any = (), published: Any = ()) -> list[Any]:
    """Return the findings V0 to V9; where V0 fails the others find nothing."""
    events, nothing = list[Any](), {"status": "–", "line": None, "words": ""}
    names = {f"V{number}": title for number, title in enumerate(TITLES.split("|"))}
    found = {name: Record(check=name, title=title, **nothing) for name, title in names.items()}
    steps = read(data, events), replay(events, dict(published)), check_mails(mails, events)
    for errors, claims in zip(("V0", "V7", "V9"), steps):
        try:
            for name, line, holds, words in claims:
                if holds is None:
                    found[name].words += f"line {line}: {words}. "
                elif found[name].status != "FAIL":
                    found[name].status = "PASS" if holds else "FAIL"
                    found[name].line = None if holds else line
                    found[name].words = found[name].words if holds else words
        except UNREADABLE as error:
            if found[errors].status != "FAIL":
                one = found[errors]
                one.status, one.line, one.words = "FAIL", line, str(error)
        if found["V0"].status == "FAIL":
            break
    return [*found.values()]


def main() -> int:
    parser, file = argparse.ArgumentParser(description=__doc__), argparse.FileType("rb")
    parser.add_argument("file", type=file)
    for name in ("--mail", "--beacon"):
        parser.add_argument(name, type=file, nargs="+", default=[], metavar="FILE")
    given = parser.parse_args()
    data, *mails = [one.read() for one in (given.file, *given.mail)]
    answers = b" ".join(one.read() for one in given.beacon).decode("utf-8", "replace")
    published = re.findall(r'"round":\s*([0-9]+)[^{}]*"signature":\s*"([0-9a-f]+)"', answers)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    findings = check(data, mails, published)
    for one in findings:
        words = one.words or ("nothing to check" if one.status == "–" else "")
        where = f": line {one.line}" if one.line else ""
        print(f"{one.check} {one.status:4} {one.title}{where}{words and ': '}{words}")
    print(TRUST)
    return int(any(one.status == "FAIL" for one in findings))


if __name__ == "__main__":
    sys.exit(main())

"""The public log of a game as PF1 publishes it: canonical, hash-chained, one event a line.

An event is what everybody may know; nothing here can reach a seed. ``docs/pf1.md`` sections 3
and 4 are the specification.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.fairness.pf1 import FIRST, NO_PULSE, Pulse, SealedCup, event_hash, seal

SHORT_SEAL_BYTES = 16


@dataclass(frozen=True, slots=True)
class LogEvent:
    """One event of the log with its place in the chain; ``digest`` is 32 bytes."""

    seq: int
    kind: str
    payload: Mapping[str, object]
    digest: bytes

    def line(self) -> str:
        """Return the event as its line of a transcript, with the line feed."""
        values = {
            "hash": self.digest.hex(),
            "kind": self.kind,
            "payload": self.payload,
            "seq": self.seq,
        }
        return canonical(values) + "\n"


def canonical(value: object) -> str:
    """Return the one JSON text of a value: sorted keys, no spaces, nothing escaped needlessly."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def link(kind: str, payload: Mapping[str, object], *, seq: int, after: bytes = FIRST) -> LogEvent:
    """Return an event chained to the one before it.

    :param after: the digest of the event before.
    """
    text = canonical(payload).encode()
    return LogEvent(seq, kind, payload, event_hash(after=after, seq=seq, kind=kind, payload=text))


def create_payload(
    *, gid: bytes, rules_text: str, commitment: bytes, chain: Mapping[str, object]
) -> dict[str, object]:
    """Return the payload of ``create``, the log's first event."""
    return {
        "protocol": "PF1",
        "gid": gid.hex(),
        "rules": rules_text,
        "commitment": commitment.hex(),
        "chain": chain,
    }


def seal_payload(
    cups: Sequence[SealedCup],
    *,
    gid: bytes,
    number: int,
    epoch: int,
    after: bytes,
    pulse: Pulse = NO_PULSE,
) -> dict[str, object]:
    """Return the payload of ``seal``, which binds a roll before the first bid.

    :param cups: those of the seats with dice, in the order of seats.
    :param after: the digest of the event before it.
    :param pulse: the beacon's value that went into the roll.
    """
    digest = seal(cups, gid=gid, number=number, epoch=epoch, after=after, beacon_round=pulse.number)
    payload: dict[str, object] = {
        "round": number,
        "epoch": epoch,
        "chain": pulse.chain,
        "beacon_round": pulse.number,
        "beacon": pulse.value.hex(),
        "cups": [[cup.seat, cup.digest.hex(), [leaf.hex() for leaf in cup.leaves]] for cup in cups],
        "seal": digest.hex(),
    }
    if pulse.signature:
        payload["signature"] = pulse.signature.hex()
    return payload


def seal_line(digest: bytes, *, number: int, epoch: int, seq: int) -> str:
    """Return how mails and pages name a seal, the same in all languages: ``Seal r7 · … · log 34``.

    :param seq: the seal's number in the log.
    """
    where = f"r{number}.{epoch}" if epoch else f"r{number}"
    return f"Seal {where} · {short(digest)} · log {seq}"


def commitment_line(digest: bytes) -> str:
    """Return how a mail or a page names the commitment: ``Seal c · …``."""
    return f"Seal c · {short(digest)}"


def short(digest: bytes) -> str:
    """Return the first 128 bits of a seal or a commitment as 26 letters (base32, unpadded)."""
    return base64.b32encode(digest[:SHORT_SEAL_BYTES]).decode().rstrip("=")

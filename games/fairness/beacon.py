"""A public beacon's part in the dice: which of its values a roll takes, and how one is read.

drand's chain *quicknet* publishes a value every three seconds: the SHA-256 of a signature that a
dozen organisations make together over the number of the round. Whether a signature is the
beacon's own is decided in :mod:`games.beacon`, which has the library for it and the network.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Self

from games.fairness.pf1 import Pulse

_DELAY = 3
"""R is the third round from the one that is out: it cannot be known yet, whoever asks."""

_SIGNATURE = re.compile(r"[0-9a-f]{96}")


class BadPulse(Exception):
    """What a relay answered is not the value that was asked for.

    :ivar code: ``beacon.`` and ``unreadable``, ``other-round`` or ``other-value``; what the network
        is asked adds ``not-yet`` and ``status``.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Chain:
    """A beacon as the log of a game describes it.

    :ivar hash: what drand calls the chain by, hex.
    :ivar public_key: of its signatures (a point of G2, compressed), hex.
    :ivar period: the seconds from one round to the next.
    :ivar genesis: when round 1 was published, Unix time in seconds.
    """

    name: str
    hash: str
    public_key: str
    period: int
    genesis: int

    @classmethod
    def from_payload(cls, payload: Mapping[str, object]) -> Self | None:
        """Return the chain that ``create`` names, or None where it says ``none``."""
        return None if payload == NO_CHAIN else cls(**payload)  # type: ignore[arg-type]

    def payload(self) -> dict[str, object]:
        """Return the chain as ``create`` tells it."""
        return asdict(self)

    def round_for(self, at: int) -> int:
        """Return R for an event at ``at`` (Unix time, s): fixed by it, known only after it."""
        return (at - self.genesis) // self.period + _DELAY

    def published_at(self, number: int) -> int:
        """Return when a round is published (Unix time, s); R one to two periods after ``at``."""
        return self.genesis + (number - 1) * self.period


NO_CHAIN: Mapping[str, object] = {"name": "none"}
"""What ``create`` says of a game that is played without a beacon."""

QUICKNET = Chain(
    name="quicknet",
    hash="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    public_key=(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    period=3,
    genesis=1692803367,
)


def pulse_from(answer: bytes, *, chain: str, number: int) -> Pulse:
    """Return the value in a relay's answer (JSON with round, randomness, signature).

    Its signature still has to be checked: until then it is only what a relay says.

    :raises BadPulse: it is not in that form, of another round, or not the hash of its signature.
    """
    try:
        said = json.loads(answer)
    except (ValueError, RecursionError):
        raise BadPulse("beacon.unreadable") from None
    if not isinstance(said, dict):
        raise BadPulse("beacon.unreadable")
    signature = said.get("signature")
    if not isinstance(signature, str) or not _SIGNATURE.fullmatch(signature):
        raise BadPulse("beacon.unreadable")
    if said.get("round") != number or isinstance(said["round"], bool):
        raise BadPulse("beacon.other-round")
    pulse = pulse_of(bytes.fromhex(signature), chain=chain, number=number)
    if said.get("randomness") != pulse.value.hex():
        raise BadPulse("beacon.other-value")
    return pulse


def pulse_of(signature: bytes, *, chain: str, number: int) -> Pulse:
    """Return the value that goes with a signature of the beacon."""
    return Pulse(chain, number, hashlib.sha256(signature).digest(), signature)


def signed_message(number: int) -> bytes:
    """Return what the beacon signs in a round (32 bytes), scheme bls-unchained-g1-rfc9380."""
    return hashlib.sha256(number.to_bytes(8, "big")).digest()

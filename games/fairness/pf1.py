"""PF1: the derivation of seats and dice from one secret seed per game.

``H`` and ``M`` are SHA-256 and HMAC-SHA-256 over a label and length-prefixed parts, so that no
two different inputs ever hash the same bytes. Every label is used for one purpose only: the
commitment that is published can never give away what is derived.
"""

import hashlib
import hmac
import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SEED_BYTES = 32
FIRST = bytes(32)
"""What stands for the hash of the event before the first one."""


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one player adds to the game's randomness, in the order of joining.

    :ivar kind: ``rand`` (32 bytes of the browser), ``text`` (a phrase, NFC UTF-8) or ``none``.
    """

    kind: Literal["rand", "text", "none"] = "none"
    raw: bytes = b""

    def digest(self) -> bytes:
        """Return the 32 bytes that enter the game key."""
        return _hash("contrib", self.kind.encode(), self.raw)


@dataclass(frozen=True, slots=True)
class Pulse:
    """One value of a public beacon.

    :ivar chain: the beacon's name, or ``none``.
    :ivar number: its round R.
    :ivar value: B, 32 bytes.
    :ivar signature: what B is the SHA-256 of.
    """

    chain: str = "none"
    number: int = 0
    value: bytes = bytes(32)
    signature: bytes = b""


NO_PULSE = Pulse()
"""What goes into a roll without a beacon."""


@dataclass(frozen=True, slots=True)
class SealedCup:
    """What everybody may know of a cup that has not been lifted: its hash and its dice's hashes."""

    seat: int
    digest: bytes
    leaves: tuple[bytes, ...]


def commitment(*, gid: bytes, seed: bytes) -> bytes:
    """Return what is published about ``seed`` before anybody can contribute (32 bytes)."""
    return _hash("server", gid, seed)


def rules_digest(rules_text: str) -> bytes:
    """Return the hash that binds the game key to the rules (32 bytes)."""
    return hashlib.sha256(rules_text.encode()).digest()


def game_key(
    *, seed: bytes, gid: bytes, rules: bytes, contributions: Sequence[Contribution]
) -> bytes:
    """Return the key of a whole game (32 bytes), secret until it ends."""
    digests = [contribution.digest() for contribution in contributions]
    return _mac(seed, "game", gid, rules, _uint(len(digests), 1), *digests)


def seating(key: bytes, seats: int) -> tuple[int, ...]:
    """Return who sits where: a Fisher-Yates shuffle of ``0..seats-1`` (order of joining)."""
    order = list(range(seats))
    for last in range(seats - 1, 0, -1):
        other = _uniform(key, "seat", last + 1, last) - 1
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def roll_off(key: bytes, seats: int) -> tuple[tuple[dict[int, int], ...], int]:
    """Return the rolls for the first turn and the seat that opens.

    Every seat rolls one die, the highest opens, and those who tie roll again. A lap of the
    result maps seat to face.
    """
    rivals = list(range(seats))
    laps: list[dict[int, int]] = []
    for lap in itertools.count():
        faces = {seat: _uniform(key, "roll-off", 6, lap * seats + seat) for seat in rivals}
        laps.append(faces)
        best = max(faces.values())
        rivals = [seat for seat in rivals if faces[seat] == best]
        if len(rivals) == 1:
            break
    return tuple(laps), rivals[0]


def round_key(
    key: bytes, *, gid: bytes, number: int, epoch: int = 0, pulse: Pulse = NO_PULSE
) -> bytes:
    """Return the key of round ``number`` (32 bytes).

    ``epoch`` rises when a round is rolled again after a restore.
    """
    return _mac(
        key,
        "round",
        gid,
        _uint(number, 4),
        _uint(epoch, 2),
        pulse.chain.encode(),
        _uint(pulse.number, 8),
        pulse.value,
    )


def cup_key(key_of_round: bytes, seat: int) -> bytes:
    """Return the key of one cup (32 bytes): it yields that cup and no other."""
    return _mac(key_of_round, "cup", _uint(seat, 1))


def die_salt(key_of_cup: bytes, die: int) -> bytes:
    """Return what blinds one die in its leaf (32 bytes), secret until its cup is lifted."""
    return _mac(key_of_cup, "salt", _uint(die, 1))


def cup_dice(key_of_cup: bytes, dice: int) -> tuple[int, ...]:
    """Return the faces (1 to 6) of the ``dice`` dice under a cup, in their order."""
    return tuple(_uniform(key_of_cup, "die", 6, die) for die in range(dice))


def sealed_cup(
    key_of_cup: bytes, dice: Sequence[int], *, gid: bytes, number: int, epoch: int, seat: int
) -> SealedCup:
    """Return what is published about a cup before the first bid: it binds every die, shows none."""
    where = (gid, _uint(number, 4), _uint(epoch, 2), _uint(seat, 1))
    leaves = tuple(
        _hash("leaf", *where, _uint(die, 1), _uint(face, 1), die_salt(key_of_cup, die))
        for die, face in enumerate(dice)
    )
    return SealedCup(seat, _hash("cup", *where, _uint(len(leaves), 1), *leaves), leaves)


def seal(
    cups: Sequence[SealedCup],
    *,
    gid: bytes,
    number: int,
    epoch: int,
    after: bytes,
    beacon_round: int = 0,
) -> bytes:
    """Return the seal of a roll (32 bytes).

    :param cups: those of the seats with dice, in the order of seats.
    :param after: the hash of the event before it in the log.
    """
    return _hash(
        "seal",
        gid,
        _uint(number, 4),
        _uint(epoch, 2),
        _uint(beacon_round, 8),
        after,
        *[_uint(cup.seat, 1) + cup.digest for cup in cups],
    )


def event_hash(*, after: bytes, seq: int, kind: str, payload: bytes) -> bytes:
    """Return the hash of one event of the log (32 bytes).

    :param after: the hash of the event before, or :data:`FIRST`.
    :param payload: canonical JSON (:func:`games.fairness.log.canonical`).
    """
    return _hash("event", after, _uint(seq, 4), kind.encode(), payload)


def _uint(value: int, width: int) -> bytes:
    return value.to_bytes(width, "big")


def _encode(label: str, parts: tuple[bytes, ...]) -> bytes:
    prefixed = b"".join(_uint(len(part), 4) + part for part in parts)
    return b"PF1:" + label.encode() + b"\x00" + prefixed


def _hash(label: str, *parts: bytes) -> bytes:
    return hashlib.sha256(_encode(label, parts)).digest()


def _mac(key: bytes, label: str, *parts: bytes) -> bytes:
    return hmac.digest(key, _encode(label, parts), "sha256")


def _uniform(key: bytes, label: str, faces: int, index: int) -> int:
    """Return 1..``faces``, each exactly as likely: bytes that would favour one are passed over."""
    limit = 256 - 256 % faces
    for block in itertools.count():
        for byte in _mac(key, label, _uint(index, 2), _uint(block, 4)):
            if byte < limit:
                return 1 + byte % faces
    raise AssertionError("an endless stream of bytes has ended")

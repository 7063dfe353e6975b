"""Where secrets come into being: each is noted before anybody else has it."""

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from games import fairness
from games.mail.addresses import Purpose
from tests.oracle.book import Kind, Place, book

Note = Callable[..., None]


def _game_key(made: bytes, *, seed: bytes, gid: bytes, **_: object) -> None:
    place = Place(gid.hex())
    book.learn(seed, Kind.SEED, place)
    book.learn(made, Kind.GAME, place, parent=seed)


def _commitment(_: bytes, *, gid: bytes, seed: bytes) -> None:
    book.learn(seed, Kind.SEED, Place(gid.hex()))


def _round_key(made: bytes, key: bytes, *, gid: bytes, number: int, **_: object) -> None:
    book.learn(made, Kind.ROUND, Place(gid.hex(), number), parent=key)


def _cup_key(made: bytes, key_of_round: bytes, seat: int) -> None:
    above = book.place_of(key_of_round)
    book.learn(made, Kind.CUP, Place(above.gid, above.number, seat), parent=key_of_round)


def _die_salt(made: bytes, key_of_cup: bytes, die: int) -> None:
    book.learn(made, Kind.SALT, parent=key_of_cup)


SECRET: dict[str, Note] = {
    "commitment": _commitment,  # gives away nothing, but is given the seed first of all
    "game_key": _game_key,
    "round_key": _round_key,
    "cup_key": _cup_key,
    "die_salt": _die_salt,
}
"""The functions of ``games.fairness`` that are given or return a secret, and how it is noted.

Each note takes what the function returned, and then its arguments.
"""

DICE = frozenset({"cup_dice", "roll_off", "seating"})
"""Those that return faces or seats: the twin worlds watch over them."""

PUBLIC = frozenset(
    {
        "canonical", "commitment_line", "create_payload", "event_hash", "link", "pulse_from",
        "pulse_of", "rules_digest", "seal", "seal_line", "seal_payload", "sealed_cup", "short",
        "signed_message",
    }
)  # fmt: skip
"""Those whose results everybody may know."""


def unknown_functions() -> set[str]:
    """Return the functions of ``games.fairness`` that stand in none of the lists above."""
    functions = {name for name in fairness.__all__ if inspect.isfunction(getattr(fairness, name))}
    return functions - SECRET.keys() - DICE - PUBLIC


def install() -> None:
    """Note every secret from now on, by whatever name a module has its function."""
    for name, note in SECRET.items():
        real = getattr(fairness, name)
        replace(real, _noting(real, note))
    replace(AESGCM, _Cipher)
    real = Purpose.local_part

    @functools.wraps(real)
    def local_part(purpose: Purpose) -> str:
        made = real(purpose)
        book.learn_address(made)
        return made

    setattr(Purpose, "local_part", local_part)  # noqa: B010


def replace(real: object, other: object) -> None:
    """Put ``other`` wherever the product's modules have ``real``."""
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] not in ("games", "accounts", "perudo_site"):
            continue
        for name, value in list(vars(module).items()):
            if value is real:
                setattr(module, name, other)


def _noting(real: Callable[..., bytes], note: Note) -> Callable[..., bytes]:
    @functools.wraps(real)
    def noted(*args: Any, **how: Any) -> bytes:
        value = real(*args, **how)
        note(value, *args, **how)
        return value

    return noted


class _Cipher:
    """An AES-GCM that notes each seed which it hides or opens."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def encrypt(self, nonce: bytes, data: bytes, bound_to: bytes | None) -> bytes:
        self._note(data, bound_to)
        return self._cipher.encrypt(nonce, data, bound_to)

    def decrypt(self, nonce: bytes, data: bytes, bound_to: bytes | None) -> bytes:
        opened = self._cipher.decrypt(nonce, data, bound_to)
        self._note(opened, bound_to)
        return opened

    @staticmethod
    def _note(seed: bytes, bound_to: bytes | None) -> None:
        label, _, rest = (bound_to or b"").partition(b"\x00")
        if label == b"PF1:S":  # anything else is no seed: a mail as it came, a push
            book.learn(seed, Kind.SEED, Place(rest[:16].hex()))

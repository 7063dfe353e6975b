"""The keys that encrypt what must not lie open in the database: seeds, and mails as they came.

``SEED_KEYS`` lists them as "kid:64 hex digits"; the first one encrypts, all of them decrypt.
"""

import os
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings


class KeyUnavailable(Exception):
    """What was encrypted cannot be read: its key is not configured, or does not fit."""


@dataclass(frozen=True, slots=True, repr=False)
class Sealed:
    """Something encrypted (AES-256-GCM), and the name of the key that opens it."""

    kid: str
    nonce: bytes
    ciphertext: bytes


def newest() -> str:
    """Return the name of the key that encrypts."""
    return _keys()[0][0]


def seal(data: bytes, *, bound_to: bytes) -> Sealed:
    """Encrypt ``data`` so that it opens only as what it is ``bound_to``, under this key's name."""
    kid, key = _keys()[0]
    nonce = os.urandom(12)
    return Sealed(kid, nonce, AESGCM(key).encrypt(nonce, data, bound_to + kid.encode()))


def unseal(sealed: Sealed, *, bound_to: bytes) -> bytes:
    """Return what was encrypted.

    :raises KeyUnavailable: its key is missing, or it is bound to something else.
    """
    key = dict(_keys()).get(sealed.kid)
    if key is None:
        raise KeyUnavailable(f"no key {sealed.kid!r}")
    try:
        return AESGCM(key).decrypt(sealed.nonce, sealed.ciphertext, bound_to + sealed.kid.encode())
    except InvalidTag:
        raise KeyUnavailable(f"key {sealed.kid!r} does not fit") from None


def _keys() -> list[tuple[str, bytes]]:
    pairs = [entry.partition(":") for entry in settings.SEED_KEYS]
    return [(kid, bytes.fromhex(key)) for kid, _, key in pairs]

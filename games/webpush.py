"""Web push: what a browser's push service asks of whoever sends through it.

The text is encrypted for one browser alone (RFC 8291, by the content coding of RFC 8188), and the
sender shows who he is by a signed token (VAPID, RFC 8292). Only these two: the request itself is
made by :mod:`games.outgoing`, as an address here is one that somebody else named (adr/0010).
"""

import base64
import binascii
import json
import re
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

MOST_BYTES: Final = 3993
"""The longest text that every push service takes (RFC 8291, section 4)."""
TOKEN_LIFE: Final = timedelta(hours=12)
"""Half of the longest that a token may be good for (RFC 8292, section 2)."""

_RECORD_BYTES: Final = 4096
_CURVE: Final = ec.SECP256R1()
_HEX: Final = re.compile(r"\A[0-9a-f]{64}\Z")
_BASE64: Final = re.compile(r"\A[A-Za-z0-9_-]*={0,2}\Z")


@dataclass(frozen=True, slots=True)
class Receiver:
    """The keys of one browser: its public point (65 bytes), and a secret (16) it shares with us."""

    point: bytes
    secret: bytes


def receiver(p256dh: str, auth: str) -> Receiver:
    """Return the keys as a browser's subscription spells them, in base64.

    :raises ValueError: they are none.
    """
    read = Receiver(_decoded(p256dh), _decoded(auth))
    if len(read.point) != 65 or len(read.secret) != 16:
        raise ValueError("a key of the wrong length")
    ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, read.point)
    return read


@lru_cache(maxsize=4)
def signing_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Return the sender's private key from 64 hex digits.

    :raises ValueError: they are no key.
    """
    if not _HEX.match(text):
        raise ValueError("a signing key has 64 hex digits")
    return ec.derive_private_key(int(text, 16), _CURVE)


def public_key(key: ec.EllipticCurvePrivateKey) -> str:
    """Return the public point of ``key``, by which browsers know the sender."""
    return _encoded(_point(key))


def encrypt(
    text: bytes,
    to: Receiver,
    *,
    salt: bytes | None = None,
    sender: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return ``text`` so that one browser alone can read it: the body of a request.

    :param salt: 16 bytes, fresh for each message: given by tests alone.
    :param sender: a key, fresh for each message: given by tests alone.
    :raises ValueError: the text is too long.
    """
    if len(text) > MOST_BYTES:
        raise ValueError(f"{len(text)} bytes are too long for a push message")
    salt = salt or secrets.token_bytes(16)
    sender = sender or ec.generate_private_key(_CURVE)
    public = _point(sender)
    shared = sender.exchange(
        ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, to.point)
    )
    ours = _derive(shared, to.secret, b"WebPush: info\0" + to.point + public, 32)
    key = _derive(ours, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(ours, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([len(public)]) + public
    # One record, and the last one: 2 ends its text.
    return header + AESGCM(key).encrypt(nonce, text + b"\2", None)


def authorization(
    endpoint: str, *, key: ec.EllipticCurvePrivateKey, contact: str, now: datetime
) -> str:
    """Return the header by which the push service at ``endpoint`` knows who sends.

    :param contact: where its operator may ask back: a ``mailto:`` or ``https:`` address.
    """
    where = urlsplit(endpoint)
    claims = {
        "aud": f"{where.scheme}://{where.netloc}",
        "exp": int((now + TOKEN_LIFE).timestamp()),
        "sub": contact,
    }
    signed = f"{_part({'typ': 'JWT', 'alg': 'ES256'})}.{_part(claims)}"
    pair = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
    signature = b"".join(number.to_bytes(32, "big") for number in pair)
    return f"vapid t={signed}.{_encoded(signature)}, k={public_key(key)}"


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _part(claims: dict[str, object]) -> str:
    return _encoded(json.dumps(claims, separators=(",", ":")).encode())


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    """Return the bytes of base64 as addresses spell it.

    :raises ValueError: it is none.
    """
    if not _BASE64.match(text):
        raise ValueError("no base64")
    bare = text.rstrip("=")
    try:
        return base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error as error:
        raise ValueError("no base64") from error

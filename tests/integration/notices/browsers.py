"""A browser that subscribes and can read what its push service brings, and nobody else can.

The other side of RFC 8291 and RFC 8292, written apart from ours: what ours encrypts and signs is
taken apart here step by step.
"""

import base64
import hashlib
import hmac
import json
from dataclasses import dataclass, field
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def expand(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """Return HKDF's first block (RFC 5869), from HMAC alone."""
    extracted = hmac.digest(salt, key, "sha256")
    return hmac.digest(extracted, info + b"\1", "sha256")[:length]


@dataclass(frozen=True)
class Request:
    """What arrived at the push service, and the text that its browser reads."""

    headers: dict[str, str]
    claims: dict[str, Any]
    key: str
    text: dict[str, Any]


@dataclass
class Browser:
    """One that has subscribed at ``endpoint``."""

    endpoint: str
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.derive_private_key(0xC0FFEE, CURVE)
    )
    secret: bytes = b"0123456789abcdef"

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def said(self) -> dict[str, str]:
        """Return what its script tells the site."""
        return {
            "endpoint": self.endpoint,
            "p256dh": encoded(self.point),
            "auth": encoded(self.secret),
        }

    def take(self, request: bytes) -> Request:
        """Check who sent a request to the push service, and read it."""
        head, _, body = request.partition(b"\r\n\r\n")
        _first, *lines = head.decode().split("\r\n")
        headers = dict(line.split(": ", 1) for line in lines)
        assert headers["Content-Encoding"] == "aes128gcm"
        claims, key = signed(headers["Authorization"])
        return Request(headers, claims, key, json.loads(self.decrypt(body)))

    def decrypt(self, body: bytes) -> bytes:
        """Return the text of one encrypted body (RFC 8188, 2.1; RFC 8291, 3.4)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert length == 65
        assert 16 < len(record) <= size
        shared = self.key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        secret = expand(shared, self.secret, b"WebPush: info\0" + self.point + sender, 32)
        key = expand(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = expand(secret, salt, b"Content-Encoding: nonce\0", 12)
        opened = Cipher(algorithms.AES(key), modes.GCM(nonce, record[-16:])).decryptor()
        text = opened.update(record[:-16]) + opened.finalize()
        assert text.endswith(b"\2")
        return text[:-1]


def signed(authorization: str) -> tuple[dict[str, Any], str]:
    """Return what a VAPID header claims and the key that signed it; it must be signed so."""
    scheme, _, rest = authorization.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    pair = decoded(signature)
    assert len(pair) == 64
    der = encode_dss_signature(int.from_bytes(pair[:32], "big"), int.from_bytes(pair[32:], "big"))
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(parts["k"]))
    key.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    return json.loads(decoded(claims)), parts["k"]


def digest(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()

"""drand over the network: fetches a beacon's value and believes none that it cannot verify.

The relays (``BEACON_URLS``) are only postmen. A value counts when its signature is the beacon's
own, so a relay that lies or repeats an old answer can delay a round and never bend a die.
"""

import logging
import socket
import threading
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from py_arkworks_bls12381 import GT, G1Point, G2Point

from games.fairness import NO_CHAIN, QUICKNET, BadPulse, Chain, Pulse, pulse_from, signed_message

logger = logging.getLogger(__name__)

CHAINS = {QUICKNET.name: QUICKNET}
"""The beacons that a game may be bound to, by name."""

SECONDS = 4.0
"""How long one relay may take, whatever it sends."""

MOST_BYTES = 4096
"""What is read of an answer; a real one has about 300."""

SUITE = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
"""How a round's message is hashed to the curve (RFC 9380; draft-irtf-cfrg-bls-signature)."""

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_NOT_YET = frozenset({404, 425})
"""How relays say that a round is not out."""


class Unavailable(Exception):
    """No relay has the round's value, or none that can be verified: the round waits."""


def chain_for_new_games() -> str:
    """Return the name of the beacon that games made now are bound to, or ``none``."""
    return QUICKNET.name if settings.BEACON_URLS else str(NO_CHAIN["name"])


def chain_payload(name: str) -> Mapping[str, object]:
    """Return what ``create`` says of a game's beacon."""
    return CHAINS[name].payload() if name in CHAINS else NO_CHAIN


def fetch(chain: Chain, number: int) -> Pulse:
    """Return the verified value of a round from the first relay that has it.

    :raises Unavailable: none has.
    """
    for url in settings.BEACON_URLS:
        try:
            pulse = pulse_from(_ask(url, chain, number), chain=chain.name, number=number)
            if is_genuine(pulse, chain):
                return pulse
            reason = "beacon.forged"
        except BadPulse as bad:
            reason = bad.code
        except (OSError, HTTPException, ValueError) as error:
            reason = type(error).__name__
        logger.warning("no value of round %s from %s: %s", number, urlsplit(url).hostname, reason)
    raise Unavailable(f"{chain.name} round {number}")


def is_genuine(pulse: Pulse, chain: Chain) -> bool:
    """Return whether the beacon itself signed this round (bls-unchained-g1-rfc9380)."""
    try:
        signature = G1Point.from_compressed_bytes(pulse.signature)
        key = G2Point.from_compressed_bytes(bytes.fromhex(chain.public_key))
    except ValueError:
        return False  # no point of the curve, or outside of its group
    # B is a hash of bytes, not of a point: a second spelling of it would be a second roll.
    if signature.to_compressed_bytes() != pulse.signature or key == G2Point.identity():
        return False
    message = G1Point.hash_to_curve(signed_message(pulse.number), SUITE)
    return GT.pairing_check([signature, message], [-G2Point(), key])


def relay(url: str) -> SplitResult:
    """Return the parts of a relay's address.

    :raises ValueError: it is neither https nor http on this machine.
    """
    parts = urlsplit(url)
    is_local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    if not (parts.hostname and (parts.scheme == "https" or is_local)):
        raise ValueError("a beacon's relay needs an https address")
    return parts


def _ask(url: str, chain: Chain, number: int) -> bytes:
    """Return the beginning of a relay's answer, which is all of any true one.

    :raises BadPulse: its status is not 200: redirects are not followed.
    """
    parts = relay(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=SECONDS)
    connection.connect()
    # The time-out of a socket is one of silence; a byte now and then would hold us for ever.
    limit = threading.Timer(SECONDS, _hang_up, [connection.sock])
    limit.daemon = True
    limit.start()
    try:
        path = f"{parts.path.rstrip('/')}/{chain.hash}/public/{number}"
        connection.request("GET", path, headers={"User-Agent": "perudo-by-post"})
        response = connection.getresponse()
        if response.status != 200:
            raise BadPulse("beacon.not-yet" if response.status in _NOT_YET else "beacon.status")
        return response.read(MOST_BYTES)
    finally:
        limit.cancel()
        connection.close()


def _hang_up(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it is closed already

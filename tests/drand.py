"""A stand-in for drand: a beacon whose key the tests hold, and a relay of it on this machine.

The relay can be late, lie, dawdle or be away, as any relay in the world.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal

from py_arkworks_bls12381 import G1Point, G2Point, Scalar

from games import beacon, fairness

Trouble = Literal[
    "",
    "away",
    "forged",
    "stale",
    "other-value",
    "garbage",
    "redirect",
    "huge",
    "silent",
    "dripping",
]

KEY = Scalar(987_654_321)
CHAIN = fairness.Chain(
    name="quicknet",
    hash="0f" * 32,
    public_key=(G2Point() * KEY).to_compressed_bytes().hex(),
    period=3,
    genesis=1_692_803_367,
)


def sign(number: int, *, key: Scalar = KEY) -> bytes:
    """Return the beacon's signature of a round, or an impostor's by another key."""
    message = G1Point.hash_to_curve(fairness.signed_message(number), beacon.SUITE)
    return (message * key).to_compressed_bytes()


def answer(number: int, *, key: Scalar = KEY) -> dict[str, object]:
    """Return what an honest relay says of a round."""
    pulse = fairness.pulse_of(sign(number, key=key), chain=CHAIN.name, number=number)
    return {
        "round": number,
        "randomness": pulse.value.hex(),
        "signature": pulse.signature.hex(),
    }


class Relay(ThreadingHTTPServer):
    """A relay on this machine. ``trouble`` is what is wrong with it, if anything.

    :ivar newest: the round that is out; one after it is answered as drand does, with 425.
    :ivar asked: the rounds that were asked for, in order.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.trouble: Trouble = ""
        self.newest: int | None = None
        self.asked: list[int] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def relay() -> Iterator[Relay]:
    """Run a relay."""
    with Relay() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.closing.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: Relay

    def do_GET(self) -> None:
        _, chain, _, text = self.path.split("/")
        number, trouble = int(text), self.server.trouble
        self.server.asked.append(number)
        if chain != CHAIN.hash or trouble == "away":
            self._say(404 if chain != CHAIN.hash else 503, b"")
        elif self.server.newest is not None and number > self.server.newest:
            self._say(425, b"")
        elif trouble == "silent":
            self.server.closing.wait(30)
        elif trouble == "dripping":
            self._drip()
        elif trouble == "redirect":
            self._say(302, b"", Location=f"{self.server.url}/{chain}/public/{number}?")
        elif trouble == "huge":
            self._say(200, json.dumps({**answer(number), "more": "x" * 10_000_000}).encode())
        elif trouble == "garbage":
            self._say(200, b"[" * 4000)
        else:
            self._say(200, json.dumps(self._lie(trouble, number)).encode())

    def _lie(self, trouble: Trouble, number: int) -> dict[str, object]:
        if trouble == "forged":
            return answer(number, key=Scalar(666))
        if trouble == "stale":
            return answer(number - 1)
        if trouble == "other-value":
            return {**answer(number), "randomness": "00" * 32}
        return answer(number)

    def _say(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            self.close_connection = True  # whoever asked has seen enough

    def _drip(self) -> None:
        try:
            self.wfile.write(b"HTTP/1.0 200 OK\r\n")
            while not self.server.closing.wait(0.1):
                self.wfile.write(b"X: y\r\n")
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Keep the tests' output quiet."""

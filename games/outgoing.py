"""Requests that the site makes because a person asked it to: webhooks, pushes to his devices.

Whoever names an address could mean one inside our own network (server-side request forgery). So a
request goes out only by https, only to public addresses of the internet, to an address that was
looked up once and is the one connected to, follows no redirect, and ends after a few seconds and a
few kilobytes whatever the other side does. Webhooks are signed as Standard Webhooks 1.0.0 says.
"""

import base64
import hmac
import io
import ipaddress
import queue
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from http.client import HTTPException, HTTPResponse
from typing import Final
from urllib.parse import SplitResult, urlsplit

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], list[str]]

SECONDS: Final = 5.0
"""How long a request may take in all: look-up, connection, question and answer."""
MOST_BYTES: Final = 64 * 1024
"""The largest payload, and the largest answer with its headers."""
PORTS: Final = frozenset({443})
MALFORMED: Final = frozenset({"outgoing.url", "outgoing.port"})
"""Why an address itself is refused: asked again, it is refused again."""

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# Written out: what ``is_global`` knows differs from patch to patch of Python (IANA, registries of
# special-purpose addresses, RFC 6890).
_NOT_FOR_US: Final = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
            "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # a cloud's own services, on a public address
            "2001::/23",  # Teredo, benchmarks, ORCHID
            "2001:db8::/32",
            "2002::/16",  # 6to4: an IPv4 address in disguise
            "3fff::/20",
        ),
    )
)  # fmt: skip
_UNPRINTABLE = re.compile(r"[^\x21-\x7e]")
_ID = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")
_WAIT = re.compile(r"\A[0-9]{1,6}\Z")  # a date is allowed too (RFC 9110, 10.2.3): rare, so not read


class Refused(Exception):
    """A request was not made, or not brought to an end; ``code`` says why, for program and log."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. A redirect is an answer as any other, and no success.

    ``retry_after`` is how many seconds the other side wants to be left alone, 0 if it did not say.
    """

    status: int
    body: bytes
    retry_after: int = 0

    @property
    def is_ok(self) -> bool:
        """Return whether the other side took it."""
        return 200 <= self.status < 300


def is_public(address: Address) -> bool:
    """Return whether ``address`` is a host on the open internet.

    No private, shared, loopback, link-local (a cloud's metadata), multicast or reserved network,
    and no IPv6 form that carries an IPv4 address.
    """
    if any(address in network for network in _NOT_FOR_US if network.version == address.version):
        return False
    if isinstance(address, ipaddress.IPv6Address) and address not in _GLOBAL_UNICAST:
        return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def look_up(host: str, port: int) -> list[str]:
    """Return the addresses of ``host``, as the system finds them."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def check_url(url: str, *, ports: frozenset[int] = PORTS) -> SplitResult:
    """Return the parts of an address that somebody gave us, for the form that asks for one too.

    :raises Refused: ``outgoing.url``: not https, a user's name or a fragment in it, or signs that
        no address holds; ``outgoing.port``: a port that is not ours to ask.
    """
    try:
        parts = urlsplit(url)
        port = 443 if parts.port is None else parts.port
    except ValueError:
        raise Refused("outgoing.url") from None
    is_plain = not _UNPRINTABLE.search(url) and "\\" not in url and "#" not in url
    if not (is_plain and parts.scheme == "https" and parts.hostname and "@" not in parts.netloc):
        raise Refused("outgoing.url")
    if "%" in parts.netloc:
        raise Refused("outgoing.url")
    if port not in ports:
        raise Refused("outgoing.port")
    return parts


def sign(payload: bytes, *, key: bytes, message_id: str, sent_at: datetime) -> dict[str, str]:
    """Return the headers that let a webhook check a payload and drop one that comes twice.

    :raises Refused: ``outgoing.id``: an id that cannot stand in a header.
    """
    if not _ID.match(message_id):
        raise Refused("outgoing.id")
    stamp = str(int(sent_at.timestamp()))
    signed = b".".join((message_id.encode(), stamp.encode(), payload))
    digest = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": f"v1,{digest}",
    }


@dataclass(frozen=True, slots=True)
class Guard:
    """Makes requests within the limits. Tests give it other eyes; the site uses it as it is."""

    may_reach: Callable[[Address], bool] = is_public
    resolve: Resolve = look_up
    ports: frozenset[int] = PORTS
    seconds: float = SECONDS
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)

    def post(self, url: str, *, payload: bytes, headers: Mapping[str, str]) -> Answer:
        """Send ``payload`` and return what the other side said.

        :param headers: those that say what the payload is; they are ours, never somebody's words.
        :raises Refused: ``outgoing.url``, ``outgoing.port``, ``outgoing.unknown-host``,
            ``outgoing.address``, ``outgoing.too-long``, ``outgoing.slow`` or ``outgoing.failed``.
        """
        if len(payload) > MOST_BYTES:
            raise Refused("outgoing.too-long")
        until = time.monotonic() + self.seconds
        parts = check_url(url, ports=self.ports)
        sent = {
            "Host": parts.netloc,
            "User-Agent": "perudo-by-post",
            "Content-Length": str(len(payload)),
            "Accept-Encoding": "identity",
            "Connection": "close",
            **headers,
        }
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        lines = [
            f"POST {target} HTTP/1.1",
            *(f"{name}: {value}" for name, value in sent.items()),
        ]
        request = "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + payload
        host, port = parts.hostname or "", parts.port or 443
        try:
            with self._connect(host, port, until) as connection:
                connection.settimeout(_left(until))
                connection.sendall(request)
                return _read(connection, until)
        except TimeoutError:
            raise Refused("outgoing.slow") from None
        except (OSError, HTTPException, ValueError) as error:
            raise Refused("outgoing.failed") from error

    def _connect(self, host: str, port: int, until: float) -> ssl.SSLSocket:
        """Return a connection to the first address that answers; all of them must be public."""
        addresses = self._look_up(host, port, until)
        if not addresses or not all(self.may_reach(address) for address in addresses):
            raise Refused("outgoing.address" if addresses else "outgoing.unknown-host")
        failure: OSError = OSError("no address")
        for address in addresses:
            try:
                plain = socket.create_connection((str(address), port), timeout=_left(until))
            except OSError as error:
                failure = error
                continue
            try:
                plain.settimeout(_left(until))
                return self.tls.wrap_socket(plain, server_hostname=host)
            except BaseException:
                plain.close()
                raise
        raise failure

    def _look_up(self, host: str, port: int, until: float) -> list[Address]:
        """Return the addresses of ``host``; the system's resolver knows no time limit."""
        answer: queue.SimpleQueue[list[str]] = queue.SimpleQueue()

        def ask() -> None:
            try:
                answer.put(self.resolve(host, port))
            except (OSError, UnicodeError):
                answer.put([])

        threading.Thread(target=ask, daemon=True).start()
        try:
            found = answer.get(timeout=_left(until))
        except queue.Empty:
            raise TimeoutError from None
        return [ipaddress.ip_address(text) for text in dict.fromkeys(found)]


class _Stream(io.RawIOBase):
    """Gives an answer's bytes, as long as there are time and room left."""

    def __init__(self, connection: socket.socket, until: float) -> None:
        self._connection = connection
        self._until = until
        self._room = MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        if not self._room:
            raise Refused("outgoing.too-long")
        self._connection.settimeout(_left(self._until))
        count = self._connection.recv_into(memoryview(buffer)[: self._room])
        self._room -= count
        return count

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return itself as the file that http.client reads an answer from."""
        return io.BufferedReader(self)


def _read(connection: socket.socket, until: float) -> Answer:
    response = HTTPResponse(_Stream(connection, until), method="POST")  # type: ignore[arg-type]
    with response:
        response.begin()
        wait = response.getheader("Retry-After", "")
        return Answer(response.status, response.read(), int(wait) if _WAIT.match(wait) else 0)


def _left(until: float) -> float:
    """Return the seconds that are left.

    :raises TimeoutError: none are.
    """
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left

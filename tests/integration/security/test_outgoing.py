"""Webhooks reach the open internet, and nothing else, whatever address somebody names."""

import base64
import hashlib
import hmac
import ipaddress
import socket
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import outgoing
from games.outgoing import Guard, Refused, is_public
from tests.integration.security.stand_in import HOST, StandIn, answer, drip, flood, listening

pytestmark = pytest.mark.one_database

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
KEY = b"a key of this webhook alone"
HELLO = b'{"game":"kd83","what":"your turn"}'
OK = answer(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")


def send(guard: Guard, url: str, payload: bytes = HELLO) -> outgoing.Answer:
    headers = outgoing.sign(payload, key=KEY, message_id="msg_1", sent_at=NOON)
    return guard.post(url, payload=payload, headers=headers)


def refusal(guard: Guard, url: str, payload: bytes = HELLO) -> str:
    with pytest.raises(Refused) as refused:
        send(guard, url, payload)
    return refused.value.code


def here(server: StandIn, **other: Any) -> Guard:
    """Return a guard that may reach this machine, where the stand-in listens."""
    choices: dict[str, Any] = {
        "may_reach": lambda address: address.is_loopback,
        "resolve": lambda host, port: ["127.0.0.1"],
        "ports": frozenset({server.port}),
        "tls": server.trust,
    }
    return Guard(**{**choices, **other})


def url_of(server: StandIn, path: str = "/hook?a=b") -> str:
    return f"https://{HOST}:{server.port}{path}"


PRIVATE = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192", "192.0.2.1",
    "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1",
    "239.255.255.250", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:db8::1", "2002:7f00:1::1",
    "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%lo", "fec0::1",
    "ff02::1", "ff0e::1",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001::1"]


@pytest.mark.parametrize("text", PRIVATE)
def test_an_address_inside_is_refused_before_anything_is_sent(text: str) -> None:
    assert not is_public(ipaddress.ip_address(text))
    guard = Guard(resolve=lambda host, port: [text])
    assert refusal(guard, "https://hooks.example.org/") == "outgoing.address"


@pytest.mark.parametrize("text", PUBLIC)
def test_an_address_of_the_open_internet_may_be_reached(text: str) -> None:
    assert is_public(ipaddress.ip_address(text))


@given(st.ip_addresses())
def test_no_address_is_public_that_python_knows_to_be_anything_else(address: Any) -> None:
    if is_public(address):
        assert address.is_global
        assert not address.is_multicast
        assert getattr(address, "ipv4_mapped", None) is None
        assert getattr(address, "sixtofour", None) is None
        assert getattr(address, "teredo", None) is None


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0", "localhost", "[::1]",
     "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1.", "LOCALHOST"],
)  # fmt: skip
def test_no_spelling_of_this_machine_gets_through(host: str) -> None:
    assert refusal(Guard(), f"https://{host}/") in {"outgoing.address", "outgoing.unknown-host"}


@pytest.mark.parametrize(
    "url",
    ["", "x", "//e.org/", "http://e.org/", "ftp://e.org/", "file:///etc/passwd", "gopher://e.org/",
     "https://", "https:///x", "https://e.org:x/",
     "https://e.org:99999/", "https://me:secret@e.org/", "https://e.org@127.0.0.1/",
     "https://e.org/\r\nHost: x", "https://e.org/ x", "https://e.org\\@127.0.0.1/",
     "https://e.org/#x", "https://é.org/", "https://e.org/é", "https://[fe80::1%25lo]/",
     "https://127%2e0.0.1/", "https://[::1/", "https://e.org/\x00"],
)  # fmt: skip
def test_what_is_no_plain_https_address_is_refused(url: str) -> None:
    assert refusal(Guard(), url) == "outgoing.url"


@pytest.mark.parametrize("url", ["https://e.org:22/", "https://e.org:0/", "https://e.org:8443/x"])
def test_no_other_port_is_asked(url: str) -> None:
    assert refusal(Guard(), url) == "outgoing.port"


def test_one_private_address_among_public_ones_refuses_the_name() -> None:
    guard = Guard(resolve=lambda host, port: ["93.184.216.34", "10.0.0.1"])
    assert refusal(guard, "https://hooks.example.org/") == "outgoing.address"


def test_a_name_that_changes_its_address_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([["93.184.216.34"], ["127.0.0.1"], ["127.0.0.1"]])
    reached: list[Any] = []

    def connect(address: Any, timeout: float) -> socket.socket:
        reached.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(outgoing.socket, "create_connection", connect)
    guard = Guard(resolve=lambda host, port: next(answers))
    assert refusal(guard, "https://hooks.example.org/") == "outgoing.failed"
    assert reached == [("93.184.216.34", 443)]
    assert next(answers) == ["127.0.0.1"], "it was asked once"


def test_an_unknown_host_is_told_apart() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror

    assert refusal(Guard(resolve=unknown), "https://no.example/") == "outgoing.unknown-host"


def test_the_receiver_is_named_and_can_check_what_came(tmp_path: Path) -> None:
    with listening(OK, tmp_path) as server:
        got = send(here(server), url_of(server))
    assert (got.status, got.body, got.is_ok) == (200, b"ok", True)
    assert server.names == [HOST]
    [request] = server.requests
    head, _, body = request.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert first == "POST /hook?a=b HTTP/1.1"
    headers = dict(line.split(": ", 1) for line in lines)
    assert headers["Host"] == f"{HOST}:{server.port}"
    assert body == HELLO
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{digest}"
    assert headers["webhook-id"] == "msg_1"
    assert int(headers["webhook-timestamp"]) == int(NOON.timestamp())


def test_an_id_cannot_smuggle_a_header() -> None:
    with pytest.raises(Refused, match=r"outgoing\.id"):
        outgoing.sign(HELLO, key=KEY, message_id="1\r\nHost: x", sent_at=NOON)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(tmp_path: Path, status: int) -> None:
    text = f"HTTP/1.1 {status} X\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n"
    with listening(answer(text.encode()), tmp_path) as server:
        got = send(here(server), url_of(server))
    assert (got.status, got.is_ok) == (status, False)
    assert len(server.requests) == 1


def test_a_certificate_of_somebody_else_ends_it(tmp_path: Path) -> None:
    with listening(OK, tmp_path) as server:
        wrong = f"https://other.example.org:{server.port}/"
        assert refusal(here(server), wrong) == "outgoing.failed"
        stranger = here(server, tls=Guard().tls)
        assert refusal(stranger, url_of(server)) == "outgoing.failed"
    assert server.requests == []


def test_a_body_that_drips_ends_with_the_time(tmp_path: Path) -> None:
    with listening(drip, tmp_path) as server:
        began = time.monotonic()
        assert refusal(here(server, seconds=0.5), url_of(server)) == "outgoing.slow"
        assert time.monotonic() - began < 3


def test_a_body_without_end_ends_with_the_room(tmp_path: Path) -> None:
    with listening(flood, tmp_path) as server:
        assert refusal(here(server), url_of(server)) == "outgoing.too-long"


@pytest.mark.parametrize(
    "text",
    [b"", b"hello\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nno",
     b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200, b"HTTP/1.1 abc\r\n\r\n",
     b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
)  # fmt: skip
def test_what_is_no_answer_is_refused(tmp_path: Path, text: bytes) -> None:
    with listening(answer(text), tmp_path) as server:
        assert refusal(here(server), url_of(server)) == "outgoing.failed"


def test_a_host_that_never_greets_ends_with_the_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        guard = Guard(
            may_reach=lambda address: address.is_loopback,
            resolve=lambda host, port: ["127.0.0.1"],
            ports=frozenset({port}),
            seconds=0.3,
        )
        assert refusal(guard, f"https://{HOST}:{port}/") == "outgoing.slow"


def test_a_name_server_that_never_answers_ends_with_the_time() -> None:
    over = threading.Event()

    def hang(host: str, port: int) -> list[str]:
        over.wait(10)
        return []

    assert refusal(Guard(resolve=hang, seconds=0.3), "https://hooks.example.org/") == (
        "outgoing.slow"
    )
    over.set()


def test_a_payload_beyond_the_limit_is_not_sent() -> None:
    large = b"x" * (outgoing.MOST_BYTES + 1)
    assert refusal(Guard(), "https://hooks.example.org/", large) == "outgoing.too-long"


def test_the_limits_are_those_that_are_promised() -> None:
    guard = Guard()
    assert (guard.seconds, outgoing.MOST_BYTES, guard.ports) == (5.0, 65536, frozenset({443}))
    assert guard.may_reach is is_public
    assert guard.tls.check_hostname

"""A web server on this machine that speaks TLS, and misbehaves when told to."""

import contextlib
import datetime
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "hooks.example.org"
Behave = Callable[[ssl.SSLSocket], None]


@dataclass
class StandIn:
    """What the server is, and what it has seen."""

    port: int
    trust: ssl.SSLContext
    requests: list[bytes] = field(default_factory=list)
    names: list[str] = field(default_factory=list)


def answer(text: bytes) -> Behave:
    """Return a behaviour: say ``text`` and hang up."""

    def behave(client: ssl.SSLSocket) -> None:
        client.sendall(text)

    return behave


def drip(client: ssl.SSLSocket) -> None:
    """Say a body without end, a byte at a time."""
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        client.sendall(b".")
        time.sleep(0.05)


def flood(client: ssl.SSLSocket) -> None:
    """Say a body without end, as fast as it goes."""
    client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        client.sendall(b"." * 65536)


@contextlib.contextmanager
def listening(behave: Behave, folder: Path) -> Iterator[StandIn]:
    """Serve on a port of its own until the end of the block."""
    certificate, key = _certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    trust = ssl.create_default_context(cafile=str(certificate))
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        stand_in = StandIn(server.getsockname()[1], trust)

        def note_name(_tls: ssl.SSLObject, name: str | None, _context: ssl.SSLContext) -> None:
            stand_in.names.append(name or "")

        context.sni_callback = note_name
        over = threading.Event()

        def serve() -> None:
            while not over.is_set():
                with contextlib.suppress(OSError):
                    plain, _peer = server.accept()
                    plain.settimeout(5)
                    with context.wrap_socket(plain, server_side=True) as client:
                        stand_in.requests.append(_request(client))
                        behave(client)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield stand_in
        finally:
            over.set()
            thread.join(10)


def _request(client: ssl.SSLSocket) -> bytes:
    text = b""
    while b"\r\n\r\n" not in text:
        text += client.recv(65536)
    head, _, body = text.partition(b"\r\n\r\n")
    length = int(next(line[15:] for line in head.split(b"\r\n") if line[:15] == b"Content-Length:"))
    while len(body) < length:
        body += client.recv(65536)
    return head + b"\r\n\r\n" + body


def _certificate(folder: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName(HOST), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths

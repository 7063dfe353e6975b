"""What every test shares: the choice of database, closed sockets, the broker."""

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import environ
import hypothesis
import pytest
from django.conf import settings
from django.db import connections

from tests.postgres import PostgresServer

pytest_plugins = ["tests.browser", "tests.oracle.plugin"]

# A busy machine is no mistake of the code: what is slow shows in benchmarks/.
hypothesis.settings.register_profile("patient", hypothesis.settings(), deadline=None)
hypothesis.settings.load_profile("patient")

POSTGRES_URL = "PERUDO_TEST_POSTGRES"
_server = pytest.StashKey[PostgresServer]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database",
        choices=("sqlite", "postgres"),
        default="sqlite",
        help="the database to test on; postgres starts a real server of its own",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--database") != "postgres":
        return
    if POSTGRES_URL not in os.environ:
        server = PostgresServer()
        config.stash[_server] = server
        os.environ[POSTGRES_URL] = server.url  # for the workers, which start after this
    # In place: settings are shared. Models have made the connection's object, nothing is open yet.
    database = settings.DATABASES["default"]
    database.clear()
    database.update(environ.Env.db_url_config(os.environ[POSTGRES_URL]))
    connections.configure_settings(settings.DATABASES)
    del connections["default"]


def pytest_unconfigure(config: pytest.Config) -> None:
    server = config.stash.get(_server, None)
    if server is not None:
        del os.environ[POSTGRES_URL]
        server.stop()


def pytest_report_header(config: pytest.Config) -> str:
    return f"database: {config.getoption('--database')}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Once Playwright has started, an event loop runs in this thread until the end: what brings a
    # loop of its own must have had its turn before. Otherwise the order stays random.
    items.sort(key=lambda item: "playwright" in getattr(item, "fixturenames", ()))
    if config.getoption("--database") == "sqlite":
        return
    once = [item for item in items if item.get_closest_marker("one_database")]
    if once:
        config.hook.pytest_deselected(items=once)
        items[:] = [item for item in items if not item.get_closest_marker("one_database")]


@pytest.fixture(scope="session", autouse=True)
def _closed_sockets() -> Iterator[None]:
    """Refuse every connection that would leave this machine."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def check(sock: socket.socket, address: Any) -> None:
        if sock.family == socket.AF_UNIX:
            return
        host = address[0]
        if host != "localhost" and not ipaddress.ip_address(host).is_loopback:
            raise RuntimeError(f"a test tried to reach {address!r}")

    def guarded_connect(sock: socket.socket, address: Any) -> None:
        check(sock, address)
        connect(sock, address)

    def guarded_connect_ex(sock: socket.socket, address: Any) -> int:
        check(sock, address)
        return connect_ex(sock, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        yield


@pytest.fixture(scope="session")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address (``unix://…``) of a real Valkey server. Tests run without one by default."""
    from perudo_site.broker import start_broker

    with start_broker(Path(tmp_path_factory.mktemp("broker"))) as running:
        yield running.url

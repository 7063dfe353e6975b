"""The Valkey that comes in the wheel keeps what it was given, and stays within its folder."""

import os
import signal
from pathlib import Path

import pytest
import redis

from perudo_site import broker

pytestmark = pytest.mark.one_database


def client(url: str) -> "redis.Redis":
    return redis.Redis.from_url(url)


def test_the_private_name_that_finds_the_server_still_exists() -> None:
    assert os.access(broker.find_server(), os.X_OK)


def test_what_is_in_the_queue_survives_a_kill_of_the_broker(tmp_path: Path) -> None:
    with broker.start_broker(tmp_path) as first:
        client(first.url).rpush("celery", *range(20))
        # "everysec": what was written a second ago is on the disk.
        client(first.url).config_set("appendfsync", "always")
        client(first.url).rpush("celery", "last")
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
    with broker.start_broker(tmp_path) as second:
        assert client(second.url).llen("celery") == 21


def test_the_broker_listens_on_its_socket_only(tmp_path: Path) -> None:
    with broker.start_broker(tmp_path) as running:
        assert client(running.url).config_get("port") == {"port": "0"}
        assert (tmp_path / "valkey.sock").stat().st_mode & 0o077 == 0


def test_a_long_path_gets_a_short_socket(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * broker.LONGEST_SOCKET_PATH)
    deep.mkdir()
    with broker.start_broker(deep) as running:
        assert len(str(running.socket)) < broker.LONGEST_SOCKET_PATH
        assert client(running.url).ping()
    assert not running.socket.parent.exists()


def test_a_broker_that_cannot_start_says_so(tmp_path: Path) -> None:
    (tmp_path / "appendonlydir").mkdir()
    (tmp_path / "appendonlydir" / "appendonly.aof.manifest").write_text("rubbish\n")
    with (
        pytest.raises(broker.BrokerError, match=r"valkey\.log beside its data says why"),
        broker.start_broker(tmp_path),
    ):
        pass


def test_a_machine_without_a_valkey_is_told_to_set_redis_url(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Windows")
    with pytest.raises(broker.BrokerError, match="set REDIS_URL"):
        broker.find_server()

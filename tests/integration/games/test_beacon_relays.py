"""Fetching a beacon's value: no relay is believed, none holds us up."""

import socket
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from pytest_django import Settings

from games import beacon
from games.fairness import QUICKNET, Pulse, pulse_of
from tests import drand

pytestmark = pytest.mark.one_database

# As drand published them.
GENUINE = {
    123: "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482"
    "e26cd02df835d3546d23c4b13e0dfc92",
    657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be"
    "41076862b98fad56e91a6b85b89cd97b",
}
NUMBER = 35_000_000


@pytest.fixture
def relay(settings: Settings) -> Iterator[drand.Relay]:
    with drand.relay() as running:
        settings.BEACON_URLS = [running.url]
        yield running


def quicknet(number: int, signature: str) -> Pulse:
    return pulse_of(bytes.fromhex(signature), chain=QUICKNET.name, number=number)


@pytest.mark.parametrize("number", GENUINE)
def test_what_drand_really_signed_is_genuine(number: int) -> None:
    assert beacon.is_genuine(quicknet(number, GENUINE[number]), QUICKNET)


def test_a_signature_counts_for_its_own_round_and_key_only() -> None:
    assert not beacon.is_genuine(quicknet(124, GENUINE[123]), QUICKNET)
    assert not beacon.is_genuine(quicknet(123, GENUINE[657413]), QUICKNET)
    assert not beacon.is_genuine(quicknet(123, GENUINE[123]), drand.CHAIN)


@pytest.mark.parametrize(
    "spelling",
    [
        "c0" + "00" * 47,  # the point at infinity
        "c0" + "00" * 46 + "01",  # another way to write it
        "e0" + "00" * 47,
        "80" + "00" * 47,  # on the curve, outside of its group
        "80" + "ff" * 47,
        "00" * 48,
        "",
    ],
)
def test_a_signature_that_is_no_point_of_the_group_is_refused(spelling: str) -> None:
    assert not beacon.is_genuine(quicknet(123, spelling), QUICKNET)


def test_a_second_spelling_of_a_point_is_refused() -> None:
    # B is a hash of bytes: whoever could write the same point twice could choose between two rolls.
    field = int(
        "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f624"
        "1eabfffeb153ffffb9feffffffffaaab",
        16,
    )
    for number in range(1, 100):
        written = int.from_bytes(drand.sign(number), "big")
        flags, x = written >> 381 << 381, written & (1 << 381) - 1
        if x + field < 1 << 381:
            break
    again = flags | (x + field)
    pulse = pulse_of(written.to_bytes(48, "big"), chain=drand.CHAIN.name, number=number)
    assert beacon.is_genuine(pulse, drand.CHAIN)
    pulse = pulse_of(again.to_bytes(48, "big"), chain=drand.CHAIN.name, number=number)
    assert not beacon.is_genuine(pulse, drand.CHAIN)


def test_a_key_under_which_everybody_can_sign_is_none() -> None:
    nobody = "c0" + "00" * 95
    signed = quicknet(123, "c0" + "00" * 47)
    assert not beacon.is_genuine(signed, replace(QUICKNET, public_key=nobody))


def test_every_changed_bit_of_a_signature_is_refused() -> None:
    signature = int(GENUINE[123], 16)
    for bit in range(384):
        assert not beacon.is_genuine(quicknet(123, f"{signature ^ 1 << bit:096x}"), QUICKNET), bit


def test_a_value_is_fetched(relay: drand.Relay) -> None:
    pulse = beacon.fetch(drand.CHAIN, NUMBER)
    assert pulse == pulse_of(drand.sign(NUMBER), chain=drand.CHAIN.name, number=NUMBER)
    assert relay.asked == [NUMBER]


def test_a_value_that_is_not_out_yet_is_waited_for(relay: drand.Relay) -> None:
    relay.newest = NUMBER - 1
    with pytest.raises(beacon.Unavailable):
        beacon.fetch(drand.CHAIN, NUMBER)


@pytest.mark.parametrize(
    "trouble", ["away", "forged", "stale", "other-value", "garbage", "redirect", "huge"]
)
def test_a_relay_in_trouble_gives_nothing_and_the_next_one_is_asked(
    relay: drand.Relay, settings: Settings, trouble: drand.Trouble
) -> None:
    relay.trouble = trouble
    with pytest.raises(beacon.Unavailable):
        beacon.fetch(drand.CHAIN, NUMBER)
    assert relay.asked == [NUMBER]
    with drand.relay() as honest:
        settings.BEACON_URLS = [relay.url, honest.url + "/"]
        assert beacon.fetch(drand.CHAIN, NUMBER).signature == drand.sign(NUMBER)


@pytest.mark.parametrize("trouble", ["silent", "dripping"])
def test_a_relay_that_dawdles_is_left(
    relay: drand.Relay, monkeypatch: pytest.MonkeyPatch, trouble: drand.Trouble
) -> None:
    relay.trouble = trouble
    monkeypatch.setattr(beacon, "SECONDS", 0.4)
    began = time.monotonic()
    with pytest.raises(beacon.Unavailable):
        beacon.fetch(drand.CHAIN, NUMBER)
    assert time.monotonic() - began < 2


def test_a_relay_that_is_down_gives_nothing(settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings.BEACON_URLS = [f"http://127.0.0.1:{port}"]
    with pytest.raises(beacon.Unavailable):
        beacon.fetch(drand.CHAIN, NUMBER)


@pytest.mark.parametrize(
    "url",
    ["http://drand.example", "ftp://127.0.0.1", "file:///etc/passwd", "drand.example", "https://"],
)
def test_only_https_leaves_this_machine(url: str, settings: Settings) -> None:
    with pytest.raises(ValueError, match="https"):
        beacon.relay(url)
    settings.BEACON_URLS = [url]
    with pytest.raises(beacon.Unavailable):
        beacon.fetch(drand.CHAIN, NUMBER)


def test_without_relays_nothing_is_asked(settings: Settings) -> None:
    settings.BEACON_URLS = []
    with pytest.raises(beacon.Unavailable):
        beacon.fetch(drand.CHAIN, NUMBER)

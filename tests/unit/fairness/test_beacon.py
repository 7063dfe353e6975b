"""Public randomness: which of the beacon's values a roll takes, and how an answer is read."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.fairness import NO_CHAIN, QUICKNET, BadPulse, Chain, pulse_from

# Round 123 of quicknet as drand published it.
ANSWER = {
    "round": 123,
    "randomness": "fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc",
    "signature": "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482"
    "e26cd02df835d3546d23c4b13e0dfc92",
}


def read(number: int = 123, **changes: Any) -> bytes:
    return pulse_from(
        json.dumps({**ANSWER, **changes}).encode(), chain="quicknet", number=number
    ).value


@given(st.integers(min_value=QUICKNET.genesis, max_value=2**40))
def test_the_value_of_a_roll_comes_out_one_to_two_periods_after_what_fixed_it(at: int) -> None:
    wait = QUICKNET.published_at(QUICKNET.round_for(at)) - at
    assert QUICKNET.period < wait <= 2 * QUICKNET.period


@given(st.integers(min_value=QUICKNET.genesis, max_value=2**40))
def test_it_is_two_rounds_after_the_newest_that_anybody_knows(at: int) -> None:
    number = QUICKNET.round_for(at)
    assert QUICKNET.published_at(number - 2) <= at < QUICKNET.published_at(number - 1)


def test_round_1_is_published_at_the_genesis_of_quicknet() -> None:
    first = datetime.fromtimestamp(QUICKNET.published_at(1), UTC)
    assert first == datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)
    assert (
        QUICKNET.published_at(2) - QUICKNET.published_at(1) == timedelta(seconds=3).total_seconds()
    )


def test_a_chain_is_what_its_game_was_created_with() -> None:
    assert Chain.from_payload(QUICKNET.payload()) == QUICKNET
    assert Chain.from_payload(NO_CHAIN) is None


def test_an_honest_answer_is_read() -> None:
    assert read().hex() == ANSWER["randomness"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"round": 124}, "beacon.other-round"),
        ({"round": "123"}, "beacon.other-round"),
        ({"round": None}, "beacon.other-round"),
        ({"randomness": "00" * 32}, "beacon.other-value"),
        ({"randomness": None}, "beacon.other-value"),
        ({"signature": "00" * 48}, "beacon.other-value"),
        ({"signature": str(ANSWER["signature"]).upper()}, "beacon.unreadable"),
        ({"signature": str(ANSWER["signature"])[:-2]}, "beacon.unreadable"),
        ({"signature": str(ANSWER["signature"]) + "\n"}, "beacon.unreadable"),
        ({"signature": 7}, "beacon.unreadable"),
    ],
)
def test_another_answer_is_refused(changes: dict[str, object], code: str) -> None:
    with pytest.raises(BadPulse) as refusal:
        read(**changes)
    assert refusal.value.code == code


def test_true_is_no_round() -> None:
    with pytest.raises(BadPulse, match=r"beacon\.other-round"):
        read(1, round=True)


@pytest.mark.parametrize("answer", [b"", b"[]", b"{", b"null", b"\xff", b"[" * 100_000, b"{}"])
def test_garbage_is_unreadable(answer: bytes) -> None:
    with pytest.raises(BadPulse, match=r"beacon\.unreadable"):
        pulse_from(answer, chain="quicknet", number=1)


@given(st.binary(max_size=300))
def test_nothing_but_a_refusal_comes_of_noise(answer: bytes) -> None:
    with pytest.raises(BadPulse):
        pulse_from(answer, chain="quicknet", number=1)

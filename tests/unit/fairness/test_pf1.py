"""PF1 against its published test vector, and the laws it must keep."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.fairness import (
    FIRST,
    Contribution,
    Pulse,
    commitment,
    cup_dice,
    cup_key,
    game_key,
    roll_off,
    round_key,
    rules_digest,
    seal,
    sealed_cup,
    seating,
)

GID = bytes(range(16))
SEED = bytes(range(32))
KEY = game_key(
    seed=SEED,
    gid=GID,
    rules=rules_digest("perudo-rules/1"),
    contributions=[
        Contribution("rand", b"\x11" * 32),
        Contribution("text", "café au lait".encode()),
        Contribution(),
    ],
)
ROUND_KEY = round_key(KEY, gid=GID, number=1, pulse=Pulse("quicknet", 123456, b"\xfc" * 32))


def test_commitment_matches_the_vector() -> None:
    expected = "9c6a47497ba0ec8df0b7831914fe70410185221082a77b514aa6ad604f5abdd2"
    assert commitment(gid=GID, seed=SEED).hex() == expected


def test_contribution_matches_the_vector() -> None:
    expected = "0757f6fcd499f748716d2423844c06b6d4ced17ae9f9ac6abe6fe27e5b912d23"
    assert Contribution("rand", b"\x11" * 32).digest().hex() == expected


def test_game_key_and_seating_match_the_vector() -> None:
    expected = "3a23cd7b5cb2a0d66a07bb487d8ea86be026a6b979d7cb3ef11b2a308b0ddfa5"
    assert KEY.hex() == expected
    assert seating(KEY, 3) == (2, 0, 1)


@pytest.mark.parametrize(
    ("seat", "dice"), [(0, (1, 6, 4, 1, 5)), (1, (4, 2, 6, 1, 4)), (2, (4, 2, 4, 4, 5))]
)
def test_cups_match_the_vector(seat: int, dice: tuple[int, ...]) -> None:
    assert cup_dice(cup_key(ROUND_KEY, seat), 5) == dice


def test_cup_key_matches_the_vector() -> None:
    expected = "4c52181d6a1f3c2a9b373e794e764e86307bc0563e93df200a7c9838c2af402b"
    assert cup_key(ROUND_KEY, 0).hex() == expected


def test_sealed_cups_and_the_seal_match_the_vector() -> None:
    cups = []
    for seat in range(3):
        key = cup_key(ROUND_KEY, seat)
        cups.append(sealed_cup(key, cup_dice(key, 5), gid=GID, number=1, epoch=0, seat=seat))
    assert [cup.digest.hex() for cup in cups] == [
        "e6a8f5d3babe9e26cd0d75b51aa80392b92e13c3b2219d1d39cdf333b91162b9",
        "94ccad71c6e453c6d7c0bf207930ee338031337f47d1caf04bf287b925fed708",
        "1f687cc1ed9b8e0a519a8ee52b9587537e3157fe3c7c82fe9e4acabaf08d1caa",
    ]
    digest = seal(cups, gid=GID, number=1, epoch=0, after=FIRST, beacon_round=123456)
    assert digest.hex() == "5fbb06e01b6fe97fe2ba059390b48f4c092656369642a1342f37e6e0978d6e10"


def test_faces_are_even_over_many_rounds() -> None:
    faces: Counter[int] = Counter()
    for number in range(1, 2001):
        key = round_key(KEY, gid=GID, number=number)
        faces.update(cup_dice(cup_key(key, 0), 5))
    # 10,000 dice, 5 degrees of freedom: chi-square stays under 20.5 in 999 of 1,000 seeds.
    assert sum((faces[face] - 10000 / 6) ** 2 / (10000 / 6) for face in range(1, 7)) < 20.5


@given(st.binary(min_size=32, max_size=32), st.integers(2, 10))
def test_seating_is_a_permutation(key: bytes, seats: int) -> None:
    assert sorted(seating(key, seats)) == list(range(seats))


@given(st.binary(min_size=32, max_size=32), st.integers(2, 10))
def test_roll_off_names_the_highest_of_the_last_lap(key: bytes, seats: int) -> None:
    laps, opener = roll_off(key, seats)
    assert set(laps[0]) == set(range(seats))
    assert [seat for seat, face in laps[-1].items() if face == max(laps[-1].values())] == [opener]
    for before, after in itertools.pairwise(laps):
        assert set(after) == {s for s, face in before.items() if face == max(before.values())}


def test_another_round_epoch_or_seat_has_another_key() -> None:
    keys = {
        cup_key(round_key(KEY, gid=GID, number=number, epoch=epoch), seat)
        for number in (1, 2)
        for epoch in (0, 1)
        for seat in (0, 1)
    }
    assert len(keys) == 8

"""What is published before the first bid tells nobody a die: not even to who tries all of them."""

import hashlib
import hmac
import itertools

import pytest

from games import fairness
from games.fairness import pf1

GID = bytes(range(16))
WHERE = {"gid": GID, "number": 1, "epoch": 0, "seat": 0}
ONE, OTHER = (hashlib.sha256(name).digest() for name in (b"one", b"other"))


def test_the_same_dice_under_another_key_are_sealed_quite_differently() -> None:
    """Six faces are tried in no time: only a salt from the cup's own key hides them."""
    one = pf1.sealed_cup(ONE, (3, 3, 3), **WHERE)
    other = pf1.sealed_cup(OTHER, (3, 3, 3), **WHERE)
    leaves = [*one.leaves, *other.leaves]
    assert len(set(leaves)) == 6
    assert one.digest != other.digest


@pytest.mark.parametrize("salt", [b"", bytes(32), GID])
def test_no_leaf_is_a_hash_of_public_values(salt: bytes) -> None:
    cup = pf1.sealed_cup(ONE, (1, 2, 3, 4, 5), **WHERE)
    place = (GID, b"\0\0\0\1", b"\0\0", b"\0")
    guesses = {
        pf1._hash("leaf", *place, bytes([die]), bytes([face]), salt)
        for die, face in itertools.product(range(5), range(1, 7))
    }
    assert not guesses & set(cup.leaves)


def test_the_commitment_is_no_key_and_no_key_is_the_hash_of_another() -> None:
    seed = hashlib.sha256(b"a seed").digest()
    game = fairness.game_key(seed=seed, gid=GID, rules=bytes(32), contributions=())
    of_round = fairness.round_key(game, gid=GID, number=1)
    cup = fairness.cup_key(of_round, 0)
    secrets = [seed, game, of_round, cup, *(fairness.die_salt(cup, die) for die in range(5))]
    public = [
        fairness.commitment(gid=GID, seed=seed),
        *pf1.sealed_cup(cup, (1, 2, 3, 4, 5), **WHERE).leaves,
    ]
    everything = [*secrets, *public]
    assert len(set(everything)) == len(everything)
    plain = {hashlib.sha256(value).digest() for value in everything}
    plain |= {hmac.digest(GID, value, "sha256") for value in everything}
    assert not plain & set(everything)

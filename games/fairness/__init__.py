"""Dice that are derived, never stored: the arithmetic of protocol PF1, level F1.

Everything here is pure: a seed goes in, a key, a commitment or a die comes out. The seed is
committed to before anybody joins (:func:`commitment`), so whoever holds the seed cannot choose
the dice afterwards.
"""

from games.fairness.pf1 import (
    SEED_BYTES,
    Contribution,
    commitment,
    cup_dice,
    cup_key,
    game_key,
    roll_off,
    round_key,
    rules_digest,
    seating,
)

__all__ = [
    "SEED_BYTES",
    "Contribution",
    "commitment",
    "cup_dice",
    "cup_key",
    "game_key",
    "roll_off",
    "round_key",
    "rules_digest",
    "seating",
]

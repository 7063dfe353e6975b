"""Dice that are derived, never stored, and can be checked: protocol PF1, level F1.

Everything here is pure: a seed goes in; a key, a commitment, a die or a seal comes out. The seed is
committed to before anybody joins (:func:`commitment`), players add their own randomness
(:class:`Contribution`), and every roll is sealed in a hash-chained log (:func:`link`) before the
first bid: whoever holds the seed can choose nothing afterwards. ``docs/pf1.md`` specifies it.
"""

from games.fairness.beacon import (
    NO_CHAIN,
    QUICKNET,
    BadPulse,
    Chain,
    pulse_from,
    pulse_of,
    signed_message,
)
from games.fairness.log import (
    LogEvent,
    canonical,
    commitment_line,
    create_payload,
    link,
    seal_line,
    seal_payload,
    short,
)
from games.fairness.pf1 import (
    FIRST,
    NO_PULSE,
    SEED_BYTES,
    Contribution,
    Pulse,
    SealedCup,
    commitment,
    cup_dice,
    cup_key,
    die_salt,
    event_hash,
    game_key,
    roll_off,
    round_key,
    rules_digest,
    seal,
    sealed_cup,
    seating,
)

__all__ = [
    "FIRST",
    "NO_CHAIN",
    "NO_PULSE",
    "QUICKNET",
    "SEED_BYTES",
    "BadPulse",
    "Chain",
    "Contribution",
    "LogEvent",
    "Pulse",
    "SealedCup",
    "canonical",
    "commitment",
    "commitment_line",
    "create_payload",
    "cup_dice",
    "cup_key",
    "die_salt",
    "event_hash",
    "game_key",
    "link",
    "pulse_from",
    "pulse_of",
    "roll_off",
    "round_key",
    "rules_digest",
    "seal",
    "seal_line",
    "seal_payload",
    "sealed_cup",
    "seating",
    "short",
    "signed_message",
]

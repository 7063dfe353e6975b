"""The chance to win a game, reckoned from nothing but how many dice each player has.

``P_i = n_i ** 2.6 / sum of n_j ** 2.6``: fitted to games between bots of equal strength. Who has
two dice to somebody's one is more than twice as likely to outlive him, for dice are knowledge too.

>>> win_chances((1, 1))
(0.5, 0.5)
>>> [round(chance, 2) for chance in win_chances((5, 4, 0, 1))]
[0.63, 0.36, 0.0, 0.01]
"""

from collections.abc import Sequence

POWER = 2.6


def win_chances(counts: Sequence[int]) -> tuple[float, ...]:
    """Return each seat's chance to win with these numbers of dice.

    :raises ValueError: nobody has a die.
    """
    weights = [count**POWER for count in counts]
    whole = sum(weights)
    if not whole:
        raise ValueError("nobody has a die")
    return tuple(weight / whole for weight in weights)


def win_chance(counts: Sequence[int], seat: int) -> float:
    """Return the chance of ``seat`` to win with these numbers of dice."""
    return win_chances(counts)[seat]


def with_change(counts: Sequence[int], seat: int, change: int) -> tuple[int, ...]:
    """Return the numbers of dice after ``seat`` has lost (-1) or got back (+1) one."""
    return tuple(count + change if number == seat else count for number, count in enumerate(counts))

"""Luck: what the dice gave, and how challenges went.

A roll of n dice is as good as its best face: ``best = max over f of m_f``, with the ace wild in a
normal round and not in a palifico round. How good it is on an average, and how much it varies, is
counted out over every roll.
"""

from collections import Counter
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod, sqrt

from games.rules import FACES, Cup, Mode
from games.rules.odds import counts_for
from games.stats.facts import Facts
from games.stats.sums import NOTHING, SCALE, Part, Sums, sum_of


def best_of(cup: Cup, mode: Mode) -> int:
    """Return how many dice of a cup count for the face that most of them count for."""
    return max(counts_for(cup, face, mode) for face in FACES)


@lru_cache(maxsize=32)
def expected_best(dice: int, mode: Mode) -> tuple[float, float]:
    """Return the mean and the variance of :func:`best_of` over all rolls of ``dice`` dice.

    1, 1.444, 1.889, 2.364, 2.829 for 1 to 5 dice of a normal round.
    """
    rolls = mean = square = 0
    for cup in combinations_with_replacement(FACES, dice):
        ways = factorial(dice) // prod(factorial(many) for many in Counter(cup).values())
        best = best_of(cup, mode)
        rolls, mean, square = rolls + ways, mean + ways * best, square + ways * best * best
    return mean / rolls, square / rolls - (mean / rolls) ** 2


def roll_luck(facts: Facts) -> Part:
    """Return sum(best - E[best | dice]) over the rounds whose cup is known, in dice.

    There is no skill in it: the mean of everybody's is 0.
    """
    return sum_of(
        best_of(each.cup, each.mode) - expected_best(each.dice, each.mode)[0]
        for each in facts.rounds
        if each.cup
    )


def roll_spread(facts: Facts) -> Part:
    """Return sum(variance of best | dice) over the same rounds: how far luck may stray."""
    return sum_of(expected_best(each.dice, each.mode)[1] for each in facts.rounds if each.cup)


def my_way(facts: Facts) -> Part:
    """Return sum(dice expected to lose - dice lost) over dudos he called, or that met his bid.

    Expected by the informed odds from the caller's seat, so what one of the two has more the other
    has less. Part of it is skill, for odds can be beaten: "went my way", not "luck".
    """
    return sum_of(each.expected - each.lost for each in facts.challenges)


def z_score(sums: Sums) -> float | None:
    """Return sum(luck) / sqrt(sum(variance)): beyond 2 either way it is rare; None of nothing."""
    strayed = sums.get("roll_spread", NOTHING).value
    if not strayed:
        return None
    return sums.get("roll_luck", NOTHING).value / SCALE / sqrt(strayed / SCALE)

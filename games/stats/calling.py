"""How a player calls. Calls that the clock made for him are left out."""

from games.stats.facts import Facts
from games.stats.sums import NOTHING, Part, count_of, sum_of


def dudo_accuracy(facts: Facts) -> Part:
    """Return right dudos / dudos."""
    return count_of(call.is_right for call in facts.dudos)


def dudo_edge(facts: Facts) -> Part:
    """Return the mean of [right] - informed (1 - P_true) over dudos.

    Above 0, the dudos were right more often than the bids heard and his own dice foretold.
    """
    weighed = [call for call in facts.dudos if call.informed is not None]
    return sum_of(call.is_right - call.informed for call in weighed if call.informed is not None)


def dudo_rate(facts: Facts) -> Part:
    """Return dudos / turns with a bid to answer; a calza out of turn is no turn."""
    raises = sum(not bid.is_opening for bid in facts.bids)
    calzas = sum(call.is_in_turn for call in facts.calzas)
    return Part(len(facts.dudos), raises + len(facts.dudos) + calzas)


def calza_accuracy(facts: Facts) -> Part:
    """Return calzas that were exact / calzas."""
    return count_of(call.is_right for call in facts.calzas)


def calzas_per_game(facts: Facts) -> Part:
    """Return calzas / games."""
    return NOTHING if facts.result is None else Part(len(facts.calzas), 1)

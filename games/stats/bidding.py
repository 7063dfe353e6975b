"""How a player bids. Bids that the clock made for him are left out.

``m`` are his own dice that count for the bid, ``q`` its quantity, ``p`` the chance of one die to
match (1/3 where the ace is wild, else 1/6), and P_true the chance by his own dice that it holds.
"""

from games.stats.facts import Facts
from games.stats.sums import Part, count_of, sum_of


def bluff_rate(facts: Facts) -> Part:
    """Return bids with m = 0 / bids, of the bids whose cup is known."""
    return count_of(bid.support == 0 for bid in facts.bids if bid.support is not None)


def stretch_rate(facts: Facts) -> Part:
    """Return bids with P_true < 1/2 / bids, of the bids whose cup is known."""
    return count_of(bid.odds < 0.5 for bid in facts.bids if bid.odds is not None)


def false_rate(facts: Facts) -> Part:
    """Return bids that did not hold / bids, of the bids made over a roll that is known whole."""
    return count_of(not bid.is_true for bid in facts.bids if bid.is_true is not None)


def caught_rate(facts: Facts) -> Part:
    """Return bids doubted that did not hold / bids doubted (exposed lies)."""
    return count_of(bid.was_caught for bid in facts.bids if bid.was_doubted)


def escape_rate(facts: Facts) -> Part:
    """Return bluffs (m = 0) that were not caught / bluffs."""
    return count_of(not bid.was_caught for bid in facts.bids if bid.support == 0)


def opening_pressure(facts: Facts) -> Part:
    """Return the mean of q / (dice in play x p) over the bids that opened a round."""
    return sum_of(bid.pressure for bid in facts.bids if bid.is_opening)


def aggression(facts: Facts) -> Part:
    """Return the mean of q - least legal q on the same face, over raises, in dice."""
    return sum_of(bid.beyond for bid in facts.bids if bid.beyond is not None)

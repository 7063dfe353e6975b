"""How games ended for a player. A void game, in which nobody lost a die, counts for nothing."""

from games.stats.facts import Facts
from games.stats.sums import NOTHING, Part, scaled


def win_share(facts: Facts) -> Part:
    """Return wins / games."""
    return NOTHING if facts.result is None else Part(int(facts.result.place == 1), 1)


def fair_share(facts: Facts) -> Part:
    """Return sum(1 / n) over games of n seats: the wins that chance alone would bring.

    Wins divided by it say how many times the fair share a player wins ("x fair").
    """
    return NOTHING if facts.result is None else Part(scaled(1 / facts.seats), 1)


def placing(facts: Facts) -> Part:
    """Return the mean of (place - 1) / (n - 1): 0 is the first of n, 1 the last."""
    if facts.result is None:
        return NOTHING
    return Part(scaled((facts.result.place - 1) / (facts.seats - 1)), 1)

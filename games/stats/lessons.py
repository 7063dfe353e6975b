"""What a player may learn of himself: his odds against what happened, and how he loses dice.

Only his own page shows these, so they are reckoned from his own reading of his games. Chances are
gathered in ten bins: bin 3 holds those from .30 on and below .40.
"""

from collections.abc import Iterable

from games.stats.facts import Facts
from games.stats.sums import NOTHING, Part, Sums, scaled, total

BINS = 10

CAUSES = ("bluff", "stretch", "bid", "dudo", "calza", "clock")
"""How one loses a die: by a bid of three kinds, by a call, or by the clock."""


def sure_by_dice(facts: Facts) -> Sums:
    """Return dudos by the chance of being right by own dice: how many, how many right, said."""
    return _binned(
        "sure_dice",
        ((call.odds, call.is_right) for call in facts.dudos if call.odds is not None),
    )


def sure_by_bids(facts: Facts) -> Sums:
    """Return dudos by the informed chance of being right: how many, how many right, said."""
    return _binned(
        "sure_bids",
        ((call.informed, call.is_right) for call in facts.dudos if call.informed is not None),
    )


def bids_held(facts: Facts) -> Sums:
    """Return bids by the chance of holding by own dice: how many, how many held, said.

    Bids that own dice settle are left out: there is nothing to learn of them.
    """
    return _binned(
        "held",
        (
            (bid.odds, bid.is_true)
            for bid in facts.bids
            if bid.odds is not None and bid.is_true is not None and bid.odds < 1
        ),
    )


def losses(facts: Facts) -> Sums:
    """Return dice lost in each of the ways, of all dice lost."""
    ways = [each.why for each in facts.rounds if each.why]
    if not ways:
        return {}
    return {f"lost_{cause}": Part(ways.count(cause), len(ways)) for cause in CAUSES}


def lessons(facts: Facts) -> Sums:
    """Return all that a player may learn of one game."""
    parts = (sure_by_dice(facts), sure_by_bids(facts), bids_held(facts), losses(facts))
    return total(parts)


def _binned(code: str, weighed: Iterable[tuple[float, bool]]) -> Sums:
    found: dict[str, Part] = {}
    for odds, happened in weighed:
        place = min(int(odds * BINS), BINS - 1)
        for key, value in (
            (f"{code}_{place}", int(happened)),
            (f"{code}_said_{place}", scaled(odds)),
        ):
            found[key] = found.get(key, NOTHING) + Part(value, 1)
    return found

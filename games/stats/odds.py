"""The chance that a bid holds, to somebody who has heard what the others bid.

Where :mod:`games.rules.odds` weighs own dice only, here each rival's dice are weighed by what he
bid (:mod:`games.rules.reading`). They stay independent, so how many of his dice match is binomial,
and all of them together the convolution of these.

>>> from games.rules import Bid, Mode
>>> said = (Said(1, Bid(2, 5)),)
>>> informed(Bid(2, 5), own=(2, 3), rivals={1: 2}, said=(), mode=Mode.NORMAL)  # nobody spoke: 1/9
0.1111111111111111
>>> round(informed(Bid(2, 5), own=(2, 3), rivals={1: 2}, said=said, mode=Mode.NORMAL), 4)
0.2774
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from games.rules import Bid, Cup, Mode, PlacedBid, reading
from games.rules.odds import counts_for
from games.rules.reading import Distribution, matching_chance

__all__ = ["Said", "face_chances", "informed", "informed_exact", "matching_chance", "spread"]

TRUST = reading.Trust(opening=0.8, new_face=0.15, same_face=0.3, repeat=0.6)
"""How much a bid says of the dice under its bidder's cup (``python -m benchmarks.review``)."""

Said = PlacedBid
"""A bid that was heard, and the seat that made it."""


def face_chances(seat: int, said: Sequence[Said], mode: Mode) -> tuple[float, ...]:
    """Return the chance of each face, from the ace on, of one die of a seat that bid so.

    :param said: all bids of the round up to now, the opening first.
    """
    return reading.face_chances(mode, reading.persuasion(said, seat, TRUST))


def spread(groups: Iterable[tuple[int, float]]) -> Distribution:
    """Return the chances of 0, 1, 2, … matches among groups of (dice, chance of a match)."""
    return reading.convolve(reading.binomial(dice, chance) for dice, chance in groups)


def informed(
    bid: Bid, *, own: Cup, rivals: Mapping[int, int], said: Sequence[Said], mode: Mode
) -> float:
    """Return the chance that at least ``bid.quantity`` dice match.

    :param own: the dice that the reckoner sees; nothing, for somebody who looks on.
    :param rivals: how many dice he does not see, by seat: remembered from the losses where the
        table hides counts.
    :param said: all bids of the round so far, this one too.
    """
    missing = bid.quantity - counts_for(own, bid.face, mode)
    if missing <= 0:
        return 1.0
    return min(1.0, sum(_matches(bid, rivals, said, mode)[missing:]))


def informed_exact(
    bid: Bid, *, own: Cup, rivals: Mapping[int, int], said: Sequence[Said], mode: Mode
) -> float:
    """Return the chance that exactly ``bid.quantity`` dice match; as :func:`informed`."""
    missing = bid.quantity - counts_for(own, bid.face, mode)
    matches = _matches(bid, rivals, said, mode)
    return matches[missing] if 0 <= missing < len(matches) else 0.0


def _matches(bid: Bid, rivals: Mapping[int, int], said: Sequence[Said], mode: Mode) -> Distribution:
    """Return how likely each number of matches is; seats that weigh alike are one group."""
    groups: Counter[float] = Counter()
    for seat, dice in rivals.items():
        groups[matching_chance(bid.face, face_chances(seat, said, mode), mode)] += dice
    return spread((dice, chance) for chance, dice in groups.items())

"""The chance that a bid holds, given what one person can see.

Dice are independent, so the number of matching dice under the covered cups is binomial, with
success 1/3 a die where the ace is wild (faces 2 to 6 of a normal round) and 1/6 otherwise (bids on
aces, and every face of a palifico round). The sums are made of whole numbers and divided once, so
the answer is the nearest float to the exact fraction.

>>> from games.rules.bid import Bid, Mode
>>> chance(Bid(2, 5), own=(5, 1, 3), unseen=10, mode=Mode.NORMAL)      # already in my own cup
1.0
>>> chance(Bid(1, 6), own=(2,), unseen=1, mode=Mode.PALIFICO) == 1 / 6
True
>>> chance_exact(Bid(2, 1), own=(1,), unseen=2, mode=Mode.NORMAL) == 10 / 36
True
"""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

from games.rules.bid import ACE, Bid, Mode
from games.rules.state import Cup
from games.rules.view import TableView


def ace_is_wild(face: int, mode: Mode) -> bool:
    """Tell whether an ace also counts for ``face``: not for aces themselves, nor in palifico."""
    return mode is Mode.NORMAL and face != ACE


def counts_for(dice: Cup, face: int, mode: Mode) -> int:
    """Count the dice that match a bid on ``face``."""
    matching = dice.count(face)
    return matching + dice.count(ACE) if ace_is_wild(face, mode) else matching


def chance(bid: Bid, *, own: Cup, unseen: int, mode: Mode, lifted: Sequence[Cup] = ()) -> float:
    """Return the chance that at least ``bid.quantity`` dice match.

    ``own`` are the viewer's dice, ``lifted`` the cups of others that lie open, and ``unseen`` the
    number of dice that are in neither.

    :raises ValueError: ``unseen`` is negative.
    """
    return _at_least(_missing(bid, own, lifted, mode), unseen, _sides(bid, mode))


def chance_exact(
    bid: Bid, *, own: Cup, unseen: int, mode: Mode, lifted: Sequence[Cup] = ()
) -> float:
    """Return the chance that exactly ``bid.quantity`` dice match; arguments as :func:`chance`.

    :raises ValueError: ``unseen`` is negative.
    """
    return _exactly(_missing(bid, own, lifted, mode), unseen, _sides(bid, mode))


def unseen_dice(view: TableView) -> int:
    """Return the number of dice in play that the viewer does not see (all, for a spectator).

    Hidden counts are taken as remembered from the losses: this is for odds and bots, and must not
    be printed at a table that hides them (docs/rules.md R-70).
    """
    return sum(seat.remembered for seat in view.seats) - len(view.own_dice or ())


def chance_for(view: TableView, bid: Bid) -> float:
    """Return the chance, to the viewer's eyes, that ``bid`` holds; no other bid is weighed."""
    return chance(bid, own=view.own_dice or (), unseen=unseen_dice(view), mode=view.mode)


def chance_exact_for(view: TableView, bid: Bid) -> float:
    """Return the chance, to the viewer's eyes, that ``bid`` is exact."""
    return chance_exact(bid, own=view.own_dice or (), unseen=unseen_dice(view), mode=view.mode)


def _missing(bid: Bid, own: Cup, lifted: Sequence[Cup], mode: Mode) -> int:
    """Return how many matching dice the covered cups must still supply (negative: to spare)."""
    seen = counts_for(own, bid.face, mode)
    return bid.quantity - seen - sum(counts_for(cup, bid.face, mode) for cup in lifted)


def _sides(bid: Bid, mode: Mode) -> int:
    """Return n, where one die in n matches."""
    return 3 if ace_is_wild(bid.face, mode) else 6


@lru_cache(maxsize=4096)
def _at_least(missing: int, unseen: int, sides: int) -> float:
    _refuse_negative(unseen)
    if missing <= 0:
        return 1.0
    # k matches among U dice are C(U,k) * (n-1)^(U-k) of n^U cases; of too few dice there are none.
    cases = sum(comb(unseen, k) * (sides - 1) ** (unseen - k) for k in range(missing, unseen + 1))
    return float(cases / sides**unseen)


@lru_cache(maxsize=4096)
def _exactly(missing: int, unseen: int, sides: int) -> float:
    _refuse_negative(unseen)
    if not 0 <= missing <= unseen:
        return 0.0
    return float(comb(unseen, missing) * (sides - 1) ** (unseen - missing) / sides**unseen)


def _refuse_negative(unseen: int) -> None:
    if unseen < 0:
        raise ValueError(f"unseen dice cannot be negative: {unseen}")

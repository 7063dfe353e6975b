"""Which bid may follow which: the order of bids, seen from above and from below.

Everything here is a function of the standing bid and the toggles; seats and turns are judged in
``legal``. One predicate explains (:func:`why_illegal`); the lists are tested to agree with it.
"""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

from games.rules.bid import ACE, FACES, MAX_QUANTITY, Bid, Mode
from games.rules.errors import RuleViolation
from games.rules.ruleset import BidCap, DiceCounts, RaiseMode, Ruleset


def quantity_cap(rules: Ruleset, *, dice_at_start: int, dice_in_play: int) -> int:
    """Return the largest quantity that a bid may name (R-28)."""
    if rules.bid_cap is BidCap.NONE:
        return MAX_QUANTITY
    return dice_at_start if rules.bid_cap is BidCap.DICE_AT_START else dice_in_play


def why_illegal(
    bid: Bid,
    *,
    over: Bid | None,
    rules: Ruleset,
    mode: Mode,
    may_change_face: bool,
    dice_at_start: int,
    dice_in_play: int,
) -> RuleViolation | None:
    """Return the reason ``bid`` may not follow ``over``, or None when it may.

    ``over`` is None for the opening bid. ``may_change_face`` matters only in a palifico round.
    """
    cap = quantity_cap(rules, dice_at_start=dice_at_start, dice_in_play=dice_in_play)
    return why_not_over(bid, over, rules=rules, mode=mode, may_change_face=may_change_face, cap=cap)


def why_not_over(
    bid: Bid, over: Bid | None, *, rules: Ruleset, mode: Mode, may_change_face: bool, cap: int
) -> RuleViolation | None:
    """Judge as :func:`why_illegal` does, with the largest quantity already known."""
    if over is None:
        if bid.face == ACE and mode is Mode.NORMAL:
            return RuleViolation("bid.aces-opening")
    else:
        if mode is Mode.PALIFICO and not may_change_face and bid.face != over.face:
            return RuleViolation("bid.face-locked", face=over.face)
        if bid.rank(mode) <= over.rank(mode):
            return _too_low(bid, over, mode)
        if rules.raise_mode is RaiseMode.ONE_WAY and _goes_two_ways(bid, over, mode):
            return RuleViolation("bid.one-way")
    if bid.quantity > cap:
        if rules.bid_cap is BidCap.DICE_IN_PLAY and rules.dice_counts is DiceCounts.HIDDEN:
            return RuleViolation("bid.over-hidden-cap")  # the number would tell the counts
        return RuleViolation("bid.over-cap", cap=cap)
    return None


def _too_low(bid: Bid, over: Bid, mode: Mode) -> RuleViolation:
    if mode is Mode.NORMAL and bid.face != over.face:
        if bid.face == ACE:
            return RuleViolation("bid.aces-half", over=str(over), least=(over.quantity + 1) // 2)
        if over.face == ACE:
            return RuleViolation("bid.double-plus-one", over=str(over), least=2 * over.quantity + 1)
    return RuleViolation("bid.not-a-raise", bid=str(bid), over=str(over))


def _goes_two_ways(bid: Bid, over: Bid, mode: Mode) -> bool:
    """Say whether a raise changes both quantity and face, the prices of aces apart (R-23)."""
    if bid.face == over.face or bid.quantity == over.quantity:
        return False
    return mode is Mode.PALIFICO or ACE not in (bid.face, over.face)


def least_over(
    over: Bid | None, *, rules: Ruleset, mode: Mode, may_change_face: bool, cap: int
) -> tuple[Bid, ...]:
    """Return the least bid per allowed face, ordered by rank, in closed form."""
    palifico = mode is Mode.PALIFICO
    if over is None:
        return () if cap < 1 else _OPENING_BIDS if palifico else _OPENING_BIDS[1:]
    return _least(
        over.quantity,
        over.face,
        palifico,
        palifico and not may_change_face,
        rules.raise_mode is RaiseMode.ONE_WAY,
        cap,
    )


_NUMBERS = FACES[1:]
_OPENING_BIDS = tuple(Bid(1, face) for face in FACES)


# Bids are shared values: a cache of the few hundred positions that occur makes play twice as fast.
@lru_cache(maxsize=4096)
def _least(
    quantity: int, face: int, palifico: bool, bound: bool, one_way: bool, cap: int
) -> tuple[Bid, ...]:
    more = quantity + 1
    pairs: list[tuple[int, int]]
    if bound:
        pairs = [(more, face)]
    elif not palifico and face == ACE:
        pairs = [*[(2 * quantity + 1, number) for number in _NUMBERS], (more, ACE)]
    else:
        higher = [(quantity, other) for other in FACES if other > face]
        if one_way:
            lower = [(more, face)]
        else:
            lower = [(more, other) for other in (FACES if palifico else _NUMBERS) if other <= face]
        if palifico:
            pairs = higher + lower
        elif quantity % 2:  # half of an odd number is rounded up and lands above q + 1 dice
            pairs = [*higher, *lower, (more // 2, ACE)]
        else:
            pairs = [*higher, (quantity // 2, ACE), *lower]
    return tuple(Bid(least, number) for least, number in pairs if least <= cap)


def bids_over(
    over: Bid | None, *, rules: Ruleset, mode: Mode, may_change_face: bool, cap: int, up_to: int
) -> Iterator[Bid]:
    """Return every legal bid of at most ``up_to`` dice, ordered by rank."""
    palifico, top = mode is Mode.PALIFICO, min(cap, up_to)
    if over is None:
        return iter(_openings(palifico, top))
    bids, ranks = _ladder(palifico, top)
    above = bids[bisect_right(ranks, over.rank(mode)) :]
    if palifico and not may_change_face:
        return (bid for bid in above if bid.face == over.face)
    if rules.raise_mode is RaiseMode.ONE_WAY:
        return (bid for bid in above if not _goes_two_ways(bid, over, mode))
    return iter(above)


@lru_cache(maxsize=128)
def _ladder(palifico: bool, top: int) -> tuple[tuple[Bid, ...], tuple[int, ...]]:
    """Return all bids of at most ``top`` dice in their order, and their ranks."""
    mode = Mode.PALIFICO if palifico else Mode.NORMAL
    bids = [Bid(quantity, face) for quantity in range(1, top + 1) for face in FACES]
    bids.sort(key=lambda bid: bid.rank(mode))
    return tuple(bids), tuple(bid.rank(mode) for bid in bids)


@lru_cache(maxsize=128)
def _openings(palifico: bool, top: int) -> tuple[Bid, ...]:
    """Return the bids that may open a round: aces only where they are an ordinary face."""
    bids, _ = _ladder(palifico, top)
    return bids if palifico else tuple([bid for bid in bids if bid.face != ACE])

"""Paco: plays by the odds, reads what the others bid, and bluffs now and then.

Every choice gets a value, in dice: losing one costs 1, a rival's loss is worth 1 shared among the
rivals, getting one back is worth 1. The chances are those of ``reading``. For a raise Paco asks
what the next player will make of it, from what that one can see: a doubted raise is won or lost by
the dice, an undoubted one has passed the trouble on. Among choices of nearly the same value chance
decides, so that his bids don't give his dice away.

The numbers below were tuned on a few thousand games against players of several styles.
"""

from collections.abc import Iterator, Sequence
from math import exp

from games.rules.bid import Bid
from games.rules.odds import counts_for
from games.rules.reading import (
    Distribution,
    Trust,
    at_least,
    binomial,
    convolve,
    match_chance,
    persuasion,
    tails,
)
from games.rules.state import Calza, Dudo, MakeBid, Move, PlacedBid
from games.rules.view import TableView

# How much a bid says of its bidder's dice, fitted on games between bots.
_TRUST = Trust(opening=0.8, new_face=0.3, same_face=0.1, repeat=0.6)
# A bid less likely than this is doubted without a thought.
SURELY_FALSE = 0.04
# The next player is thought to doubt half of the time at this chance, and almost always or almost
# never a few widths below or above it.
DOUBT_AT = 0.35
DOUBT_WIDTH = 0.10
# What an undoubted raise is worth, in dice: somebody else will be in trouble first.
PASSED_ON = 0.27
# Choices this much worse than the best, in dice, are taken e times more rarely, and those that are
# worse by more than NEAR never.
WHIM = 0.015
NEAR = 0.08
# Calza is thought of from this chance on that the bid is exact.
CALZA_FROM = 0.45
# How many dice above the least raise of a face are thought of.
REACH = 4


def decide(view: TableView, *, luck: float) -> Move:
    """Return Paco's move; ``luck`` in [0, 1) is the only chance in it.

    :raises ValueError: it is not the viewer's turn.
    """
    seat = view.viewer
    if seat is None or view.to_act != seat or view.own_dice is None:
        raise ValueError("a bot decides only when it is its turn and sees its dice")
    table = _Table(view, seat)
    if view.standing is not None:
        held = table.chance(view.standing.bid)
        if held < SURELY_FALSE or not view.least_raises:
            return Dudo(seat)
    options = [*table.calls(), *((table.worth(bid), MakeBid(seat, bid)) for bid in table.raises())]
    return _pick(options, luck)


class _Table:
    """The table through the eyes of the seat whose turn it is."""

    def __init__(self, view: TableView, seat: int) -> None:
        self.view = view
        self.seat = seat
        self.own = view.own_dice or ()
        self.rivals = [other.seat for other in view.seats if other.seat != seat and not other.out]
        self.next = min(self.rivals, key=lambda rival: (rival - seat) % len(view.seats))
        self.gain = 1.0 / len(self.rivals)
        self.said = {rival: persuasion(view.bids, rival, _TRUST) for rival in self.rivals}
        self._faces: dict[int, _Face] = {}

    def face(self, face: int) -> "_Face":
        """Return what there is to know about one face, worked out once."""
        if face not in self._faces:
            self._faces[face] = _Face(self, face)
        return self._faces[face]

    def chance(self, bid: Bid) -> float:
        """Return the chance that ``bid`` holds, given what everybody has bid."""
        face = self.face(bid.face)
        return at_least(face.hidden, bid.quantity - face.own)

    def calls(self) -> Iterator[tuple[float, Move]]:
        """Yield the calls that may be made on the standing bid, with what they are worth."""
        view = self.view
        if view.standing is None:
            return
        bid = view.standing.bid
        held = self.chance(bid)
        yield (1.0 - held) * self.gain - held, Dudo(self.seat)
        exact = held - self.chance(Bid(bid.quantity + 1, bid.face))
        if view.may_calza and exact > CALZA_FROM:
            gain = 1.0 if len(self.own) < view.rules.start_dice else 0.0
            yield exact * gain - (1.0 - exact), Calza(self.seat)

    def raises(self) -> Iterator[Bid]:
        """Yield the legal raises worth thinking of: the least of each face and a few above."""
        least = {bid.face: bid.quantity for bid in self.view.least_raises}
        for bid in self.view.legal_raises(max(least.values()) + REACH):
            if bid.quantity <= least[bid.face] + REACH:
                yield bid

    def worth(self, bid: Bid) -> float:
        """Return what raising to ``bid`` is worth."""
        face = self.face(bid.face)
        won = lost = 0.0
        for matching, likely in enumerate(face.next):
            # The next player sees his own dice, and judges mine by my bids like everybody's.
            believed = at_least(face.seen_by_next, bid.quantity - matching)
            doubted = likely / (1.0 + exp((believed - DOUBT_AT) / DOUBT_WIDTH))
            true = at_least(face.rest, bid.quantity - matching - face.own)
            won += doubted * true
            lost += doubted * (1.0 - true)
        return won * self.gain - lost + (1.0 - won - lost) * PASSED_ON


class _Face:
    """How many dice match one face: mine, the next player's, those of the rest."""

    def __init__(self, table: _Table, face: int) -> None:
        view = table.view

        def dice_of(seat: int, said: dict[int, float]) -> Distribution:
            return binomial(view.seats[seat].remembered, match_chance(face, view.mode, said))

        rest = convolve(
            dice_of(rival, table.said[rival]) for rival in table.rivals if rival != table.next
        )
        # What my raise to this face will say of my own dice, added to what I said before.
        mine = persuasion((*view.bids, PlacedBid(table.seat, Bid(1, face))), table.seat, _TRUST)
        self.own = counts_for(table.own, face, view.mode)
        self.next = dice_of(table.next, table.said[table.next])
        self.rest = tails(rest)
        self.hidden = tails(convolve((rest, self.next)))
        self.seen_by_next = tails(convolve((rest, dice_of(table.seat, mine))))


def _pick(options: Sequence[tuple[float, Move]], luck: float) -> Move:
    """Return one of the best options: the likelier, the nearer it comes to the best."""
    best = max(worth for worth, _ in options)
    near = [
        (exp((worth - best) / WHIM), action) for worth, action in options if best - worth < NEAR
    ]
    point = luck * sum(weight for weight, _ in near)
    for weight, action in near:
        point -= weight
        if point < 0.0:
            return action
    return near[-1][1]

"""What each thing that a player could have done was worth, before the cups were lifted.

A value is a chance to win the game, one move ahead: the odds are those of a player who knows his
own dice and has heard every bid (:mod:`games.stats.odds`), and what a lost die costs is told by
:mod:`games.review.winning`. For a raise we ask what the next player would have made of it, from
what that one could see; a raise that nobody doubts has passed the trouble on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp

from games.review.winning import win_chance, with_change
from games.rules import Bid, Cup, FaceChange, Mode, Ruleset
from games.rules.odds import chance, counts_for
from games.rules.raises import bids_over, least_over, quantity_cap
from games.rules.reading import at_least, tails
from games.stats.odds import Said, face_chances, matching_chance, spread

DUDO, CALZA, WAIT = "dudo", "calza", "wait"
"""Options that are no bids; to wait is what somebody does who calls out of turn, or does not."""

DOUBT_AT, DOUBT_WIDTH = 0.35, 0.10
"""The next player is thought to doubt half of the time at this chance, and hardly ever a few
widths above it."""

PASSED_ON = 0.27
"""What an undoubted raise is worth, of what a lost die would cost: others are in trouble first."""

REACH = 4
"""How many dice above the least raise of a face are thought of."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something a player could do: a bid in its notation or a call, and his chance to win after."""

    action: str
    value: float


@dataclass(frozen=True)
class Position:
    """A moment at which ``seat`` decided: his cup, the dice by seat, and what had been bid."""

    rules: Ruleset
    mode: Mode
    counts: tuple[int, ...]
    seat: int
    own: Cup
    said: tuple[Said, ...]

    @cached_property
    def rivals(self) -> dict[int, int]:
        """Return the dice of the other seats that are in play."""
        return {seat: dice for seat, dice in enumerate(self.counts) if dice and seat != self.seat}

    @cached_property
    def next(self) -> int:
        """Return who moves after this seat."""
        return min(self.rivals, key=lambda rival: (rival - self.seat) % len(self.counts))

    @property
    def standing(self) -> Said | None:
        """Return the bid to answer, None for an opening."""
        return self.said[-1] if self.said else None

    @property
    def is_in_turn(self) -> bool:
        """Return whether it was this seat's turn, which comes round to it from the last bidder."""
        if self.standing is None:
            return True
        around = (self.standing.seat + step for step in range(1, len(self.counts) + 1))
        return self.seat == next(
            seat % len(self.counts) for seat in around if self.counts[seat % len(self.counts)]
        )

    @cached_property
    def _faces(self) -> dict[int, "_Face"]:
        return {}

    def face(self, face: int) -> "_Face":
        """Return what can be known about one face."""
        if face not in self._faces:
            self._faces[face] = _Face(self, face)
        return self._faces[face]

    def own_chance(self, bid: Bid) -> float:
        """Return the chance that ``bid`` holds, by his own dice alone."""
        return chance(bid, own=self.own, unseen=sum(self.rivals.values()), mode=self.mode)

    def informed(self, bid: Bid) -> float:
        """Return the chance that ``bid`` holds, with what everybody had bid before it."""
        face = self.face(bid.face)
        # The sum of many chances may exceed one by a rounding.
        return min(1.0, at_least(face.hidden, bid.quantity - face.own))

    def informed_exact(self, bid: Bid) -> float:
        """Return the chance that ``bid`` is exact, with what everybody had bid."""
        return self.informed(bid) - self.informed(Bid(bid.quantity + 1, bid.face))

    @cached_property
    def here(self) -> float:
        """Return his chance to win as things stand."""
        return win_chance(self.counts, self.seat)

    def after(self, seat: int, change: int = -1) -> float:
        """Return his chance to win after ``seat`` has lost a die, or got one back."""
        return win_chance(with_change(self.counts, seat, change), self.seat)


def options(position: Position, *, chosen: str) -> tuple[Option, ...]:
    """Return what could be done, the best first; ``chosen`` is weighed however far it reached."""
    found = [*_calls(position)]
    if position.is_in_turn:
        bids = {str(bid): bid for bid in _raises(position)}
        if chosen not in (DUDO, CALZA) and chosen not in bids:
            bids[chosen] = Bid.parse(chosen)
        found += [Option(text, _worth(position, bid)) for text, bid in bids.items()]
    else:
        found.append(Option(WAIT, position.here))
    return tuple(sorted(found, key=lambda option: -option.value))


def _calls(position: Position) -> Iterator[Option]:
    standing = position.standing
    if standing is None:
        return
    held = position.informed(standing.bid)
    if position.is_in_turn:
        value = held * position.after(position.seat) + (1 - held) * position.after(standing.seat)
        yield Option(DUDO, value)
    if _may_calza(position):
        exact = position.informed_exact(standing.bid)
        gain = int(position.counts[position.seat] < position.rules.start_dice)
        yield Option(
            CALZA,
            exact * position.after(position.seat, gain)
            + (1 - exact) * position.after(position.seat),
        )


def _may_calza(position: Position) -> bool:
    calza = position.rules.calza
    return (
        calza.enabled
        and (calza.two_players or len(position.rivals) > 1)
        and (calza.in_palifico or position.mode is Mode.NORMAL)
        and (not calza.needs_lost_die or len(position.own) < position.rules.start_dice)
    )


def _raises(position: Position) -> Iterator[Bid]:
    """Yield the raises worth thinking of: of each face those up to what the dice can bear."""
    over = None if position.standing is None else position.standing.bid
    in_play = sum(position.counts)
    one_die = position.rules.palifico.face_change is FaceChange.ONE_DIE_PLAYERS
    may_change_face = (
        over is None
        or position.mode is Mode.NORMAL
        or (one_die and position.counts[position.seat] == 1)
    )
    cap = quantity_cap(
        position.rules,
        dice_at_start=position.rules.start_dice * len(position.counts),
        dice_in_play=in_play,
    )
    rules, mode = position.rules, position.mode
    least = {
        bid.face: bid.quantity
        for bid in least_over(
            over, rules=rules, mode=mode, may_change_face=may_change_face, cap=cap
        )
    }
    reach = {
        face: REACH + max(quantity, round(_expected(position, face, in_play)))
        for face, quantity in least.items()
    }
    up_to = max([*least.values(), min(in_play, max(reach.values()))]) if reach else 0
    for bid in bids_over(
        over, rules=rules, mode=mode, may_change_face=may_change_face, cap=cap, up_to=up_to
    ):
        if bid.quantity <= reach.get(bid.face, 0):
            yield bid


def _expected(position: Position, face: int, in_play: int) -> float:
    return in_play * chance(Bid(1, face), own=(), unseen=1, mode=position.mode)


def _worth(position: Position, bid: Bid) -> float:
    """Return what it was worth to bid so: doubted and won, doubted and lost, or passed on."""
    face = position.face(bid.face)
    won = lost = 0.0
    for matching, likely in enumerate(face.next):
        # The next player sees his own dice, and judges mine by my bids like everybody's.
        believed = at_least(face.seen_by_next, bid.quantity - matching)
        doubted = likely / (1 + exp((believed - DOUBT_AT) / DOUBT_WIDTH))
        true = at_least(face.rest, bid.quantity - matching - face.own)
        won += doubted * true
        lost += doubted * (1 - true)
    loses, wins = position.after(position.seat), position.after(position.next)
    passed = position.here + min(PASSED_ON * (position.here - loses), wins - position.here)
    return won * wins + lost * loses + (1 - won - lost) * passed


class _Face:
    """How many dice match one face: his own, the next player's, those of the rest."""

    def __init__(self, position: Position, face: int) -> None:
        mode = position.mode

        def share(seat: int, said: Sequence[Said]) -> float:
            return matching_chance(face, face_chances(seat, said, mode), mode)

        groups = {
            seat: (dice, share(seat, position.said)) for seat, dice in position.rivals.items()
        }
        rest = [group for seat, group in groups.items() if seat != position.next]
        # A raise to this face says something of his own dice, added to what he said before.
        raised = (*position.said, Said(position.seat, Bid(1, face)))
        mine = (len(position.own), share(position.seat, raised))
        self.own = counts_for(position.own, face, mode)
        self.next = spread([groups[position.next]])
        self.rest = tails(spread(rest))
        self.hidden = tails(spread([*rest, groups[position.next]]))
        self.seen_by_next = tails(spread([*rest, mine]))

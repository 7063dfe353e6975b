"""The review of a finished game: each decision weighed by what its maker could know.

The verdict is on the decision, never on what came of it: the loss is what the best option was
worth more than the chosen one, in points of a hundred of a chance to win. Decisions of a seat
whose cup the reader may not know are listed without odds, for the odds would tell the dice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from heapq import nlargest

from games.review.options import CALZA, DUDO, WAIT, Option, Position, options
from games.review.winning import win_chances
from games.rules import Bid, OutcomeKind
from games.rules.odds import counts_for
from games.stats import PlayedGame, PlayedRound, Said

SHOWN = 3
"""How many of the best options are told, and how many decisions mattered most."""

DIGITS = 4
"""Chances and points are rounded to so many digits: they are the same when they are kept."""

NOISE = 1.0
"""Choices within so many points of the best are as good as it."""


class Mark(StrEnum):
    """A verdict, named as chess players write it."""

    GOOD = "good"
    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


_FROM = {Mark.BLUNDER: 8.0, Mark.MISTAKE: 4.0, Mark.DUBIOUS: 2.0}


@dataclass(frozen=True, slots=True)
class Weighed:
    """What can be said of a decision by who knows the dice of whoever made it.

    ``own`` is the chance that it was true by own dice, ``exact`` that the bid in question was
    exact, ``informed`` with the bids heard too; chances are those of the bid made, of the doubt
    being right, of the calza. ``best`` are options from the best on, ``loss`` is in points.
    """

    own: float
    exact: float
    informed: float
    value: float
    loss: float
    best: tuple[Option, ...]

    @property
    def mark(self) -> Mark:
        """Return the verdict."""
        return next((mark for mark, least in _FROM.items() if self.loss > least), Mark.GOOD)

    @property
    def is_best(self) -> bool:
        """Return whether nothing was better, as far as this can tell."""
        return self.loss <= NOISE


@dataclass(frozen=True, slots=True)
class Decision:
    """What a seat did: a bid in its notation or a call, as move ``move`` of a round.

    ``bid`` is the bid in question and ``count`` how many dice matched it, None where covered cups
    hide that. ``came_true``: the bid held, the doubt or calza was right. ``swing`` is what the
    closing of the round did to the seat's chance to win, in points; 0 for bids.
    """

    number: int
    move: int
    seat: int
    action: str
    bid: Bid
    count: int | None
    came_true: bool | None
    is_auto: bool
    swing: float
    weighed: Weighed | None

    @property
    def weight(self) -> float:
        """Return how much it mattered: what it gave away, and what it decided."""
        loss = 0.0 if self.weighed is None else self.weighed.loss
        return loss + abs(self.swing)


@dataclass(frozen=True, slots=True)
class Review:
    """A game reviewed: all decisions in order, and the chances to win before each round
    and at the end, by seat.
    """

    decisions: tuple[Decision, ...]
    chances: tuple[tuple[float, ...], ...]

    def turning_points(self) -> tuple[Decision, ...]:
        """Return the decisions that mattered most, one a round at most, in their order."""
        heaviest: dict[int, Decision] = {}
        for decision in self.decisions:
            known = heaviest.get(decision.number)
            if not decision.is_auto and (known is None or decision.weight > known.weight):
                heaviest[decision.number] = decision
        chosen = nlargest(SHOWN, heaviest.values(), key=lambda decision: decision.weight)
        return tuple(sorted(chosen, key=lambda decision: decision.number))

    def mean_loss(self, seat: int) -> float | None:
        """Return the points that a seat gave away per decision, None if none can be weighed."""
        losses = [
            decision.weighed.loss
            for decision in self.decisions
            if decision.seat == seat and decision.weighed is not None
        ]
        return sum(losses) / len(losses) if losses else None


def review_of(game: PlayedGame) -> Review:
    """Review a game as far as this reading of it tells."""
    decisions = [decision for played in game.rounds for decision in _decisions(game, played)]
    chances = [_rounded(win_chances(played.counts)) for played in game.rounds]
    if game.rounds:
        chances.append(_rounded(win_chances(_counts_after(game.rounds[-1]))))
    return Review(tuple(decisions), tuple(chances))


def _rounded(chances: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(chance, DIGITS) for chance in chances)


def _counts_after(played: PlayedRound) -> tuple[int, ...]:
    outcome = played.outcome
    if outcome.winner is not None:  # whatever the others had left, they are out
        return tuple(int(seat == outcome.winner) for seat in range(len(played.counts)))
    counts = list(played.counts)
    if outcome.loser is not None:
        counts[outcome.loser] -= 1
    if outcome.gainer is not None:
        counts[outcome.gainer] += 1
    if outcome.out is not None:
        counts[outcome.out] = 0
    return tuple(counts)


def _decisions(game: PlayedGame, played: PlayedRound) -> Iterator[Decision]:
    said: list[Said] = []
    for move, placed in enumerate(played.bids, start=1):
        count = _count(played, placed.bid)
        yield Decision(
            number=played.number,
            move=move,
            seat=placed.seat,
            action=str(placed.bid),
            bid=placed.bid,
            count=count,
            came_true=None if count is None else count >= placed.bid.quantity,
            is_auto=placed.is_auto,
            swing=0.0,
            weighed=None
            if placed.is_auto
            else _weigh_bid(_position(game, played, placed.seat, said), placed.bid),
        )
        said.append(Said(placed.seat, placed.bid))
    call = _call(game, played, said)
    if call is not None:
        yield call


def _call(game: PlayedGame, played: PlayedRound, said: list[Said]) -> Decision | None:
    outcome = played.outcome
    if outcome.bid is None or outcome.kind not in (OutcomeKind.DUDO, OutcomeKind.CALZA):
        return None
    position = _position(game, played, outcome.caller, said)
    before = win_chances(played.counts)[outcome.caller]
    after = win_chances(_counts_after(played))[outcome.caller]
    is_dudo = outcome.kind is OutcomeKind.DUDO
    return Decision(
        number=played.number,
        move=len(played.bids) + 1,
        seat=outcome.caller,
        action=DUDO if is_dudo else CALZA,
        bid=outcome.bid,
        count=_count(played, outcome.bid),
        came_true=outcome.held is not is_dudo,
        is_auto=played.is_auto,
        swing=round(100 * (after - before), DIGITS),
        weighed=None if played.is_auto else _weigh_call(position, outcome.bid, is_dudo=is_dudo),
    )


def _position(
    game: PlayedGame, played: PlayedRound, seat: int, said: list[Said]
) -> Position | None:
    cup = None if played.cups is None else played.cups[seat]
    if cup is None:
        return None
    return Position(game.rules, played.mode, played.counts, seat, cup, tuple(said))


def _count(played: PlayedRound, bid: Bid) -> int | None:
    roll = played.whole_roll()
    if roll is None:
        # With an early stop the prefix says that the bid was met, not by how many.
        return None
    return sum(counts_for(cup, bid.face, played.mode) for cup in roll)


def _weigh_bid(position: Position | None, bid: Bid) -> Weighed | None:
    if position is None:
        return None
    own = position.own_chance(bid)
    exact = own - position.own_chance(Bid(bid.quantity + 1, bid.face))
    return _weigh(position, str(bid), own=own, exact=exact, informed=position.informed(bid))


def _weigh_call(position: Position | None, bid: Bid, *, is_dudo: bool) -> Weighed | None:
    if position is None or position.standing is None:
        return None
    own = position.own_chance(bid)
    exact = own - position.own_chance(Bid(bid.quantity + 1, bid.face))
    if is_dudo:
        informed = 1 - position.informed(bid)
        return _weigh(position, DUDO, own=1 - own, exact=exact, informed=informed)
    return _weigh(
        position,
        CALZA,
        own=exact,
        exact=exact,
        informed=position.informed_exact(bid),
    )


def _weigh(
    position: Position,
    action: str,
    *,
    own: float,
    exact: float,
    informed: float,
) -> Weighed:
    found = options(position, chosen=action)
    value = next((option.value for option in found if option.action == action), None)
    best = found[0].value
    return Weighed(
        own=round(own, DIGITS),
        exact=round(exact, DIGITS),
        informed=round(informed, DIGITS),
        value=round(best if value is None else value, DIGITS),
        # What is not in the list cannot be judged by it.
        loss=0.0 if value is None else round(100 * (best - value), DIGITS),
        best=tuple(Option(each.action, round(each.value, DIGITS)) for each in found[:SHOWN]),
    )


__all__ = ["CALZA", "DUDO", "WAIT", "Decision", "Mark", "Review", "Weighed", "review_of"]

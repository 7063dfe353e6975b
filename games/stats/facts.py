"""What one player did in one game, each decision with what can be reckoned of it.

Statistics are sums over these. What the clock did for him is no decision of his and is left out,
except that his dice were his.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from games.rules import MAX_QUANTITY, Bid, Cup, Mode, OutcomeKind
from games.rules.odds import chance, chance_exact, counts_for
from games.rules.raises import least_over
from games.stats.odds import Said, informed, informed_exact
from games.stats.played import Finisher, PlayedGame, PlayedRound


@dataclass(frozen=True, slots=True)
class OwnBid:
    """A bid of his own hand.

    ``support`` is how many of his dice counted for it and ``odds`` the chance that it held by his
    own dice; None where his cup is not known. ``is_true`` needs every cup. ``beyond`` is how many
    dice it was above the least legal bid on its face (None for an opening), and ``pressure`` its
    quantity in dice that were to be expected in all cups.
    """

    bid: Bid
    is_opening: bool
    support: int | None
    odds: float | None
    is_true: bool | None
    beyond: int | None
    pressure: float
    was_doubted: bool
    was_caught: bool


@dataclass(frozen=True, slots=True)
class OwnCall:
    """A dudo or a calza of his own hand, and if it was right.

    ``odds`` is the chance that it was by his own dice, ``informed`` by what had been bid too; both
    are None where his cup is not known.
    """

    kind: OutcomeKind
    is_right: bool
    is_in_turn: bool
    odds: float | None
    informed: float | None


@dataclass(frozen=True, slots=True)
class Challenge:
    """A dudo between two people's own moves: what the caller's informed odds gave each to lose.

    ``expected`` and ``lost`` are this player's dice.
    """

    expected: float
    lost: int


@dataclass(frozen=True, slots=True)
class OwnRound:
    """A round that he had dice in; ``lost`` and ``why`` tell whether and how he lost one."""

    dice: int
    mode: Mode
    cup: Cup | None
    is_his_palifico: bool
    lost: bool
    why: str


@dataclass(frozen=True, slots=True)
class Facts:
    """A player's game. ``result`` is None for a void one."""

    seats: int
    result: Finisher | None
    had_one_die: bool
    bids: tuple[OwnBid, ...]
    calls: tuple[OwnCall, ...]
    challenges: tuple[Challenge, ...]
    rounds: tuple[OwnRound, ...]

    @property
    def dudos(self) -> tuple[OwnCall, ...]:
        """Return his dudos."""
        return tuple(call for call in self.calls if call.kind is OutcomeKind.DUDO)

    @property
    def calzas(self) -> tuple[OwnCall, ...]:
        """Return his calzas."""
        return tuple(call for call in self.calls if call.kind is OutcomeKind.CALZA)


def facts_of(game: PlayedGame, player: int) -> Facts:
    """Return what ``player`` did in a game, as far as this reading of it tells."""
    held = [(each, seat) for each in game.rounds if (seat := each.seat_of(player)) is not None]
    rounds = tuple(_own_round(each, seat) for each, seat in held)
    result = next((each for each in game.finishers if each.player == player), None)
    return Facts(
        seats=game.seats,
        result=None if game.is_void else result,
        had_one_die=game.rules.start_dice > 1 and any(each.dice == 1 for each in rounds),
        bids=tuple(bid for each, seat in held for bid in _own_bids(game, each, seat)),
        calls=tuple(call for each, seat in held if (call := _own_call(each, seat)) is not None),
        challenges=tuple(
            found for each, seat in held if (found := _challenge(each, seat)) is not None
        ),
        rounds=rounds,
    )


def _cup(played: PlayedRound, seat: int) -> Cup | None:
    return None if played.cups is None else played.cups[seat]


def _own_bids(game: PlayedGame, played: PlayedRound, seat: int) -> Iterator[OwnBid]:
    cup, roll, mode = _cup(played, seat), played.whole_roll(), played.mode
    in_play = sum(played.counts)
    standing: Bid | None = None
    for placed in played.bids:
        bid, over = placed.bid, standing
        standing = bid
        if placed.seat != seat or placed.is_auto:
            continue
        is_last = placed is played.bids[-1]
        doubted = is_last and played.outcome.kind is OutcomeKind.DUDO
        in_roll = None if roll is None else sum(counts_for(each, bid.face, mode) for each in roll)
        yield OwnBid(
            bid=bid,
            is_opening=over is None,
            support=None if cup is None else counts_for(cup, bid.face, mode),
            odds=None
            if cup is None
            else chance(bid, own=cup, unseen=in_play - len(cup), mode=mode),
            is_true=None if in_roll is None else in_roll >= bid.quantity,
            beyond=None if over is None else bid.quantity - _least(game, played, over, bid),
            pressure=bid.quantity
            / (in_play * chance(Bid(1, bid.face), own=(), unseen=1, mode=mode)),
            was_doubted=doubted,
            was_caught=doubted and played.outcome.held is False,
        )


def _least(game: PlayedGame, played: PlayedRound, over: Bid, bid: Bid) -> int:
    """Return the least quantity that was legal on the face of ``bid``."""
    least: tuple[Bid, ...] = least_over(
        over, rules=game.rules, mode=played.mode, may_change_face=True, cap=MAX_QUANTITY
    )
    # One-way raises leave no least bid of some faces; a bid that was made is its own then.
    return next((each.quantity for each in least if each.face == bid.face), bid.quantity)


def _said(played: PlayedRound) -> tuple[Said, ...]:
    return tuple(Said(each.seat, each.bid) for each in played.bids)


def _rivals(played: PlayedRound, seat: int) -> dict[int, int]:
    return {other: dice for other, dice in enumerate(played.counts) if dice and other != seat}


def _own_call(played: PlayedRound, seat: int) -> OwnCall | None:
    outcome, cup = played.outcome, _cup(played, seat)
    if outcome.caller != seat or played.is_auto or outcome.bid is None or outcome.bidder is None:
        return None
    own = informed_odds = None
    is_dudo = outcome.kind is OutcomeKind.DUDO
    if cup is not None:
        bid, mode = outcome.bid, played.mode
        rivals, said = _rivals(played, seat), _said(played)
        unseen = sum(rivals.values())
        if is_dudo:
            own = 1 - chance(bid, own=cup, unseen=unseen, mode=mode)
            informed_odds = 1 - informed(bid, own=cup, rivals=rivals, said=said, mode=mode)
        else:
            own = chance_exact(bid, own=cup, unseen=unseen, mode=mode)
            informed_odds = informed_exact(bid, own=cup, rivals=rivals, said=said, mode=mode)
    return OwnCall(
        kind=outcome.kind,
        is_right=outcome.held is not is_dudo,
        is_in_turn=seat == _next(played.counts, outcome.bidder),
        odds=own,
        informed=informed_odds,
    )


def _challenge(played: PlayedRound, seat: int) -> Challenge | None:
    """Return the dudo of a round if ``seat`` called it, or made the bid."""
    outcome = played.outcome
    if outcome.kind is not OutcomeKind.DUDO or outcome.bid is None or played.is_auto:
        return None
    cup = _cup(played, outcome.caller)
    if seat not in (outcome.caller, outcome.bidder) or cup is None or played.bids[-1].is_auto:
        return None
    holds = informed(
        outcome.bid,
        own=cup,
        rivals=_rivals(played, outcome.caller),
        said=_said(played),
        mode=played.mode,
    )
    expected = holds if seat == outcome.caller else 1 - holds
    return Challenge(expected, int(outcome.loser == seat))


def _own_round(played: PlayedRound, seat: int) -> OwnRound:
    outcome = played.outcome
    lost = outcome.loser == seat
    return OwnRound(
        dice=played.counts[seat],
        mode=played.mode,
        cup=_cup(played, seat),
        is_his_palifico=played.mode is Mode.PALIFICO and played.palifico_by == seat,
        lost=lost or outcome.out == seat,
        why=_why(played, seat) if lost else "",
    )


def _why(played: PlayedRound, seat: int) -> str:
    """Return how ``seat`` lost a die: by a call, by a bid and of what kind, or by the clock."""
    outcome = played.outcome
    if outcome.caller == seat:
        return "clock" if played.is_auto or outcome.kind is OutcomeKind.FORFEIT else outcome.kind
    last, cup = played.bids[-1], _cup(played, seat)
    if last.is_auto:
        return "clock"
    if cup is None:
        return "bid"
    if not counts_for(cup, last.bid.face, played.mode):
        return "bluff"
    unseen = sum(played.counts) - len(cup)
    is_stretch = chance(last.bid, own=cup, unseen=unseen, mode=played.mode) < 0.5
    return "stretch" if is_stretch else "bid"


def _next(counts: tuple[int, ...], seat: int) -> int:
    """Return the seat to move after ``seat``."""
    around = [*range(seat + 1, len(counts)), *range(seat)]
    following: int = next(number for number in around if counts[number])
    return following

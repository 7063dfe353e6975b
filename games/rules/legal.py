"""Whose action is legal now, and why not: judged for the asking seat alone (R-71).

A refusal speaks only of what its reader knows: the standing bid, the toggles, his own dice.
"""

from collections.abc import Iterable, Iterator

from games.rules.bid import FACES, MAX_QUANTITY, Bid, Mode
from games.rules.errors import RuleViolation
from games.rules.raises import bids_over, least_over, quantity_cap, why_illegal, why_not_over
from games.rules.ruleset import BidCap, CalzaWindow, FaceChange
from games.rules.state import (
    Action,
    Calza,
    Dudo,
    Forfeit,
    GameState,
    MakeBid,
    Phase,
    Resign,
    Roll,
)

__all__ = [
    "first_caller",
    "least_raises",
    "legal_raises",
    "may_calza",
    "may_change_face",
    "may_dudo",
    "why_illegal",
    "why_not",
]

_ALL_FACES = frozenset(FACES)


def why_not(state: GameState, action: Action) -> RuleViolation | None:
    """Return the reason ``action`` may not be taken now, or None when it may."""
    if state.phase is Phase.OVER:
        return RuleViolation("game.over")
    if isinstance(action, Roll):
        return _why_no_roll(state, action)
    seat = action.seat
    if not 0 <= seat < len(state.seats):
        return RuleViolation("seat.unknown")
    if not state.seats[seat].dice:
        return RuleViolation("seat.out")
    if isinstance(action, Resign):
        return None
    if state.phase is Phase.ROLL:
        return RuleViolation("round.not-rolled")
    if isinstance(action, Calza):
        return _why_no_calza(state, seat)
    if seat != state.round.to_act:
        return RuleViolation("turn.not-yours")
    if isinstance(action, Forfeit):
        return None
    if isinstance(action, Dudo):
        return None if state.round.bids else RuleViolation("dudo.no-bid")
    return _why_no_bid(state, action)


def may_dudo(state: GameState, seat: int) -> bool:
    """Say whether ``seat`` may doubt now."""
    return why_not(state, Dudo(seat)) is None


def may_calza(state: GameState, seat: int) -> bool:
    """Say whether ``seat`` may call the standing bid exact now."""
    return why_not(state, Calza(seat)) is None


def first_caller(state: GameState, callers: Iterable[int]) -> int | None:
    """Return which of several seats that call calza at once is heard (R-58).

    It is the one nearest to the bidder, clockwise, among those who may call; None if nobody may.
    """
    standing = state.round.standing
    if standing is None:
        return None
    size = len(state.seats)
    calling = [seat for seat in callers if may_calza(state, seat)]
    return min(calling, key=lambda seat: (seat - standing.seat) % size, default=None)


def may_change_face(state: GameState, seat: int) -> bool:
    """Say whether ``seat`` may name another face than the standing bid in this round (R-44).

    Before the first bid of a palifico round the face is the opener's to choose.
    """
    current = state.round
    if current.mode is Mode.NORMAL:
        return True
    one_die_players = state.rules.palifico.face_change is FaceChange.ONE_DIE_PLAYERS
    if one_die_players and state.seats[seat].dice == 1:
        return True
    return not current.bids and seat == current.to_act


def least_raises(state: GameState, seat: int) -> tuple[Bid, ...]:
    """Return the least legal bid of ``seat`` per face, ordered by rank; () off its turn."""
    if state.phase is not Phase.BID or seat != state.round.to_act:
        return ()
    return least_over(
        _standing_bid(state),
        rules=state.rules,
        mode=state.round.mode,
        may_change_face=may_change_face(state, seat),
        cap=_cap(state),
    )


def legal_raises(state: GameState, seat: int, *, up_to: int) -> Iterator[Bid]:
    """Return all legal bids of ``seat`` of at most ``up_to`` dice, ordered by rank."""
    if state.phase is not Phase.BID or seat != state.round.to_act:
        return iter(())
    return bids_over(
        _standing_bid(state),
        rules=state.rules,
        mode=state.round.mode,
        may_change_face=may_change_face(state, seat),
        cap=_cap(state),
        up_to=up_to,
    )


def _standing_bid(state: GameState) -> Bid | None:
    bids = state.round.bids
    return bids[-1].bid if bids else None


def _cap(state: GameState) -> int:
    if state.rules.bid_cap is BidCap.NONE:  # spare the counting
        return MAX_QUANTITY
    return quantity_cap(
        state.rules, dice_at_start=state.dice_at_start, dice_in_play=state.dice_in_play
    )


def _why_no_roll(state: GameState, roll: Roll) -> RuleViolation | None:
    if state.phase is not Phase.ROLL:
        return RuleViolation("round.already-rolled")
    fits = len(roll.cups) == len(state.seats) and all(
        len(cup) == seat.dice and _ALL_FACES.issuperset(cup)
        for cup, seat in zip(roll.cups, state.seats, strict=True)
    )
    return None if fits else RuleViolation("round.wrong-cups")


def _why_no_bid(state: GameState, action: MakeBid) -> RuleViolation | None:
    return why_not_over(
        action.bid,
        _standing_bid(state),
        rules=state.rules,
        mode=state.round.mode,
        may_change_face=may_change_face(state, action.seat),
        cap=_cap(state),
    )


def _why_no_calza(state: GameState, seat: int) -> RuleViolation | None:
    """Judge a calza by ``seat``, which is in, in or out of turn (R-50 to R-56)."""
    rules, standing = state.rules.calza, state.round.standing
    if not rules.enabled:
        return RuleViolation("calza.disabled")
    if standing is None:
        return RuleViolation("calza.no-bid")
    if seat == standing.seat:
        return RuleViolation("calza.own-bid")
    if rules.window is CalzaWindow.TURN_ONLY and seat != state.round.to_act:
        return RuleViolation("calza.turn-only")
    if not rules.in_palifico and state.round.mode is Mode.PALIFICO:
        return RuleViolation("calza.palifico")
    if not rules.two_players and state.seats_in == 2:
        return RuleViolation("calza.two-players")
    if rules.needs_lost_die and state.seats[seat].dice == state.rules.start_dice:
        return RuleViolation("calza.needs-lost-die")
    return None

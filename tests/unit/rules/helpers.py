"""Short words for the tests of the rules, so that a test reads like the game."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.rules import (
    ALL_CODES,
    PRESETS,
    Action,
    Applied,
    Bid,
    Calza,
    Dudo,
    GameState,
    MakeBid,
    Mode,
    Phase,
    Roll,
    RoundOutcome,
    Ruleset,
    apply,
    legal_raises,
    position,
    why_not,
    with_options,
)

ALICE, BOB, CAROL, DAVE, ERIN, FRANK = range(6)

PIATNIK = PRESETS["piatnik"]
BGA = with_options(PRESETS["bga"], {"calza": True})
ASMODEE = with_options(PRESETS["asmodee"], {"calza": True, "palifico": True})
WIKIPEDIA = with_options(PRESETS["wikipedia"], {"calza": True})

FULL = {"piatnik": PIATNIK, "bga": BGA, "asmodee": ASMODEE, "wikipedia": WIKIPEDIA}
"""The four presets with every optional rule of theirs switched on."""

ALL_PRESETS = tuple(FULL)
WITH_CALZA = ("bga", "asmodee", "wikipedia")
NUMBERS = (2, 3, 4, 5, 6)


def toggled(
    rules: Ruleset,
    *,
    palifico: Mapping[str, Any] | None = None,
    calza: Mapping[str, Any] | None = None,
    **changes: Any,
) -> Ruleset:
    """Return ``rules`` with some toggles changed."""
    return replace(
        rules,
        palifico=replace(rules.palifico, **(palifico or {})),
        calza=replace(rules.calza, **(calza or {})),
        **changes,
    )


def at(
    rules: Ruleset,
    counts: Sequence[int] = (5, 5, 5),
    *,
    standing: str | None = None,
    to_act: int = ALICE,
    palifico: bool = False,
    cups: Sequence[Sequence[int]] | None = None,
    **more: Any,
) -> GameState:
    """Return a position; ``standing`` is a bid in notation, made by the seat on the right."""
    return position(
        rules,
        counts=counts if cups is None else [len(cup) for cup in cups],
        to_act=to_act,
        mode=Mode.PALIFICO if palifico else Mode.NORMAL,
        bid=None if standing is None else Bid.parse(standing),
        cups=cups,
        **more,
    )


def refusal(state: GameState, action: Action) -> str | None:
    """Return the code with which the rules refuse ``action``, or None."""
    violation = why_not(state, action)
    if violation is None:
        return None
    assert violation.code in ALL_CODES
    return violation.code


def says(state: GameState, text: str, seat: int | None = None) -> str | None:
    """Return the code with which a bid of the seat to act (or ``seat``) is refused, or None."""
    who = state.round.to_act if seat is None else seat
    return refusal(state, MakeBid(who, Bid.parse(text)))


def legal(state: GameState, *, up_to: int) -> set[str]:
    """Return the notation of every legal bid of the seat to act."""
    return {str(bid) for bid in legal_raises(state, state.round.to_act, up_to=up_to)}


def bids(state: GameState, *texts: str) -> GameState:
    """Return the state after the seats to act made these bids one after the other."""
    for text in texts:
        state = apply(state, MakeBid(state.round.to_act, Bid.parse(text))).state
    return state


def closed(applied: Applied) -> RoundOutcome:
    """Return the outcome of an action that closed a round."""
    assert applied.outcome is not None
    return applied.outcome


def dudo(state: GameState) -> RoundOutcome:
    """Return the outcome of a dudo by the seat to act."""
    return closed(apply(state, Dudo(state.round.to_act)))


def calza(state: GameState, seat: int) -> RoundOutcome:
    """Return the outcome of a calza by ``seat``."""
    return closed(apply(state, Calza(seat)))


def after(state: GameState, action: Action) -> GameState:
    """Return the state after ``action``."""
    return apply(state, action).state


def dice(state: GameState) -> tuple[int, ...]:
    """Return how many dice each seat has."""
    return tuple(seat.dice for seat in state.seats)


def cup(size: int, *showing: int, rest: int = 2) -> tuple[int, ...]:
    """Return a cup of ``size`` dice that shows ``showing`` and is filled up with ``rest``."""
    return showing + (rest,) * (size - len(showing))


def rolled(state: GameState, *cups: Sequence[int]) -> GameState:
    """Return the state after the roll of ``cups``, or of all twos."""
    assert state.phase is Phase.ROLL
    given = tuple(tuple(one) for one in cups) or tuple((2,) * seat.dice for seat in state.seats)
    return apply(state, Roll(given)).state

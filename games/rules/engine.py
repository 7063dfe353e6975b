"""Apply an action to a state: never mutate, never perform I/O, never draw a number."""

from dataclasses import dataclass

from games.rules.bid import ACE, Mode
from games.rules.events import (
    BidMade,
    CalzaCalled,
    CupLifted,
    DieGained,
    DieLost,
    DudoCalled,
    Event,
    GameWon,
    RoundCreated,
    RoundRolled,
    SeatForfeited,
    SeatOut,
    SeatResigned,
)
from games.rules.legal import why_not
from games.rules.outcome import LiftedCup, OutcomeKind, RoundOutcome
from games.rules.ruleset import Reveal, Trigger
from games.rules.state import (
    Action,
    Calza,
    Dudo,
    Forfeit,
    GameState,
    MakeBid,
    Phase,
    PlacedBid,
    Resign,
    Roll,
    RoundState,
    SeatState,
    left_of,
    seats_from,
)


@dataclass(frozen=True, slots=True)
class Applied:
    """The next state, what happened on the way, and the outcome if a round was closed."""

    state: GameState
    events: tuple[Event, ...]
    outcome: RoundOutcome | None = None


def apply(state: GameState, action: Action) -> Applied:
    """Return the next state and what happened.

    :raises RuleViolation: the action may not be taken now.
    :raises ValueError: cups have to be lifted, but the state was built without the dice.
    """
    refusal = why_not(state, action)
    if refusal is not None:
        raise refusal
    if isinstance(action, MakeBid):
        return _bid(state, action)
    if isinstance(action, Roll):
        return _roll(state, action)
    if isinstance(action, Dudo):
        return _dudo(state, action.seat)
    if isinstance(action, Calza):
        return _calza(state, action.seat)
    if isinstance(action, Forfeit):
        return _forfeit(state, action.seat)
    return _resign(state, action)


def _roll(state: GameState, action: Roll) -> Applied:
    old = state.round
    rolled = RoundState(
        old.number, old.mode, old.opener, old.opener, old.palifico_by, (), action.cups
    )
    return Applied(
        GameState(state.rules, state.seats, rolled, Phase.BID), (RoundRolled(old.number),)
    )


def _bid(state: GameState, action: MakeBid) -> Applied:
    old, seat, bid = state.round, action.seat, action.bid
    raised = RoundState(
        old.number,
        old.mode,
        old.opener,
        left_of(state.seats, seat),
        old.palifico_by,
        (*old.bids, PlacedBid(seat, bid)),
        old.cups,
    )
    return Applied(GameState(state.rules, state.seats, raised, Phase.BID), (BidMade(seat, bid),))


def _dudo(state: GameState, caller: int) -> Applied:
    """Judge the standing bid: the doubter loses a die when it was met, else the bidder (R-31)."""
    standing = state.round.bids[-1]
    bid = standing.bid
    early = state.rules.reveal is Reveal.CLOCKWISE_EARLY_STOP
    lifted, count = _lift(state, caller, stop_at=bid.quantity if early else None)
    held = count >= bid.quantity
    loser = caller if held else standing.seat
    seats = _with_dice(state.seats, loser, state.seats[loser].dice - 1)
    return _close(
        state,
        OutcomeKind.DUDO,
        caller=caller,
        seats=seats,
        mover=loser,
        lifted=lifted,
        count=count,
        held=held,
        loser=loser,
    )


def _calza(state: GameState, caller: int) -> Applied:
    """Judge whether the standing bid is exact; only the caller gains or loses (R-54, R-55)."""
    lifted, count = _lift(state, caller, stop_at=None)
    held = count == state.round.bids[-1].bid.quantity
    dice = state.seats[caller].dice
    after = min(dice + 1, state.rules.start_dice) if held else dice - 1
    return _close(
        state,
        OutcomeKind.CALZA,
        caller=caller,
        seats=_with_dice(state.seats, caller, after),
        mover=caller,
        lifted=lifted,
        count=count,
        held=held,
        loser=None if held else caller,
        gainer=caller if after > dice else None,
    )


def _resign(state: GameState, action: Resign) -> Applied:
    """Take the seat out and begin a new round without judging any bid (R-80, R-81)."""
    seats = _with_dice(state.seats, action.seat, 0)
    return _close(
        state, OutcomeKind.RESIGN, caller=action.seat, seats=seats, mover=state.round.opener
    )


def _forfeit(state: GameState, seat: int) -> Applied:
    """Take a die for time that ran out, without judging any bid (R-83)."""
    seats = _with_dice(state.seats, seat, state.seats[seat].dice - 1)
    return _close(state, OutcomeKind.FORFEIT, caller=seat, seats=seats, mover=seat, loser=seat)


def _lift(
    state: GameState, caller: int, *, stop_at: int | None
) -> tuple[tuple[LiftedCup, ...], int]:
    """Lift whole cups clockwise from the caller, until ``stop_at`` dice are shown (R-32, R-33)."""
    cups = state.round.cups
    if cups is None:
        raise ValueError("the dice of this round were not loaded; no cup can be lifted")
    face = state.round.bids[-1].bid.face
    wild = face != ACE and state.round.mode is Mode.NORMAL
    lifted: list[LiftedCup] = []
    count = 0
    for seat in seats_from(state.seats, caller):
        cup = cups[seat]
        matching = cup.count(face) + (cup.count(ACE) if wild else 0)
        lifted.append(LiftedCup(seat, cup, matching))
        count += matching
        if stop_at is not None and count >= stop_at:
            break
    return tuple(lifted), count


def _with_dice(seats: tuple[SeatState, ...], seat: int, dice: int) -> tuple[SeatState, ...]:
    """Return the seats with one seat's dice changed; at none it takes the last open place."""
    old = seats[seat]
    place = old.place
    if not dice:
        place = sum([other.dice > 0 for other in seats])
    return (*seats[:seat], SeatState(dice, old.palifico_done, place), *seats[seat + 1 :])


def _close(
    state: GameState,
    kind: OutcomeKind,
    *,
    caller: int,
    seats: tuple[SeatState, ...],
    mover: int,
    lifted: tuple[LiftedCup, ...] = (),
    count: int | None = None,
    held: bool | None = None,
    loser: int | None = None,
    gainer: int | None = None,
) -> Applied:
    """End the round: the game is won, or the next round's opener and mode are fixed now.

    ``mover`` is the seat whose dice changed, or the caller of a calza, or after a resignation the
    opener of the broken round: he opens, or the next seat in on his left (R-60, R-61).
    """
    old = state.round
    standing = old.standing
    changed = loser if loser is not None else caller
    out = changed if not seats[changed].dice else None
    opener: int | None = None
    mode: Mode | None = None
    winner: int | None = None
    closing: Event

    if sum([seat.dice > 0 for seat in seats]) == 1:
        winner = left_of(seats, mover)
        last = seats[winner]
        seats = (
            *seats[:winner],
            SeatState(last.dice, last.palifico_done, 1),
            *seats[winner + 1 :],
        )
        # The cups go with the round: what was not lifted stays covered.
        ended = RoundState(
            old.number, old.mode, old.opener, winner, old.palifico_by, old.bids, None
        )
        following = GameState(state.rules, seats, ended, Phase.OVER)
        closing = GameWon(winner)
    else:
        opener = mover if seats[mover].dice else left_of(seats, mover)
        mode = _next_mode(state, kind, seats, opener=opener, loser=loser)
        palifico_by = None
        if mode is Mode.PALIFICO:
            palifico_by = opener
            seats = (
                *seats[:opener],
                SeatState(seats[opener].dice, True, None),
                *seats[opener + 1 :],
            )
        created = RoundState(old.number + 1, mode, opener, opener, palifico_by)
        following = GameState(state.rules, seats, created, Phase.ROLL)
        closing = RoundCreated(created.number, opener, mode)

    outcome = RoundOutcome(
        kind=kind,
        caller=caller,
        bid=None if standing is None else standing.bid,
        bidder=None if standing is None else standing.seat,
        lifted=lifted,
        count=count,
        held=held,
        loser=loser,
        gainer=gainer,
        out=out,
        next_opener=opener,
        next_mode=mode,
        winner=winner,
    )
    return Applied(following, (*_told(outcome, following), closing), outcome)


def _next_mode(
    state: GameState,
    kind: OutcomeKind,
    seats: tuple[SeatState, ...],
    *,
    opener: int,
    loser: int | None,
) -> Mode:
    """Return the mode of the round that ``opener`` will open (R-40 to R-46, R-81)."""
    palifico = state.rules.palifico
    if not palifico.enabled:
        return Mode.NORMAL
    if not palifico.two_players and sum([seat.dice > 0 for seat in seats]) == 2:
        return Mode.NORMAL
    if kind is OutcomeKind.RESIGN:
        # A palifico round that a resignation broke off is played anew while its player is there.
        return Mode.PALIFICO if state.round.palifico_by == opener else Mode.NORMAL
    if loser != opener or seats[opener].dice != 1:
        return Mode.NORMAL
    if palifico.trigger is Trigger.FIRST_TIME and seats[opener].palifico_done:
        return Mode.NORMAL
    return Mode.PALIFICO


def _told(outcome: RoundOutcome, state: GameState) -> list[Event]:
    """Return the events of a closed round, in the order in which a table would hear them."""
    events: list[Event] = []
    if outcome.kind is OutcomeKind.DUDO:
        events.append(DudoCalled(outcome.caller))
    elif outcome.kind is OutcomeKind.CALZA:
        events.append(CalzaCalled(outcome.caller))
    elif outcome.kind is OutcomeKind.FORFEIT:
        events.append(SeatForfeited(outcome.caller))
    else:
        events.append(SeatResigned(outcome.caller))
    events += [CupLifted(cup.seat, cup.dice, cup.matching) for cup in outcome.lifted]
    if outcome.loser is not None:
        events.append(DieLost(outcome.loser))
    if outcome.gainer is not None:
        events.append(DieGained(outcome.gainer))
    if outcome.out is not None and (place := state.seats[outcome.out].place) is not None:
        events.append(SeatOut(outcome.out, place))
    return events

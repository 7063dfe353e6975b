"""Finished games for the tests of statistics: told by hand, or played at random."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from games.rules import (
    Bid,
    Cup,
    Dudo,
    GameState,
    LiftedCup,
    MakeBid,
    Mode,
    OutcomeKind,
    Phase,
    Roll,
    RoundOutcome,
    Ruleset,
    apply,
    find_ruleset,
)
from games.rules.odds import counts_for
from games.stats import Finisher, PlayedBid, PlayedGame, PlayedRound
from tests.unit.random_games import random_action, random_start

ALICE, BOB, CAROL = 11, 12, 13
"""Players by seat: alice on 0, bob on 1, carol on 2."""


def told_round(
    bids: str,
    call: str,
    cups: Sequence[Cup],
    *,
    mode: Mode = Mode.NORMAL,
    palifico_by: int | None = None,
    auto: Sequence[int] = (),
    is_auto: bool = False,
    lifted: Sequence[int] | None = None,
    holders: Sequence[int | None] = (ALICE, BOB, CAROL),
) -> PlayedRound:
    """Return a round: bids as ``"0:2x5 1:3x5"``, a call as ``"dudo 0"``.

    :param auto: which of the bids the clock made.
    :param lifted: the seats whose cups were lifted; without it, all.
    """
    placed = []
    for number, text in enumerate(bids.split()):
        seat, bid = text.split(":")
        placed.append(PlayedBid(int(seat), Bid.parse(bid), number in auto))
    kind, caller_text = call.split()
    caller, last = int(caller_text), placed[-1]
    count = sum(counts_for(cup, last.bid.face, mode) for cup in cups)
    if kind == "dudo":
        held = count >= last.bid.quantity
        loser: int | None = caller if held else last.seat
    else:
        held = count == last.bid.quantity
        loser = None if held else caller
    shown = range(len(cups)) if lifted is None else lifted
    outcome = RoundOutcome(
        kind=OutcomeKind(kind),
        caller=caller,
        bid=last.bid,
        bidder=last.seat,
        lifted=tuple(
            LiftedCup(seat, cups[seat], counts_for(cups[seat], last.bid.face, mode))
            for seat in shown
        ),
        count=count,
        held=held,
        loser=loser,
        gainer=caller if kind == "calza" and held else None,
        out=loser if loser is not None and len(cups[loser]) == 1 else None,
        next_opener=None,
        next_mode=None,
        winner=None,
    )
    return PlayedRound(
        number=1,
        mode=mode,
        palifico_by=palifico_by,
        counts=tuple(len(cup) for cup in cups),
        bids=tuple(placed),
        outcome=outcome,
        cups=tuple(cups),
        holders=tuple(holders[: len(cups)]),
        is_auto=is_auto,
    )


def told_game(
    *rounds: PlayedRound,
    rules: Ruleset | None = None,
    places: Sequence[int] = (1, 2),
    among_people: bool = True,
) -> PlayedGame:
    """Return a game of such rounds; ``places`` are by seat."""
    players = (ALICE, BOB, CAROL)
    return PlayedGame(
        rules=rules or find_ruleset("bga"),
        seats=len(places),
        rounds=tuple(replace(each, number=number) for number, each in enumerate(rounds, 1)),
        finishers=tuple(Finisher(players[seat], seat, place) for seat, place in enumerate(places)),
        is_among_people=among_people,
    )


def random_game(rng: Random, *, start: GameState | None = None) -> PlayedGame:
    """Return a whole random game; seat n is player n + 11, and some moves are the clock's."""
    state = start or random_start(rng, most_seats=5)
    size = len(state.seats)
    holders = tuple(range(ALICE, ALICE + size))
    rounds: list[PlayedRound] = []
    cups: tuple[Cup, ...] | None = None
    bids: list[PlayedBid] = []
    while state.phase is not Phase.OVER:
        action = random_action(state, rng)
        before, is_auto = state, rng.random() < 0.1
        applied = apply(state, action)
        state = applied.state
        if isinstance(action, Roll):
            cups = action.cups
        elif isinstance(action, MakeBid):
            bids.append(PlayedBid(action.seat, action.bid, is_auto))
        if applied.outcome is None:
            continue
        rounds.append(
            PlayedRound(
                number=before.round.number,
                mode=before.round.mode,
                palifico_by=before.round.palifico_by,
                counts=tuple(seat.dice for seat in before.seats),
                bids=tuple(bids),
                outcome=applied.outcome,
                cups=cups,
                holders=holders,
                is_auto=is_auto and isinstance(action, Dudo),
            )
        )
        cups, bids = None, []
    return PlayedGame(
        rules=state.rules,
        seats=size,
        rounds=tuple(rounds),
        finishers=tuple(
            Finisher(holders[seat], seat, each.place or 1) for seat, each in enumerate(state.seats)
        ),
        is_among_people=True,
    )

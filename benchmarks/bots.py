"""Games between bots of three strengths, as statistics and reviews read finished games."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from games.bots import paco
from games.rules import (
    Cup,
    Dudo,
    MakeBid,
    Move,
    Phase,
    Roll,
    Ruleset,
    TableView,
    apply,
    new_game,
    view_for,
)
from games.rules.odds import chance_for
from games.stats import Finisher, PlayedBid, PlayedGame, PlayedRound

Style = Callable[[TableView, Random], Move]
"""A bot: what it does when it sees this, with so much chance."""


def wild(view: TableView, chance: Random) -> Move:
    """Doubt one bid in four whatever it is, else make some raise near the least."""
    seat = view.to_act or 0
    if view.standing is not None and (not view.least_raises or chance.random() < 1 / 4):
        return Dudo(seat)
    bids = list(view.legal_raises(min(bid.quantity for bid in view.least_raises) + 2))
    return MakeBid(seat, chance.choice(bids))


def threshold(view: TableView, chance: Random) -> Move:
    """Doubt below .30 by own dice, else make the likeliest of the least raises."""
    seat = view.to_act or 0
    if view.standing is not None and (
        not view.least_raises or chance_for(view, view.standing.bid) < 0.30
    ):
        return Dudo(seat)
    chance.random()
    return MakeBid(seat, max(view.least_raises, key=lambda bid: (chance_for(view, bid), bid.face)))


def posterior(view: TableView, chance: Random) -> Move:
    """Play as Paco does, who reads what the others bid."""
    return paco.decide(view, luck=chance.random())


STYLES: Mapping[str, Style] = {"random": wild, "threshold": threshold, "posterior": posterior}
"""From the weakest to the strongest."""


def play(styles: Sequence[Style], *, ruleset: Ruleset, chance: Random) -> PlayedGame:
    """Play a game to its end; player n is seat n."""
    size = len(styles)
    state = new_game(ruleset, seats=size, opener=chance.randrange(size))
    rounds: list[PlayedRound] = []
    cups: tuple[Cup, ...] | None = None
    bids: list[PlayedBid] = []
    while state.phase is not Phase.OVER:
        if state.phase is Phase.ROLL:
            cups = tuple(
                tuple(chance.randint(1, 6) for _ in range(seat.dice)) for seat in state.seats
            )
            state = apply(state, Roll(cups)).state
            continue
        before, seat = state, state.round.to_act
        action = styles[seat](view_for(state, seat), chance)
        applied = apply(state, action)
        state = applied.state
        if isinstance(action, MakeBid):
            bids.append(PlayedBid(seat, action.bid))
        if applied.outcome is None:
            continue
        rounds.append(
            PlayedRound(
                number=before.round.number,
                mode=before.round.mode,
                palifico_by=before.round.palifico_by,
                counts=tuple(each.dice for each in before.seats),
                bids=tuple(bids),
                outcome=applied.outcome,
                cups=cups,
                holders=tuple(range(size)),
            )
        )
        cups, bids = None, []
    return PlayedGame(
        rules=ruleset,
        seats=size,
        rounds=tuple(rounds),
        finishers=tuple(
            Finisher(seat, seat, each.place or 1) for seat, each in enumerate(state.seats)
        ),
        is_among_people=True,
    )

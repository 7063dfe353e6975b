"""Random orders, and positions of random games to try them in."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from games.orders import (
    MOST_RUNGS,
    Act,
    AtLeast,
    Call,
    Chance,
    ChanceOf,
    Clause,
    Condition,
    Opening,
    Order,
    OrderError,
    Quantity,
    Relation,
    Rungs,
    StandingBid,
)
from games.rules import FACES, Bid, GameState, Phase, position, view_for, with_options
from games.rules.presets import find_ruleset
from games.rules.view import TableView
from tests.unit.random_games import play_random, random_start

BGA = with_options(find_ruleset("bga"), {"calza": True})
CUPS = ((5, 5, 1, 2), (3, 3, 3, 6), (2, 2, 4, 4))
ALICE, BOB, CAROL = 0, 1, 2

seeds = st.integers(0, 2**32)
bids = st.builds(Bid, st.integers(1, 14), st.sampled_from(FACES))
wild_bids = bids | st.builds(Bid, st.integers(1, 9_999), st.sampled_from(FACES))
chances = st.builds(
    Chance,
    st.sampled_from([each for each in Relation if each is not Relation.ON]),
    st.integers(1, 99),
    st.sampled_from(ChanceOf),
)
conditions: st.SearchStrategy[Condition] = st.one_of(
    st.builds(StandingBid, st.sampled_from(Relation), wild_bids),
    st.builds(
        Quantity,
        st.sampled_from(Relation),
        st.integers(1, 14) | st.integers(1, 9_999),
        st.none() | st.sampled_from(FACES),
    ),
    chances,
    st.just(Opening()),
)
ladders = st.lists(wild_bids, min_size=1, max_size=MOST_RUNGS).map(tuple)
acts: st.SearchStrategy[Act] = st.one_of(
    st.sampled_from(Call), st.builds(AtLeast, wild_bids), st.builds(Rungs, ladders)
)
clauses = st.builds(Clause, acts, st.lists(conditions, max_size=2).map(tuple))


@st.composite
def orders(draw: st.DrawFn, most: int = 4) -> Order:
    """Return any order that can be written."""
    found = draw(st.lists(clauses, max_size=most))
    while True:
        try:
            return Order(tuple(found), draw(acts))
        except OrderError:  # too long: a shorter one can be written
            found = found[:-1]


def faces(bid: str | None) -> TableView:
    """Return what alice sees when ``bid`` has come to her from carol."""
    return view_for(
        position(
            BGA,
            counts=(4, 4, 4),
            bid=None if bid is None else Bid.parse(bid),
            cups=CUPS,
        ),
        ALICE,
    )


def positions(
    seed: int, *, share: float = 0.3, start_dice: int | None = None
) -> Iterator[GameState]:
    """Yield some of the positions of a random game in which a seat is to bid or to call."""
    rng = Random(seed)
    start = random_start(rng, start_dice=start_dice or rng.choice((1, 2, 5)), most_seats=4)
    for state, _ in play_random(start, rng):
        if state.phase is Phase.BID and rng.random() < share:
            yield state


def with_other_dice(state: GameState, seat: int, rng: Random) -> GameState:
    """Return the same position with other dice under the others' cups."""
    assert state.round.cups is not None
    cups = tuple(
        cup if number == seat else tuple(rng.choices(FACES, k=len(cup)))
        for number, cup in enumerate(state.round.cups)
    )
    return replace(state, round=replace(state.round, cups=cups))

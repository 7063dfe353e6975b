"""The bot plays by the rules, by what it may know, and well."""

import time
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots import BOTS, DEFAULT_BOT, Decide, decide
from games.rules.bid import FACES, Bid, Mode
from games.rules.engine import apply
from games.rules.legal import why_not
from games.rules.positions import position
from games.rules.presets import PRESETS, find_ruleset, with_options
from games.rules.ruleset import BidCap, Ruleset
from games.rules.state import Calza, Cup, Dudo, GameState, MakeBid, Phase, PlacedBid
from games.rules.view import view_for
from tests.unit.bots.players import creeper, play_out, threshold
from tests.unit.random_games import play_random, random_start, roll

pytestmark = pytest.mark.one_database

BGA = find_ruleset("bga")
CALZA = with_options(BGA, {"calza": True})
LUCK = (0.0, 0.2, 0.4, 0.6, 0.8, 0.999)
seeds = st.integers(0, 2**32)


def other_cups(state: GameState, seat: int, rng: Random) -> GameState:
    """Return the same position with other dice under the others' cups."""
    assert state.round.cups is not None
    cups: tuple[Cup, ...] = tuple(
        cup if number == seat else tuple(rng.choices(FACES, k=len(cup)))
        for number, cup in enumerate(state.round.cups)
    )
    return replace(state, round=replace(state.round, cups=cups))


def test_the_default_bot_is_one_of_the_kinds() -> None:
    assert DEFAULT_BOT in BOTS
    state = position(BGA, counts=(2, 2), cups=((5, 6), (1, 1)))
    view = view_for(state, 0)
    assert decide(view, luck=0.3) == BOTS[DEFAULT_BOT](view, luck=0.3)


@given(seeds, st.floats(0, 1, exclude_max=True))
def test_it_is_legal_in_every_position_of_random_games(seed: int, luck: float) -> None:
    rng = Random(seed)
    start = random_start(rng, start_dice=rng.choice((1, 2, 5)), most_seats=5)
    for state, _ in play_random(start, rng):
        if state.phase is Phase.BID and rng.random() < 0.3:
            seat = state.round.to_act
            action = decide(view_for(state, seat), luck=luck)
            assert why_not(state, action) is None
            assert action == decide(view_for(other_cups(state, seat, rng), seat), luck=luck)


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("calza", [False, True])
def test_whole_games_of_bots_end_under_every_preset(name: str, calza: bool) -> None:
    rules = PRESETS[name]
    rules = replace(rules, calza=replace(rules.calza, enabled=calza))
    for seats in (2, 3, 6):
        play_out(rules, [decide] * seats, Random(f"{name}{seats}"))


@pytest.mark.parametrize("bid", [Bid(9_999, 6), Bid(9_999, 1), Bid(5_000, 2), Bid(31, 3)])
def test_an_absurd_bid_is_doubted(bid: Bid) -> None:
    state = position(BGA, counts=(5,) * 6, bid=bid, cups=((1, 1, 6, 6, 6),) * 6)
    for luck in LUCK:
        assert decide(view_for(state, 0), luck=luck) == Dudo(0)


def test_a_bid_that_own_dice_prove_is_not_doubted() -> None:
    state = position(BGA, counts=(3, 3), bid=Bid(2, 5), cups=((5, 5, 1), (2, 2, 2)))
    for luck in LUCK:
        assert isinstance(decide(view_for(state, 0), luck=luck), MakeBid)


def test_it_doubts_when_the_cap_leaves_no_raise() -> None:
    capped = replace(BGA, bid_cap=BidCap.DICE_IN_PLAY)
    state = position(
        capped, counts=(1, 1), mode=Mode.PALIFICO, opener=1, bid=Bid(2, 6), cups=((6,), (6,))
    )
    assert decide(view_for(state, 0), luck=0.5) == Dudo(0)


def test_calza_is_called_on_a_bid_that_is_likely_exact() -> None:
    # Two fives of his own against one unseen die, in palifico: exact unless that is a five too.
    state = position(CALZA, counts=(2, 1), mode=Mode.PALIFICO, bid=Bid(2, 5), cups=((5, 5), (3,)))
    for luck in LUCK:
        assert decide(view_for(state, 0), luck=luck) == Calza(0)


def test_calza_is_not_called_for_nothing() -> None:
    # With all his dice there is none to get back; he raises what he holds.
    full = replace(CALZA, start_dice=3)
    state = position(full, counts=(3, 1), bid=Bid(2, 5), cups=((5, 5, 1), (3,)))
    for luck in LUCK:
        assert isinstance(decide(view_for(state, 0), luck=luck), MakeBid)


def test_palifico_odds_are_without_wild_aces() -> None:
    cups = ((1, 1, 1), (2,))
    normal = position(BGA, counts=(3, 1), bid=Bid(3, 5), cups=cups)
    palifico = position(BGA, counts=(3, 1), mode=Mode.PALIFICO, bid=Bid(3, 5), cups=cups)
    for luck in LUCK:
        assert isinstance(decide(view_for(normal, 0), luck=luck), MakeBid)
        assert decide(view_for(palifico, 0), luck=luck) == Dudo(0)


def test_the_bids_of_others_are_read() -> None:
    # The same bid is doubted where it comes out of the blue, and not where two others backed it.
    bid = PlacedBid(2, Bid(6, 5))
    cups: tuple[Cup, ...] = ((2, 3, 4, 6, 6), (5,) * 5, (5,) * 5)
    start = position(BGA, counts=(5, 5, 5), opener=1, to_act=0, bid=bid, cups=cups)
    blue = ((1, "5x4"),)
    backed = ((1, "2x5"), (2, "3x5"), (0, "3x6"), (1, "4x5"), (2, "5x5"), (0, "5x6"))

    def doubts(before: Sequence[tuple[int, str]]) -> int:
        bids = (*(PlacedBid(seat, Bid.parse(text)) for seat, text in before), bid)
        view = view_for(replace(start, round=replace(start.round, bids=bids)), 0)
        return sum(decide(view, luck=luck) == Dudo(0) for luck in LUCK)

    assert doubts(blue) == len(LUCK)
    assert doubts(backed) == 0


def test_openings_are_sensible_and_not_always_the_same() -> None:
    rng = Random(4)
    bids = set()
    for _ in range(300):
        state = apply(
            position(BGA, counts=(5, 5, 5, 5), phase=Phase.ROLL),
            roll(position(BGA, counts=(5, 5, 5, 5)), rng),
        ).state
        action = decide(view_for(state, 0), luck=rng.random())
        assert isinstance(action, MakeBid)
        bids.add(action.bid)
    # Twenty dice hold seven of a number on the average.
    assert max(bid.quantity for bid in bids) <= 8
    assert len(bids) > 10


def test_luck_makes_it_bluff_now_and_then() -> None:
    rng = Random(9)
    bluffs = bids = 0
    for _ in range(60):
        players: list[Decide] = [decide] * 4
        seen: list[tuple[Cup, Bid, Mode]] = []

        def watched(view, *, luck, seen=seen):  # type: ignore[no-untyped-def]
            action = decide(view, luck=luck)
            if isinstance(action, MakeBid):
                seen.append((view.own_dice, action.bid, view.mode))
            return action

        players[0] = watched
        play_out(BGA, players, rng)
        for own, bid, mode in seen:
            bids += 1
            bluffs += bid.face not in own and (mode is Mode.PALIFICO or 1 not in own)
    assert 0.02 < bluffs / bids < 0.5


def test_only_the_seat_to_act_is_asked() -> None:
    state = position(BGA, counts=(2, 2), cups=((5, 6), (1, 1)))
    for viewer in (1, None):
        with pytest.raises(ValueError, match="turn"):
            decide(view_for(state, viewer), luck=0.5)


@pytest.mark.parametrize("seats", [2, 6, 10])
def test_a_decision_costs_less_than_five_milliseconds(seats: int) -> None:
    rng = Random(seats)
    rules = replace(find_ruleset("wikipedia"), max_players=10, start_dice=8 if seats == 10 else 5)
    views = []
    for _ in range(8):
        start = position(rules, counts=(rules.start_dice,) * seats, phase=Phase.ROLL)
        state = apply(start, roll(start, rng)).state
        # A round in which everybody has bid more than once is the dearest to read.
        for level in range(1, 2 * seats + 2):
            bid = MakeBid(state.round.to_act, Bid(level // 2 + 1, 3 + 2 * (level % 2)))
            if why_not(state, bid) is None:
                state = apply(state, bid).state
        views.append(view_for(state, state.round.to_act))
    costs = []
    for view in views:
        began = time.process_time()
        decide(view, luck=rng.random())
        costs.append(time.process_time() - began)
    assert sorted(costs)[len(costs) // 2] < 0.005


def wins(rules: Ruleset, rival: Decide, *, seats: int, games: int, seed: int) -> float:
    """Return how often the bot wins against ``rival`` in all other seats; 1 is its fair share."""
    rng = Random(seed)
    won = 0
    for number in range(games):
        players: Sequence[Decide] = [
            decide if seat == number % seats else rival for seat in range(seats)
        ]
        won += play_out(rules, players, rng) == number % seats
    return won / games * seats


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rival", "seats", "least"),
    [(threshold, 2, 1.2), (threshold, 4, 1.2), (creeper, 2, 1.5), (creeper, 4, 1.5)],
)
def test_it_beats_players_who_count_only_their_own_dice(
    rival: Decide, seats: int, least: float
) -> None:
    assert wins(BGA, rival, seats=seats, games=300, seed=1) > least

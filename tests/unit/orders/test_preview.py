"""The preview says what the order will do, on the bids that can come and no others."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings

from games.orders import (
    WARNINGS,
    Ask,
    AtLeast,
    Call,
    Decision,
    Order,
    OrderWarning,
    Row,
    Rungs,
    calza_claim,
    decide,
    parse,
    preview,
)
from games.rules import (
    Bid,
    Calza,
    CalzaWindow,
    GameState,
    MakeBid,
    Mode,
    PlacedBid,
    apply,
    chance_exact_for,
    chance_for,
    legal_raises,
    position,
    view_for,
    why_not,
)
from tests.unit.orders.tables import (
    ALICE,
    BGA,
    BOB,
    CAROL,
    CUPS,
    faces,
    orders,
    positions,
    seeds,
    with_other_dice,
)

pytestmark = pytest.mark.one_database

UP_TO = 4


class Played:
    """Everything that can happen to an order in a round, found by playing it on the engine."""

    def __init__(self, state: GameState, seat: int, order: Order) -> None:
        self.seat = seat
        self.order = order
        self.decided: dict[Bid | None, tuple[GameState, Decision]] = {}
        self.claimed: set[Bid] = set()
        self.seen: set[tuple[Bid | None, int]] = set()
        self.play(state)

    def play(self, state: GameState) -> None:
        standing = state.round.standing
        bid = None if standing is None else standing.bid
        if (bid, state.round.to_act) in self.seen:
            return
        self.seen.add((bid, state.round.to_act))
        view = view_for(state, self.seat)
        if state.round.to_act == self.seat:
            decision = decide(view, self.order)
            self.decided[bid] = (state, decision)
            if isinstance(decision.action, MakeBid):
                self.play(apply(state, decision.action).state)
            return
        if bid is not None and calza_claim(view, self.order):
            self.claimed.add(bid)
        other = state.round.to_act
        for raised in legal_raises(state, other, up_to=UP_TO):
            self.play(apply(state, MakeBid(other, raised)).state)

    def ordered(self, mode: Mode) -> list[Bid | None]:
        return sorted(self.decided, key=lambda bid: 0 if bid is None else bid.rank(mode))


def some_seats(seed: int) -> Iterator[tuple[GameState, int]]:
    """Yield a few positions of small tables, each with a seat that is still in."""
    rng = Random(seed)
    for state in positions(seed, share=0.2, start_dice=rng.choice((1, 2))):
        alive = [seat for seat, each in enumerate(state.seats) if each.dice]
        if len(alive) < 5:
            yield state, rng.choice(alive)


def fits(row: Row, bid: Bid | None, state: GameState, decision: Decision) -> bool:
    """Say whether a row says what was decided."""
    action = decision.action
    if row.action is Call.LEAST:
        least = view_for(state, state.round.to_act).least_raises[0]
        return isinstance(action, MakeBid) and action.bid == least
    if isinstance(row.action, AtLeast):
        floor = row.action.bid
        return (
            isinstance(action, MakeBid)
            and action.bid.face == floor.face
            and action.bid.quantity > floor.quantity
        )
    return row.action == action


@settings(max_examples=120, deadline=None)
@given(seeds, orders())
def test_each_row_says_what_the_order_does_in_the_game(seed: int, order: Order) -> None:
    for state, seat in some_seats(seed):
        view = view_for(state, seat)
        shown = preview(view, order, up_to=UP_TO)
        played = Played(state, seat, order)
        came = played.ordered(state.round.mode)
        assert sum(row.bids or 1 for row in shown.rows) == len(came)
        at = 0
        for row in shown.rows:
            chunk = came[at : at + (row.bids or 1)]
            at += len(chunk)
            assert (row.first, row.last) == (chunk[0], chunk[-1])
            held = [chance_for(view, bid) for bid in chunk if bid is not None]
            assert row.held == ((min(held), max(held)) if held else None)
            for bid in chunk:
                there, decision = played.decided[bid]
                assert row.clause == decision.clause
                assert fits(row, bid, there, decision)


@settings(max_examples=120, deadline=None)
@given(seeds, orders())
def test_the_claims_are_those_of_the_game(seed: int, order: Order) -> None:
    calling = replace(order, clauses=(*parse("calza on 2x4; calza from 30%").clauses,))
    for state, seat in some_seats(seed):
        for each in (order, calling):
            shown = preview(view_for(state, seat), each, up_to=UP_TO)
            claimed = sorted(
                Played(state, seat, each).claimed, key=lambda bid: bid.rank(state.round.mode)
            )
            assert sum(row.bids for row in shown.claims) == len(claimed)
            assert all(isinstance(row.action, Calza) for row in shown.claims)
            ends = {bid for row in shown.claims for bid in (row.first, row.last)}
            assert ends <= set(claimed)


@settings(max_examples=80, deadline=None)
@given(seeds, orders())
def test_a_warning_is_true_and_none_is_missing(seed: int, order: Order) -> None:
    for state, seat in some_seats(seed):
        shown = preview(view_for(state, seat), order, up_to=UP_TO)
        played = Played(state, seat, order)
        said = {(each.code, each.clause, each.bid) for each in shown.warnings}
        assert {code for code, _, _ in said} <= WARNINGS
        deciding = {decision.clause for _, decision in played.decided.values()}
        made = {
            (decision.clause, decision.action.bid)
            for _, decision in played.decided.values()
            if isinstance(decision.action, MakeBid)
        }
        for number in (*range(len(order.clauses)), None):
            act = order.act_of(number)
            unreachable = ("order.unreachable", number, None) in said
            if number is not None and act is not Call.CALZA:
                assert unreachable == (number not in deciding)
            if isinstance(act, Rungs) and not unreachable:
                for bid in act.bids:
                    legal = any(
                        why_not(there, MakeBid(seat, bid)) is None
                        for there, _ in played.decided.values()
                    )
                    unused = number in deciding and (number, bid) not in made
                    assert (("order.rung-illegal", number, bid) in said) == (not legal)
                    assert (("order.rung-unused", number, bid) in said) == (legal and unused)


@settings(max_examples=60, deadline=None)
@given(seeds, orders())
def test_a_preview_does_not_depend_on_the_dice_of_others(seed: int, order: Order) -> None:
    rng = Random(seed)
    for state, seat in some_seats(seed):
        other = with_other_dice(state, seat, rng)
        assert preview(view_for(state, seat), order, up_to=UP_TO) == preview(
            view_for(other, seat), order, up_to=UP_TO
        )


def table(text: str, state: GameState, *, up_to: int | None = None) -> list[str]:
    """Return the rows that alice sees, in few words."""
    shown = preview(view_for(state, ALICE), parse(text), up_to=up_to)
    return [f"{row.first}-{row.last} {said(row)}" for row in shown.rows]


def said(row: Row) -> str:
    if isinstance(row.action, Ask):
        return row.action.code
    return str(row.action.bid if isinstance(row.action, MakeBid) else row.action)


def waits(bid: str | None = "3x6", *, to_act: int = BOB) -> GameState:
    """Return a position in which alice waits; her bid stands where there is one."""
    placed = None if bid is None else PlacedBid((to_act - 1) % 3, Bid.parse(bid))
    return position(BGA, counts=(4, 4, 4), to_act=to_act, bid=placed, cups=CUPS)


def test_two_seats_must_have_raised_before_it_is_her_turn() -> None:
    assert table("else ask", waits("3x6", to_act=BOB), up_to=4) == ["4x3-4x1 order.ask"]
    assert table("else ask", waits("3x6", to_act=CAROL), up_to=4) == ["4x2-4x1 order.ask"]
    assert table("else ask", waits(None, to_act=BOB), up_to=2) == ["1x3-2x1 order.ask"]


def test_on_her_own_turn_it_begins_with_the_bid_that_stands() -> None:
    assert table("bid 5x5; else ask", faces_state("5x4"), up_to=6) == [
        "5x4-5x4 5x5",
        "6x2-6x1 order.ask",  # after five fives, bob and carol
    ]
    assert table("else dudo", faces_state("5x4")) == ["5x4-5x4 Dudo(seat=0)"]


def test_the_opener_sees_her_opening_first() -> None:
    assert table("bid 2x2 opening; else ask", faces_state(None), up_to=2) == [
        "None-None 2x2",
        "2x4-2x1 order.ask",
    ]


def faces_state(bid: str | None) -> GameState:
    placed = None if bid is None else Bid.parse(bid)
    return position(BGA, counts=(4, 4, 4), bid=placed, cups=CUPS)


def test_a_raise_that_differs_from_bid_to_bid_is_one_row() -> None:
    assert table("else least", waits()) == ["4x3-12x1 least"]
    assert table("bid at least 4x5", waits()) == ["4x3-4x4 4x5", "4x5-12x1 bid at least 4x5"]


def test_palifico_shows_only_the_face_of_the_round() -> None:
    state = position(
        BGA, counts=(4, 4, 4), to_act=BOB, mode=Mode.PALIFICO, bid=Bid(2, 3), cups=CUPS
    )
    shown = preview(view_for(state, ALICE), parse("dudo from 6; else least"))
    assert [(str(row.first), str(row.last), row.bids) for row in shown.rows] == [
        ("4x3", "5x3", 2),
        ("6x3", "12x3", 7),
    ]


def test_a_row_tells_the_chances_of_its_bids_to_her_own_dice() -> None:
    shown = preview(view_for(waits(), ALICE), parse("dudo below 40%; else least"))
    for row in shown.rows:
        assert row.held is not None
        assert row.exact is not None
        if row.bids == 1 and row.first is not None:
            view = faces(str(row.first))
            assert row.held == (chance_for(view, row.first),) * 2
            assert row.exact == (chance_exact_for(view, row.first),) * 2
        if str(row.action).startswith("Dudo"):
            assert row.held[0] <= row.held[1] < 0.4


def test_a_calza_that_this_table_forbids_is_warned_of() -> None:
    state = replace(waits(), rules=replace(BGA, calza=replace(BGA.calza, enabled=False)))
    shown = preview(view_for(state, ALICE), parse("calza on 5x5; else calza"))
    assert shown.warnings == (
        OrderWarning("order.calza-refused", 0, refusal="calza.disabled"),
        OrderWarning("order.calza-refused", None, refusal="calza.disabled"),
    )
    assert shown.claims == ()


def test_calza_for_the_turn_alone_is_neither_claimed_nor_warned_of() -> None:
    turn_only = replace(BGA, calza=replace(BGA.calza, window=CalzaWindow.TURN_ONLY))
    shown = preview(
        view_for(replace(waits(), rules=turn_only), ALICE), parse("calza on 5x5; else ask")
    )
    assert (shown.claims, shown.warnings) == ((), ())
    shown = preview(view_for(waits(), ALICE), parse("calza on 5x5; else ask"))
    assert [str(row.first) for row in shown.claims] == ["5x5"]


def test_a_clause_that_only_claims_out_of_turn_is_not_unreachable() -> None:
    # After two aces by alice the next bid is bob's: carol's can't be so low.
    shown = preview(view_for(waits("2x1"), ALICE), parse("calza on 5x2"))
    assert [str(row.first) for row in shown.claims] == ["5x2"]
    assert shown.warnings == ()


def test_rungs_that_are_too_low_or_never_first_are_warned_of() -> None:
    shown = preview(view_for(waits(), ALICE), parse("2x2, 6x3, 4x5, 7x5; dudo on 6x2; else ask"))
    assert shown.warnings == (
        OrderWarning("order.rung-illegal", 0, Bid(2, 2)),
        OrderWarning("order.rung-unused", 0, Bid(4, 5)),
        OrderWarning("order.unreachable", 1),
    )


def test_an_absurd_bid_or_bound_costs_nothing() -> None:
    state = position(BGA, counts=(4, 4, 4), bid=Bid(9_999, 6), cups=CUPS)
    assert table("else dudo", state, up_to=9_999) == ["9999x6-9999x6 Dudo(seat=0)"]
    state = position(BGA, counts=(4, 4, 4), to_act=CAROL, bid=Bid(5_000, 3), cups=CUPS)
    assert table("else dudo", state, up_to=9_999) == []


def test_it_is_for_a_seat_with_dice_while_the_round_is_bid() -> None:
    for view in (view_for(waits(), None), view_for(position(BGA, counts=(4, 4)), ALICE)):
        with pytest.raises(ValueError, match="order"):
            preview(view, parse("dudo"))

from collections.abc import Iterable

import pytest

from games import panels
from games.rules import PRESETS, Bid, Dudo, GameState, Mode, PlacedBid, apply, position, view_for

PEOPLE = (
    panels.Person("Alice"),
    panels.Person("Bob", present=False),
    panels.Person("Carol"),
    panels.Person("Dicey", bot=True),
)
NAMES = tuple(person.name for person in PEOPLE)
CUPS = ((5, 2, 1), (4, 5, 6, 2), (), (6, 3))


def _position(
    preset: str = "bga", *, mode: Mode = Mode.NORMAL, bid: Bid | None = None
) -> GameState:
    standing = None if bid is None else PlacedBid(3, bid)
    return position(PRESETS[preset], counts=(3, 4, 0, 2), mode=mode, bid=standing, cups=CUPS)


def _values(blocks: Iterable[panels.LadderBlock]) -> list[str]:
    return [str(bid) for block in blocks for bid in block.bids if bid is not None]


def test_the_viewers_own_seat_comes_first_and_the_others_in_order_of_play() -> None:
    seats = panels.seat_panels(view_for(_position(), 1), PEOPLE)
    assert [seat.name for seat in seats] == ["Bob", "Carol", "Dicey", "Alice"]
    assert [seat.you for seat in seats] == [True, False, False, False]
    assert [seat.to_move for seat in seats] == [False, False, False, True]
    assert [seat.absent for seat in seats] == [True, False, False, False]
    assert [seat.bot for seat in seats] == [False, False, True, False]
    assert [seat.out for seat in seats] == [False, True, False, False]
    assert [seat.dice for seat in seats] == [4, 0, 2, 3]


def test_a_spectator_sees_the_seats_from_the_first_one_on() -> None:
    seats = panels.seat_panels(view_for(_position(), None), PEOPLE)
    assert [seat.number for seat in seats] == [0, 1, 2, 3]
    assert not any(seat.you for seat in seats)


def test_hidden_counts_stay_hidden_in_a_panel() -> None:
    seats = panels.seat_panels(view_for(_position("piatnik"), 0), PEOPLE)
    assert [seat.dice for seat in seats] == [3, None, 0, None]


@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize("bid", [None, Bid(1, 2), Bid(3, 5), Bid(2, 1), Bid(9, 6)])
@pytest.mark.parametrize("preset", ["bga", "piatnik"])
def test_a_ladder_offers_exactly_the_legal_bids(preset: str, mode: Mode, bid: Bid | None) -> None:
    view = view_for(_position(preset, mode=mode, bid=bid), 0)
    legal = list(view.legal_raises())
    ladder = panels.ladder(legal, mode=mode)
    offered = _values(ladder.near) + _values(ladder.far)
    assert sorted(offered) == sorted(str(bid) for bid in legal)


def test_the_next_bids_are_near() -> None:
    view = view_for(_position(bid=Bid(3, 5)), 0)
    ladder = panels.ladder(view.legal_raises(), mode=Mode.NORMAL)
    assert {str(bid) for bid in view.least_raises} <= set(_values(ladder.near))
    assert set(_values(ladder.far)) == {"6x2", "6x3", "6x4", "6x5", "6x6"} | {
        f"{quantity}x{face}" for quantity in (7, 8, 9) for face in range(2, 7)
    } | {f"{quantity}x1" for quantity in (7, 8, 9)}


def test_a_column_keeps_its_face() -> None:
    view = view_for(_position(bid=Bid(3, 4)), 0)
    numbers = panels.ladder(view.legal_raises(), mode=Mode.NORMAL).near[0]
    assert numbers.columns == 5
    assert numbers.bids[:3] == (None, None, None)
    faces = [bid.face if bid else None for bid in numbers.bids]
    assert faces[3:10] == [5, 6, 2, 3, 4, 5, 6]


def test_a_chosen_bid_stays_ticked_wherever_it_is() -> None:
    bids = list(view_for(_position(bid=Bid(3, 5)), 0).legal_raises())
    near = panels.ladder(bids, mode=Mode.NORMAL, chosen="4x2")
    far = panels.ladder(bids, mode=Mode.NORMAL, chosen="9x2")
    assert [str(near.chosen), str(far.chosen)] == ["4x2", "9x2"]


def test_a_bid_that_is_not_offered_is_not_ticked() -> None:
    bids = list(view_for(_position(bid=Bid(3, 5)), 0).legal_raises())
    assert panels.ladder(bids, mode=Mode.NORMAL, chosen="3x5").chosen is None
    assert panels.ladder(bids, mode=Mode.NORMAL).chosen is None


def test_a_reveal_marks_what_counts_and_counts_along() -> None:
    state = _position(bid=Bid(4, 5))
    outcome = apply(state, Dudo(0)).outcome
    assert outcome is not None
    panel = panels.reveal(outcome, NAMES, mode=Mode.NORMAL)
    assert panel is not None
    assert [(cup.name, cup.matching, cup.running) for cup in panel.cups] == [
        ("Alice", 2, 2),
        ("Bob", 1, 3),
        ("Dicey", 0, 3),
    ]
    assert [die.counts for die in panel.cups[0].dice] == [True, False, True]
    assert panel.count == sum(die.counts for cup in panel.cups for die in cup.dice)
    assert not panel.held
    assert panel.start == "The bid is 4 fives. Now the cups are lifted."
    assert [cup.tally for cup in panel.cups] == [
        "2 fives so far, 4 needed",
        "3 fives so far, 4 needed",
        "3 fives so far, 4 needed",
    ]


def test_without_a_bid_no_die_counts() -> None:
    plain = panels.shown_dice((1, 5), None, mode=Mode.NORMAL)
    assert [(die.face, die.counts) for die in plain] == [(1, False), (5, False)]


def test_aces_are_not_marked_in_palifico() -> None:
    outcome = apply(_position(mode=Mode.PALIFICO, bid=Bid(4, 5)), Dudo(0)).outcome
    assert outcome is not None
    panel = panels.reveal(outcome, NAMES, mode=Mode.PALIFICO)
    assert panel is not None
    assert [die.counts for die in panel.cups[0].dice] == [True, False, False]
    assert panel.count == sum(die.counts for cup in panel.cups for die in cup.dice)


def test_an_early_stop_draws_only_the_lifted_cups() -> None:
    outcome = apply(_position("piatnik", bid=Bid(2, 5)), Dudo(0)).outcome
    assert outcome is not None
    panel = panels.reveal(outcome, NAMES, mode=Mode.NORMAL, covered=(1, 3))
    assert panel is not None
    assert [cup.name for cup in panel.cups] == ["Alice"]
    assert panel.covered == ("Bob", "Dicey")

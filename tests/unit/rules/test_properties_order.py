"""The order of bids, against rules written a second time, and the lists of legal bids."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import (
    BidCap,
    DiceCounts,
    FaceChange,
    GameState,
    MakeBid,
    RaiseMode,
    Ruleset,
    least_raises,
    legal_raises,
    why_illegal,
    why_not,
)
from games.rules.bid import ACE, FACES, Bid, Mode
from tests.unit.rules.helpers import BGA, at, toggled

bids = st.builds(Bid, st.integers(1, 400), st.sampled_from(FACES))
modes = st.sampled_from(Mode)
ONE_WAY = toggled(BGA, raise_mode=RaiseMode.ONE_WAY)


def may_follow(new: Bid, old: Bid, *, mode: Mode, one_way: bool, bound: bool) -> bool:
    """Say whether a raise is legal, in the words of the three ways of raising."""
    q, f, p, g = old.quantity, old.face, new.quantity, new.face
    if mode is Mode.NORMAL:
        if f != ACE and g == ACE:  # to aces: at least half, an odd number rounded up
            return p >= (q // 2 if q % 2 == 0 else q // 2 + 1)
        if f == ACE and g != ACE:  # from aces: at least double plus one
            return p >= q + q + 1
        if f == ACE:  # aces to aces: more of them
            return p > q
    elif bound:
        return f == g and p > q
    if one_way:
        return (p > q and g == f) or (p == q and g > f)
    return p > q or (p == q and g > f)


def legal(new: Bid, old: Bid, *, mode: Mode, rules: Ruleset = BGA, change: bool = True) -> bool:
    """Ask the engine the same, with no cap in the way."""
    return not why_illegal(
        new,
        over=old,
        rules=rules,
        mode=mode,
        may_change_face=change,
        dice_at_start=30,
        dice_in_play=30,
    )


@given(bids, bids, modes)
def test_a_raise_is_a_higher_rank(new: Bid, old: Bid, mode: Mode) -> None:
    """R-27."""
    expected = may_follow(new, old, mode=mode, one_way=False, bound=False)
    assert legal(new, old, mode=mode) == expected == (new.rank(mode) > old.rank(mode))


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("one_way", [False, True])
@pytest.mark.parametrize("bound", [False, True])
def test_every_pair_of_small_bids_is_judged_as_the_rules_say(
    mode: Mode, one_way: bool, bound: bool
) -> None:
    """R-22 to R-27, R-43, R-44."""
    small = [Bid(quantity, face) for quantity in range(1, 19) for face in FACES]
    rules = ONE_WAY if one_way else BGA
    for new, old in product(small, small):
        expected = may_follow(new, old, mode=mode, one_way=one_way, bound=bound)
        assert legal(new, old, mode=mode, rules=rules, change=not bound) == expected, (new, old)


@pytest.mark.parametrize("mode", Mode)
def test_no_two_bids_share_a_rank(mode: Mode) -> None:
    """R-27: the order is total."""
    every = [Bid(quantity, face) for quantity in range(1, 200) for face in FACES]
    assert len({bid.rank(mode) for bid in every}) == len(every)


@given(bids, bids, bids, modes)
def test_raises_are_transitive(a: Bid, b: Bid, c: Bid, mode: Mode) -> None:
    if legal(b, a, mode=mode) and legal(c, b, mode=mode):
        assert legal(c, a, mode=mode)


@given(bids, bids, modes)
def test_of_two_bids_exactly_one_raises_the_other(a: Bid, b: Bid, mode: Mode) -> None:
    assert legal(a, b, mode=mode) + legal(b, a, mode=mode) == (a != b)


@given(bids, bids, modes, st.booleans())
def test_one_way_only_takes_raises_away(new: Bid, old: Bid, mode: Mode, change: bool) -> None:
    """R-23."""
    if legal(new, old, mode=mode, rules=ONE_WAY, change=change):
        assert legal(new, old, mode=mode, change=change)


def every_position(rules: Ruleset) -> list[GameState]:
    """Return positions with every small standing bid, in both modes, bound and free."""
    standing = [None, *[f"{quantity}x{face}" for quantity in range(1, 10) for face in FACES]]
    return [
        at(rules, counts, standing=bid, palifico=palifico, opener=0 if bid is None else 1)
        for bid, palifico, counts in product(standing, (False, True), [(1, 2, 4), (4, 2, 1)])
    ]


@pytest.mark.parametrize("cap", BidCap)
@pytest.mark.parametrize("raise_mode", RaiseMode)
@pytest.mark.parametrize("face_change", FaceChange)
def test_the_lists_agree_with_the_judgement(
    cap: BidCap, raise_mode: RaiseMode, face_change: FaceChange
) -> None:
    """R-71: ``legal_raises`` lists what ``why_not`` allows and ``least_raises`` its least."""
    rules = toggled(
        BGA, bid_cap=cap, raise_mode=raise_mode, start_dice=4, palifico={"face_change": face_change}
    )
    top = 20  # above double plus one of nine aces
    every = [Bid(quantity, face) for quantity in range(1, top + 1) for face in FACES]
    for state in every_position(rules):
        mode = state.round.mode
        judged = [bid for bid in every if why_not(state, MakeBid(0, bid)) is None]
        judged.sort(key=lambda bid: bid.rank(mode))
        assert list(legal_raises(state, 0, up_to=top)) == judged
        faces = [bid.face for bid in judged]
        least = [bid for place, bid in enumerate(judged) if bid.face not in faces[:place]]
        assert list(least_raises(state, 0)) == least
        for up_to in (0, 1, 5, 9):
            listed = list(legal_raises(state, 0, up_to=up_to))
            assert listed == [bid for bid in judged if bid.quantity <= up_to]


def test_the_lists_are_empty_for_others_and_before_the_roll() -> None:
    state = at(BGA, standing="2x4", to_act=1)
    for seat in (0, 2):
        assert least_raises(state, seat) == ()
        assert list(legal_raises(state, seat, up_to=30)) == []


def test_a_cap_can_leave_nothing_but_doubt() -> None:
    """R-28."""
    rules = toggled(BGA, bid_cap=BidCap.DICE_IN_PLAY, dice_counts=DiceCounts.SHOWN)
    assert least_raises(at(rules, (2, 2), standing="4x1"), 0) == ()
    assert [str(bid) for bid in least_raises(at(rules, (2, 2), standing="4x6"), 0)] == ["2x1"]


def test_the_notation_is_a_cap_of_its_own() -> None:
    """R-29."""
    assert least_raises(at(BGA, standing="9999x1"), 0) == ()
    assert [str(bid) for bid in least_raises(at(BGA, standing="9999x5"), 0)] == [
        "9999x6",
        "5000x1",
    ]

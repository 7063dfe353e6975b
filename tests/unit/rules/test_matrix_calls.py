"""The four presets row by row: dudo and calza."""

import pytest

from games.rules import (
    PRESETS,
    Calza,
    Dudo,
    GameState,
    Mode,
    Reveal,
    apply,
    first_caller,
    preset_options,
)
from tests.unit.rules.helpers import (
    ALICE,
    ALL_PRESETS,
    BOB,
    CAROL,
    DAVE,
    FULL,
    WITH_CALZA,
    at,
    bids,
    calza,
    closed,
    cup,
    dice,
    dudo,
    refusal,
)

each_preset = pytest.mark.parametrize("name", ALL_PRESETS)
each_calza = pytest.mark.parametrize("name", WITH_CALZA)
FOUR_FOURS = [cup(3, 4, 1), cup(3, 4), cup(3, 1), cup(3)]


def four_fours(name: str, standing: str) -> GameState:
    """Return a table on which four dice count as fours, with Bob to act on Alice's bid."""
    return at(FULL[name], cups=FOUR_FOURS, standing=standing, to_act=BOB)


# Dudo


@each_preset
def test_row_who_may_doubt(name: str) -> None:
    state = four_fours(name, "4x4")
    assert [refusal(state, Dudo(seat)) for seat in range(4)] == [
        "turn.not-yours",
        None,
        "turn.not-yours",
        "turn.not-yours",
    ]


@each_preset
@pytest.mark.parametrize("standing", ["3x4", "4x4"])
def test_row_bid_met_or_exceeded(name: str, standing: str) -> None:
    applied = apply(four_fours(name, standing), Dudo(BOB))
    assert closed(applied).loser == BOB
    assert dice(applied.state) == (3, 2, 3, 3)


@each_preset
def test_row_bid_not_met(name: str) -> None:
    applied = apply(four_fours(name, "5x4"), Dudo(BOB))
    assert closed(applied).loser == ALICE
    assert dice(applied.state) == (2, 3, 3, 3)


@each_preset
def test_row_aces_in_the_count(name: str) -> None:
    assert dudo(four_fours(name, "9x4")).count == 4
    assert dudo(four_fours(name, "9x1")).count == 2
    assert dudo(four_fours(name, "9x6")).count == 2


@each_preset
def test_row_cups_lifted(name: str) -> None:
    early = name == "piatnik"
    assert (FULL[name].reveal is Reveal.CLOCKWISE_EARLY_STOP) == early
    lifted = [one.seat for one in dudo(four_fours(name, "2x4")).lifted]
    assert lifted == ([BOB, CAROL] if early else [BOB, CAROL, DAVE, ALICE])
    lifted = [one.seat for one in dudo(four_fours(name, "5x4")).lifted]
    assert lifted == [BOB, CAROL, DAVE, ALICE]


@each_preset
@pytest.mark.parametrize(("standing", "opener"), [("4x4", BOB), ("5x4", ALICE)])
def test_row_next_opener(name: str, standing: str, opener: int) -> None:
    assert dudo(four_fours(name, standing)).next_opener == opener


@each_preset
@pytest.mark.parametrize(("standing", "out", "opener"), [("2x4", BOB, CAROL), ("3x4", ALICE, BOB)])
def test_row_opener_when_the_loser_is_out(name: str, standing: str, out: int, opener: int) -> None:
    outcome = dudo(at(FULL[name], cups=[(4,), (4,), (5,)], standing=standing, to_act=BOB))
    assert (outcome.out, outcome.next_opener) == (out, opener)


# Calza


@each_preset
def test_row_calza_status(name: str) -> None:
    assert PRESETS[name].calza.enabled is False
    assert ("calza" in preset_options(name)) == (name != "piatnik")
    expected = "calza.disabled" if name == "piatnik" else None
    assert refusal(four_fours(name, "4x4"), Calza(CAROL)) == expected


@each_calza
def test_row_calza_who(name: str) -> None:
    state = at(FULL[name], (3, 3, 3, 3, 0), standing="4x4", to_act=BOB)
    assert [refusal(state, Calza(seat)) for seat in range(5)] == [
        "calza.own-bid",
        None,
        None,
        None,
        "seat.out",
    ]


@each_calza
@pytest.mark.parametrize("caller", [CAROL, DAVE])
def test_row_calza_out_of_turn_stops_the_round(name: str, caller: int) -> None:
    outcome = calza(four_fours(name, "4x4"), caller)
    assert (outcome.caller, outcome.held) == (caller, True)


@each_calza
def test_row_calza_by_the_player_on_turn(name: str) -> None:
    assert calza(four_fours(name, "4x4"), BOB).gainer == BOB


@each_calza
def test_row_calza_exact(name: str) -> None:
    applied = apply(four_fours(name, "4x4"), Calza(CAROL))
    assert dice(applied.state) == (3, 3, 4, 3)


@each_calza
@pytest.mark.parametrize("standing", ["3x4", "5x4"])
def test_row_calza_not_exact_either_way(name: str, standing: str) -> None:
    applied = apply(four_fours(name, standing), Calza(CAROL))
    assert dice(applied.state) == (3, 3, 2, 3)


@each_calza
@pytest.mark.parametrize("standing", ["3x4", "4x4", "5x4"])
def test_row_calza_effect_on_the_bidder(name: str, standing: str) -> None:
    applied = apply(four_fours(name, standing), Calza(CAROL))
    assert dice(applied.state)[ALICE] == 3
    assert ALICE not in (closed(applied).loser, closed(applied).gainer)


@each_calza
@pytest.mark.parametrize("standing", ["3x4", "4x4", "5x4"])
@pytest.mark.parametrize("caller", [BOB, CAROL, DAVE])
def test_row_calza_next_opener(name: str, standing: str, caller: int) -> None:
    assert calza(four_fours(name, standing), caller).next_opener == caller


@each_calza
def test_row_calza_with_all_dice(name: str) -> None:
    state = at(FULL[name], cups=[cup(5, 4), cup(5, 4), cup(5)], standing="2x4", to_act=BOB)
    outcome = calza(state, CAROL)
    assert (outcome.held, outcome.gainer, outcome.next_opener) == (True, None, CAROL)


@each_calza
def test_row_calza_caller_goes_out(name: str) -> None:
    state = at(FULL[name], cups=[(4, 4), (4, 4), (5,), (5, 5)], standing="3x4", to_act=BOB)
    outcome = calza(state, CAROL)
    assert (outcome.out, outcome.next_opener, outcome.next_mode) == (CAROL, DAVE, Mode.NORMAL)


@each_calza
def test_row_several_callers(name: str) -> None:
    assert first_caller(four_fours(name, "4x4"), [DAVE, CAROL]) == CAROL
    assert first_caller(at(FULL[name]), [DAVE, CAROL]) is None  # nothing to call yet


@each_calza
def test_row_calza_between_two(name: str) -> None:
    expected = None if name == "bga" else "calza.two-players"
    assert refusal(at(FULL[name], (3, 3, 0), standing="2x4", to_act=BOB), Calza(BOB)) == expected


@each_calza
def test_row_calza_in_palifico(name: str) -> None:
    state = at(FULL[name], (1, 3, 3), standing="2x4", to_act=BOB, palifico=True)
    assert refusal(state, Calza(BOB)) == (None if name == "bga" else "calza.palifico")


@each_calza
@pytest.mark.parametrize(("done", "again"), [(False, True), (True, False)])
def test_row_palifico_after_calza(name: str, done: bool, again: bool) -> None:
    cups = [(4, 4), (4, 4), (5, 5), (5, 5)]
    flags = (False, False, done, False)
    state = at(FULL[name], cups=cups, standing="3x4", to_act=BOB, palifico_done=flags)
    palifico = calza(state, CAROL).next_mode is Mode.PALIFICO
    assert palifico == (again or name != "bga")


@each_calza
def test_row_calza_means_the_newest_bid(name: str) -> None:
    state = bids(four_fours(name, "3x4"), "4x4")
    assert calza(state, DAVE).held is True

"""The four presets row by row: the one-die round and the end."""

import pytest

from games.rules import (
    PRESETS,
    Calza,
    Dudo,
    FaceChange,
    GameState,
    Mode,
    Phase,
    Trigger,
    preset_options,
)
from tests.unit.rules.helpers import (
    ALICE,
    ALL_PRESETS,
    BOB,
    CAROL,
    FULL,
    after,
    at,
    bids,
    calza,
    cup,
    dudo,
    legal,
    refusal,
    rolled,
    says,
)

each_preset = pytest.mark.parametrize("name", ALL_PRESETS)


def dropping(name: str, *, third: int = 3, done: bool = False) -> GameState:
    """Return a doubted false bid that takes Alice from two dice to one."""
    cups = [cup(2), cup(3), cup(third)]
    flags = (done, False, False)
    return at(FULL[name], cups=cups, standing="8x5", to_act=BOB, palifico_done=flags)


@each_preset
def test_row_palifico_status(name: str) -> None:
    assert PRESETS[name].palifico.enabled == (name != "asmodee")
    assert ("palifico" in preset_options(name)) == (name == "asmodee")


@each_preset
def test_row_palifico_trigger(name: str) -> None:
    outcome = dudo(dropping(name))
    assert (outcome.loser, outcome.next_mode) == (ALICE, Mode.PALIFICO)
    # three dice to two is no trigger
    two = at(FULL[name], cups=[cup(3), cup(3), cup(3)], standing="8x5", to_act=BOB)
    assert dudo(two).next_mode is Mode.NORMAL


@each_preset
def test_row_palifico_how_often(name: str) -> None:
    often = FULL[name].palifico.trigger is Trigger.EVERY_DROP_TO_ONE
    assert often == (name in ("asmodee", "wikipedia"))
    assert (dudo(dropping(name, done=True)).next_mode is Mode.PALIFICO) == often


@each_preset
def test_row_palifico_is_no_choice(name: str) -> None:
    assert after(dropping(name), Dudo(BOB)).round.mode is Mode.PALIFICO


@each_preset
def test_row_palifico_opener(name: str) -> None:
    following = after(dropping(name), Dudo(BOB)).round
    assert following.opener == following.to_act == following.palifico_by == ALICE


@each_preset
def test_row_palifico_aces_are_not_wild(name: str) -> None:
    """R-43."""
    cups = [(1,), (4, 1, 1), (4, 4, 1)]
    assert dudo(at(FULL[name], cups=cups, standing="9x4", palifico=True)).count == 3
    assert dudo(at(FULL[name], cups=cups, standing="9x1", palifico=True)).count == 4


@each_preset
def test_row_palifico_open_on_aces(name: str) -> None:
    assert says(at(FULL[name], (1, 3, 3), palifico=True), "1x1") is None
    assert says(at(FULL[name], (1, 3, 3), palifico=True), "3x6") is None


@each_preset
def test_row_palifico_change_of_face(name: str) -> None:
    free = name == "piatnik"
    assert (FULL[name].palifico.face_change is FaceChange.ONE_DIE_PLAYERS) == free
    state = bids(at(FULL[name], (1, 1, 3), palifico=True), "2x4")
    assert (says(state, "2x5") is None) == free  # Bob has one die
    bound = bids(state, "3x4")
    assert says(bound, "3x5") == says(bound, "4x5") == "bid.face-locked"  # Carol has three


@each_preset
def test_row_palifico_raise(name: str) -> None:
    state = bids(at(FULL[name], (1, 3, 3), palifico=True), "2x4")
    assert legal(state, up_to=6) == {"3x4", "4x4", "5x4", "6x4"}


@each_preset
def test_row_palifico_prices_are_off(name: str) -> None:
    state = at(FULL[name], (1, 3, 3), standing="4x1", palifico=True)
    assert says(state, "5x1") is None
    assert (says(state, "5x6") is None) == (name == "piatnik")
    assert says(at(FULL[name], (1, 3, 3), standing="4x6", palifico=True), "2x1") is not None


@each_preset
def test_row_palifico_calza(name: str) -> None:
    state = at(FULL[name], cups=[(4,), (4, 2), (3, 3)], standing="2x4", palifico=True)
    expected = {
        "piatnik": "calza.disabled",
        "bga": None,
        "asmodee": "calza.palifico",
        "wikipedia": "calza.palifico",
    }
    assert refusal(state, Calza(BOB)) == expected[name]
    if name == "bga":
        assert calza(state, BOB).held is True  # aces are not added there either


@each_preset
def test_row_palifico_two_players_left(name: str) -> None:
    state = at(FULL[name], cups=[cup(2), cup(3), ()], standing="8x5", to_act=BOB)
    assert (dudo(state).next_mode is Mode.PALIFICO) == (name != "piatnik")


@each_preset
def test_row_palifico_lasts_one_round(name: str) -> None:
    """R-46."""
    state = bids(rolled(after(dropping(name), Dudo(BOB))), "1x2", "7x2")
    following = after(state, Dudo(CAROL))  # seven dice, all twos: Carol loses one of three
    assert (following.round.opener, following.round.mode) == (CAROL, Mode.NORMAL)


@each_preset
def test_row_end(name: str) -> None:
    """The last player with a die wins (R-62); the others by order of going out (R-63)."""
    over = after(at(FULL[name], cups=[(3,), (4, 4)], standing="3x5", to_act=BOB), Dudo(BOB))
    assert (over.phase, over.winner) == (Phase.OVER, BOB)
    assert [seat.place for seat in over.seats] == [2, 1]

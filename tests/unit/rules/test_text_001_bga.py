"""001 BGA: every worked example and rule sentence of the Italian board-game-site summary."""

import pytest

from games.rules import PRESETS, Calza, Dudo, Mode, apply, may_calza
from tests.unit.rules.helpers import (
    ALICE,
    BGA,
    BOB,
    CAROL,
    NUMBERS,
    after,
    at,
    bids,
    calza,
    closed,
    cup,
    dice,
    dudo,
    legal,
    refusal,
    rolled,
    says,
)


@pytest.mark.parametrize(("cups", "held"), [
    ([(5, 5), (1, 2), (1, 3)], True),
    ([(5, 5), (1, 2), (2, 3)], False),
])  # fmt: skip
def test_001_bga_four_fives_means_fives_or_jolly(cups: list[tuple[int, ...]], held: bool) -> None:
    """001 BGA: "almeno quattro dadi contenenti un 5 o un jolly" (R-20, R-34)."""
    assert dudo(at(BGA, cups=cups, standing="4x5")).held is held


def test_001_bga_no_opening_on_jolly() -> None:
    """001 BGA: "Non può in ogni caso aprire le scommesse dichiarando i jolly" (R-21)."""
    assert says(at(BGA), "1x1") == "bid.aces-opening"


def test_001_bga_the_first_player_must_bid() -> None:
    """001 BGA: "primo giocatore (che deve puntare)" (R-21)."""
    state = at(BGA)
    assert refusal(state, Dudo(ALICE)) == "dudo.no-bid"
    assert refusal(state, Calza(BOB)) == "calza.no-bid"


@pytest.mark.parametrize("text", ["5x5", "6x5", "4x6"])
def test_001_bga_raises_over_four_fives(text: str) -> None:
    """001 BGA: "il giocatore successivo può scommettere "cinque 5" o "sei 5", oppure ... "quattro
    6"" (R-22)."""
    assert says(at(BGA, standing="4x5"), text) is None


def test_001_bga_two_jolly_over_four_fives() -> None:
    """001 BGA: "Partendo dal "quattro 5" ... "due jolly"", rounded up always (R-24)."""
    state = at(BGA, standing="4x5")
    assert says(state, "2x1") is None
    assert says(state, "1x1") == "bid.aces-half"
    assert says(at(BGA, standing="5x5"), "2x1") == "bid.aces-half"  # "arrotondando per eccesso"
    assert says(at(BGA, standing="5x5"), "3x1") is None


def test_001_bga_five_of_any_number_over_two_jolly() -> None:
    """001 BGA: "da "due jolly", quindi, si deve necessariamente passare a "cinque 2", "cinque 3" e
    via discorrendo" (R-25)."""
    state = at(BGA, standing="2x1")
    for face in NUMBERS:
        assert says(state, f"4x{face}") == "bid.double-plus-one"
        assert says(state, f"5x{face}") is None


def test_001_bga_all_dice_of_all_players_are_shown() -> None:
    """001 BGA: "tutti i dadi di tutti i giocatori vengono mostrati" (R-32)."""
    outcome = dudo(at(BGA, cups=[(5, 5), (5, 5), (5, 5)], standing="2x5", to_act=BOB))
    assert [lifted.seat for lifted in outcome.lifted] == [BOB, CAROL, ALICE]
    assert outcome.count == 6


@pytest.mark.parametrize(("standing", "loser"), [("3x5", BOB), ("4x5", ALICE)])
def test_001_bga_who_lost_the_die_begins(standing: str, loser: int) -> None:
    """001 BGA: "Qualunque sia l'esito, si ricomincia a scommettere dal giocatore che ha appena
    perso il proprio dado" (R-31, R-60)."""
    state = at(BGA, cups=[(5, 2, 2), (5, 2, 2), (1, 2, 2)], standing=standing, to_act=BOB)
    assert (dudo(state).loser, dudo(state).next_opener) == (loser, loser)


def test_001_bga_calza_is_an_option() -> None:
    """001 BGA: "c'è l'opzione "calza" da poter attivare a inizio partita" (R-50, R-91)."""
    assert refusal(at(PRESETS["bga"], standing="4x5"), Calza(ALICE)) == "calza.disabled"
    assert refusal(at(BGA, standing="4x5"), Calza(ALICE)) is None


def test_001_bga_calza_out_of_turn() -> None:
    """001 BGA: "anche se non è il proprio turno di rilanciare/dubitare" (R-51)."""
    state = at(BGA, standing="4x5", to_act=ALICE)  # Carol bid, Alice is to act
    assert may_calza(state, ALICE)
    assert may_calza(state, BOB)


def test_001_bga_an_exact_calza_recovers_a_lost_die() -> None:
    """001 BGA: "se essi verificano effettivamente l'esatta combinazione ... recupera uno dei dadi
    perduti" (R-54), "si ricomincerà da chi ha chiamato "calza"" (R-60)."""
    state = at(BGA, cups=[(5, 2), (1, 3), (5, 1)], standing="4x5", to_act=ALICE)
    applied = apply(state, Calza(BOB))
    outcome = closed(applied)
    assert (outcome.held, outcome.gainer, outcome.loser) == (True, BOB, None)
    assert dice(applied.state) == (2, 3, 2)
    assert outcome.next_opener == BOB


@pytest.mark.parametrize("standing", ["3x5", "5x5"])
def test_001_bga_an_inexact_calza_costs_a_die(standing: str) -> None:
    """001 BGA: "in caso contrario perde un ulteriore dado ... a prescindere dall'esito" (R-55)."""
    state = at(BGA, cups=[(5, 2), (1, 3, 3), (5, 1)], standing=standing, to_act=ALICE)
    outcome = calza(state, BOB)
    assert (outcome.held, outcome.loser, outcome.next_opener) == (False, BOB, BOB)


def test_001_bga_palifico_binds_all_to_the_number() -> None:
    """001 BGA: "(ad esempio: "tre 4") e tutti gli altri potranno rilanciare solo e soltanto su quel
    numero" (R-44)."""
    state = bids(at(BGA, (1, 1, 5), palifico=True), "3x4")
    assert legal(state, up_to=5) == {"4x4", "5x4"}
    assert says(state, "4x5") == says(state, "3x5") == says(state, "2x1") == "bid.face-locked"


def test_001_bga_palifico_jolly_is_no_jolly() -> None:
    """001 BGA: "i jolly NON avranno più valore di jolly e possono essere dichiarati nella scommessa
    d'apertura" (R-43)."""
    state = at(BGA, cups=[(1,), (1, 4, 2), (4, 4, 1)], palifico=True)
    assert says(state, "1x1") is None
    assert dudo(bids(state, "3x4")).count == 3


def test_001_bga_palifico_once_a_game_per_player() -> None:
    """001 BGA: "se quindi un giocatore scende ad un dado, effettua il round palifico, poi guadagna
    un secondo dado e infine ne riperde uno, non potrà chiamare nuovamente un round palifico"
    (R-41)."""
    state = at(BGA, cups=[(3, 3), (3, 3, 3), (4, 4, 4)], standing="8x5", to_act=BOB)
    state = after(state, Dudo(BOB))
    assert (state.round.mode, state.round.opener, dice(state)) == (Mode.PALIFICO, ALICE, (1, 3, 3))

    state = bids(rolled(state, (2,), (2, 2, 3), (5, 5, 5)), "1x2", "3x2")
    state = after(state, Calza(ALICE))  # three twos: exact
    assert (state.round.mode, state.round.opener, dice(state)) == (Mode.NORMAL, ALICE, (2, 3, 3))

    state = bids(rolled(state, (2, 2), cup(3), cup(3)), "7x6")
    state = after(state, Dudo(BOB))  # no six at all
    assert (state.round.mode, state.round.opener, dice(state)) == (Mode.NORMAL, ALICE, (1, 3, 3))


def test_001_bga_who_keeps_a_die_wins() -> None:
    """001 BGA: "Vince ... chi rimane a fine partita con almeno un dado in mano" (R-62)."""
    assert dudo(at(BGA, cups=[(3,), (4,)], standing="2x5", to_act=BOB)).winner == BOB

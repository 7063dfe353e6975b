"""003 Wikipedia: every worked example and rule sentence of the French Wikipedia article."""

from fractions import Fraction

import pytest

from games.rules import FACES, PRESETS, Calza, Dudo, Mode, apply
from tests.unit.rules.helpers import (
    ALICE,
    BOB,
    CAROL,
    WIKIPEDIA,
    at,
    bids,
    calza,
    closed,
    dice,
    dudo,
    legal,
    refusal,
    says,
)

SIX = (5, 5, 5, 5, 5, 5)


def test_003_wikipedia_sixes_average_five_of_thirty() -> None:
    """003 Wikipedia: "sur 30 dés, la valeur six apparaît en moyenne cinq fois": the dice of all
    six faces in equal number, aces left aside (R-02, R-43)."""
    assert 30 * Fraction(1, len(FACES)) == 5
    cups = [FACES[:5], FACES[:5], FACES[:5], FACES[:5], FACES[:5], (6, 6, 6, 6, 6)]
    outcome = dudo(at(WIKIPEDIA, cups=cups, standing="5x6", palifico=True))
    assert (sum(len(cup.dice) for cup in outcome.lifted), outcome.count) == (30, 5)


@pytest.mark.parametrize("own", [(6, 6, 6, 6, 6), (2, 3, 4, 5, 2)])
def test_003_wikipedia_nine_sixes_with_five_of_them_or_with_none(own: tuple[int, ...]) -> None:
    """003 Wikipedia: "voyant mes 5 six, je parie sur 9 six"; "sauf que je n'ai aucun six ?
    J'annonce quand même 9 six" (R-20)."""
    state = at(WIKIPEDIA, cups=[own] + [(2, 3, 4, 5, 2)] * 5)
    assert says(state, "9x6") is None


@pytest.mark.parametrize(("face", "count"), [(2, 2), (3, 2), (4, 1), (5, 3), (6, 1)])
def test_003_wikipedia_what_one_cup_counts(face: int, count: int) -> None:
    """003 Wikipedia: "Paco-deux-trois-cinq-cinq, on comptera 2 deux ..., 2 trois ..., 1 quatre ...,
    3 cinq ..., ou 1 six" (R-34)."""
    cups = [(1, 2, 3, 5, 5), (), (6, 6, 6, 6, 6) if face != 6 else (2, 2, 2, 2, 2)]
    outcome = dudo(at(WIKIPEDIA, cups=cups, standing=f"9x{face}"))
    assert outcome.lifted[0].matching == outcome.count == count


@pytest.mark.parametrize(("sixes", "held"), [(4, False), (5, True), (6, True)])
def test_003_wikipedia_a_bid_is_always_at_least(sixes: int, held: bool) -> None:
    """003 Wikipedia: "Si on parie sur 5 six, il faut qu'il y ait au moins 5 dés" (R-20)."""
    row = (6,) * sixes + (2,) * (10 - sixes)
    assert dudo(at(WIKIPEDIA, cups=[row[:5], row[5:]], standing="5x6")).held is held


def test_003_wikipedia_the_first_bid_is_not_on_pacos() -> None:
    """003 Wikipedia: "Celle-ci ne doit pas porter sur le nombre de Pacos" (R-21)."""
    assert says(at(WIKIPEDIA, SIX), "1x1") == "bid.aces-opening"


@pytest.mark.parametrize("text", ["9x5", "7x6", "4x1"])
def test_003_wikipedia_raises_over_seven_fives(text: str) -> None:
    """003 Wikipedia: "sur 7 cinq, surenchérir à 9 cinq"; "à 7 six"; "à 4 Pacos par exemple
    (7/2=3,5 donc 4 Pacos)" (R-22, R-24)."""
    assert says(at(WIKIPEDIA, SIX, standing="7x5"), text) is None


def test_003_wikipedia_three_pacos_are_too_few_over_seven_fives() -> None:
    """003 Wikipedia: "7/2=3,5 donc 4 Pacos" (R-24)."""
    assert says(at(WIKIPEDIA, SIX, standing="7x5"), "3x1") == "bid.aces-half"


def test_003_wikipedia_back_from_four_pacos() -> None:
    """003 Wikipedia: "sur 4 Pacos, surenchérir à 9 deux par exemple (4x2=8, et on ajoute 1)"
    (R-25)."""
    state = at(WIKIPEDIA, SIX, standing="4x1")
    assert says(state, "9x2") is None
    assert says(state, "8x6") == "bid.double-plus-one"


@pytest.mark.parametrize(("standing", "loser"), [("3x4", BOB), ("4x4", ALICE)])
def test_003_wikipedia_dudo(standing: str, loser: int) -> None:
    """003 Wikipedia: "Si l'enchère était juste, le joueur qui a douté perd un dé, sinon c'est celui
    qui a fait l'enchère erronée", "tout le monde révèle ses dés", and he begins (R-31, R-32,
    R-60)."""
    state = at(WIKIPEDIA, cups=[(4, 2, 2), (4, 3, 3), (1, 6, 6)], standing=standing, to_act=BOB)
    outcome = dudo(state)
    assert (outcome.loser, outcome.next_opener) == (loser, loser)
    assert len(outcome.lifted) == 3


def test_003_wikipedia_the_next_one_clockwise_begins_for_a_player_out() -> None:
    """003 Wikipedia: "c'est le joueur suivant, dans le sens des aiguilles d'une montre, qui
    démarre" (R-61)."""
    outcome = dudo(at(WIKIPEDIA, cups=[(4,), (3,), (6,)], standing="2x5", to_act=BOB))
    assert (outcome.out, outcome.next_opener) == (ALICE, BOB)


def test_003_wikipedia_all_but_one_have_lost_all_dice() -> None:
    """003 Wikipedia: "Le jeu se termine quand tous les joueurs, sauf un (le vainqueur), ont perdu
    tous leurs dés" (R-62)."""
    assert dudo(at(WIKIPEDIA, cups=[(4,), (), (6,)], standing="2x5", to_act=ALICE)).winner == ALICE


def test_003_wikipedia_palifico_at_the_loss_of_the_next_to_last_die() -> None:
    """003 Wikipedia: "quand un joueur vient de perdre son avant-dernier dé" (R-40)."""
    state = at(WIKIPEDIA, cups=[(4, 4), (3, 3), (6, 6)], standing="6x5", to_act=BOB)
    assert (dudo(state).next_mode, dudo(state).next_opener) == (Mode.PALIFICO, ALICE)


def test_003_wikipedia_palifico_over_two_fives() -> None:
    """003 Wikipedia: "le premier joueur annonce par exemple 2 cinq, et le suivant doit dire 3 cinq,
    4 cinq ou plus ; ou dire Dudo. Seuls les cinq seront comptés, sans les Pacos" (R-43, R-44)."""
    state = at(WIKIPEDIA, cups=[(5,), (1, 5, 5), (1, 1, 2)], palifico=True)
    state = bids(state, "2x5")
    assert legal(state, up_to=5) == {"3x5", "4x5", "5x5"}
    assert refusal(state, Dudo(BOB)) is None
    assert dudo(state).count == 3


def test_003_wikipedia_palifico_may_open_on_pacos() -> None:
    """003 Wikipedia: "celui qui commence peut parier sur les Pacos" (R-43)."""
    assert says(at(WIKIPEDIA, (1, 3, 3), palifico=True), "1x1") is None


def test_003_wikipedia_calza_right_within_five_dice() -> None:
    """003 Wikipedia: "S'il a raison, il gagne un dé, dans la limite des cinq dés de départ"
    (R-54)."""
    cups = [(4, 2, 2, 2), (4, 3, 3, 3, 3), (1, 6)]
    state = at(WIKIPEDIA, cups=cups, standing="3x4", to_act=ALICE)  # Carol bid
    applied = apply(state, Calza(ALICE))
    assert (dice(applied.state), closed(applied).gainer) == ((5, 5, 2), ALICE)
    applied = apply(state, Calza(BOB))
    assert (dice(applied.state), closed(applied).gainer) == ((4, 5, 2), None)


def test_003_wikipedia_calza_wrong() -> None:
    """003 Wikipedia: "S'il a tort (l'enchère n'est pas exacte), il perd un dé" (R-55)."""
    state = at(WIKIPEDIA, cups=[(4, 2), (4, 3), (1, 6)], standing="2x4", to_act=ALICE)
    assert calza(state, BOB).loser == BOB


@pytest.mark.parametrize("standing", ["2x4", "3x4", "4x4"])
def test_003_wikipedia_calza_caller_begins_and_the_bidder_risks_nothing(standing: str) -> None:
    """003 Wikipedia: "Qu'il ait gagné ou perdu un dé, c'est lui qui démarre"; "Celui qui a dit
    l'enchère ... ne risque rien" (R-56, R-60)."""
    state = at(WIKIPEDIA, cups=[(4, 2), (4, 3), (1, 6)], standing=standing, to_act=ALICE)
    applied = apply(state, Calza(BOB))
    assert closed(applied).next_opener == BOB
    assert (dice(applied.state)[ALICE], dice(applied.state)[CAROL]) == (2, 2)


def test_003_wikipedia_calza_is_an_additional_rule_and_not_for_two() -> None:
    """003 Wikipedia: "Règles additionnelles"; "Il est d'usage d'interdire d'utiliser le Calza quand
    il n'y a plus que deux joueurs survivants" (R-50, R-53)."""
    assert refusal(at(PRESETS["wikipedia"], standing="2x4"), Calza(BOB)) == "calza.disabled"
    state = at(WIKIPEDIA, (2, 0, 3), standing="2x4", to_act=ALICE)
    assert refusal(state, Calza(ALICE)) == "calza.two-players"

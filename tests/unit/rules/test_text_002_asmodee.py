"""002 Asmodee: every worked example and rule sentence of the Italian Asmodee rulebook of 2024."""

import pytest

from games.rules import PRESETS, Calza, Dudo, Mode, apply, first_caller, may_calza
from tests.unit.rules.helpers import (
    ASMODEE,
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
    says,
)

ANDREA, DIEGO, MARIA, AURORA, CARMEN, NICOLA = range(6)
SIX = (5, 5, 5, 5, 5, 5)


def test_002_asmodee_maria_has_three_of_her_five_threes() -> None:
    """002 Asmodee: "ha 2 dadi di valore 3, più un Paco ... possiede già 3 dei 5 dadi" (R-34)."""
    state = at(ASMODEE, cups=[(3, 3, 1, 6, 5), cup(5, 4), cup(5, 4)])
    outcome = dudo(bids(state, "5x3"))
    assert outcome.lifted[-1].seat == ANDREA
    assert outcome.lifted[-1].matching == 3


def test_002_asmodee_more_dice_than_declared_are_fine() -> None:
    """002 Asmodee: "corrisponde al minimo di dadi presenti; se ce ne sono di più, va bene comunque"
    (R-20)."""
    assert dudo(at(ASMODEE, cups=[(3, 3), (3, 1)], standing="2x3")).held is True


def test_002_asmodee_no_opening_on_paco() -> None:
    """002 Asmodee: "Non potete iniziare un round facendo una dichiarazione in Paco" (R-21)."""
    assert says(at(ASMODEE, SIX), "2x1") == "bid.aces-opening"


def test_002_asmodee_way_one_more_dice_of_any_value() -> None:
    """002 Asmodee: "Se Maria ha dichiarato che 4 dadi mostrano un 4, Andrea può rilanciare
    dichiarando che 5 dadi mostrano un valore qualsiasi ... anche un numero maggiore" (R-22)."""
    state = at(ASMODEE, SIX, standing="4x4")
    for face in NUMBERS:
        assert says(state, f"5x{face}") is None
        assert says(state, f"9x{face}") is None


def test_002_asmodee_way_two_same_dice_of_a_higher_value() -> None:
    """002 Asmodee: "4 dadi mostrano un 5, oppure che 4 dadi mostrano un 6" (R-22)."""
    state = at(ASMODEE, SIX, standing="4x4")
    four = {text for text in legal(state, up_to=4) if text.startswith("4x")} - {"4x1"}
    assert four == {"4x5", "4x6"}


def test_002_asmodee_way_three_at_least_half_in_paco() -> None:
    """002 Asmodee: "uguale almeno alla metà della dichiarazione precedente (arrotondata per
    eccesso)" (R-24)."""
    for quantity, half in [(1, 1), (4, 2), (5, 3), (6, 3), (7, 4)]:
        state = at(ASMODEE, SIX, standing=f"{quantity}x6")
        assert says(state, f"{half}x1") is None
        assert says(state, f"{half + 1}x1") is None
        if half > 1:
            assert says(state, f"{half - 1}x1") == "bid.aces-half"


def test_002_asmodee_more_paco_or_double_plus_one() -> None:
    """002 Asmodee: "dichiarando un maggior numero di Paco"; "almeno il doppio della dichiarazione
    in Paco precedente, più 1" (R-25, R-26)."""
    state = at(ASMODEE, SIX, standing="3x1")
    assert says(state, "3x1") == "bid.not-a-raise"
    assert says(state, "4x1") is None
    assert says(state, "6x6") == "bid.double-plus-one"
    assert says(state, "7x2") is None
    assert says(state, "8x2") is None


def test_002_asmodee_nicola_doubts_marias_five_threes() -> None:
    """002 Asmodee: "rivelando un totale di 4 dadi che mostrano un 3, più 2 Paco. Ciò equivale a 6
    dadi di valore 3 ... Nicola perde 1 dado" (R-31)."""
    maria, nicola = 0, 1
    cups = [cup(5, 3, 3, 1), cup(5, 3), cup(5, 1, 3)]
    applied = apply(at(ASMODEE, cups=cups, standing="5x3", to_act=nicola), Dudo(nicola))
    outcome = closed(applied)
    assert (outcome.bidder, outcome.count, outcome.held) == (maria, 6, True)
    assert outcome.loser == nicola
    assert dice(applied.state) == (5, 4, 5)


def test_002_asmodee_too_few_dice_cost_the_bidder() -> None:
    """002 Asmodee: "è inferiore al numero annunciato nella dichiarazione, il giocatore che ha fatto
    la dichiarazione perde 1 dado" (R-31)."""
    outcome = dudo(at(ASMODEE, cups=[cup(5, 3), cup(5, 1), cup(5)], standing="3x3", to_act=1))
    assert (outcome.count, outcome.loser) == (2, 0)


@pytest.mark.parametrize(
    "round_bids",
    [
        ("5x6", "6x4", "6x5", "3x1", "7x6"),
        ("6x6", "7x4", "7x5", "4x1", "9x6"),
    ],
    ids=["5-6-6-3P-7", "6-7-7-4P-9"],
)
def test_002_asmodee_the_example_round(round_bids: tuple[str, ...]) -> None:
    """002 Asmodee, "ESEMPIO DI ROUND": Diego raises the dice "libero di scegliere un valore
    inferiore", Maria the value, Aurora "dimezza il numero precedente, arrotondando per eccesso",
    Carmen takes "il doppio del numero previsto di Paco, più 1", Nicola says "Dubito"; "5 dadi di
    valore 6 e 4 Paco. Carmen aveva ragione! ... Nicola perde un dado e diventa il primo giocatore
    del round successivo" (R-22, R-24, R-25, R-31, R-60)."""
    cups = [cup(5, 1, 1), cup(5, 1), cup(5, 5, 5, 5, 5), cup(5, 1), cup(5, 6, 6, 6, 6), cup(5, 6)]
    state = bids(at(ASMODEE, cups=cups, to_act=ANDREA), *round_bids)
    assert state.round.to_act == NICOLA
    outcome = dudo(state)
    assert (outcome.bidder, outcome.count, outcome.held) == (CARMEN, 9, True)
    assert (outcome.loser, outcome.next_opener) == (NICOLA, NICOLA)


@pytest.mark.parametrize(("aurora", "least"), [("2x1", "3x1"), ("3x1", None)])
def test_002_asmodee_aurora_may_not_go_lower(aurora: str, least: str | None) -> None:
    """002 Asmodee: Aurora "dimezza il numero precedente": six fives cost three Paco (R-24)."""
    state = bids(at(ASMODEE, SIX), "5x6", "6x4", "6x5")
    assert says(state, aurora) == ("bid.aces-half" if least else None)


def test_002_asmodee_out_the_player_on_the_left_begins() -> None:
    """002 Asmodee: "siete eliminati e il giocatore alla vostra sinistra inizia il round
    successivo" (R-61)."""
    outcome = dudo(at(ASMODEE, cups=[(3, 3), (4,), (5, 5)], standing="1x3", to_act=1))
    assert (outcome.out, outcome.next_opener) == (1, 2)


def test_002_asmodee_the_last_one_with_dice_wins() -> None:
    """002 Asmodee: "Quando un solo giocatore ha ancora dadi ... è il vincitore" (R-62)."""
    assert dudo(at(ASMODEE, cups=[(3, 3), (4,)], standing="1x3", to_act=1)).winner == 0


def test_002_asmodee_the_last_die_is_optional() -> None:
    """002 Asmodee: "REGOLE FACOLTATIVE": off in the preset, on by the table (R-91)."""
    state = at(PRESETS["asmodee"], cups=[(3, 3), (4, 4), (5, 5)], standing="6x6", to_act=1)
    assert dudo(state).next_mode is Mode.NORMAL
    state = at(ASMODEE, cups=[(3, 3), (4, 4), (5, 5)], standing="6x6", to_act=1)
    assert dudo(state).next_mode is Mode.PALIFICO


def test_002_asmodee_last_die_round_over_two_fours() -> None:
    """002 Asmodee: "Se Maria dichiara che ci sono 2 dadi di valore 4 ... Diego può rilanciare
    dichiarando che ci sono 3 dadi di valore 4 ... anche rilanciare con un maggior numero di dadi"
    (R-44)."""
    state = bids(at(ASMODEE, (1, 5, 5), palifico=True), "2x4")
    assert legal(state, up_to=6) == {"3x4", "4x4", "5x4", "6x4"}


def test_002_asmodee_last_die_paco_is_any_other_value() -> None:
    """002 Asmodee: "I Paco non sono jolly"; "Vi è concesso iniziare facendo la dichiarazione in
    Paco" (R-43)."""
    state = at(ASMODEE, cups=[(1,), (4, 1), (4, 4)], palifico=True)
    assert says(state, "1x1") is None
    assert dudo(bids(state, "3x4")).count == 3


def test_002_asmodee_bulls_eye_right() -> None:
    """002 Asmodee: "(ovvero la dichiarazione, inclusi i Paco, corrisponde esattamente ...) può
    recuperare il dado" (R-54)."""
    state = at(ASMODEE, cups=[cup(4, 3, 1), cup(4, 3), cup(4)], standing="3x3", to_act=0)
    applied = apply(state, Calza(1))
    assert dice(applied.state) == (4, 5, 4)
    assert closed(applied).next_opener == 1


def test_002_asmodee_bulls_eye_wrong() -> None:
    """002 Asmodee: "Diversamente, quel giocatore perde un dado. In entrambi i casi, quel giocatore
    diventa il primo giocatore" (R-55, R-60)."""
    state = at(ASMODEE, cups=[cup(4, 3, 1), cup(4, 3), cup(4)], standing="4x3", to_act=0)
    applied = apply(state, Calza(1))
    assert dice(applied.state) == (4, 3, 4)
    assert closed(applied).next_opener == 1


def test_002_asmodee_bulls_eye_by_any_other_player() -> None:
    """002 Asmodee: "qualsiasi altro giocatore può ribattere "Occhio di Bue!"" (R-51)."""
    state = at(ASMODEE, (5, 5, 5, 5), standing="3x3", to_act=1)
    assert [may_calza(state, seat) for seat in range(4)] == [False, True, True, True]


def test_002_asmodee_no_bulls_eye_in_a_last_die_round_or_between_two() -> None:
    """002 Asmodee: "durante un round "Ultimo dado!" oppure se ci sono solo due giocatori al tavolo"
    (R-53)."""
    assert refusal(at(ASMODEE, standing="3x3", palifico=True), Calza(0)) == "calza.palifico"
    assert refusal(at(ASMODEE, (5, 5), standing="3x3"), Calza(0)) == "calza.two-players"


def test_002_asmodee_several_bulls_eyes_at_once() -> None:
    """002 Asmodee: "la priorità va al giocatore più vicino al giocatore che aveva appena fatto la
    dichiarazione (in senso orario)" (R-58)."""
    state = at(ASMODEE, SIX, standing="3x3", to_act=3)  # seat 2 bid
    assert first_caller(state, [0, 1, 5]) == 5
    assert first_caller(state, [1, 0]) == 0
    assert first_caller(state, [2]) is None  # the bidder himself is not heard


def test_002_asmodee_bulls_eye_ends_the_round_at_once() -> None:
    """002 Asmodee: "Interrompete immediatamente il round" (R-51)."""
    cups = [cup(5, 3), cup(5, 3), cup(5, 3)]
    state = bids(at(ASMODEE, cups=cups), "2x3", "3x3")
    assert calza(state, 0).held is True  # Carol was to act
    assert after(state, Calza(0)).round.number == state.round.number + 1

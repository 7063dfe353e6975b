"""000 Piatnik: every worked example and every rule sentence of the Italian Piatnik rulebook."""

import pytest

from games.rules import Calza, Dudo, Mode, Phase, Resign, apply, may_dudo, new_game
from tests.unit.rules.helpers import (
    NUMBERS,
    PIATNIK,
    after,
    at,
    bids,
    closed,
    cup,
    dice,
    dudo,
    legal,
    refusal,
    rolled,
    says,
)

MARCO, LUCIO, ELENA, FULVIO, CARLO, SILVIA = range(6)
SIX = (5, 5, 5, 5, 5, 5)


def test_000_piatnik_every_player_takes_five_dice() -> None:
    """000 Piatnik: "ogni giocatore prende 5 dadi" (R-02)."""
    assert dice(new_game(PIATNIK, seats=6, opener=MARCO)) == SIX


def test_000_piatnik_marco_may_claim_eight_or_nine_of_thirty() -> None:
    """000 Piatnik: "ci sono trenta dadi in gioco. Marco può scommettere ... almeno otto volte
    (si sommano anche i Jolly)" (R-20, R-34)."""
    state = at(PIATNIK, cups=[(4, 4, 5, 2, 1)] + [cup(5)] * 5, to_act=MARCO)
    assert state.dice_in_play == 30
    for face in NUMBERS:
        assert says(state, f"8x{face}") is None
        assert says(state, f"9x{face}") is None
    # two 4 and the Testa di Lama are three dice for his bid on fours
    outcome = dudo(bids(state, "8x4"))
    marco = next(lifted for lifted in outcome.lifted if lifted.seat == MARCO)
    assert marco.matching == 3


def test_000_piatnik_lucio_over_eight_fours() -> None:
    """000 Piatnik: "un numero qualsiasi è presente almeno nove volte oppure che il 5 o il 6 è
    presente almeno otto volte" (R-22)."""
    state = at(PIATNIK, SIX, standing="8x4", to_act=LUCIO)
    numbers = {text for text in legal(state, up_to=10) if not text.endswith("x1")}
    assert numbers == {
        *("8x5", "8x6"),
        *(f"9x{face}" for face in NUMBERS),
        *(f"10x{face}" for face in NUMBERS),
    }
    assert says(state, "8x4") == says(state, "8x3") == says(state, "7x6") == "bid.not-a-raise"


def test_000_piatnik_elena_needs_five_aces_over_nine_fours() -> None:
    """000 Piatnik: "Lucio rilancia e scommette su nove 4 ... dovrebbe dichiarare “Almeno cinque
    Teste di Lama”": odd, so the whole number above the half (R-24)."""
    state = at(PIATNIK, SIX, standing="9x4", to_act=ELENA)
    assert says(state, "4x1") == "bid.aces-half"
    assert says(state, "5x1") is None
    assert says(state, "6x1") is None


def test_000_piatnik_half_of_an_even_quantity() -> None:
    """000 Piatnik: "alla metà di quanto appena dichiarato (se si tratta di una quantità pari)"
    (R-24)."""
    state = at(PIATNIK, SIX, standing="8x4", to_act=ELENA)
    assert says(state, "3x1") == "bid.aces-half"
    assert says(state, "4x1") is None


def test_000_piatnik_fulvio_over_five_aces() -> None:
    """000 Piatnik: "Fulvio che può rilanciare con sei o più Teste di Lama oppure con undici o più
    di un numero qualsiasi" (R-25, R-26)."""
    state = at(PIATNIK, SIX, standing="5x1", to_act=FULVIO)
    aces = {text for text in legal(state, up_to=12) if text.endswith("x1")}
    assert aces == {f"{quantity}x1" for quantity in range(6, 13)}
    assert legal(state, up_to=12) - aces == {
        f"{quantity}x{face}" for quantity in (11, 12) for face in NUMBERS
    }
    assert says(state, "10x6") == "bid.double-plus-one"
    assert says(state, "5x1") == "bid.not-a-raise"


def test_000_piatnik_players_may_bluff() -> None:
    """000 Piatnik: "anche se non ha né quel numero né Teste di Lama" (R-20)."""
    state = at(PIATNIK, cups=[(2, 2, 2, 2, 2), (3, 3, 3, 3, 3)], to_act=MARCO)
    assert says(state, "4x6") is None


def test_000_piatnik_eleven_fours_doubted_and_nine_found() -> None:
    """000 Piatnik: "Fulvio ha scommesso su undici 4, Carlo dice “Dudo”. ... ce ne sono nove;
    Fulvio perde un dado" (R-31, R-34)."""
    cups = [cup(5, 4, 1), cup(5, 4), cup(5, 1, 1), cup(5, 4, 4), cup(5, 1), cup(5, 4)]
    state = at(PIATNIK, cups=cups, standing="11x4", to_act=CARLO)
    applied = apply(state, Dudo(CARLO))
    outcome = closed(applied)
    assert (outcome.bidder, outcome.caller) == (FULVIO, CARLO)
    assert (outcome.count, outcome.held, outcome.loser) == (9, False, FULVIO)
    assert dice(applied.state) == (5, 5, 5, 4, 5, 5)
    # "Il giocatore che ha perso il dado inizia il nuovo turno"
    assert outcome.next_opener == FULVIO


@pytest.mark.parametrize("quantity", [8, 9])
def test_000_piatnik_equal_or_greater_costs_the_doubter(quantity: int) -> None:
    """000 Piatnik: "un numero di volte uguale o maggiore ... chi ha dubitato perde un dado"."""
    cups = [cup(5, 4, 1), cup(5, 4), cup(5, 1, 1), cup(5, 4, 4), cup(5, 1), cup(5, 4)]
    outcome = dudo(at(PIATNIK, cups=cups, standing=f"{quantity}x4", to_act=CARLO))
    assert (outcome.held, outcome.loser) == (True, CARLO)


def test_000_piatnik_only_the_next_player_raises_or_doubts() -> None:
    """000 Piatnik: "tocca al giocatore a sinistra. Questo ha due possibilità" (R-30)."""
    state = at(PIATNIK, SIX, standing="8x4", to_act=LUCIO)
    assert may_dudo(state, LUCIO)
    for other in (MARCO, ELENA, FULVIO, CARLO, SILVIA):
        assert refusal(state, Dudo(other)) == "turn.not-yours"
        assert says(state, "9x4", seat=other) == "turn.not-yours"
    assert refusal(state, Calza(ELENA)) == "calza.disabled"


def test_000_piatnik_a_player_out_is_replaced_by_his_left_neighbour() -> None:
    """000 Piatnik: "ha perso il suo ultimo dado, esce dal gioco ed il giocatore alla sua sinistra
    inizia il nuovo turno" (R-61)."""
    state = at(PIATNIK, cups=[(2,), (3, 3), (4, 4), (5, 5)], standing="5x6", to_act=LUCIO)
    outcome = dudo(state)
    assert (outcome.loser, outcome.out, outcome.next_opener) == (MARCO, MARCO, LUCIO)


def test_000_piatnik_cups_are_lifted_from_the_doubter_and_stop_at_the_proof() -> None:
    """000 Piatnik: "in senso orario, inizia il giocatore che ha fermato il gioco ... non è
    necessario che i restanti giocatori mostrino i propri dadi" (R-33)."""
    cups = [cup(5, 4), cup(5, 4, 4), cup(5), cup(5, 1), cup(5, 4)]
    outcome = dudo(at(PIATNIK, cups=cups, standing="4x4", to_act=ELENA))
    # Elena 0, Fulvio 1, Carlo 1, Marco 1, Lucio 2: only Lucio, the bidder, proves it
    assert [lifted.seat for lifted in outcome.lifted] == [ELENA, FULVIO, CARLO, MARCO, LUCIO]
    outcome = dudo(at(PIATNIK, cups=cups, standing="2x4", to_act=ELENA))
    assert [lifted.seat for lifted in outcome.lifted] == [ELENA, FULVIO, CARLO]
    assert (outcome.count, outcome.held) == (2, True)


def test_000_piatnik_a_round_may_not_open_on_aces() -> None:
    """000 Piatnik: "Non si può iniziare un turno scommettendo sulle Teste di Lama" (R-21)."""
    assert says(at(PIATNIK, SIX), "1x1") == "bid.aces-opening"


def test_000_piatnik_aces_count_alone_when_bid() -> None:
    """000 Piatnik: "o per conto proprio se si è scommesso su di esse" (R-34)."""
    state = at(PIATNIK, cups=[(4, 4, 1), (1, 1, 6)], standing="4x1", to_act=MARCO)
    assert (dudo(state).count, dudo(state).loser) == (3, LUCIO)


def test_000_piatnik_the_first_drop_to_one_die_is_palifico() -> None:
    """000 Piatnik: "per la prima volta con un solo dado, deve dichiararsi “Palifico”. Il giocatore
    inizia il turno successivo" (R-40, R-41)."""
    cups = [(3, 3), (3, 3, 3), (4, 4, 4)]
    applied = apply(at(PIATNIK, cups=cups, standing="8x5", to_act=LUCIO), Dudo(LUCIO))
    assert applied.state.round.mode is Mode.PALIFICO
    assert applied.state.round.opener == applied.state.round.palifico_by == MARCO


def test_000_piatnik_elena_palifico_and_carlo_with_one_die() -> None:
    """000 Piatnik: "Elena si è dichiarata Palifico e ha scommesso su due 4, Fulvio rilancia con tre
    4. Carlo ha un solo dado (un 5) e decide di dichiarare: “Tre 5”. Da questo momento i giocatori
    successivi devono giocare sul 5. Un altro giocatore con un solo dado, può cambiare ancora
    numero." (R-44)"""
    state = at(PIATNIK, (4, 1, 1, 5, 1, 3), to_act=ELENA, palifico=True)
    state = bids(state, "2x4")
    assert says(state, "3x5") == "bid.face-locked"  # Fulvio has five dice
    state = bids(state, "3x4", "3x5")
    assert state.round.to_act == SILVIA
    assert says(state, "4x4") == says(state, "3x6") == "bid.face-locked"
    state = bids(state, "4x5")
    assert state.round.to_act == MARCO
    assert says(state, "5x6") == "bid.face-locked"
    state = bids(state, "5x5")
    assert state.round.to_act == LUCIO  # one die
    assert says(state, "5x6") is None
    assert says(bids(state, "5x6"), "5x5") == "bid.not-a-raise"  # Elena: free, but not lower


def test_000_piatnik_in_palifico_the_ace_is_like_any_other_number() -> None:
    """000 Piatnik: "perde la sua funzione di Jolly ... può iniziare il turno scommettendo sulle
    Teste di Lama" (R-43)."""
    state = at(PIATNIK, cups=[(1,), (1, 4), (4, 4, 1)], palifico=True)
    assert says(state, "1x1") is None
    assert dudo(bids(state, "3x4")).count == 3  # the aces are not added


def test_000_piatnik_opponents_in_palifico_only_raise_or_doubt() -> None:
    """000 Piatnik: "gli avversari possono solo rilanciare o dubitare" (R-44, R-50)."""
    state = bids(at(PIATNIK, (1, 5, 5), palifico=True), "2x4")
    assert legal(state, up_to=4) == {"3x4", "4x4"}
    assert may_dudo(state, LUCIO)
    assert refusal(state, Calza(ELENA)) == "calza.disabled"


def test_000_piatnik_no_palifico_between_two_players() -> None:
    """000 Piatnik: "quando sono rimasti in gioco solo due giocatori, la regola del Palifico non si
    applica" (R-45)."""
    two = at(PIATNIK, cups=[(3, 3), (), (3, 3, 3)], standing="6x5", to_act=ELENA)
    outcome = dudo(two)
    assert (outcome.loser, outcome.next_opener, outcome.next_mode) == (MARCO, MARCO, Mode.NORMAL)


def test_000_piatnik_the_last_player_with_a_die_wins() -> None:
    """000 Piatnik: "Quando un giocatore resta l'unico con almeno un dado, la partita termina"
    (R-62)."""
    applied = apply(at(PIATNIK, cups=[(3,), (4,)], standing="2x5", to_act=LUCIO), Dudo(LUCIO))
    assert applied.state.phase is Phase.OVER
    assert applied.state.winner == closed(applied).winner == LUCIO
    assert refusal(applied.state, Resign(LUCIO)) == "game.over"


def test_000_piatnik_a_round_begins_with_a_roll_of_everybody() -> None:
    """000 Piatnik: "All'inizio del turno tutti i giocatori lanciano i propri dadi" (R-04)."""
    state = new_game(PIATNIK, seats=3, opener=LUCIO)
    assert says(state, "1x2") == "round.not-rolled"
    state = rolled(state)
    assert state.round.to_act == LUCIO
    assert refusal(after(state, Resign(MARCO)), Dudo(LUCIO)) == "round.not-rolled"

"""What the texts leave open about dudo, calza and lifting cups: docs/rules.md section 10."""

import pytest

from games.rules import Calza, CalzaWindow, Dudo, Mode, Ruleset, apply, may_calza, view_for
from tests.unit.rules.helpers import (
    ALICE,
    ALL_PRESETS,
    ASMODEE,
    BGA,
    BOB,
    CAROL,
    DAVE,
    FULL,
    PIATNIK,
    WIKIPEDIA,
    WITH_CALZA,
    after,
    at,
    bids,
    calza,
    closed,
    cup,
    dice,
    dudo,
    refusal,
    toggled,
)

each_preset = pytest.mark.parametrize("name", ALL_PRESETS)
each_calza = pytest.mark.parametrize("name", WITH_CALZA)


@each_preset
def test_a10_no_dudo_and_no_calza_before_a_bid(name: str) -> None:
    """The opener must bid (R-21)."""
    state = at(FULL[name])
    assert refusal(state, Dudo(ALICE)) == "dudo.no-bid"
    expected = "calza.disabled" if name == "piatnik" else "calza.no-bid"
    assert refusal(state, Calza(BOB)) == expected


@each_preset
def test_a11_only_the_player_on_turn_doubts(name: str) -> None:
    """002 Asmodee: "fino a quando qualcuno sceglie di contestare" is no licence (R-30)."""
    state = at(FULL[name], (5, 5, 5, 5), standing="4x4", to_act=BOB)
    assert refusal(state, Dudo(BOB)) is None
    for seat in (ALICE, CAROL, DAVE):
        assert refusal(state, Dudo(seat)) == "turn.not-yours"


@each_calza
def test_a12_nobody_calls_calza_on_his_own_bid(name: str) -> None:
    """002 Asmodee: "qualsiasi altro giocatore" (R-51)."""
    state = at(FULL[name], standing="4x4", to_act=BOB)
    assert refusal(state, Calza(ALICE)) == "calza.own-bid"


def test_a13_calza_out_of_turn_where_the_text_is_silent() -> None:
    """003 Wikipedia: "Si un joueur pense que" is anybody (R-51)."""
    state = at(WIKIPEDIA, standing="4x4", to_act=BOB)
    assert refusal(state, Calza(CAROL)) is None


@each_calza
def test_a14_the_player_on_turn_may_call_it_too(name: str) -> None:
    """001 BGA: "anche se non è il proprio turno" (R-51)."""
    assert refusal(at(FULL[name], standing="4x4", to_act=BOB), Calza(BOB)) is None


@each_calza
def test_a15_the_right_ends_with_the_next_action(name: str) -> None:
    """After a raise only the raise can be called exact (R-50, R-52)."""
    state = at(FULL[name], cups=[cup(3, 4), cup(3, 4), cup(3)], standing="2x4", to_act=BOB)
    assert calza(state, CAROL).held is True
    raised = bids(state, "3x4")
    assert calza(raised, ALICE).held is False
    assert refusal(after(state, Dudo(BOB)), Calza(CAROL)) == "round.not-rolled"


def test_a15_the_window_is_a_toggle() -> None:
    """``turn_only`` keeps calza to the seat on turn; ``grace`` is the service's business (R-52)."""
    rules = toggled(BGA, calza={"window": CalzaWindow.TURN_ONLY})
    state = at(rules, standing="4x4", to_act=BOB)
    assert refusal(state, Calza(BOB)) is None
    assert refusal(state, Calza(CAROL)) == "calza.turn-only"
    grace = at(toggled(BGA, calza={"window": CalzaWindow.GRACE}), standing="4x4", to_act=BOB)
    assert refusal(grace, Calza(CAROL)) is None


@each_calza
def test_a16_calling_with_all_dice_gains_nothing_and_opens(name: str) -> None:
    """003 Wikipedia: "dans la limite des cinq dés de départ" (R-54, R-60)."""
    state = at(FULL[name], cups=[cup(5, 4), cup(5, 4), cup(5)], standing="2x4", to_act=BOB)
    applied = apply(state, Calza(CAROL))
    outcome = closed(applied)
    assert (outcome.held, outcome.gainer, outcome.loser) == (True, None, None)
    assert (dice(applied.state), outcome.next_opener) == ((5, 5, 5), CAROL)
    wrong = apply(bids(state, "3x4"), Calza(ALICE))
    assert dice(wrong.state) == (4, 5, 5)


def test_a16_a_lost_die_may_be_required() -> None:
    """``calza.needs_lost_die`` forbids the call with all dice (R-53)."""
    rules = toggled(BGA, calza={"needs_lost_die": True})
    state = at(rules, (5, 5, 4), standing="2x4", to_act=BOB)
    assert refusal(state, Calza(BOB)) == "calza.needs-lost-die"
    assert refusal(state, Calza(CAROL)) is None
    small = at(toggled(rules, start_dice=3), (3, 3, 2), standing="2x4", to_act=BOB)
    assert refusal(small, Calza(BOB)) == "calza.needs-lost-die"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [(BGA, None), (ASMODEE, "calza.two-players"), (WIKIPEDIA, "calza.two-players")],
    ids=["bga", "asmodee", "wikipedia"],
)
def test_a17_calza_between_two_players(rules: Ruleset, expected: str | None) -> None:
    """001 BGA is silent; 003 Wikipedia: "Il est d'usage d'interdire" (R-53)."""
    assert refusal(at(rules, (3, 3), standing="2x4", to_act=BOB), Calza(BOB)) == expected


@pytest.mark.parametrize(
    ("rules", "expected"),
    [(BGA, None), (ASMODEE, "calza.palifico"), (WIKIPEDIA, "calza.palifico")],
    ids=["bga", "asmodee", "wikipedia"],
)
def test_a18_calza_in_a_palifico_round(rules: Ruleset, expected: str | None) -> None:
    """003 Wikipedia: "le suivant doit dire 3 cinq ... ou dire Dudo" (R-53)."""
    state = at(rules, (1, 3, 3), standing="2x4", to_act=BOB, palifico=True)
    assert refusal(state, Calza(CAROL)) == expected


@each_preset
def test_a19_the_left_of_the_one_who_is_out_opens_after_a_dudo(name: str) -> None:
    """Never the other party of the doubt as such (R-61)."""
    # Bob doubts Alice and is out: Carol opens, though Alice was the winner of the doubt
    state = at(FULL[name], cups=[(4, 4), (3,), (5, 5)], standing="1x4", to_act=BOB)
    assert (dudo(state).out, dudo(state).next_opener) == (BOB, CAROL)
    # Carol's neighbour Dave is out for long: the next one in is Alice
    state = at(FULL[name], cups=[(4, 4), (4, 4), (5,), ()], standing="2x4", to_act=CAROL)
    assert (dudo(state).out, dudo(state).next_opener) == (CAROL, ALICE)


@each_calza
def test_a19_the_left_of_the_caller_opens_after_a_calza(name: str) -> None:
    """001 BGA: "si ricomincerà da chi ha chiamato", but he is out (R-61)."""
    state = at(FULL[name], cups=[(4, 4), (4, 4), (5,), (6, 6)], standing="3x4", to_act=BOB)
    outcome = calza(state, CAROL)
    assert (outcome.out, outcome.next_opener) == (CAROL, DAVE)


def test_a20_lifting_does_not_stop_at_impossibility() -> None:
    """000 Piatnik: only "la dichiarazione è giusta" stops it (R-33)."""
    cups = [cup(2), cup(2), cup(2), cup(2)]
    outcome = dudo(at(PIATNIK, cups=cups, standing="8x5", to_act=BOB))
    assert [lifted.seat for lifted in outcome.lifted] == [BOB, CAROL, DAVE, ALICE]
    assert (outcome.held, outcome.count) == (False, 0)


@each_calza
def test_a21_a_player_who_is_out_does_not_call_calza(name: str) -> None:
    """He is not at the table any more (R-51)."""
    state = at(FULL[name], (3, 3, 0, 3), standing="2x4", to_act=BOB)
    assert refusal(state, Calza(CAROL)) == "seat.out"
    assert not may_calza(state, CAROL)


@each_calza
def test_a22_a_wrong_calza_down_to_one_die_makes_a_palifico_round(name: str) -> None:
    """He opens and it is a palifico round by the ordinary trigger (R-40)."""
    state = at(FULL[name], cups=[(4, 4), (4, 4), (5, 5), (6, 6)], standing="3x4", to_act=BOB)
    outcome = calza(state, DAVE)
    assert (outcome.loser, outcome.next_opener) == (DAVE, DAVE)
    assert outcome.next_mode is Mode.PALIFICO


def test_a32_the_regained_die_is_not_declined() -> None:
    """002 Asmodee: "può recuperare" happens by itself (R-54)."""
    state = at(ASMODEE, cups=[cup(4, 4), cup(4, 4), cup(4)], standing="2x4", to_act=BOB)
    assert dice(after(state, Calza(CAROL))) == (4, 4, 5)


def test_a44_lifting_is_by_whole_cups() -> None:
    """The proof may come with a cup's first die; the cup is shown whole (R-33)."""
    cups = [cup(5), cup(5, 4, 4, 4, 4), cup(5), cup(5)]
    outcome = dudo(at(PIATNIK, cups=cups, standing="1x4", to_act=BOB))
    assert [lifted.dice for lifted in outcome.lifted] == [cups[BOB]]
    assert outcome.count == 4


@each_calza
def test_a45_all_cups_are_lifted_for_calza_from_the_caller_clockwise(name: str) -> None:
    """The order is for display; a later cup may break the exactness (R-57)."""
    state = at(FULL[name], cups=[(4, 2), (4, 4), (5, 4), (6, 6)], standing="2x4", to_act=BOB)
    outcome = calza(state, CAROL)
    assert [lifted.seat for lifted in outcome.lifted] == [CAROL, DAVE, ALICE, BOB]
    assert (outcome.count, outcome.held) == (4, False)


def test_a45_an_early_stop_does_not_apply_to_calza() -> None:
    """Exactness needs every cup, also where a dudo would stop early (R-57)."""
    rules = toggled(PIATNIK, calza={"enabled": True})
    state = at(rules, cups=[(4, 2), (4, 4), (5, 4), (6, 6)], standing="1x4", to_act=BOB)
    assert len(calza(state, BOB).lifted) == 4
    assert len(dudo(state).lifted) == 1


def test_a46_covered_cups_stay_covered() -> None:
    """000 Piatnik: "non è necessario": in no outcome, event or later view (R-33, R-72)."""
    cups = [(6, 6, 5), (4, 4, 4), (3, 3, 3), (5, 5, 3)]
    applied = apply(at(PIATNIK, cups=cups, standing="2x4", to_act=BOB), Dudo(BOB))
    assert [lifted.seat for lifted in closed(applied).lifted] == [BOB]
    assert applied.state.round.cups is None
    for viewer in (None, *range(4)):
        assert view_for(applied.state, viewer).own_dice is None
    assert "(3, 3, 3)" not in repr(applied)
    assert "(6, 6, 5)" not in repr(applied)


@pytest.mark.parametrize("rules", [ASMODEE, WIKIPEDIA], ids=["asmodee", "wikipedia"])
def test_a47_two_players_at_the_table_are_two_still_in(rules: Ruleset) -> None:
    """002 Asmodee: "solo due giocatori al tavolo" (R-53)."""
    state = at(rules, (3, 3, 0, 0), standing="2x4", to_act=BOB)
    assert refusal(state, Calza(BOB)) == "calza.two-players"
    assert refusal(at(rules, (3, 3, 0, 1), standing="2x4", to_act=BOB), Calza(BOB)) is None


@each_calza
def test_a48_calza_means_the_newest_bid(name: str) -> None:
    """003 Wikipedia: "la dernière enchère" (R-50)."""
    cups = [cup(3, 4), cup(3, 4), cup(3)]
    state = bids(at(FULL[name], cups=cups), "2x4", "3x4")  # two fours: the older bid is exact
    outcome = calza(state, CAROL)
    assert (str(outcome.bid), outcome.bidder, outcome.held) == ("3x4", BOB, False)
    assert refusal(state, Calza(BOB)) == "calza.own-bid"
    assert refusal(state, Calza(ALICE)) is None

"""What the texts leave open about rounds, palifico, places and tables: docs/rules.md section 10."""

import pytest

from games.rules import (
    PRESETS,
    Calza,
    CoveredCups,
    DieLost,
    Dudo,
    FirstStarter,
    Mode,
    Phase,
    Resign,
    Ruleset,
    RuleViolation,
    apply,
    first_opener,
    may_calza,
    new_game,
    preset_options,
    view_for,
    with_options,
    with_start_dice,
)
from tests.unit.rules.helpers import (
    ALICE,
    ALL_PRESETS,
    ASMODEE,
    BGA,
    BOB,
    CAROL,
    FULL,
    PIATNIK,
    WIKIPEDIA,
    after,
    at,
    bids,
    closed,
    dice,
    dudo,
    refusal,
    rolled,
    toggled,
)

each_preset = pytest.mark.parametrize("name", ALL_PRESETS)


@pytest.mark.parametrize(
    ("rules", "mode"),
    [
        (PIATNIK, Mode.NORMAL),
        (BGA, Mode.NORMAL),
        (ASMODEE, Mode.PALIFICO),
        (WIKIPEDIA, Mode.PALIFICO),
    ],
    ids=ALL_PRESETS,
)
def test_a23_dropping_to_one_die_for_the_second_time(rules: Ruleset, mode: Mode) -> None:
    """Once a game where the text says "prima volta", else at every loss (R-41)."""
    done = (True, False, False)
    cups = [(3, 3), (3, 3, 3), (4, 4, 4)]
    state = at(rules, cups=cups, standing="8x5", to_act=BOB, palifico_done=done)
    assert (dudo(state).loser, dudo(state).next_mode) == (ALICE, mode)


@each_preset
def test_a24_palifico_is_not_a_choice(name: str) -> None:
    """000 Piatnik: "deve dichiararsi": the round is created so, without an action (R-40)."""
    state = at(FULL[name], cups=[(3, 3), (3, 3, 3), (4, 4, 4)], standing="8x5", to_act=BOB)
    following = after(state, Dudo(BOB))
    assert (following.phase, following.round.mode) == (Phase.ROLL, Mode.PALIFICO)
    assert following.seats[ALICE].palifico_done


@each_preset
def test_a25_a_one_die_player_who_opens_later_opens_a_normal_round(name: str) -> None:
    """He opens because his right-hand neighbour went out, not because he dropped (R-46)."""
    cups = [(3,), (4,), (5, 5, 5)]
    state = at(FULL[name], cups=cups, standing="2x6", to_act=BOB)
    outcome = dudo(state)
    assert (outcome.out, outcome.next_opener, outcome.next_mode) == (ALICE, BOB, Mode.NORMAL)


@each_preset
def test_a25_the_mode_is_read_from_the_round_not_from_the_dice(name: str) -> None:
    """A normal round opened by a one-die seat keeps its aces wild (R-46)."""
    cups = [(1,), (4, 1), (5, 5, 5)]
    state = bids(at(FULL[name], cups=cups), "3x4")
    assert dudo(state).count == 3


@pytest.mark.parametrize(
    ("rules", "mode"),
    [
        (PIATNIK, Mode.NORMAL),
        (BGA, Mode.PALIFICO),
        (ASMODEE, Mode.PALIFICO),
        (WIKIPEDIA, Mode.PALIFICO),
    ],
    ids=ALL_PRESETS,
)
def test_a26_palifico_with_two_players_left(rules: Ruleset, mode: Mode) -> None:
    """Only 000 Piatnik switches it off (R-45)."""
    state = at(rules, cups=[(3, 3), (), (3, 3, 3)], standing="8x5", to_act=CAROL)
    assert (dudo(state).loser, dudo(state).next_mode) == (ALICE, mode)


def test_a26_the_two_players_are_counted_after_an_elimination() -> None:
    """Three before a resignation, two after it: the palifico round is not played anew (R-45)."""
    state = at(PIATNIK, (1, 3, 3), palifico=True)
    following = after(state, Resign(CAROL))
    assert (following.round.opener, following.round.mode) == (ALICE, Mode.NORMAL)
    four = after(at(PIATNIK, (1, 3, 3, 3), palifico=True), Resign(CAROL))
    assert (four.round.opener, four.round.mode) == (ALICE, Mode.PALIFICO)


@pytest.mark.parametrize(
    ("name", "hidden"),
    [("piatnik", True), ("bga", False), ("asmodee", True), ("wikipedia", False)],
)
def test_a33_hidden_counts_are_not_displayed_but_losses_are_told(name: str, hidden: bool) -> None:
    """002 Asmodee: "Cercate di ricordare quanti dadi sono ancora in gioco" (R-70)."""
    state = at(PRESETS[name], cups=[(3, 3, 3), (3, 3), (4,), ()], standing="8x5", to_act=BOB)
    shown = [seat.dice for seat in view_for(state, BOB).seats]
    assert shown == ([None, 2, None, 0] if hidden else [3, 2, 1, 0])
    assert [seat.remembered for seat in view_for(state, BOB).seats] == [3, 2, 1, 0]
    assert DieLost(ALICE) in apply(state, Dudo(BOB)).events


def test_a33_the_table_may_agree_to_show_them() -> None:
    """002 Asmodee: "I giocatori possono anche decidere insieme di non nascondere" (R-70, R-91)."""
    rules = with_options(PRESETS["asmodee"], {"shown_counts": True})
    assert [seat.dice for seat in view_for(at(rules, (3, 2, 1)), ALICE).seats] == [3, 2, 1]


@each_preset
def test_a34_covered_cups_after_the_game_are_a_toggle(name: str) -> None:
    """After the end by default; the state itself forgets them either way (R-72)."""
    assert FULL[name].covered_cups_after_game is CoveredCups.AFTER_END
    for choice in CoveredCups:
        rules = toggled(FULL[name], covered_cups_after_game=choice)
        over = after(at(rules, cups=[(3,), (4,)], standing="2x5", to_act=BOB), Dudo(BOB))
        assert over.phase is Phase.OVER
        assert over.round.cups is None
        assert over.rules.covered_cups_after_game is choice


def test_a35_the_host_names_the_first_opener_or_chance_does() -> None:
    """002 Asmodee: "L'ultimo ad aver visto un tucano" (R-03)."""
    assert ASMODEE.first_starter is FirstStarter.DECLARED
    assert first_opener(ASMODEE, seats=4, declared=2, draw=lambda _: 0) == 2
    assert first_opener(ASMODEE, seats=4, draw=lambda sides: sides - 1) == 3
    with pytest.raises(ValueError, match="no seat 4"):
        first_opener(ASMODEE, seats=4, declared=4, draw=lambda _: 0)


def test_a35_ties_of_a_roll_off_roll_again() -> None:
    """003 Wikipedia: "On tire d'abord aux dés", without a word on ties (R-03)."""
    assert WIKIPEDIA.first_starter is FirstStarter.ROLL_OFF
    throws = iter([5, 4, 5, 5, 3, 3, 2, 3, 4])  # seats 0, 2, 3 tie; then 0 and 2; then 2 wins
    opener = first_opener(WIKIPEDIA, seats=4, draw=lambda _: next(throws))
    assert opener == 2
    assert list(throws) == []


def test_a35_random_needs_one_draw_and_ignores_a_declaration() -> None:
    """000 Piatnik: "viene scelto in modo casuale" (R-03)."""
    drawn = {5: iter([4])}  # one draw among five, and no more
    assert first_opener(PIATNIK, seats=5, declared=1, draw=lambda n: next(drawn[n])) == 4
    assert list(drawn[5]) == []


@each_preset
def test_a37_places_are_the_order_of_going_out(name: str) -> None:
    """Later is better, the winner is first (R-63)."""
    state = at(FULL[name], cups=[(3,), (4,), (5, 5)], standing="3x6", to_act=BOB)
    state = after(state, Dudo(BOB))  # Alice is out
    state = after(bids(rolled(state), "3x6"), Dudo(CAROL))  # Bob is out
    assert state.winner == CAROL
    assert [seat.place for seat in state.seats] == [3, 2, 1]


def test_a38_number_of_players() -> None:
    """003 Wikipedia: "2 à 6, voire plus" (R-01)."""
    for rules in PRESETS.values():
        for seats in (2, 6):
            assert len(new_game(rules, seats=seats, opener=0).seats) == seats
        for seats in (1, 7):
            with pytest.raises(RuleViolation) as refused:
                new_game(rules, seats=seats, opener=0)
            assert refused.value.code == "game.seats"
    many = with_options(PRESETS["wikipedia"], {"more_players": True})
    assert len(new_game(many, seats=10, opener=9).seats) == 10


def test_a39_the_only_additional_rule_of_wikipedia_is_calza() -> None:
    """003 Wikipedia: "Deux règles additionnelles", of which one is printed (R-91)."""
    assert preset_options("wikipedia") == ("calza", "more_players")


def test_a40_authors_are_not_a_rule() -> None:
    """The texts name Fry and Fernandini, or Borg: no toggle hangs on it (R-90)."""
    assert not {"author", "authors"} & set(PRESETS["wikipedia"].to_dict())
    assert not {"author", "authors"} & set(PRESETS["asmodee"].to_dict())


@pytest.mark.parametrize("rules", [ASMODEE, PIATNIK], ids=["asmodee", "piatnik"])
def test_a41_palifico_lasts_one_round(rules: Ruleset) -> None:
    """002 Asmodee: "nel turno successivo (e solo in quel turno)" means the round (R-46)."""
    state = at(rules, cups=[(1,), (4, 4, 4), (5, 5, 5)], palifico=True)
    state = bids(state, "1x4", "2x4", "3x4", "4x4")  # longer than one lap: still palifico
    assert state.round.mode is Mode.PALIFICO
    following = after(state, Dudo(BOB))
    assert (dice(following), following.round.mode) == ((0, 3, 3), Mode.NORMAL)


@each_preset
def test_a42_no_palifico_when_a_game_starts_with_one_die(name: str) -> None:
    """Nobody has dropped to one (R-42)."""
    state = new_game(with_start_dice(FULL[name], 1), seats=4, opener=0)
    assert state.round.mode is Mode.NORMAL
    state = after(bids(rolled(state), "4x3"), Dudo(BOB))  # Alice is out, Bob opens with one die
    assert (dice(state), state.round.opener, state.round.mode) == ((0, 1, 1, 1), BOB, Mode.NORMAL)


@each_preset
def test_a42_starting_with_two_dice_the_first_drop_counts(name: str) -> None:
    """From two to one is an ordinary drop (R-40)."""
    state = rolled(new_game(with_start_dice(FULL[name], 2), seats=4, opener=0))
    state = after(bids(state, "4x3"), Dudo(BOB))
    assert (dice(state), state.round.mode) == ((1, 2, 2, 2), Mode.PALIFICO)


@each_preset
def test_a43_leaving_is_a_house_rule(name: str) -> None:
    """No text knows it: the round closes without loss and is rolled again (R-80, R-81)."""
    state = at(FULL[name], cups=[(3, 3), (4, 4), (5, 5)], standing="4x6", to_act=BOB)
    applied = apply(state, Resign(BOB))
    outcome = closed(applied)
    assert (outcome.lifted, outcome.loser, outcome.out) == ((), None, BOB)
    assert (dice(applied.state), applied.state.phase) == ((2, 0, 2), Phase.ROLL)
    assert applied.state.round.opener == ALICE
    assert refusal(applied.state, Calza(BOB)) == "seat.out"
    assert not may_calza(applied.state, BOB)

"""Every refusal there is: its code, its sentence, its numbers."""

import pickle
import string
from collections.abc import Callable

import pytest

from games.rules import (
    ALL_CODES,
    MESSAGES,
    PRESETS,
    Bid,
    BidCap,
    Calza,
    CalzaWindow,
    DiceCounts,
    Dudo,
    MakeBid,
    Phase,
    RaiseMode,
    Resign,
    Roll,
    Ruleset,
    RuleViolation,
    apply,
    find_ruleset,
    new_game,
    why_not,
    with_options,
)
from tests.unit.rules.helpers import BGA, WIKIPEDIA, at, toggled

Attempt = Callable[[], object]
HIDDEN = toggled(BGA, bid_cap=BidCap.DICE_IN_PLAY, dice_counts=DiceCounts.HIDDEN)
TURN_ONLY = toggled(BGA, calza={"window": CalzaWindow.TURN_ONLY})
STARTED = new_game(BGA, seats=3, opener=0)


def bid(text: str, standing: str | None = None, **how: object) -> Attempt:
    """Return the attempt of Alice to bid ``text``."""
    rules = how.pop("rules", BGA)
    assert isinstance(rules, Ruleset)
    state = at(rules, (5, 5, 5), standing=standing, **how)
    return lambda: apply(state, MakeBid(0, Bid.parse(text)))


ATTEMPTS: dict[str, tuple[Attempt, dict[str, object]]] = {
    "bid.unreadable": (bid("5x9"), {"most": 9999}),
    "bid.aces-opening": (bid("5x1"), {}),
    "bid.not-a-raise": (bid("4x5", "4x6"), {"bid": "4x5", "over": "4x6"}),
    "bid.aces-half": (bid("2x1", "5x6"), {"over": "5x6", "least": 3}),
    "bid.double-plus-one": (bid("6x6", "3x1"), {"over": "3x1", "least": 7}),
    "bid.face-locked": (bid("3x5", "2x4", palifico=True), {"face": 4}),
    "bid.one-way": (bid("3x5", "2x4", rules=toggled(BGA, raise_mode=RaiseMode.ONE_WAY)), {}),
    "bid.over-cap": (bid("16x5", rules=toggled(BGA, bid_cap=BidCap.DICE_AT_START)), {"cap": 15}),
    "bid.over-hidden-cap": (bid("16x5", rules=HIDDEN), {}),
    "turn.not-yours": (lambda: apply(at(BGA, standing="2x4"), Dudo(1)), {}),
    "seat.unknown": (lambda: apply(at(BGA), MakeBid(3, Bid(1, 2))), {}),
    "seat.out": (lambda: apply(at(BGA, (5, 0, 5)), Resign(1)), {}),
    "game.over": (lambda: apply(at(BGA, (5, 0, 0)), MakeBid(0, Bid(1, 2))), {}),
    "game.seats": (lambda: new_game(BGA, seats=7, opener=0), {"most": 6}),
    "round.not-rolled": (lambda: apply(STARTED, MakeBid(0, Bid(1, 2))), {}),
    "round.already-rolled": (lambda: apply(at(BGA), Roll(((1,) * 5,) * 3)), {}),
    "round.wrong-cups": (lambda: apply(STARTED, Roll(((1,) * 5,) * 2)), {}),
    "dudo.no-bid": (lambda: apply(at(BGA), Dudo(0)), {}),
    "calza.disabled": (lambda: apply(at(PRESETS["bga"], standing="2x4"), Calza(1)), {}),
    "calza.no-bid": (lambda: apply(at(BGA), Calza(1)), {}),
    "calza.own-bid": (lambda: apply(at(BGA, standing="2x4"), Calza(2)), {}),
    "calza.turn-only": (lambda: apply(at(TURN_ONLY, standing="2x4"), Calza(1)), {}),
    "calza.two-players": (lambda: apply(at(WIKIPEDIA, (2, 2), standing="2x4"), Calza(0)), {}),
    "calza.palifico": (
        lambda: apply(at(WIKIPEDIA, standing="2x4", palifico=True), Calza(1)),
        {},
    ),
    "calza.needs-lost-die": (
        lambda: apply(at(toggled(BGA, calza={"needs_lost_die": True}), standing="2x4"), Calza(1)),
        {},
    ),
    "ruleset.unknown": (lambda: find_ruleset("hasbro"), {}),
    "ruleset.malformed": (lambda: Ruleset.from_dict({}), {"key": "name"}),
    "ruleset.value": (lambda: toggled(BGA, start_dice=0), {"key": "start_dice"}),
    "ruleset.option": (
        lambda: with_options(BGA, {"palifico": True}),
        {"name": "bga", "key": "palifico"},
    ),
    "ruleset.option-value": (
        lambda: with_options(BGA, {"calza": 1}),  # type: ignore[dict-item]
        {"key": "calza"},
    ),
}


def test_every_code_has_an_attempt() -> None:
    assert set(ATTEMPTS) == ALL_CODES == set(MESSAGES)


@pytest.mark.parametrize("code", sorted(ATTEMPTS))
def test_a_refusal_has_a_code_a_sentence_and_its_numbers(code: str) -> None:
    attempt, params = ATTEMPTS[code]
    with pytest.raises(RuleViolation) as refused:
        attempt()
    violation = refused.value
    assert (violation.code, violation.params) == (code, params)
    assert violation.message == str(violation) == MESSAGES[code].format(**params)
    assert violation.message.endswith(".")
    fields = {name for _, name, _, _ in string.Formatter().parse(MESSAGES[code]) if name}
    assert fields == set(params)  # params are exactly the numbers of the sentence


def test_a_refusal_crosses_a_process_boundary() -> None:
    violation = RuleViolation("bid.aces-half", over="5x6", least=3)
    again = pickle.loads(pickle.dumps(violation))
    assert (again.code, again.params, again.message) == (
        violation.code,
        violation.params,
        violation.message,
    )
    assert repr(again) == repr(violation)


def test_an_unknown_code_is_a_programming_error() -> None:
    with pytest.raises(KeyError):
        RuleViolation("bid.silly")


@pytest.mark.parametrize("counts", [(5, 1, 1), (2, 3, 4)])
def test_no_refusal_tells_a_hidden_total(counts: tuple[int, ...]) -> None:
    """R-71: two tables that differ in hidden counts alone refuse in the same words."""
    other = (counts[0], 5, 5)
    texts = ["1x1", "2x4", "3x3", "40x5", "99x1", "3x1"]
    for standing in (None, "3x4", "2x1"):
        for text in texts:
            said = []
            for some in (counts, other):
                refused = why_not(at(HIDDEN, some, standing=standing), MakeBid(0, Bid.parse(text)))
                said.append(refused and (refused.code, refused.message, refused.params))
            assert said[0] == said[1]


@pytest.mark.parametrize(
    "cups",
    [
        (),
        ((1,) * 5, (1,) * 5),
        ((1,) * 5, (1,) * 5, (1,) * 4),
        ((1,) * 5, (1,) * 5, (1,) * 6),
        ((1,) * 5, (1,) * 5, (1, 2, 3, 4, 7)),
        ((1,) * 5, (0, 2, 3, 4, 5), (1,) * 5),
    ],
)
def test_cups_that_do_not_fit_are_refused(cups: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(RuleViolation) as refused:
        apply(STARTED, Roll(cups))
    assert refused.value.code == "round.wrong-cups"


def test_a_seat_that_is_out_rolls_nothing() -> None:
    state = at(BGA, (2, 0, 1), phase=Phase.ROLL)
    with pytest.raises(RuleViolation):
        apply(state, Roll(((1, 2), (3,), (4,))))
    assert apply(state, Roll(((1, 2), (), (4,)))).state.round.cups == ((1, 2), (), (4,))


def test_lifting_without_loaded_dice_is_a_programming_error() -> None:
    state = at(BGA, (5, 5, 5), standing="2x4")
    for action in (Dudo(0), Calza(1)):
        with pytest.raises(ValueError, match="not loaded"):
            apply(state, action)

"""Every code that standing orders speak in has a sentence, which its parameters fill."""

import pytest

from games.orders import (
    ALL_CODES,
    ASK_CODES,
    EXPECTED,
    PHRASES,
    WARNINGS,
    Ask,
    OrderError,
    OrderWarning,
    Phrase,
    parse,
    preview,
)
from games.rules import Bid, find_ruleset, position, view_for, with_options
from games.wording import orders as wording

PARAMS: dict[str, str | int] = {"most": 12, "word": "blue", "position": 3, "expected": "bid"}


def test_the_sentences_are_those_of_the_orders_and_no_others() -> None:
    assert set(wording._REFUSALS) == ALL_CODES
    assert set(wording._EXPECTED) == set(EXPECTED)
    assert set(wording._WARNINGS) == WARNINGS
    assert set(wording._ASKS) == ASK_CODES
    assert {*wording._ACTS, *wording._CONDITIONS} == PHRASES


@pytest.mark.parametrize("code", sorted(ALL_CODES))
def test_every_refusal_is_a_sentence_that_its_parameters_fill(code: str) -> None:
    sentence = wording.order_refusal(OrderError(code, **PARAMS))
    assert sentence.endswith(".")
    assert "%(" not in sentence
    assert "%%" not in sentence


@pytest.mark.parametrize("expected", sorted(EXPECTED))
def test_a_refusal_says_what_was_expected(expected: str) -> None:
    refused = OrderError("order.word", word="blue", position=3, expected=expected)
    assert wording.order_refusal(refused) == (
        f"“blue” (character 3) was not expected: here we need {EXPECTED[expected]}."
    )


@pytest.mark.parametrize("code", sorted(PHRASES))
def test_every_phrase_is_filled_by_its_values(code: str) -> None:
    values = {"bid": Bid(4, 5), "bids": (Bid(4, 5), Bid(5, 5)), "quantity": 8, "face": 5,
              "percent": 30}  # fmt: skip
    said = wording._phrase({**wording._ACTS, **wording._CONDITIONS}, Phrase(code, values))
    assert said
    assert "%(" not in said
    assert "x5" not in said


@pytest.mark.parametrize("code", sorted(WARNINGS))
def test_every_warning_is_a_sentence(code: str) -> None:
    order = parse("calza on 6x5; bid 4x5")
    warning = OrderWarning(code, 0, Bid(4, 5), "calza.disabled")
    assert wording.order_warning(warning, order).endswith(".")


@pytest.mark.parametrize("code", sorted(ASK_CODES))
def test_every_reason_to_ask_has_words(code: str) -> None:
    assert wording.ask_sentence(Ask(code)).startswith("It asks you")


def test_an_order_is_told_part_by_part() -> None:
    order = parse("dudo below 30%; bid at least 4x5 if from 3x2 and below 8; bid 5x5, 6x3")
    assert wording.order_lines(order) == (
        "If the chance that it holds is below 30 %: call dudo.",
        "If the bid is 3 twos or higher and it names fewer than 8 dice: bid 4 fives, or as few "
        "more of them as it takes.",
        "Where that can be done: bid the first of these that is a legal raise: 5 fives, 6 threes.",
        "In all other cases: ask me.",
    )
    assert wording.order_lines(parse("else dudo")) == ("Always: call dudo.",)


def test_every_kind_of_row_has_words() -> None:
    rules = with_options(find_ruleset("bga"), {"calza": True})
    cups = ((5, 5, 1, 2), (3, 3, 3, 6), (2, 2, 4, 4))
    view = view_for(position(rules, counts=(4, 4, 4), to_act=1, bid=Bid(3, 6), cups=cups), 0)
    order = parse("calza on 4x5; bid 5x2; ask from 9; bid at least 6x2 if below 7; else least")
    told = {wording.shown_action(row) for row in preview(view, order).rows}
    assert told == {
        "It calls calza",
        "It bids 5 twos",
        "It bids 6 twos",
        "It bids the fewest twos that are legal",
        "It asks you",
        "It makes the lowest raise",
    }
    assert wording.order_bids(None, None) == "You open"
    assert wording.order_bids(Bid(4, 5), Bid(4, 5)) == "4 fives"
    assert wording.order_bids(Bid(4, 5), Bid(5, 2)) == "4 fives to 5 twos"
    assert wording.chance_range(0.531, 0.958) == "53–96 %"
    assert wording.chance_range(1, 1) == "100 %"

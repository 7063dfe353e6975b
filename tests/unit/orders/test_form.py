"""The form and the grammar cannot disagree, and an explanation says all that is in an order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.orders import (
    PHRASES,
    Call,
    Choices,
    Order,
    OrderError,
    choices_of,
    compose,
    decide,
    explain,
    parse,
    parse_bids,
)
from games.rules import Bid, MakeBid
from tests.unit.orders.tables import ALICE, bids, faces, ladders, orders

pytestmark = pytest.mark.one_database

percents = st.none() | st.integers(1, 99)
all_choices = st.builds(
    Choices,
    calza_on=st.none() | bids,
    calza_from=percents,
    ask_from=st.none() | st.integers(1, 40),
    dudo_below=percents,
    ladder=st.just(()) | ladders,
    otherwise=st.sampled_from(Call),
)


@given(all_choices)
def test_what_the_form_writes_the_grammar_reads_and_fills_the_form_again(choices: Choices) -> None:
    order = compose(choices)
    assert parse(str(order)) == order
    assert choices_of(order) == choices
    assert choices_of(parse(str(order))) == choices


@given(orders())
def test_an_order_fills_the_form_only_where_the_form_writes_it(order: Order) -> None:
    choices = choices_of(order)
    assert choices is None or compose(choices) == order


def test_a_full_form_reads_well() -> None:
    choices = Choices(Bid(6, 5), 45, 8, 30, parse_bids("4x5, 5x5, 6x3"), Call.LEAST)
    assert str(compose(choices)) == (
        "calza on 6x5; calza from 45%; ask from 8; dudo below 30%; bid 4x5, 5x5, 6x3; else least"
    )
    assert str(compose(Choices())) == "else ask"


def test_the_ladder_opens_too() -> None:
    order = compose(Choices(dudo_below=30, ladder=(Bid(3, 5),)))
    assert decide(faces(None), order).action == MakeBid(ALICE, Bid(3, 5))


@pytest.mark.parametrize("percent", [0, 100, -3])
def test_a_form_has_the_bounds_of_the_grammar(percent: int) -> None:
    with pytest.raises(OrderError) as refused:
        compose(Choices(dudo_below=percent))
    assert refused.value.code == "order.percent"
    with pytest.raises(OrderError) as refused:
        compose(Choices(ladder=(Bid(1, 2),) * 13))
    assert refused.value.code == "order.too-many-rungs"


@pytest.mark.parametrize(
    "text",
    ["dudo below 30%; dudo below 20%", "least; else ask", "bid 4x5; dudo below 30%", "else 4x5",
     "ask on 5s from 3", "dudo above 30%", "bid at least 4x5"],
)  # fmt: skip
def test_these_orders_are_for_the_text_alone(text: str) -> None:
    assert choices_of(parse(text)) is None


@given(orders())
def test_every_clause_is_explained_in_known_codes(order: Order) -> None:
    parts = explain(order)
    assert len(parts) == len(order.clauses) + 1
    assert parts[-1].conditions == ()
    for part in parts:
        for phrase in (part.act, *part.conditions):
            assert phrase.code in PHRASES
    for part, clause in zip(parts, order.clauses, strict=False):
        assert len(part.conditions) == len(clause.conditions)


@pytest.mark.parametrize(
    ("text", "code", "values"),
    [
        ("dudo below 7x5", "if.bid-below", {"bid": Bid(7, 5)}),
        ("dudo from 8", "if.quantity-from", {"quantity": 8}),
        ("dudo on 5s above 3", "if.face-above", {"quantity": 3, "face": 5}),
        ("dudo from 30%", "if.holds-from", {"percent": 30}),
        ("calza above 30%", "if.exact-above", {"percent": 30}),
        ("dudo opening", "if.opening", {}),
    ],
)
def test_a_condition_is_explained_with_its_values(
    text: str, code: str, values: dict[str, object]
) -> None:
    ((phrase,), _) = [part.conditions for part in explain(parse(text))]
    assert phrase is not None
    assert (phrase.code, dict(phrase.values)) == (code, values)


def test_acts_are_explained_with_their_bids() -> None:
    said = [part.act for part in explain(parse("bid 4x5; 4x5, 5x5; bid at least 4x5; calza"))]
    assert [(each.code, dict(each.values)) for each in said] == [
        ("act.bid", {"bid": Bid(4, 5)}),
        ("act.ladder", {"bids": (Bid(4, 5), Bid(5, 5))}),
        ("act.at-least", {"bid": Bid(4, 5)}),
        ("act.calza", {}),
        ("act.ask", {}),
    ]

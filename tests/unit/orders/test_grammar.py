"""What a player may write, and how he is told what he may not."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.orders import (
    ALL_CODES,
    EXPECTED,
    MESSAGES,
    MOST_CHARACTERS,
    AtLeast,
    Call,
    Chance,
    ChanceOf,
    Clause,
    Opening,
    Order,
    OrderError,
    Quantity,
    Relation,
    Rungs,
    StandingBid,
    parse,
    parse_bids,
)
from games.orders.words import CALLS, FACES, NUMBERS
from games.rules import Bid
from tests.unit.orders.tables import orders

pytestmark = pytest.mark.one_database

BELOW, FROM, ON = Relation.BELOW, Relation.FROM, Relation.ON


def clause(text: str) -> Clause:
    """Return the one clause of an order."""
    (found,) = parse(text).clauses
    return found


def refusal(text: str) -> OrderError:
    with pytest.raises(OrderError) as refused:
        parse(text)
    return refused.value


@given(orders())
def test_an_order_is_read_back_from_what_it_writes(order: Order) -> None:
    assert parse(str(order)) == order
    assert str(parse(str(order))) == str(order)


@given(orders(), st.sampled_from([str.upper, str.title, str.swapcase]))
def test_case_does_not_matter(order: Order, change: type[str]) -> None:
    assert parse(change(str(order))) == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        (
            "if below 7x5 bid 7x5; else dudo",
            Order(
                (Clause(Rungs((Bid(7, 5),)), (StandingBid(BELOW, Bid(7, 5)),)),),
                Call.DUDO,
            ),
        ),
        ("on 6x5 calza", Order((Clause(Call.CALZA, (StandingBid(ON, Bid(6, 5)),)),))),
        ("bid at least 4x5", Order((Clause(AtLeast(Bid(4, 5))),))),
        (
            "dudo below 30%; raise 4x5, 5x5, 6x3; ask from 8",
            Order(
                (
                    Clause(Call.DUDO, (Chance(BELOW, 30),)),
                    Clause(Rungs((Bid(4, 5), Bid(5, 5), Bid(6, 3)))),
                    Clause(Call.ASK, (Quantity(FROM, 8),)),
                )
            ),
        ),
        ("else least", Order((), Call.LEAST)),
        ("bid 3x4 opening", Order((Clause(Rungs((Bid(3, 4),)), (Opening(),)),))),
    ],
)
def test_these_texts_are_these_orders(text: str, order: Order) -> None:
    assert parse(text) == order


def test_a_bare_chance_of_calza_is_that_of_being_exact() -> None:
    assert clause("calza above 45%").conditions == (Chance(Relation.ABOVE, 45, ChanceOf.EXACT),)
    assert clause("if above 45% dudo").conditions == (Chance(Relation.ABOVE, 45, ChanceOf.HOLDS),)
    assert str(clause("calza holds below 45%")) == "calza holds below 45%"
    assert str(clause("dudo exact below 5%")) == "dudo exact below 5%"


@pytest.mark.parametrize(
    "text",
    ["5 fours", "five fours", "cinque 4", "5x4", "5 × 4", "5-4", "“5 fours”", "I bid 5 fours",
     "cinq quatre", "cinco cuadras", "5 de 4", "５ ｆｏｕｒｓ", "5 fo\u200burs",
     "FIVE FOURS", "5 4's", "5 4s", "5*4", "5/4", "5 times 4", "5 dadi da 4", "5 dés de 4",
     "5 dados de 4"],
)  # fmt: skip
def test_a_bid_is_read_as_in_mail(text: str) -> None:
    assert clause(text).act == Rungs((Bid(5, 4),))


@pytest.mark.parametrize(
    ("text", "bid"),
    [
        ("neuf deux", "9x2"), ("3 pacos", "3x1"), ("tre lama", "3x1"), ("trois toucans", "3x1"),
        ("tres ases", "3x1"), ("3 jolly", "3x1"), ("sei 5", "6x5"), ("dos trenes", "2x3"),
        ("once quinas", "11x5"), ("dix-sept six", "17x6"), ("dix sept six", "17x6"),
        ("dix six", "10x6"), ("tre tre", "3x3"), ("un as", "1x1"), ("veinte cenas", "20x6"),
    ],
)  # fmt: skip
def test_number_words_are_quantity_first_and_face_second(text: str, bid: str) -> None:
    assert parse_bids(text) == (Bid.parse(bid),)


@pytest.mark.parametrize(
    "text",
    ["dudo?", "maybe dudo", "I won't say dudo", "sei un bugiardo", "54", "4s 5", "five", "fours",
     "0 fours", "5 sevens", "-5 fours", "5 fours, then dudo", "On Mon, Ann wrote: 5 fours",
     "> 5 fours", "Sent from my iPhone", "5 fours dudo", "5,4", "call", "bluff", "dudo dudo"],
)  # fmt: skip
def test_what_is_no_mail_command_is_no_order(text: str) -> None:
    with pytest.raises(OrderError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("next: 6 fours", "bid 6x4; else ask"),
        ("next: 6 fours else dudo", "bid 6x4; else dudo"),
        ("next: dudo if 8 or more", "dudo from 8; else ask"),
        ("next: calza if 6 fours", "calza on 6x4; else ask"),
        ("prossima: 6x4 sennò dudo", "bid 6x4; else dudo"),
        ("ensuite : 6x4 sinon dudo", "bid 6x4; else dudo"),
        ("próxima: 6x4 si no dudo", "bid 6x4; else dudo"),
    ],
)
def test_orders_of_mails_are_orders(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("dudo below 30%, bid 4x5, 5x5, least", "dudo below 30%; bid 4x5, 5x5; least; else ask"),
        ("dudo below 30%. Bid 4x5.", "dudo below 30%; bid 4x5; else ask"),
        ("dudo below 30%\n\nbid 4x5\n", "dudo below 30%; bid 4x5; else ask"),
        ("if below 30%: dudo; else: ask", "dudo below 30%; else ask"),
        ("if below 30% then dudo", "dudo below 30%; else ask"),
        ("dudo if the chance under 30%", "dudo below 30%; else ask"),
        ("raise (4x5, 5x5)", "bid 4x5, 5x5; else ask"),
        ("bid least", "least; else ask"),
        ("exactly on 6x5", "calza on 6x5; else ask"),
        ("dudo exactly 6x5", "dudo on 6x5; else ask"),
        ("ask from 8 of anything", "ask from 8; else ask"),
        ("ask if 8+ of anything", "ask from 8; else ask"),
        ("ask if 8 or more fives", "ask on 5s from 8; else ask"),
        ("ask if 8 fives or more", "ask from 8x5; else ask"),
        ("ask on fives", "ask on 5s from 1; else ask"),
        ("fives from 8 ask", "ask on 5s from 8; else ask"),
        ("dudo from 6x5 and below 40 percent", "dudo from 6x5 and below 40%; else ask"),
        ("dudo below 30", "dudo below 30; else ask"),
        ("else 4x5; dudo", "bid 4x5; dudo; else ask"),
        ("dubito sotto il 30%; chiedimi", "dudo below 30%; else ask"),
        ("bid 4x5; ask me.", "bid 4x5; else ask"),
        ("ask; dudo below 30%", "ask; dudo below 30%; else ask"),
        ("ask", "else ask"),
    ],
)
def test_common_ways_to_write_are_tolerated(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "code", "word", "position", "expected"),
    [
        ("dudo; maybe", "order.word", "maybe", 7, "act"),
        ("dudo dudo", "order.word", "dudo", 6, "end"),
        ("calza on 6x5, 7x5", "order.word", "7", 15, "act"),
        ("dudo if perhaps", "order.word", "perhaps", 9, "condition"),
        ("dudo below perhaps", "order.word", "perhaps", 12, "number"),
        ("bid dudo", "order.word", "dudo", 5, "bid"),
        ("bid 4x dudo", "order.word", "dudo", 8, "face"),
        ("bid 4x", "order.ends", None, 7, "face"),
        ("if below 7x5", "order.ends", None, 13, "act"),
        ("dudo; bid 4x5, 12x9", "order.bid", "12x9", 16, None),
        ("  ４×９", "order.bid", "４×９", 3, None),
        ("dudo bélow 0 %", "order.percent", "bélow 0 %", 6, None),
        ("else dudo; least", "order.after-else", "least", 12, None),
        ("dudo; passe", "order.pass", "passe", 7, None),
        ("dudo on " + "z" * 90, "order.word", "z" * 40, 9, "number"),
        ("dudo \x00\u202e", "order.word", "\ufffd", 6, "end"),
    ],
)
def test_an_error_names_the_word_its_place_and_what_was_expected(
    text: str, code: str, word: str | None, position: int, expected: str | None
) -> None:
    error = refusal(text)
    assert error.code == code
    assert error.params.get("word") == word
    assert error.params["position"] == position
    assert error.params.get("expected") == expected
    assert str(position) in error.message


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "order.empty"),
        (" \t\u200b", "order.empty"),
        ("dudo" + " " * MOST_CHARACTERS, "order.too-long"),
        (";".join(["9999 5, 9999 5, 9999 5, 9999 5"] * 9), "order.too-long"),
        ("; ".join(["dudo"] * 13), "order.too-many-clauses"),
        (", ".join(["4x5"] * 13), "order.too-many-rungs"),
        ("dudo on 5" + "".join([" and on 5"] * 4), "order.too-many-conditions"),
    ],
)
def test_an_order_has_bounds(text: str, code: str) -> None:
    error = refusal(text)
    assert error.code == code
    assert "position" not in error.params


def test_a_list_of_bids_is_no_longer_than_a_ladder() -> None:
    assert parse_bids("4x5, five fives, 6×3.") == (Bid(4, 5), Bid(5, 5), Bid(6, 3))
    with pytest.raises(OrderError) as refused:
        parse_bids(", ".join(["4x5"] * 13))
    assert refused.value.code == "order.too-many-rungs"
    with pytest.raises(OrderError) as refused:
        parse_bids("4x5, dudo")
    assert refused.value.params["expected"] == "bid"


@pytest.mark.parametrize("code", sorted(ALL_CODES))
def test_every_code_has_a_sentence(code: str) -> None:
    params = {"word": "x", "position": 1, "most": 2}
    needs = {"expected": "act"} if "wanted" in MESSAGES[code] else {}
    error = OrderError(code, **params, **needs)
    assert error.message
    again = pickle.loads(pickle.dumps(error))
    assert (again.code, again.params, again.message) == (code, error.params, error.message)


def test_what_is_expected_can_be_said() -> None:
    assert all(EXPECTED.values())


def test_the_words_of_each_number_and_face_agree() -> None:
    for table, most in ((NUMBERS, 20), (FACES, 6)):
        assert set(table.meanings.values()) == set(range(1, most + 1))
    assert set(CALLS.meanings.values()) == set(Call)

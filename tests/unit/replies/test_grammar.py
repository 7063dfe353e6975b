"""What a line says: every row of the specification of play by mail, quoted."""

import pytest

from games.orders import OrderError
from games.replies import MOST_SAID, Command, Reason, Unread, Verb, parse_command
from games.rules import Bid
from tests.unit.replies.letters import summary

pytestmark = pytest.mark.one_database

MUST_PARSE = {
    "5x4": (
        "5 fours",
        "five fours",
        "cinque 4",
        "5x4",
        "5 × 4",
        "5-4",
        "*5 fours*",
        "“5 fours”",
        "I bid 5 fours",
        "cinq quatre",
        "cinco cuadras",
        "5 de 4",
        "５ ｆｏｕｒｓ",
        "5 fo\u200burs",
        "5\u200b fours",
        "5\u00a0fours",
    ),
    "9x2": ("neuf deux",),
    "3x1": ("3 pacos", "tre lama", "trois toucans", "tres ases", "3 jolly"),
    "6x5": ("sei 5",),
    "2x3": ("dos trenes",),
    "11x5": ("once quinas",),
    "17x6": ("dix-sept six", "dix sept six"),
    "dudo": ("Dudo!", "I doubt it.", "dubito", "je doute"),
    "calza": ("tout pile", "spot on", "calzo"),
    "my-dice": ("i miei dadi", "mes dés"),
}
MUST_NOT_PARSE = {
    "dudo?": Reason.QUESTION,
    "maybe dudo": Reason.UNKNOWN,
    "I won't say dudo": Reason.UNKNOWN,
    "sei un bugiardo": Reason.TWO_COMMANDS,
    "54": Reason.TWO_READINGS,
    "4s 5": Reason.TWO_READINGS,
    "five": Reason.NO_FACE,
    "fours": Reason.NO_QUANTITY,
    "0 fours": Reason.BAD_QUANTITY,
    "31 fours": Reason.BAD_QUANTITY,  # with 30 dice on the table
    "5 sevens": Reason.BAD_FACE,
    "-5 fours": Reason.UNKNOWN,
    "5 fours, then dudo": Reason.TWO_COMMANDS,
    "On Mon, Ann wrote: 5 fours": Reason.UNKNOWN,
    "> 5 fours": Reason.UNKNOWN,
    "Sent from my iPhone": Reason.UNKNOWN,
}
KNOWN_COLLISIONS = {
    "3 six": "3x6",
    "six six": "6x6",
    "once quinas": "11x5",
    "digo once quinas": "11x5",
    "once 5": "unread two-readings",
    "once x 5": "unread two-readings",
    "once de quinas": "unread two-readings",
    "once quinas por favor": "unread two-readings",
    "once": "unread no-face",
    "once upon a time": "unread unknown",
    "dos dos": "2x2",
    "tres tres": "3x3",
    "tre tre": "3x3",
    "sei sei": "6x6",
    "un as": "1x1",
    "uno uno": "1x1",
    "dos": "unread no-face",
    "tres": "unread no-face",
    "sei": "unread no-face",
    "as": "unread no-quantity",
    "lama": "unread no-quantity",
    "4-5": "4x5",
    "54": "unread two-readings",
    "5 4 3": "unread two-readings",
    "4s 5": "unread two-readings",
    "5,4": "unread two-readings",
    "due": "unread no-face",
    "5 fours dudo": "unread two-commands",
}
"""What languages share, decided by its place; and what no place decides, never."""


def reading(line: str, *, most: int = 30) -> str:
    return summary(parse_command(line, most=most))


@pytest.mark.parametrize(
    ("line", "meaning"), [(line, said) for said, lines in MUST_PARSE.items() for line in lines]
)
def test_a_line_that_must_be_read_is_read(line: str, meaning: str) -> None:
    assert reading(line) == meaning


@pytest.mark.parametrize(("line", "reason"), MUST_NOT_PARSE.items())
def test_a_line_that_must_not_be_read_plays_nothing_and_says_why(line: str, reason: Reason) -> None:
    refused = parse_command(line, most=30)
    assert isinstance(refused, Unread)
    assert refused.reason is reason


@pytest.mark.parametrize(("line", "meaning"), KNOWN_COLLISIONS.items())
def test_a_word_of_two_languages_is_read_by_its_place_or_not_at_all(
    line: str, meaning: str
) -> None:
    assert reading(line) == meaning


@pytest.mark.parametrize(
    ("line", "readings"),
    [
        ("54", ["5x4", "4x5"]),
        ("5,4", ["5x4", "4x5"]),
        ("4s 5", ["4x5", "5x4"]),
        ("fours 5", ["4x5", "5x4"]),
        ("5 4 3", ["5x4", "4x3"]),
        ("9 fours 3", []),
        ("once 5", ["11x5"]),
    ],
)
def test_two_readings_are_shown_side_by_side(line: str, readings: list[str]) -> None:
    refused = parse_command(line)
    assert isinstance(refused, Unread)
    assert [str(each.bid) for each in refused.readings] == readings


@pytest.mark.parametrize(
    "line", ["vingt-cinq", "vingt cinq", "twenty five", "twenty-six", "venti due", "veinte cinco"]
)
def test_a_number_above_twenty_in_words_is_no_bid_on_its_last_word(line: str) -> None:
    assert reading(line) == "unread two-readings"


def test_twenty_of_a_face_that_is_no_number_is_a_bid() -> None:
    assert [reading(line) for line in ("twenty fives", "vingt as", "veinte cincos", "venti 5")] == [
        "20x5",
        "20x1",
        "20x5",
        "20x5",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "¡Dudo!",
        "(dudo)",
        "DUDO...",
        "dudo…",
        "  «dudo»  ",
        "dudo, please",
        "Dudo. Thanks!",
        "dudo s'il vous plaît",
        "dudo per favore",
        "dudo, gracias.",
        "dudo, s’il te plaît !",
    ],
)
def test_marks_and_courtesies_around_a_command_mean_nothing(line: str) -> None:
    assert reading(line) == "dudo"


@pytest.mark.parametrize(
    "line",
    [
        "d\u0336u\u0336d\u0336o\u0336",
        "dud\u043e",
        "d u d o",
        "dudo calza",
        "please",
        "dudo please thanks",
        "¿dudo?",
        "5 fours?",
        "5fours",
        "fivex4",
        "5xfours",
        "05 fours",
        "5 4 s",
        "५ fours",
        "5\ufffd fours",
        "dudo dudo",
        "no dudo",
        "call",
        "bluff",
        "least",
        "ask",
    ],
)
def test_what_is_only_like_a_command_is_none(line: str) -> None:
    assert isinstance(parse_command(line), Unread)


def test_nothing_is_more_than_the_table_has_dice() -> None:
    assert reading("30 fours") == "30x4"
    refused = parse_command("31 fours", most=30)
    assert isinstance(refused, Unread)
    assert refused.most == 30
    assert summary(parse_command("99 fours")) == "99x4"
    assert summary(parse_command("100 fours", most=200)) == "unread bad-quantity"


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("status", Verb.STATUS),
        ("état", Verb.STATUS),
        ("storico", Verb.HISTORY),
        ("ayuda", Verb.HELP),
        ("?", Verb.HELP),
        ("annulla", Verb.CANCEL),
        ("stop mail", Verb.STOP_MAIL),
        ("passo", Verb.PASS),
        ("j'accepte", Verb.ACCEPT),
        ("sì, grazie", Verb.ACCEPT),
        ("no", Verb.DECLINE),
    ],
)
def test_every_other_command_is_known_in_every_language(line: str, verb: Verb) -> None:
    assert parse_command(line) == Command(verb)


@pytest.mark.parametrize(
    ("line", "order"),
    [
        ("next: 6 fours", "bid 6x4; else ask"),
        ("next: 6 fours else dudo", "bid 6x4; else dudo"),
        ("next: dudo if 8 or more", "dudo from 8; else ask"),
        ("next: calza if 6 fours", "calza on 6x4; else ask"),
        ("prossima: 6 quattro sennò dudo", "bid 6x4; else dudo"),
        ("Ensuite : six quatre sinon je doute", "bid 6x4; else dudo"),
        ("próxima: seis cuatros si no dudo", "bid 6x4; else dudo"),
        (
            "order: dudo below 30%; bid 4x5, 5x5; ask from 8",
            "dudo below 30%; bid 4x5, 5x5; ask from 8; else ask",
        ),
        ("ordine: dubito sotto il 30%", "dudo below 30%; else ask"),
        ("ordre : tout pile sur 6x5", "calza on 6x5; else ask"),
        ("orden: calzo en 6x5; si no lo mínimo", "calza on 6x5; else least"),
        ("*next: 6 fours*", "bid 6x4; else ask"),
    ],
)
def test_a_standing_order_is_written_behind_a_colon(line: str, order: str) -> None:
    assert reading(line).startswith(order)


def test_an_order_that_is_none_says_what_is_wrong_with_it() -> None:
    refused = parse_command("next: bid Zork")
    assert isinstance(refused, Unread)
    assert refused.reason is Reason.BAD_ORDER
    assert isinstance(refused.order_error, OrderError)
    assert refused.order_error.params == {"word": "Zork", "position": 5, "expected": "bid"}


def test_an_order_needs_its_word_and_its_colon() -> None:
    for line in ("6 fours else dudo", "next 6 fours", "order dudo below 30%", "dudo below 30%"):
        assert isinstance(parse_command(line), Unread)


def test_what_is_said_keeps_its_letters() -> None:
    assert parse_command("say: Bien joué, Bob!") == Command(Verb.SAY, said="Bien joué, Bob!")
    assert parse_command("Messaggio : 5 fours?") == Command(Verb.SAY, said="5 fours?")
    assert reading("say:") == "unread says-nothing"
    assert reading(f"say: {'a' * MOST_SAID}") == "say"
    assert reading(f"say: {'a' * (MOST_SAID + 1)}") == "unread too-long"


def test_a_games_code_may_stand_in_front_where_it_is_one_of_those_asked_for() -> None:
    codes = ("k7m2x9q4t0", "friday")
    five_fours = Command(Verb.BID, bid=Bid(5, 4), code="friday")
    assert parse_command("Friday: 5 fours", codes=codes) == five_fours
    # Crockford's alphabet has no o: people type what they see.
    assert parse_command("K7M2X9Q4TO : dudo", codes=codes) == Command(Verb.DUDO, code="k7m2x9q4t0")
    for line in ("next: dudo", "say: dudo"):
        inner = parse_command(f"friday: {line}", codes=codes)
        assert isinstance(inner, Command)
        assert inner.code == "friday"
    for line in ("monday: 5 fours", "dudo: 5 fours", "friday 5 fours", "friday: friday: 5 fours"):
        assert isinstance(parse_command(line, codes=codes), Unread)
    assert isinstance(parse_command("friday: 5 fours"), Unread)


def test_a_long_line_is_refused_and_never_cut_to_a_command() -> None:
    assert reading("5 fours" + " " * 5_000 + "please don't") != "5x4"
    assert reading("dudo" + "." * 5_000 + "?") != "dudo"
    assert reading("x" * 5_000) == "unread too-long"
    assert reading(f"next: 6 fours{';' * 1_000} else dudo") == "unread too-long"


def test_a_refused_line_is_quoted_short_and_plain() -> None:
    refused = parse_command("maybe\u202e \x1b[31mfive\tor so " + "x" * 200)
    assert isinstance(refused, Unread)
    assert refused.shown.startswith("maybe [31mfive or so xxx")
    assert len(refused.shown) == 80
    assert refused.shown.isprintable()

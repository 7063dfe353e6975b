"""Display names: what may be one, and which two look alike."""

import unicodedata

import pytest
from django.core.exceptions import ValidationError
from hypothesis import example, given
from hypothesis import strategies as st

from accounts.names import (
    MAX_GRAPHEMES,
    MAX_KEY_LENGTH,
    count_graphemes,
    display_key,
    tidy_name,
    validate_display_name,
)

pytestmark = pytest.mark.one_database


def code_of(name: str) -> str | None:
    """Return the code of the refusal, or None when ``name`` may be one."""
    try:
        validate_display_name(name)
    except ValidationError as error:
        return error.code
    return None


@pytest.mark.parametrize(
    "name",
    [
        "Al",
        "Alice",
        "José María",
        "Zoë",
        "Søren",
        "Ольга",
        "Ελένη",
        "山田太郎",
        "محمد",
        "O’Neill",
        "J. R.",
        "R2-D2",
        "Alice 🎲",
        "A👍🏽",
        "Li 🇮🇹",
        "x" * MAX_GRAPHEMES,
    ],
)
def test_a_name_may_be(name: str) -> None:
    assert code_of(name) is None


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name.short"),
        ("A", "name.short"),
        ("e\u0301", "name.unprintable"),  # not composed
        ("\u00e9", "name.short"),
        ("🇮🇹", "name.short"),
        ("x" * (MAX_GRAPHEMES + 1), "name.long"),
        ("\ufdfa" * MAX_GRAPHEMES, "name.long"),  # 24 characters whose key has 432
        ("Alice\nBob", "name.unprintable"),
        ("Alice\r", "name.unprintable"),
        ("Alice\u2028Bob", "name.unprintable"),
        ("Alice\tBob", "name.unprintable"),
        ("Alice\x00", "name.unprintable"),
        ("\u202eecilA", "name.unprintable"),  # right-to-left override
        ("Ali\u2066ce", "name.unprintable"),
        ("Ali\u200bce", "name.unprintable"),  # zero-width space
        ("Ali\u200dce", "name.unprintable"),
        ("\ufeffAlice", "name.unprintable"),
        ("Ali\u00adce", "name.unprintable"),  # soft hyphen
        ("Alice\u3164", "name.unprintable"),  # Hangul filler: a letter that is blank
        ("Alice\u2800", "name.unprintable"),  # blank Braille
        ("Alice\ue000", "name.unprintable"),  # private use
        ("A\u0335\u0336\u0337\u0338lice", "name.unprintable"),  # a tower of marks
        ("\u0301Alice", "name.unprintable"),
        (" Alice", "name.unprintable"),
        ("Alice  Bob", "name.unprintable"),
        ("Alice\u00a0Bob", "name.unprintable"),
        ("alice@example.org", "name.address"),
        ("win.example.com", "name.link"),
        ("www.Alice", "name.link"),
        ("http://alice", "name.link"),
        ("<b>Alice", "name.address"),
        ("🎲🎲", "name.letters"),
        ("--", "name.letters"),
        ("Admin", "name.reserved"),
        ("Аdmin", "name.reserved"),  # with a Cyrillic А
        ("P3rudo", None),
        ("Perud0", "name.reserved"),
    ],
)
def test_a_name_may_not_be(name: str, code: str | None) -> None:
    assert code_of(name) == code


@pytest.mark.parametrize(
    "lookalike",
    [
        "alice",
        "ALICE",
        "AIice",  # capital i for l
        "A1ice",
        "Аlice",  # Cyrillic А
        "Аlісе",  # Cyrillic А, і, с, е
        "Ａｌｉｃｅ",  # full width
        "𝐀𝐥𝐢𝐜𝐞",  # mathematical bold
        "Al ice",
        "A-l-i-c-e",
        "Alice.",
        "_Alice_",
    ],
)
def test_names_that_a_glance_cannot_tell_apart_share_a_key(lookalike: str) -> None:
    assert display_key(lookalike) == display_key("Alice")


@pytest.mark.parametrize(
    ("one", "other"),
    [("Alice", "Alicia"), ("Jose", "José"), ("Anna", "Annab"), ("Bob", "Rob"), ("Zoe", "Zoë")],
)
def test_names_that_differ_have_different_keys(one: str, other: str) -> None:
    assert display_key(one) != display_key(other)


def test_mallory_cannot_pose_as_rnallory() -> None:
    assert display_key("rnallory") == display_key("mallory")


@example("0´")  # a sign that folds to a space and a mark
@given(st.text(max_size=30))
def test_a_key_is_stable_under_itself(text: str) -> None:
    once = display_key(text)
    assert display_key(once) == once


@given(st.text(max_size=30))
def test_a_tidied_name_is_tidy_and_keeps_its_key(text: str) -> None:
    tidy = tidy_name(text)
    assert tidy_name(tidy) == tidy
    assert unicodedata.is_normalized("NFC", tidy)
    assert display_key(tidy) == display_key(text)


@given(st.text(max_size=70))
def test_whatever_may_be_a_name_fits_its_columns_and_one_line(text: str) -> None:
    if code_of(text) is None:
        assert 2 <= count_graphemes(text) <= MAX_GRAPHEMES
        assert 0 < len(display_key(text)) <= MAX_KEY_LENGTH
        assert text.splitlines() == [text]
        assert text.isprintable()


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("abc", 3), ("e\u0301", 1), ("👍🏽", 1), ("🇮🇹🇫🇷", 2), ("🇮🇹a🇫🇷", 3), ("❤\ufe0f", 1)],
)
def test_graphemes_are_counted_as_a_reader_does(text: str, count: int) -> None:
    assert count_graphemes(text) == count

"""Small pieces of mail text."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from games.mail.words import bids_text, game_title, moment_text, one_line
from games.models import Game
from games.rules import Bid

pytestmark = pytest.mark.one_database
AT = datetime(2026, 5, 5, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Friday night", "Friday night"),
        ("Friday\r\nBcc: eve@example.org", "Friday Bcc: eve@example.org"),
        ("a\u2028b\u2029c\x0bd\x85e", "a b c d e"),
        ("\u202edlrow\u2066 \u200bx\u00ad", "dlrow x"),
        ("nul\x00tab\tend", "nultab end"),
        ("ñandú 🎲 שלום", "ñandú 🎲 שלום"),
    ],
)
def test_one_line_keeps_letters_and_nothing_that_breaks_out(typed: str, kept: str) -> None:
    assert one_line(typed) == kept


@pytest.mark.parametrize(
    "name", ["", "  ", "http://evil.example", "win at evil.example now", "a@b", "www.evil", "x/y"]
)
def test_a_title_that_is_no_name_or_looks_like_a_link_is_the_code(name: str) -> None:
    assert game_title(Game(name=name, code="abcdefghjk")) == "abcdefghjk"


def test_a_title_may_end_with_dots() -> None:
    assert game_title(Game(name="Once more...", code="abcdefghjk")) == "Once more..."


@pytest.mark.parametrize(
    ("zone", "said"),
    [
        ("Europe/Rome", "Tuesday 5 May, 14:00 CEST"),
        ("Asia/Kolkata", "Tuesday 5 May, 17:30 IST"),
        ("UTC", "Tuesday 5 May, 12:00 UTC"),
        # No abbreviation of its own: the place says more than "+03".
        ("Europe/Istanbul", "Tuesday 5 May, 15:00 Europe/Istanbul"),
    ],
)
def test_a_moment_is_told_in_the_active_zone(zone: str, said: str) -> None:
    with timezone.override(ZoneInfo(zone)), translation.override("en"):
        assert moment_text(AT) == said


def test_a_moment_speaks_the_active_language() -> None:
    with timezone.override(ZoneInfo("UTC")), translation.override("fr"):
        assert moment_text(AT).startswith("mardi 5 mai")


def test_bids_are_told_in_words() -> None:
    assert bids_text([Bid(4, 5), Bid(1, 1)]) == "4 fives, 1 ace"

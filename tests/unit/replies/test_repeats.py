"""A mail that comes twice is one mail, and two mails with the same words are two."""

import pytest

from games.replies import read, repeat_key
from tests.unit.replies.letters import letter

pytestmark = pytest.mark.one_database

NAMELESS = letter().replace(b"Message-ID: <one@mail.example.org>\r\n", b"")


def key(raw: bytes, token: str = "m-one") -> str:
    return repeat_key(read(raw), token=token)


def test_a_copy_has_the_key_of_its_mail_whatever_happened_on_its_way() -> None:
    again = b"Received: by another\r\nReturn-Path: <alice@example.org>\r\n" + letter()
    assert key(again) == key(letter())
    assert key(letter("5 fours\n\n-- \nscanned by a virus scanner")) == key(letter())


def test_another_mail_or_another_token_has_another_key() -> None:
    keys = {
        key(letter()),
        key(letter(), "m-two"),
        key(letter().replace(b"<one@", b"<two@")),
        key(NAMELESS),
    }
    assert len(keys) == 4
    assert all(len(each) == 64 for each in keys)


def test_a_mail_without_a_name_is_known_by_sender_date_and_line() -> None:
    assert key(NAMELESS.replace(b"5 fours", b"**5  FOURS**\r\nbye")) != key(NAMELESS)
    assert key(NAMELESS.replace(b"5 fours", b"5  FOURS\r\nbye")) == key(NAMELESS)
    assert key(NAMELESS.replace(b"16:40:10", b"16:40:11")) != key(NAMELESS)
    assert key(NAMELESS.replace(b"alice@", b"bob@")) != key(NAMELESS)
    assert key(NAMELESS.replace(b"5 fours", b"dudo")) != key(NAMELESS)


def test_a_name_is_not_a_line() -> None:
    named = letter("").replace(b"<one@mail.example.org>", b"no-id")
    assert key(named) != key(NAMELESS)

"""What people write stays text on one line: no header, no link, no turned or towering letters."""

from email.message import Message
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts.names import tidy_name, validate_display_name
from games.forms.free_text import MOST_MARKS, tidy_line
from games.models import Game
from tests.cast import person

HOSTILE = (
    "x\r\nBcc: victim@example.org", "x\nSubject: y", "x\x00", "x\x1b[2J", "\u202egnp.exe",
    "a\u2066b", "a\u200eb", "\u3164", "a\u2028b", "Z" + "\u0351" * 9, "www.evil.example",
    "win at evil.example/now", "https://evil.example", "\ud800",
)  # fmt: skip
FINE = ("Friday’s game", "Niña & Óscar", "3 × 5 dice", "愛の卓", "👩‍👩‍👧 night", "St. John v. Paul")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_line_is_refused_or_made_harmless(text: str) -> None:
    try:
        line = tidy_line(text)
    except ValidationError:
        return
    assert line.isprintable()
    assert "\n" not in line
    assert "\r" not in line


@pytest.mark.parametrize("text", FINE)
def test_what_people_call_their_games_is_kept(text: str) -> None:
    assert tidy_line(text) == text


@given(st.text(max_size=60))
def test_a_line_that_passes_is_stable_and_stands_in_a_header_as_one_line(text: str) -> None:
    try:
        line = tidy_line(text)
    except ValidationError:
        return
    assert tidy_line(line) == line
    headers = _sent(subject=line)
    assert len([name for name in headers if name == "subject"]) == 1
    assert "bcc" not in headers
    marks = 0
    for sign in line:
        import unicodedata

        marks = marks + 1 if unicodedata.category(sign) in {"Mn", "Me"} else 0
        assert marks <= MOST_MARKS


@given(st.text(max_size=40))
def test_a_display_name_that_passes_stands_in_a_header_as_one_line(text: str) -> None:
    name = tidy_name(text)
    try:
        validate_display_name(name)
    except ValidationError:
        return
    headers = _sent(subject=f"{name} invites you")
    assert "bcc" not in headers
    assert len(headers) == len(set(headers))


def _sent(*, subject: str) -> list[str]:
    """Return the names of the headers of a mail, as its receiver reads them."""
    from email import message_from_bytes

    mail = EmailMessage(subject, "body", "game@localhost", ["bob@example.org"])
    read: Message = message_from_bytes(mail.message().as_bytes())
    return [name.lower() for name, _value in read.items()]


@pytest.mark.django_db
@pytest.mark.parametrize("text", HOSTILE[:-1])
def test_no_game_is_ever_called_so(text: str) -> None:
    client = Client()
    client.force_login(person("alice"))
    fields: dict[str, Any] = {
        "rules": "bga", "seats": "2", "bots": "0", "start_dice": "5", "clock": "plain",
        "turn_seconds": "86400", "visibility": "private", "name": text,
    }  # fmt: skip
    page = client.get("/games/new/")
    form = page.context["form"]
    for name, field in form.fields.items():
        initial = form.get_initial_for_field(field, name)
        if name not in fields and initial not in (None, "", False):
            fields[name] = initial
    answer = client.post("/games/new/", fields)
    assert answer.status_code in (302, 422)
    for game in Game.objects.all():
        assert game.name.isprintable()
        assert "evil" not in game.name
        assert "\u202e" not in game.name

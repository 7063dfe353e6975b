"""Identifiers and addresses of mails."""

import pytest
from pytest_django.fixtures import Settings

from games.mail import envelope
from games.models import Game

pytestmark = pytest.mark.one_database


def test_identifiers_come_from_what_they_name_and_lie_in_our_domain(
    settings: Settings,
) -> None:
    settings.DEFAULT_FROM_EMAIL = "Perudo <game@mail.example>"
    game = Game(gid="ab" * 16)
    first = envelope.message_id(game, "1:2:3:turn")
    assert first == envelope.message_id(Game(gid="ab" * 16), "1:2:3:turn")
    assert first != envelope.message_id(game, "1:2:3:reminder")
    assert first != envelope.message_id(Game(gid="cd" * 16), "1:2:3:turn")
    assert first.startswith("<")
    assert first.endswith("@mail.example>")


@pytest.mark.parametrize(
    ("sender", "domain"),
    [
        ("game@mail.example", "mail.example"),
        ('"Perudo, by Post" <game@mail.example>', "mail.example"),
        ("", "localhost"),
    ],
)
def test_the_domain_is_that_of_the_sender(sender: str, domain: str, settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = sender
    assert envelope.mail_domain() == domain

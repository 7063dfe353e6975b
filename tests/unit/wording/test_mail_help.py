"""The help page for play by mail: every line on it is read, and means what stands beside it."""

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from games.replies import Command, Verb, parse_command
from games.wording.mail_help import mail_help

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def read(line: str) -> Command:
    command = parse_command(line)
    assert isinstance(command, Command), line
    return command


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_line_means_what_it_says_in_every_language(language: str) -> None:
    with translation.override(language):
        lines = mail_help()
    assert {str(read(bid).bid) for bid in (*lines.bids, *lines.others)} == {"5x4"}
    assert str(read(lines.aces).bid) == "2x1"
    assert str(read(lines.order).order) == "bid 6x4; else dudo"
    verbs = [read(line).verb for line in (
        lines.dudo, lines.calza, lines.cancel, lines.dice, *lines.questions, lines.say,
        lines.stop, lines.accept,
    )]  # fmt: skip
    assert verbs == [
        Verb.DUDO, Verb.CALZA, Verb.CANCEL, Verb.MY_DICE, Verb.STATUS, Verb.HISTORY, Verb.HELP,
        Verb.SAY, Verb.STOP_MAIL, Verb.ACCEPT,
    ]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_them_in_the_readers_language(language: str) -> None:
    page = Client().get("/help/mail/", headers={"accept-language": language}).content.decode()
    with translation.override(language):
        lines = mail_help()
    for line in (*lines.bids, *lines.others, lines.order, lines.dice, lines.say, lines.accept):
        assert f"<code>{escape(line)}</code>" in page


def test_a_language_without_a_grammar_gets_the_english_lines() -> None:
    with translation.override("de"):
        assert mail_help().order == "next: 6 fours else dudo"

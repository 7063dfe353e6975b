"""Answers as mail programs write them, in four languages: see ``tests/mails``."""

from pathlib import Path

import pytest

from games.replies import Effect, Reason, Unread, command_of, is_machine, judge_sender
from games.replies.trust import Border
from tests.unit.replies.letters import ADDRESS, BORDER, MAILS, mail, summary

pytestmark = pytest.mark.one_database

PROGRAMS = (
    "gmail-web",
    "gmail-app",
    "outlook-web",
    "outlook-desktop",
    "outlook-mobile",
    "apple-mac",
    "apple-iphone",
    "thunderbird",
)
SAID = {"en": "5x4", "it": "7x5", "fr": "9x2", "es": "dudo"}
"""What alice wrote: 5 fours; rilancio a sette cinque, per favore; J’annonce neuf deux.; ¡Dudo!"""
SENDERS = {
    "en": "alice@example.org",
    "it": "alice@example.it",
    "fr": "alice@example.fr",
    "es": "alice@example.es",
}

ANSWERS = [f"{program}-{language}" for program in PROGRAMS for language in SAID]


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_above_the_quote_is_read_from_any_program(name: str) -> None:
    answer = mail(name)
    assert summary(command_of(answer, most=30)) == SAID[name[-2:]]
    assert answer.trouble is None
    assert (answer.forward, answer.mailing_list, answer.encrypted) == ("", "", "")
    assert is_machine(answer, our_domains=["in.play.example", "mail.play.example"]) == ""


@pytest.mark.parametrize("name", [name for name in ANSWERS if not name.startswith("thunderbird")])
def test_its_text_and_its_html_say_the_same(name: str) -> None:
    answer = mail(name)
    assert answer.text is not None
    assert answer.html is not None
    assert answer.text.text == answer.html.text


@pytest.mark.parametrize("name", ANSWERS)
def test_its_outside_is_read_as_well(name: str) -> None:
    answer = mail(name)
    assert answer.senders == (SENDERS[name[-2:]],)
    assert answer.recipients == (ADDRESS,)
    assert answer.delivered_to == (ADDRESS,)
    assert answer.subject.endswith("[friday] Round 3")
    assert answer.message_id.startswith("<")
    assert answer.in_reply_to == ("<9f2c61d04be87a35@mail.play.example>",)
    assert answer.date == "Mon, 3 Jun 2024 16:40:10 +0200"
    trust = judge_sender(answer, verified=answer.senders, border=Border(BORDER))
    assert trust.effect is Effect.ACT


@pytest.mark.parametrize("language", SAID)
def test_an_answer_below_the_quote_plays_nothing_and_says_why(language: str) -> None:
    refused = command_of(mail(f"thunderbird-below-{language}"), most=30)
    assert isinstance(refused, Unread)
    assert refused.reason is Reason.BOTTOM_POST


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("forward-gmail-en", "forward.subject"),
        ("forward-outlook-it", "forward.subject"),
        ("forward-apple-fr", "forward.text"),
        ("forward-thunderbird-es", "forward.text"),
    ],
)
def test_a_mail_of_ours_that_is_passed_on_shows_it(name: str, sign: str) -> None:
    assert mail(name).forward == sign


def test_every_mail_of_the_corpus_has_its_test() -> None:
    below = [f"thunderbird-below-{language}" for language in SAID]
    elsewhere = {"bounce-hard", "bounce-soft", "bounce-relayed", "complaint"}
    away = {"away-exchange-en", "away-gmail-it", "away-apple-fr", "away-bare-es"}
    forwards = {"forward-gmail-en", "forward-outlook-it", "forward-apple-fr"}
    known = {*ANSWERS, *below, *elsewhere, *away, *forwards, "forward-thunderbird-es"}
    assert {Path(each).stem for each in MAILS.glob("*.eml")} == known

"""The mailbox's Reply form: back over real SMTP, as a mail program answers."""

import email
import email.policy
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import parseaddr

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from perudo_site.mailbox import store
from perudo_site.mailbox.models import MailboxMessage
from tests.integration.doors.serving import DOMAIN, Desk, desk

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LOCAL = "127.0.0.1:8000"
TURN = f"m-{'a1' * 13}@{DOMAIN}"

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader() -> Client:
    """Somebody at this machine, not signed in."""
    return Client(HTTP_HOST=LOCAL)


def turn_mail(**fields: str) -> int:
    message = EmailMessage()
    headers = {
        "From": "Perudo by Post <game@localhost>",
        "To": "Alice <alice@example.org>",
        "Reply-To": TURN,
        "Subject": "Round 3",
        "Message-ID": "<turn@localhost>",
        "References": "<round@localhost>",
    }
    for name, value in {**headers, **fields}.items():
        if value:
            message[name] = value
    message.set_content("Your turn: four 4s by Carl\n> older\n")
    return store.keep(
        envelope_from=f"b-{'b2' * 13}@{DOMAIN}",
        envelope_to=[parseaddr(message["To"])[1]],
        raw=message.as_bytes(),
        now=NOW,
    ).pk


@pytest.fixture
def kept(settings: Settings) -> Iterator[Desk]:
    settings.INBOUND_DOMAIN = DOMAIN
    with desk(known=frozenset({TURN, "game@localhost"})) as (made, port):
        settings.MAIL_PORT = port
        yield made


class TestAnswer:
    def test_it_goes_back_as_a_mail_program_sends_it(self, reader: Client, kept: Desk) -> None:
        pk = turn_mail()
        answer = reader.post(f"/mailbox/{pk}/reply/", {"text": "cinque 4"})
        assert (answer.status_code, answer["Location"]) == (303, f"/mailbox/{pk}/#thread")
        [(sender, to, raw)] = kept.kept
        assert (sender, to) == ("alice@example.org", [TURN])
        mail = email.message_from_bytes(raw, policy=email.policy.default)
        assert mail["From"] == "alice@example.org"
        assert mail["To"] == TURN
        assert mail["Subject"] == "Re: Round 3"
        assert mail["In-Reply-To"] == "<turn@localhost>"
        assert mail["References"] == "<round@localhost> <turn@localhost>"
        text = mail.get_content().splitlines()
        assert text[0] == "cinque 4"
        assert text[-2:] == ["> Your turn: four 4s by Carl", "> > older"]

    def test_an_answer_to_an_answer_adds_no_second_re(self, reader: Client, kept: Desk) -> None:
        reader.post(f"/mailbox/{turn_mail(Subject='Re: Round 3')}/reply/", {"text": "dudo"})
        assert b"Subject: Re: Round 3\r\n" in kept.kept[0][2]

    def test_a_mail_without_reply_to_is_answered_to_its_sender(
        self, reader: Client, kept: Desk
    ) -> None:
        reader.post(f"/mailbox/{turn_mail(**{'Reply-To': ''})}/reply/", {"text": "dudo"})
        assert kept.kept[0][1] == ["game@localhost"]

    def test_what_was_sent_stands_in_the_conversation(self, reader: Client, kept: Desk) -> None:
        pk = turn_mail()
        reader.post(f"/mailbox/{pk}/reply/", {"text": "five fours and a half"})
        other = {"Message-ID": "<other@localhost>", "References": "<elsewhere@localhost>"}
        turn_mail(**other, To="Bob <bob@example.org>")
        ack = turn_mail(**{"Message-ID": "<ack@localhost>", "Subject": "Re: Round 3"})
        page = reader.get(f"/mailbox/{pk}/thread/").content.decode()
        assert "five fours and a half" in page
        assert f"/mailbox/{ack}/" in page
        assert page.count("<details") == 3

    def test_a_refusal_is_told_in_the_listeners_words(self, reader: Client, kept: Desk) -> None:
        pk = turn_mail(**{"Reply-To": f"noreply@{DOMAIN}"})
        answer = reader.post(f"/mailbox/{pk}/reply/", {"text": "dudo"})
        assert answer.status_code == 422
        assert "550 5.1.1 No such address here" in answer.content.decode()

    def test_without_a_listener_the_page_says_so(self, reader: Client, settings: Settings) -> None:
        with desk() as (_, port):
            settings.MAIL_PORT = port
        answer = reader.post(f"/mailbox/{turn_mail()}/reply/", {"text": "dudo"})
        assert answer.status_code == 422
        assert "ConnectionRefusedError" in answer.content.decode()
        assert MailboxMessage.objects.count() == 1

    def test_an_empty_answer_is_none(self, reader: Client, kept: Desk) -> None:
        assert reader.post(f"/mailbox/{turn_mail()}/reply/", {"text": "  "}).status_code == 422
        assert kept.kept == []

    def test_a_mail_from_nobody_has_no_form(self, reader: Client, kept: Desk) -> None:
        pk = turn_mail(**{"Reply-To": "", "From": ""})
        assert b"<textarea" not in reader.get(f"/mailbox/{pk}/").content
        assert reader.post(f"/mailbox/{pk}/reply/", {"text": "dudo"}).status_code == 422
        assert kept.kept == []


class TestConversation:
    def test_it_is_given_again_only_when_there_is_more(self, reader: Client) -> None:
        pk = turn_mail()
        page = reader.get(f"/mailbox/{pk}/").content.decode()
        assert f'hx-get="/mailbox/{pk}/thread/?newest={pk}"' in page
        assert reader.get(f"/mailbox/{pk}/thread/?newest={pk}").status_code == 204
        turn_mail(**{"Message-ID": "<ack@localhost>"})
        assert reader.get(f"/mailbox/{pk}/thread/?newest={pk}").status_code == 200

    def test_a_mail_without_identifiers_is_alone(self, reader: Client) -> None:
        alone = {"Message-ID": "", "References": ""}
        turn_mail(**alone)
        pk = turn_mail(**alone)
        assert reader.get(f"/mailbox/{pk}/thread/").content.count(b"<details") == 1

    def test_what_came_to_its_reader_since_is_shown_too(self, reader: Client) -> None:
        pk = turn_mail()
        cup = turn_mail(**{"Message-ID": "<cup@localhost>", "References": ""})
        assert f"/mailbox/{cup}/" in reader.get(f"/mailbox/{pk}/thread/").content.decode()
        assert f"/mailbox/{pk}/" not in reader.get(f"/mailbox/{cup}/thread/?").content.decode()

    def test_its_page_asks_as_much_for_one_mail_as_for_many(
        self, reader: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        pk = turn_mail()
        for _ in range(25):
            turn_mail()
        with django_assert_num_queries(2):
            page = reader.get(f"/mailbox/{pk}/").content
        assert page.count(b"<details") == store.SHOWN + 2


class TestElsewhere:
    @pytest.mark.parametrize("change", ["DEVELOPMENT", "MAILBOX_ENABLED"])
    def test_nothing_is_sent(
        self, change: str, reader: Client, settings: Settings, kept: Desk
    ) -> None:
        pk = turn_mail()
        setattr(settings, change, False)
        assert reader.post(f"/mailbox/{pk}/reply/", {"text": "dudo"}).status_code == 404
        assert reader.get(f"/mailbox/{pk}/thread/").status_code == 404
        assert kept.kept == []

    def test_another_sites_form_sends_nothing(self, kept: Desk) -> None:
        strict = Client(HTTP_HOST=LOCAL, enforce_csrf_checks=True)
        answer = strict.post(f"/mailbox/{turn_mail()}/reply/", {"text": "dudo"})
        assert answer.status_code == 403
        assert kept.kept == []

    def test_looking_sends_nothing(self, reader: Client, kept: Desk) -> None:
        assert reader.get(f"/mailbox/{turn_mail()}/reply/").status_code == 405
        assert kept.kept == []

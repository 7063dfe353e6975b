"""Who gets which mail: answers go to their games, the rest of a development site to its page."""

import smtplib
from collections.abc import Iterator

import pytest
from django.db import OperationalError
from pytest_django import Settings

from games.models import InboundMail
from games.services import receiving
from perudo_site.doors import taking
from perudo_site.mailbox.models import MailboxMessage
from tests.cast import table
from tests.integration.doors.known import stored, turn_address
from tests.integration.doors.serving import listening, smtp

# The listener's threads have connections of their own.
pytestmark = pytest.mark.django_db(transaction=True)

MAIL = b"From: alice@example.org\r\nMessage-ID: <1@example.org>\r\n\r\ndudo\r\n"


@pytest.fixture
def port() -> Iterator[int]:
    with listening(taking.refuse, taking.deliver_by("smtp")) as port:
        yield port


@pytest.fixture
def address() -> str:
    """Where alice answers her turn."""
    return turn_address(table(), "alice")


class TestDevelopment:
    def test_an_answer_goes_to_the_game_and_the_rest_to_the_mailbox(
        self, port: int, address: str
    ) -> None:
        with smtp(port) as client:
            client.sendmail("alice@example.org", [address, "bob@example.org"], MAIL)
        [(mail, parcel)] = stored()
        assert (mail.door, parcel.raw, parcel.recipient) == ("smtp", MAIL, address)
        assert parcel.sender == "alice@example.org"
        assert [kept.recipients for kept in MailboxMessage.objects.all()] == [["bob@example.org"]]

    def test_an_address_is_read_in_capitals_too(self, port: int, address: str) -> None:
        with smtp(port) as client:
            client.sendmail("alice@example.org", [address.upper()], MAIL)
        assert InboundMail.objects.count() == 1

    def test_a_mail_that_is_delivered_again_is_the_same(self, port: int, address: str) -> None:
        with smtp(port) as client:
            for _ in range(3):
                client.sendmail("alice@example.org", [address], MAIL)
        assert InboundMail.objects.count() == 1

    def test_a_bounce_comes_from_nobody(self, port: int, address: str) -> None:
        with smtp(port) as client:
            client.sendmail("", [address], MAIL)
        [(_, parcel)] = stored()
        assert parcel.sender == ""

    @pytest.mark.parametrize(
        ("to", "code", "words"),
        [
            (f"m-{'0' * 26}@in.localhost", 550, b"5.1.1 No such address here"),
            ("postmaster@in.localhost", 550, b"5.1.1 No such address here"),
            ("NoReply@in.localhost", 550, taking.UNREAD[4:].encode()),
            ("noreply@localhost", 550, taking.UNREAD[4:].encode()),
            ("noreply@example.org", 250, b"2.1.5 OK"),
        ],
    )
    def test_who_is_nobody_is_refused(self, port: int, to: str, code: int, words: bytes) -> None:
        with smtp(port) as client:
            client.ehlo()
            client.mail("alice@example.org")
            assert client.rcpt(to) == (code, words)


class TestProduction:
    @pytest.fixture(autouse=True)
    def _in_production(self, settings: Settings) -> None:
        settings.DEVELOPMENT = settings.MAILBOX_ENABLED = False

    def test_only_answers_are_taken(self, port: int, address: str) -> None:
        with smtp(port) as client:
            refused = client.sendmail("alice@example.org", [address, "bob@example.org"], MAIL)
        assert refused == {"bob@example.org": (550, b"5.1.1 No such address here")}
        assert len(stored()) == 1
        assert MailboxMessage.objects.count() == 0

    def test_without_a_database_the_sender_keeps_his_mail(
        self, port: int, address: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away(**_: object) -> int:
            raise OperationalError("the server is gone")

        monkeypatch.setattr(receiving, "store", away)
        with smtp(port) as client, pytest.raises(smtplib.SMTPDataError) as refused:
            client.sendmail("alice@example.org", [address], MAIL)
        assert refused.value.smtp_code == 451
        monkeypatch.setattr(receiving, "knows", away)
        with smtp(port) as client:
            client.ehlo()
            client.mail("alice@example.org")
            assert client.rcpt(address)[0] == 451

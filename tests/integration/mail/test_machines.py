"""Machines get no answer and play nothing; what bounces stops mails, and never a game."""

from datetime import timedelta

import pytest
from django.core import mail as django_mail
from django.test import Client

from games.models import (
    Bid,
    FaultKind,
    Game,
    InboundMail,
    MailFault,
    OutboxMessage,
    Seat,
    StoppedAddress,
    Topic,
    Wishes,
)
from games.services import receiving
from games.services.receiving import Outcome
from tests.cast import NOON, later, person, seat_of
from tests.integration.mail.letters import (
    Handled,
    answer,
    deliver,
    mail_to,
    mails_to,
    opened_by,
    reply,
    send_mails,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return opened_by("alice", "bob")


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Auto-Submitted": "auto-generated"},
        {"Precedence": "bulk"},
        {"Precedence": "junk"},
        {"Precedence": "auto_reply"},
        {"X-Autoreply": "yes"},
        {"X-Autorespond": "yes"},
        {"X-Failed-Recipients": "x@example.org"},
        {"X-Apple-Action": "VACATION/REPLY"},
        {"Return-Path": "<>"},
        {"From": "MAILER-DAEMON@example.org"},
        {"From": "game@localhost"},
        {"X-Perudo-Mail": "turn"},
    ],
)
def test_a_machine_plays_nothing_and_gets_no_answer(game: Game, headers: dict[str, str]) -> None:
    sent = mail_to("alice", "turn")
    before = OutboxMessage.objects.count()
    done = deliver(reply(sent, "5 fours", headers=headers), sent.reply_to[0])
    assert done.outcome is Outcome.AUTO
    assert not Bid.objects.exists()
    assert OutboxMessage.objects.count() == before


def test_the_null_sender_of_an_envelope_is_a_machine(game: Game) -> None:
    sent = mail_to("alice", "turn")
    done = deliver(reply(sent, "5 fours"), sent.reply_to[0], sender="", door="smtp")
    assert done.outcome is Outcome.AUTO


@pytest.mark.parametrize(
    "subject",
    ["Out of office: back soon", "Automatische Antwort: x", "Risposta automatica: x",
     "Réponse automatique : x", "Respuesta automática: x"],
)  # fmt: skip
def test_an_absence_note_without_a_command_is_a_machine(game: Game, subject: str) -> None:
    sent = mail_to("alice", "turn")
    raw = reply(sent, "I am back on Monday.", headers={"Subject": subject})
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.AUTO


def test_what_exchange_adds_to_every_mail_is_no_sign(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = reply(sent, "5 fours", headers={"X-Auto-Response-Suppress": "All"})
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.PLAYED


def test_two_auto_responders_get_at_most_ten_mails_in_a_day(game: Game) -> None:
    """They show no sign of being machines, and answer everything, at once, for a day."""
    opened_by("bob", "alice")
    send_mails()
    news = len(django_mail.outbox)
    answered = 0
    for minute in range(0, 24 * 60, 10):
        at = later(minutes=minute)
        fresh = django_mail.outbox[answered:]
        answered = len(django_mail.outbox)
        for sent in fresh:
            text = "I am away from my desk until Monday."
            deliver(reply(sent, text), sent.reply_to[0], now=at)
        send_mails(now=at)
    kinds = [sent.extra_headers["X-Perudo-Mail"] for sent in django_mail.outbox[news:]]
    automatic = [kind for kind in kinds if kind in ("refusal", "answer", "ack", "warning")]
    assert 1 <= len(automatic) <= 10
    assert not Bid.objects.filter(is_auto=False).exists()


# --- what comes back ------------------------------------------------------------------------------


def report(status: str, *, name: str = "alice", number: int = 1) -> bytes:
    """Return a delivery report as a mail server writes it."""
    return (
        "From: MAILER-DAEMON@example.org\n"
        f"Message-ID: <dsn-{status}-{number}@example.org>\n"
        "Subject: Undelivered Mail\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\nContent-Type: text/plain\n\nIt could not be delivered.\n"
        "--b\nContent-Type: message/delivery-status\n\n"
        "Reporting-MTA: dns; mx.example.org\n\n"
        f"Final-Recipient: rfc822; {name}@example.org\nAction: failed\nStatus: {status}\n"
        "--b--\n"
    ).encode()


def bounce(status: str, *, number: int = 1, at: timedelta = timedelta()) -> Handled:
    """Let alice's newest mail come back."""
    sent = mail_to("alice", "turn")
    assert sent.from_email.startswith("b-")
    return deliver(
        report(status, number=number), sent.from_email, now=NOON + at, sender="", door="smtp"
    )


def test_mails_name_their_envelope_sender_and_show_the_sites_address(game: Game) -> None:
    sent = mail_to("alice", "turn")
    assert sent.from_email.endswith("@in.localhost")
    assert sent.message()["From"] == "Perudo by Post <game@localhost>"
    assert sent.from_email not in sent.message().as_string()


def test_two_hard_bounces_stop_the_mails_and_everybody_sees_it(game: Game, client: Client) -> None:
    assert bounce("5.1.1").outcome is Outcome.BOUNCE
    assert not seat_of(game, "alice").mail_fails
    bounce("5.1.1", number=2)
    assert seat_of(game, "alice").mail_fails
    client.force_login(person("bob"))
    assert "mail fails" in client.get(f"/g/{game.code}/").content.decode()
    client.force_login(person("alice"))
    assert "Mail to you comes back" in client.get(f"/g/{game.code}/").content.decode()
    before = len(django_mail.outbox)
    answer("alice", "turn", "5 fours", now=later(minutes=1))
    send_mails(now=later(minutes=2))
    assert [sent.to for sent in django_mail.outbox[before:]] == [["bob@example.org"]]


def test_a_soft_bounce_counts_half_and_old_ones_are_forgotten(game: Game) -> None:
    for number in range(3):
        bounce("4.2.2", number=number)
    assert not seat_of(game, "alice").mail_fails
    bounce("4.2.2", number=9, at=timedelta(days=31))
    assert not seat_of(game, "alice").mail_fails
    for number in range(3):
        bounce("4.2.2", number=20 + number, at=timedelta(days=31))
    assert seat_of(game, "alice").mail_fails


def test_the_same_report_twice_counts_once(game: Game) -> None:
    for _ in range(4):
        bounce("5.1.1")
    assert MailFault.objects.count() == 1
    assert not seat_of(game, "alice").mail_fails


def test_the_clock_gets_one_extension_and_the_seat_is_kept(game: Game) -> None:
    deadline = Game.objects.get(pk=game.pk).turn_deadline_at
    bounce("5.1.1")
    bounce("5.1.1", number=2)
    assert Game.objects.get(pk=game.pk).turn_deadline_at == deadline + timedelta(days=1)
    receiving.try_again(user_id=person("alice").pk)
    assert not seat_of(game, "alice").mail_fails
    bounce("5.1.1", number=3)
    bounce("5.1.1", number=4)
    assert seat_of(game, "alice").mail_fails
    assert Game.objects.get(pk=game.pk).turn_deadline_at == deadline + timedelta(days=1)
    assert seat_of(game, "alice").dice == 5
    assert not seat_of(game, "alice").has_resigned


def test_the_player_says_on_his_page_that_his_mailbox_takes_mail_again(
    game: Game, client: Client
) -> None:
    bounce("5.1.1")
    bounce("5.1.1", number=2)
    client.force_login(person("alice"))
    assert "Send me mails again" in client.get("/settings/mail/").content.decode()
    client.post("/settings/mail/", {"act": "again"})
    assert not seat_of(game, "alice").mail_fails
    assert "Send me mails again" not in client.get("/settings/mail/").content.decode()


def test_an_old_address_may_bounce_as_it_likes(game: Game) -> None:
    sent = mail_to("alice", "turn")
    alice = person("alice")
    alice.email = "alice@new.example.org"
    alice.save()
    for number in range(3):
        deliver(report("5.1.1", number=number), sent.from_email, sender="")
    assert MailFault.objects.count() == 3
    assert not Seat.objects.filter(mail_fails=True).exists()


def test_a_complaint_switches_everything_off_and_resigns_nothing(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = (
        b"From: feedback@example.org\nMessage-ID: <arf@example.org>\nMIME-Version: 1.0\n"
        b'Content-Type: multipart/report; report-type=feedback-report; boundary="b"\n\n'
        b"--b\nContent-Type: text/plain\n\nAn abuse report.\n"
        b"--b\nContent-Type: message/feedback-report\n\n"
        b"Feedback-Type: abuse\nUser-Agent: x/1\nVersion: 1\n"
        b"Original-Rcpt-To: alice@example.org\n--b--\n"
    )
    assert deliver(raw, sent.from_email).outcome is Outcome.COMPLAINT
    assert set(Wishes.objects.get(pk=person("alice").pk).stopped) == set(Topic)
    assert StoppedAddress.objects.count() == 1
    assert seat_of(game, "alice").dice == 5
    assert mails_to("alice").count("turn") == 1


def test_a_providers_report_counts_as_well(game: Game) -> None:
    for number in range(2):
        receiving.report(
            address="Alice@example.org", kind=FaultKind.HARD, source=f"event-{number}", now=NOON
        )
    assert seat_of(game, "alice").mail_fails
    receiving.report(
        address="alice@example.org", kind=FaultKind.COMPLAINT, source="event-9", now=NOON
    )
    assert Wishes.objects.get(pk=person("alice").pk).stopped
    receiving.report(
        address="nobody@example.org", kind=FaultKind.COMPLAINT, source="event-10", now=NOON
    )
    assert StoppedAddress.objects.count() == 2


def test_a_report_to_a_turns_address_counts_for_nothing(game: Game) -> None:
    sent = mail_to("alice", "turn")
    done = deliver(report("5.1.1"), sent.reply_to[0], sender="")
    assert done.outcome is Outcome.AUTO
    assert not MailFault.objects.exists()
    assert InboundMail.objects.get().answer == ""

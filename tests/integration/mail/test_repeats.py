"""One mail, one move, one answer: whatever the way it takes and however often it comes."""

import threading

import pytest
from django.db import connections

from games.models import Bid, Event, Game, InboundMail, OutboxMessage
from games.services import deadlines, receiving
from games.services.receiving import Outcome
from tests.cast import NOON, later
from tests.integration.mail.letters import (
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


def test_a_mail_that_is_stored_twice_is_one_row_and_handled_once(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = reply(sent, "5 fours")
    first, second = deliver(raw, sent.reply_to[0]), deliver(raw, sent.reply_to[0])
    assert first.row.pk == second.row.pk
    assert second.outcome is Outcome.PLAYED
    send_mails(now=later(minutes=1))
    assert mails_to("alice").count("ack") == 1


def test_a_copy_that_came_another_way_is_a_repeat_and_gets_no_second_answer(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = reply(sent, "5 fours")
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.PLAYED
    copy = b"Received: from backup.example.org\n" + raw
    assert deliver(copy, sent.reply_to[0]).outcome is Outcome.REPEAT
    send_mails(now=later(minutes=1))
    assert mails_to("alice").count("ack") == 1
    assert mails_to("alice").count("refusal") == 0


def test_copies_without_an_identifier_are_known_by_what_they_say(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = b"From: alice@example.org\nDate: Mon, 4 May 2026 12:00:00 +0000\n\n5 fours\n"
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.PLAYED
    assert deliver(b"X-Way: 2\n" + raw, sent.reply_to[0]).outcome is Outcome.REPEAT


def test_the_same_words_in_another_mail_are_another_mail(game: Game) -> None:
    sent = mail_to("alice", "turn")
    assert deliver(reply(sent, "5 fours"), sent.reply_to[0]).outcome is Outcome.PLAYED
    assert deliver(reply(sent, "5 fours"), sent.reply_to[0]).outcome is Outcome.OVER


def test_of_two_mails_in_flight_the_first_received_wins(game: Game) -> None:
    sent = mail_to("alice", "turn")
    ids = [
        receiving.store(
            raw=reply(sent, line),
            recipient=sent.reply_to[0],
            received_at=later(seconds=second),
            door="smtp",
            sender="alice@example.org",
        )
        for line, second in (("6 fours", 2), ("5 fours", 1))
    ]
    assert receiving.sweep(now=later(minutes=1)) == 2
    outcomes = [InboundMail.objects.get(pk=pk).outcome for pk in ids]
    assert outcomes == [Outcome.OVER, Outcome.PLAYED]
    assert Bid.objects.get().quantity == 5


def test_a_mail_whose_nudge_was_lost_is_found_by_the_sweep(game: Game) -> None:
    sent = mail_to("alice", "turn")
    receiving.store(
        raw=reply(sent, "5 fours"), recipient=sent.reply_to[0], received_at=NOON, door="pipe"
    )
    assert receiving.sweep(now=NOON) == 1
    assert Bid.objects.count() == 1
    assert receiving.sweep(now=NOON) == 0


def test_a_mail_that_our_code_fails_on_is_tried_again_and_given_up_loudly(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from games.services.receiving import handling

    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("5 fours")

    sent = mail_to("alice", "turn")
    with monkeypatch.context() as patch:
        patch.setattr(handling.steps, "decide", fail)
        done = deliver(reply(sent, "5 fours"), sent.reply_to[0])
        assert done.outcome is Outcome.WAITING
        assert done.row.attempts == 1
        for hour in range(1, 6):
            receiving.sweep(now=later(hours=hour))
    row = InboundMail.objects.get()
    assert (row.state, row.outcome) == ("dead", Outcome.FAILED)
    assert "ZeroDivisionError" in caplog.text
    assert "5 fours" not in caplog.text
    assert not Bid.objects.exists()


def test_a_mail_that_ends_whoever_handles_it_holds_up_no_game(
    game: Game, caplog: pytest.LogCaptureFixture
) -> None:
    sent = mail_to("alice", "turn")
    receiving.store(
        raw=reply(sent, "5 fours"), recipient=sent.reply_to[0], received_at=NOON, door="smtp"
    )
    # Five workers were killed with it in their hands: no exception, no word.
    InboundMail.objects.update(attempts=5, lease_until=later(minutes=5))
    late = later(days=1, minutes=1)
    assert deadlines.expire_turns(now=late) == 1
    assert Event.objects.filter(game=game, is_auto=True).count() == 1
    assert InboundMail.objects.get().outcome == Outcome.FAILED
    assert "given up" in caplog.text


def test_a_mail_that_was_put_off_is_done_when_it_can_be(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.services.receiving import handling

    sent = mail_to("alice", "turn")
    with monkeypatch.context() as patch:
        patch.setattr(handling.steps, "decide", lambda *_, **__: 1 / 0)
        deliver(reply(sent, "5 fours"), sent.reply_to[0])
    assert receiving.sweep(now=later(seconds=10)) == 0
    assert receiving.sweep(now=later(minutes=2)) == 1
    assert Bid.objects.count() == 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_fifty_deliveries_at_once_are_one_move_and_one_answer() -> None:
    game = opened_by("alice", "bob")
    sent = mail_to("alice", "turn")
    raw = reply(sent, "5 fours")
    ready, outcomes = threading.Barrier(10), []

    def take(number: int) -> None:
        try:
            ready.wait(20)
            for round_number in range(5):
                # Every other copy came another way.
                copy = raw if number % 2 else f"X-Way: {number}-{round_number}\n".encode() + raw
                mail_id = receiving.store(
                    raw=copy,
                    recipient=sent.reply_to[0],
                    received_at=NOON,
                    door="smtp",
                    sender="alice@example.org",
                )
                outcomes.append(receiving.handle(mail_id=mail_id, now=NOON))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=take, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    receiving.sweep(now=later(minutes=10))
    assert Event.objects.filter(game=game, kind="bid").count() == 1
    assert OutboxMessage.objects.filter(kind="ack").count() == 1
    assert OutboxMessage.objects.filter(kind="refusal").count() == 0
    assert InboundMail.objects.filter(outcome=Outcome.PLAYED).count() == 1
    assert set(InboundMail.objects.values_list("outcome", flat=True)) == {
        Outcome.PLAYED, Outcome.REPEAT,
    }  # fmt: skip

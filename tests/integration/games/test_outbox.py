"""The outbox: written with the move, claimed once, marked by the holder of the fence alone."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.core import mail as mailbox
from django.core.mail import EmailMultiAlternatives
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection, transaction
from pytest_django.fixtures import Settings

from games import rules, tasks
from games.mail import render as renderer
from games.models import Channel, Game, OutboxMessage, OutboxStatus
from games.services import deadlines, moves, nudges, outbox
from games.services.outbox import Fate
from tests.cast import NOON, act, cups, give_turn, later, seat_of, table

pytestmark = pytest.mark.django_db
DEAF = "tests.integration.games.test_outbox.DeafBackend"
Rendered = EmailMultiAlternatives | None


class DeafBackend(EmailBackend):
    """A backend that breaks at every mail."""

    def send_messages(self, messages: object) -> int:
        raise ConnectionResetError("alice@example.org")


def bid(game: Game, name: str, text: str) -> rules.MakeBid:
    return rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text))


def opened_by_alice() -> Game:
    """Return a game in which bob is to answer, with nothing in the outbox but his two notices."""
    game = table()
    give_turn(game, "alice")
    OutboxMessage.objects.all().delete()
    return act(game, bid(game, "alice", "20x4"))


def the_turn() -> OutboxMessage:
    return OutboxMessage.objects.get(kind="turn")


def copies(count: int) -> list[OutboxMessage]:
    """Write ``count`` rows that all ask for bob's turn mail."""
    row = the_turn()
    rows = [
        OutboxMessage(
            dedupe=f"copy:{number}",
            kind=row.kind,
            game_id=row.game_id,
            seat_id=row.seat_id,
            version=row.version,
            round_number=row.round_number,
            due_at=row.due_at,
            created_at=row.created_at,
        )
        for number in range(count)
    ]
    return OutboxMessage.objects.bulk_create(rows)


def test_a_mail_is_written_with_the_move_and_rolled_back_with_it() -> None:
    game = table()
    give_turn(game, "alice")
    before = OutboxMessage.objects.count()
    with transaction.atomic():
        act(game, bid(game, "alice", "20x4"))
        assert OutboxMessage.objects.count() > before
        transaction.set_rollback(True)
    assert OutboxMessage.objects.count() == before


def test_what_is_due_is_sent_once() -> None:
    opened_by_alice()
    assert outbox.relay(now=NOON) == 1
    assert [mail.to for mail in mailbox.outbox] == [["bob@example.org"]]
    assert (the_turn().status, the_turn().sent_at is not None) == (OutboxStatus.SENT, True)
    assert outbox.relay(now=NOON) == 0
    assert len(mailbox.outbox) == 1


def test_the_reminder_goes_out_when_four_fifths_of_a_short_turn_have_passed() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    act(game, bid(game, "alice", "20x4"))
    outbox.relay(now=later(minutes=47))
    mailbox.outbox.clear()
    outbox.relay(now=later(minutes=48))
    assert len(mailbox.outbox) == 1
    assert "12 minutes left" in str(mailbox.outbox[0].body)


def test_a_superseded_notice_is_counted_and_not_sent() -> None:
    game = opened_by_alice()
    act(game, rules.Resign(seat_of(game, "bob").number))
    fates = outbox.deliver(now=NOON)
    assert fates == {Fate.SUPERSEDED: 1, Fate.SENT: 2}
    assert the_turn().status == OutboxStatus.SUPERSEDED
    assert {mail.subject[-16:] for mail in mailbox.outbox} == {"The game is over"}


def test_two_relays_at_once_send_each_mail_once(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened_by_alice()
    copies(11)
    start = threading.Barrier(6)

    def race() -> None:
        try:
            start.wait()
            while outbox.relay(now=NOON, limit=3):
                pass
        finally:
            connection.close()

    threads = [threading.Thread(target=race) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(mailbox.outbox) == 12
    assert set(OutboxMessage.objects.filter(kind="turn").values_list("fence", flat=True)) == {1}


def test_a_claimed_row_is_left_alone_until_its_lease_ends() -> None:
    opened_by_alice()
    assert len(outbox.claim(now=NOON, limit=9, channel=Channel.MAIL)) == 1
    assert outbox.relay(now=later(seconds=60)) == 0
    assert outbox.relay(now=later(seconds=61)) == 1
    assert len(mailbox.outbox) == 1


def while_rendering(
    monkeypatch: pytest.MonkeyPatch, happens: Callable[[OutboxMessage], object]
) -> None:
    real = renderer.render

    def render(message: OutboxMessage, *, now: datetime) -> Rendered:
        happens(message)
        return real(message, now=now)

    monkeypatch.setattr(renderer, "render", render)


def test_a_relay_that_lost_its_lease_neither_marks_nor_sends_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened_by_alice()
    copies(2)

    def oversleep(message: OutboxMessage) -> None:
        """Let another relay take everything, an hour later, while this one renders."""
        monkeypatch.undo()
        assert len(outbox.claim(now=later(hours=1), limit=9, channel=Channel.MAIL)) == 3

    while_rendering(monkeypatch, oversleep)
    assert outbox.deliver(now=NOON) == {Fate.TAKEN: 3}
    # The one that was being sent did go out; its row is the other relay's to settle.
    assert len(mailbox.outbox) == 1
    rows = OutboxMessage.objects.filter(kind="turn")
    assert {(row.status, row.fence) for row in rows} == {(OutboxStatus.PENDING, 2)}


def test_a_failure_is_tried_again_with_growing_pauses_and_given_up_after_twelve(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    opened_by_alice()
    settings.EMAIL_BACKEND = DEAF
    now, pauses = NOON, []
    for _ in range(11):
        assert outbox.deliver(now=now) == {Fate.PUT_OFF: 1}
        assert outbox.deliver(now=now) == {}
        pauses.append((the_turn().due_at - now).total_seconds())
        now = the_turn().due_at + timedelta(seconds=1)
        OutboxMessage.objects.filter(kind="turn").update(created_at=now)
        Game.objects.update(turn_deadline_at=now + timedelta(days=1))
        OutboxMessage.objects.filter(kind="reminder").delete()
    assert [round(pause) for pause in pauses[:4]] == [15, 45, 135, 405]
    assert pauses[-1] == pytest.approx(6 * 3600, abs=5)
    assert sum(pauses) > 24 * 3600
    assert not [record for record in caplog.records if record.levelname == "ERROR"]
    assert outbox.deliver(now=now) == {Fate.GIVEN_UP: 1}
    assert the_turn().status == OutboxStatus.DEAD
    assert list(outbox.stuck(now=now)) == [the_turn()]
    assert "given up after 12: ConnectionResetError" in caplog.text
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert outbox.relay(now=now) == 0
    assert outbox.retry_given_up(now=now) == 1
    assert outbox.relay(now=now) == 1
    assert len(mailbox.outbox) == 1


def test_a_notice_that_cannot_be_rendered_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened_by_alice()
    poison = the_turn()
    copies(2)

    def choke(message: OutboxMessage) -> None:
        if message.pk == poison.pk:
            raise KeyError("poison")

    while_rendering(monkeypatch, choke)
    assert outbox.deliver(now=NOON) == {Fate.PUT_OFF: 1, Fate.SENT: 2}
    poison.refresh_from_db()
    assert (poison.status, poison.last_error) == (OutboxStatus.PENDING, "KeyError")


def test_a_seat_that_is_given_up_meanwhile_takes_its_mail_along() -> None:
    opened_by_alice()
    claimed = outbox.claim(now=NOON, limit=9, channel=Channel.MAIL)
    OutboxMessage.objects.all().delete()
    assert outbox._deliver_all(claimed, mailbox.get_connection(), clock=lambda: NOON) == {
        Fate.TAKEN: 1
    }
    assert not mailbox.outbox


def test_with_every_queue_message_dropped_the_sweeps_do_everything(
    monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    monkeypatch.setattr(nudges, "_send", lambda *_, **__: None)
    game = table(turn_seconds=3600)
    now = NOON
    for _ in range(6):  # nobody moves: reminders, automatic moves, absence, and their mails
        for step in (50, 62):
            now = (Game.objects.get(pk=game.pk).turn_started_at or now) + timedelta(minutes=step)
            deadlines.expire_turns(now=now)
            while outbox.relay(now=now):
                pass
    sent = set(
        OutboxMessage.objects.filter(status=OutboxStatus.SENT).values_list("kind", flat=True)
    )
    assert {"turn", "reminder", "absent", "started"} <= sent
    due = OutboxMessage.objects.filter(status=OutboxStatus.PENDING, due_at__lte=now)
    assert not due.exists()


def test_each_task_run_twice_does_its_work_once(settings: Settings) -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    OutboxMessage.objects.all().delete()
    act(game, bid(game, "alice", "20x4"))
    # The deadline is long past by the real clock, which is the one that tasks read.
    assert (tasks.expire_turns(), tasks.expire_turns()) == (1, 0)
    game.refresh_from_db()
    assert game.version == 5
    tasks.relay_outbox()
    sent = len(mailbox.outbox)
    tasks.relay_outbox()
    assert len(mailbox.outbox) == sent > 0


def test_no_log_line_holds_an_address_a_token_or_a_die(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    game = opened_by_alice()
    dice = " ".join(map(str, cups(game)[seat_of(game, "bob").number]))
    settings.EMAIL_BACKEND = DEAF
    outbox.relay(now=NOON)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    outbox.relay(now=later(minutes=1))
    moves.play(
        game_id=game.pk,
        action=rules.Dudo(seat_of(game, "bob").number),
        expected_version=game.version,
        now=NOON,
    )
    outbox.relay(now=later(minutes=2))
    assert len(mailbox.outbox) == 3
    assert "not sent" in caplog.text
    said = [record.getMessage() for record in caplog.records if record.name != "django.db.backends"]
    for secret in ("@", dice, game.invite_token, game.gid):
        assert not [line for line in said if secret in line]

"""Mail over real SMTP: what arrives, and what a server can do to a batch."""

import time
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from games import rules
from games.models import Game, OutboxMessage, OutboxStatus
from games.services import outbox
from games.services.outbox import Fate
from tests.cast import NOON, act, cups, later, seat_of, table
from tests.integration.games.post_office import PostOffice, post_office

pytestmark = pytest.mark.django_db
UseOffice = Callable[[PostOffice], None]


@pytest.fixture
def use(settings: Settings) -> UseOffice:
    """Let the site send to a post office."""

    def switch(office: PostOffice) -> None:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        settings.EMAIL_TIMEOUT = 2

    return switch


@pytest.fixture
def notices() -> list[OutboxMessage]:
    """Four cancelled notices: to alice, bob, carol and dave, due in that order."""
    names = ("alice", "bob", "carol", "dave")
    game = table(names)
    OutboxMessage.objects.all().delete()
    Game.objects.filter(pk=game.pk).update(status="cancelled", wake_at=None)
    rows = [
        OutboxMessage(
            dedupe=f"test:{name}",
            kind="cancelled",
            game=game,
            seat=seat_of(game, name),
            version=1,
            due_at=NOON,
            created_at=NOON,
        )
        for name in names
    ]
    return OutboxMessage.objects.bulk_create(rows)


def state(row: OutboxMessage) -> tuple[str, int]:
    row.refresh_from_db()
    return row.status, row.attempts


def test_a_turn_mail_arrives_whole(use: UseOffice) -> None:
    game = table()
    assert game.to_act is not None
    game = act(game, rules.MakeBid(game.to_act, rules.Bid(20, 4)))
    OutboxMessage.objects.exclude(kind="turn", version=game.version).delete()
    with post_office() as office:
        use(office)
        assert outbox.relay(now=NOON) == 1
    (mail,) = office.mails
    assert office.recipients == [mail["To"]]
    assert mail["Subject"] == f"[{game.code}] Round 1"
    text, html = mail.iter_parts()
    dice = " ".join(map(str, cups(game)[game.to_act or 0]))
    assert dice in text.get_content()
    assert "Open the game</a>" in html.get_content()


def test_one_connection_carries_the_batch(use: UseOffice, notices: list[OutboxMessage]) -> None:
    with post_office() as office:
        use(office)
        assert outbox.relay(now=NOON) == 4
    assert office.connections == 1
    assert [address.split("@")[0] for address in office.recipients] == [
        "alice", "bob", "carol", "dave",
    ]  # fmt: skip


def test_a_recipient_refused_for_now_is_tried_again_and_holds_up_nobody(
    use: UseOffice, notices: list[OutboxMessage], caplog: pytest.LogCaptureFixture
) -> None:
    answers = {"bob@example.org": "451 4.3.0 bob@example.org try later"}
    with post_office(answers=answers) as office:
        use(office)
        assert outbox.deliver(now=NOON) == {Fate.SENT: 3, Fate.PUT_OFF: 1}
        assert state(notices[1]) == (OutboxStatus.PENDING, 1)
        assert notices[1].last_error == "SMTPRecipientsRefused 451"
        office.answers.clear()
        assert outbox.deliver(now=later(seconds=10)) == {}
        assert outbox.deliver(now=later(seconds=20)) == {Fate.SENT: 1}
    assert sorted(office.recipients) == [
        f"{n}@example.org" for n in ("alice", "bob", "carol", "dave")
    ]
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("games")]
    assert ours
    assert not [line for line in ours if "@" in line]


def test_a_recipient_refused_for_good_is_given_up_at_once(
    use: UseOffice, notices: list[OutboxMessage]
) -> None:
    with post_office(answers={"bob@example.org": "550 5.1.1 no such user"}) as office:
        use(office)
        assert outbox.deliver(now=NOON) == {Fate.SENT: 3, Fate.GIVEN_UP: 1}
    assert state(notices[1]) == (OutboxStatus.DEAD, 1)


def test_a_server_that_refuses_every_mail_is_left_in_peace_after_three(
    use: UseOffice, notices: list[OutboxMessage]
) -> None:
    with post_office(answers={"DATA": "452 4.3.1 full"}) as office:
        use(office)
        assert outbox.deliver(now=NOON) == {Fate.PUT_OFF: 3, Fate.RELEASED: 1}
        assert [state(row)[1] for row in notices] == [1, 1, 1, 0]
        office.answers.clear()
        assert outbox.deliver(now=later(minutes=1)) == {Fate.SENT: 4}
    assert len(office.mails) == 4


def test_a_server_that_dies_in_the_middle_costs_one_attempt(
    use: UseOffice, notices: list[OutboxMessage]
) -> None:
    with post_office(dies_at=3) as office:
        use(office)
        assert outbox.deliver(now=NOON) == {
            Fate.SENT: 2, Fate.PUT_OFF: 1, Fate.NO_SERVER: 1,
        }  # fmt: skip
    assert [state(row) for row in notices] == [
        (OutboxStatus.SENT, 1),
        (OutboxStatus.SENT, 1),
        (OutboxStatus.PENDING, 1),
        (OutboxStatus.PENDING, 0),
    ]
    sent = {mail["Message-ID"] for mail in office.mails}
    with post_office() as office:
        use(office)
        assert outbox.deliver(now=later(minutes=1)) == {Fate.SENT: 2}
    assert len(sent | {mail["Message-ID"] for mail in office.mails}) == 4


def test_without_a_server_the_batch_waits_and_no_attempt_counts(
    use: UseOffice, notices: list[OutboxMessage]
) -> None:
    with post_office() as office:
        use(office)
    for minutes in range(20):  # more often than a mail is tried
        assert outbox.deliver(now=later(minutes=minutes)) == {Fate.NO_SERVER: 1, Fate.RELEASED: 3}
    assert {state(row) for row in notices} == {(OutboxStatus.PENDING, 0)}
    assert len(list(outbox.stuck(now=NOON))) == 4
    with pytest.raises(CommandError, match="no mail server") as refused:
        call_command("relay_outbox")
    assert refused.value.returncode == 2


def test_a_silent_server_costs_one_time_out_not_one_a_mail(
    use: UseOffice, settings: Settings, notices: list[OutboxMessage]
) -> None:
    with post_office(silent=True) as office:
        use(office)
        settings.EMAIL_TIMEOUT = 0.5
        started = time.monotonic()
        assert outbox.deliver(now=NOON) == {Fate.NO_SERVER: 1, Fate.RELEASED: 3}
        assert time.monotonic() - started < 1.5
    assert office.connections == 1

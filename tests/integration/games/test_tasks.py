"""The tasks with a real worker, a real broker and a real mail server."""

import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from celery.contrib.testing.worker import start_worker
from django.utils import timezone
from pytest_django.fixtures import Settings

from games import rules
from games.models import OutboxMessage, OutboxStatus
from games.services import nudges
from perudo_site.celery import app
from tests.cast import act, table
from tests.integration.games.post_office import post_office

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(autouse=True)
def _no_nudge_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the nudges of earlier tests: one stands for what is committed just after it."""
    monkeypatch.setattr(nudges, "_quiet_until", {})


@pytest.fixture
def queue(broker: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let Celery use the real broker instead of the one in memory."""
    monkeypatch.setenv("CELERY_BROKER_URL", f"redis+socket://{urlsplit(broker).path}")
    app.amqp._producer_pool = None
    yield
    app.amqp._producer_pool = None


def settled_turn(version: int) -> OutboxMessage:
    """Return a turn notice, once the relay that has handed it over has marked it too."""
    for _ in range(100):
        row = OutboxMessage.objects.get(kind="turn", version=version)
        if row.status != OutboxStatus.PENDING:
            break
        time.sleep(0.05)
    return row


def test_a_move_nudges_and_the_mail_arrives_without_the_beat(
    queue: None, settings: Settings
) -> None:
    now = timezone.now()
    game = table(now=now)
    with post_office() as office:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", office.port
        with start_worker(app, perform_ping_check=False, pool="solo", loglevel="WARNING"):
            assert office.arrived.wait(15), "the start's mails did not arrive"
            office.arrived.clear()
            opener = game.to_act
            assert opener is not None
            act(game, rules.MakeBid(opener, rules.Bid(3, 4)), now=timezone.now())
            assert office.arrived.wait(15), "the turn mail did not arrive"
            turn = settled_turn(game.version + 1)
    assert turn.seat is not None
    assert turn.seat.user is not None
    assert turn.status == OutboxStatus.SENT
    last = office.mails[-1]
    assert last["To"] == turn.seat.user.email
    text, _html = last.iter_parts()
    assert "bid 3 fours." in text.get_content()


def test_a_dead_broker_costs_no_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("CELERY_BROKER_URL", f"redis+socket://{tmp_path}/nobody.sock")
    app.amqp._producer_pool = None
    started = time.monotonic()
    try:
        game = table()
        assert game.to_act is not None
        game = act(game, rules.MakeBid(game.to_act, rules.Bid(3, 4)))
    finally:
        app.amqp._producer_pool = None
    assert time.monotonic() - started < 3, "the players waited for the broker"
    assert game.version == 3
    assert OutboxMessage.objects.filter(kind="turn", version=3).exists()
    assert "games.tasks.relay_outbox not delivered" in caplog.text

"""What a supervisor is told."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games.models import Game, OutboxMessage
from games.selectors.overdue import LATE
from perudo_site import health
from tests.cast import table


@pytest.fixture(autouse=True)
def _forget_migrations() -> None:
    health._require_migrations.cache_clear()


def test_live_asks_nothing_of_the_database(client: Client) -> None:
    assert client.get("/live").json() == {"status": "ok"}


@pytest.mark.django_db
def test_ready_when_the_database_is(client: Client) -> None:
    response = client.get("/ready")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.django_db
def test_ready_and_degraded_when_a_turn_or_a_notice_waits_for_too_long(client: Client) -> None:
    game = table(turn_seconds=86_400, now=timezone.now())
    assert client.get("/ready").json() == {"status": "ok"}, "what is due just now is no matter"
    long_ago = timezone.now() - LATE - timedelta(seconds=1)
    OutboxMessage.objects.filter(kind="turn").update(due_at=long_ago)
    response = client.get("/ready")
    assert (response.status_code, response.json()) == (
        200,
        {"status": "degraded", "overdue": ["notices"]},
    )
    Game.objects.filter(pk=game.pk).update(wake_at=long_ago)
    assert client.get("/ready").json()["overdue"] == ["turns", "notices"]
    OutboxMessage.objects.update(status="sent")
    assert client.get("/ready").json()["overdue"] == ["turns"]


@pytest.mark.django_db
def test_not_ready_without_a_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError

    monkeypatch.setattr(health.connection, "cursor", refuse)
    response = client.get("/ready")
    assert (response.status_code, response.json()) == (503, {"status": "no database"})


@pytest.mark.django_db
def test_not_ready_while_a_migration_is_missing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = "perudo_site.health.MigrationExecutor.migration_plan"
    monkeypatch.setattr(plan, lambda self, targets: ["one"])
    assert client.get("/ready").status_code == 503
    monkeypatch.setattr(plan, lambda self, targets: [])
    assert client.get("/ready").status_code == 200


@pytest.mark.django_db
def test_a_supervisor_may_ask_over_http(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_REDIRECT_EXEMPT = [r"^live$", r"^ready$"]
    assert client.get("/rules/").status_code == 301
    assert client.get("/live").status_code == 200

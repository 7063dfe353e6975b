"""``manage.py relay_outbox`` and ``manage.py expire_turns``: the same work without Celery."""

from datetime import datetime

import pytest
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from games.models import Game, OutboxMessage, OutboxStatus
from games.services import moves
from tests.cast import NOON
from tests.integration.games import mailing

pytestmark = pytest.mark.django_db
DEAF = "tests.integration.games.test_outbox.DeafBackend"


def opened_by_alice() -> Game:
    """Return a game with nothing in the outbox but bob's turn notice."""
    game = mailing.opened_by_alice()
    OutboxMessage.objects.exclude(version=game.version).delete()
    return game


def test_relay_outbox_sends_without_celery(capsys: pytest.CaptureFixture[str]) -> None:
    opened_by_alice()
    call_command("relay_outbox")
    assert "superseded: 1" in capsys.readouterr().out  # by the real clock its deadline is past
    call_command("relay_outbox")
    assert "nothing was due" in capsys.readouterr().out


def test_relay_outbox_says_by_its_exit_code_what_is_left(
    settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    opened_by_alice()
    Game.objects.update(turn_deadline_at=datetime(2999, 1, 1, tzinfo=NOON.tzinfo))
    settings.EMAIL_BACKEND = DEAF
    with pytest.raises(CommandError, match="1 put off") as put_off:
        call_command("relay_outbox")
    assert put_off.value.returncode == 1
    OutboxMessage.objects.filter(kind="turn").update(status=OutboxStatus.DEAD)
    with pytest.raises(CommandError, match="1 given up in all"):
        call_command("relay_outbox")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    call_command("relay_outbox", "--retry-given-up")
    assert "sent: 1" in capsys.readouterr().out


def test_expire_turns_moves_without_celery(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = opened_by_alice()
    call_command("expire_turns")
    assert "games moved on: 1" in capsys.readouterr().out
    game.refresh_from_db()
    assert game.version == 5
    Game.objects.update(turn_deadline_at=NOON, wake_at=NOON)
    monkeypatch.setattr(moves, "play_for_seat", lambda **_: {}["poison"])
    with pytest.raises(CommandError, match=game.code) as stuck:
        call_command("expire_turns")
    assert stuck.value.returncode == 1

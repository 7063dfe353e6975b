"""Nudges: one stands for all that is committed in the moment after it, and none holds up a move."""

from types import SimpleNamespace
from typing import Any

import pytest
from celery import current_app
from kombu.exceptions import OperationalError

from games.services import nudges


class Broker:
    """Notes the tasks that are sent, or refuses them."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, float]] = []
        self.is_dead = False
        self.asked = 0

    def send_task(self, task: str, *, countdown: float, **_: object) -> None:
        self.asked += 1
        if self.is_dead:
            raise OperationalError("nobody there")
        self.sent.append((task, countdown))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1000.0]
    monkeypatch.setattr(nudges, "_quiet_until", {})
    monkeypatch.setattr(nudges, "time", SimpleNamespace(monotonic=lambda: now[0]))
    return now


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Broker:
    double = Broker()
    monkeypatch.setattr(current_app, "send_task", double.send_task)
    return double


def test_one_nudge_stands_for_all_that_is_committed_before_its_task_runs(
    clock: list[float], broker: Broker
) -> None:
    nudges.relay()
    clock[0] += nudges.GATHER_SECONDS - 0.01
    nudges.relay()
    assert broker.sent == [("games.tasks.relay_outbox", nudges.GATHER_SECONDS)]
    clock[0] += 0.01
    nudges.relay()
    assert len(broker.sent) == 2


def test_the_sweep_comes_when_the_last_bot_it_gathered_has_had_its_moment(
    clock: list[float], broker: Broker, settings: Any
) -> None:
    settings.BOT_DELAY_SECONDS = 3.0
    nudges.relay()
    nudges.bots()
    assert broker.sent[1] == ("games.tasks.expire_turns", 3.0 + nudges.GATHER_SECONDS)


def test_a_dead_broker_is_left_alone_for_a_while_and_asked_again(
    clock: list[float], broker: Broker
) -> None:
    broker.is_dead = True
    nudges.relay()
    for _ in range(20):
        clock[0] += nudges.PAUSE_SECONDS / 25
        nudges.relay()
        nudges.bots()
    assert broker.asked == 1
    broker.is_dead = False
    clock[0] += nudges.PAUSE_SECONDS
    nudges.relay()
    assert len(broker.sent) == 1

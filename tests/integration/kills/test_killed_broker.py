"""A broker that dies under a running site and comes back: what is due is done, and once."""

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from games import rules
from games.models import Event, Game, OutboxMessage, OutboxStatus
from perudo_site.broker import RunningBroker, start_broker
from tests.cast import act, give_turn, seat_of, table
from tests.integration.games.invariants import check_game
from tests.integration.games.post_office import post_office
from tests.integration.kills.workers import COUNT, SWEEP, database_url, wait_until, worker_beside
from tests.running_site import Site

pytestmark = [
    pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(180),
]  # fmt: skip


@dataclass
class Broker:
    """A broker of a test's own, that dies and comes back where it was."""

    folder: Path
    stack: ExitStack
    running: RunningBroker

    def kill(self) -> None:
        self.running.process.send_signal(signal.SIGKILL)
        self.running.process.wait()

    def start(self) -> None:
        """Start another one where the first one was, on what it has left."""
        self.running = self.stack.enter_context(start_broker(self.folder))


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    folder = tmp_path / "broker"
    folder.mkdir()
    with ExitStack() as stack:
        yield Broker(folder, stack, stack.enter_context(start_broker(folder)))


def due_turn(now: datetime) -> Game:
    """Return a game in which bob's turn runs out at ``now``, with no mail waiting."""
    game = table(turn_seconds=86_400, now=now - timedelta(days=2))
    give_turn(game, "alice")
    action = rules.MakeBid(seat_of(game, "alice").number, rules.Bid(2, 3))
    game = act(game, action, now=now - timedelta(days=1))
    OutboxMessage.objects.filter(version__lte=game.version).delete()
    return game


def missed(game: Game) -> int:
    return Event.objects.filter(game=game, is_auto=True).count()


def is_alive(site: Site) -> bool:
    """Return True; a site that has ended fails here, in its own words."""
    assert site.up.poll() is None, site.output
    return True


def test_turns_that_run_out_and_mails_that_fall_due_while_the_broker_is_dead_are_not_lost(
    broker: Broker, tmp_path: Path
) -> None:
    (tmp_path / "var").mkdir()
    with post_office() as office:
        site = Site(
            tmp_path / "var",
            DATABASE_URL=database_url(),
            REDIS_URL=broker.running.url,
            EMAIL_URL=f"smtp://127.0.0.1:{office.port}",
            SECRET_KEY=settings.SECRET_KEY,
            SEED_KEYS=",".join(settings.SEED_KEYS),
        )
        try:
            site.wait_for(r"up +\| ready")
            first = due_turn(timezone.now() - timedelta(minutes=1))
            wait_until(lambda: is_alive(site) and missed(first) and office.mails, "the first end")

            broker.kill()
            second = due_turn(timezone.now() - timedelta(minutes=1))
            time.sleep(2)
            assert site.get("/")[0] == 200
            assert missed(second) == 0, "nobody rings"
            before = len(office.mails)

            broker.start()
            wait_until(lambda: is_alive(site) and missed(second), "the second turn's end")
            turns = OutboxMessage.objects.filter(game=second, kind="turn")
            wait_until(lambda: turns.filter(status=OutboxStatus.SENT).exists(), "the mail")
            assert len(office.mails) > before
            assert len({mail["Message-ID"] for mail in office.mails}) == len(office.mails)
            assert is_alive(site)
        finally:
            site.kill()
    for game in (first, second):
        assert missed(game) == 1
        check_game(game.pk)


def test_a_broker_that_dies_in_the_middle_of_a_task_takes_no_worker_with_it(
    broker: Broker, tmp_path: Path
) -> None:
    with worker_beside(tmp_path, broker.running.url) as worker:
        game = due_turn(timezone.now() - timedelta(minutes=1))
        with worker.halting("INSERT INTO games_event"):
            worker.ask(SWEEP)
            worker.wait_halted()
            broker.kill()
            time.sleep(1)  # the worker has noticed
            broker.start()
        wait_until(lambda: missed(game), "the end of the turn")
        worker.ask(COUNT)  # what it had in hand, perhaps twice, and then this
        wait_until(lambda: f"{COUNT} SUCCESS" in worker.done(), "the next task")
        assert worker.process.poll() is None, worker.log.read_text()
        assert missed(game) == 1
        check_game(game.pk)

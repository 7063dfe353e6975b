"""A worker that is killed with -9 in the middle of each task: nothing is lost, or done twice."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import User
from games import rules
from games.models import (
    Career,
    Channel,
    Conduct,
    Event,
    Game,
    GameStatus,
    InboundMail,
    Mode,
    OutboxMessage,
    OutboxStatus,
    PushSubscription,
    Round,
    SiteSums,
    Webhook,
)
from games.services import receiving, tidying
from perudo_site.broker import start_broker
from tests.cast import act, give_turn, person, seat_of, table
from tests.integration.games.invariants import check_game, snapshot
from tests.integration.kills.workers import RELAY, SWEEP, Worker, wait_until, worker_beside
from tests.integration.mail.letters import mail_to, reply
from tests.integration.notices.browsers import Browser, digest
from tests.integration.notices.test_modes import wish
from tests.integration.security.test_outgoing import url_of

pytestmark = [
    pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.timeout(180),
]  # fmt: skip


@pytest.fixture(scope="module")
def _worker(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Worker]:
    folder = tmp_path_factory.mktemp("kills")
    with start_broker(folder) as broker, worker_beside(folder, broker.url) as worker:
        yield worker


@pytest.fixture
def worker(_worker: Worker) -> Worker:
    """A worker that has nothing to do."""
    _worker.office.mails.clear()
    _worker.office.was_read.clear()
    _worker.street.was_read.clear()
    _worker.server.requests.clear()
    return _worker


def a_minute_passes() -> None:
    """Let the leases of whoever has been killed run out."""
    over = timezone.now() - timedelta(seconds=1)
    OutboxMessage.objects.filter(lease_until__isnull=False).update(lease_until=over)
    InboundMail.objects.filter(lease_until__isnull=False).update(lease_until=over)


def a_turn(name: str = "alice", *, since: datetime | None = None) -> Game:
    """Return a game in which ``name`` has just got the turn, and no other notice waits."""
    now = since or timezone.now()
    game = table(now=now, turn_seconds=7 * 86_400)
    rival = "bob" if name == "alice" else "alice"
    give_turn(game, rival)
    OutboxMessage.objects.all().delete()
    return act(game, rules.MakeBid(seat_of(game, rival).number, rules.Bid(2, 3)), now=now)


# --- what is one transaction ----------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A task, where it is killed, what it finds to do and how one sees that it was done once."""

    task: str
    at: str
    given: Callable[[], Callable[[], object]]
    needs_a_minute: bool = False


def a_missed_turn() -> Callable[[], object]:
    game = table(now=timezone.now() - timedelta(days=2))
    OutboxMessage.objects.all().delete()

    def is_played_once() -> bool:
        check_game(game.pk)
        return Event.objects.filter(game=game, is_auto=True).count() == 1

    return is_played_once


def a_closed_round() -> Callable[[], object]:
    game = a_turn("bob")
    act(game, rules.Dudo(seat_of(game, "bob").number), now=timezone.now())
    before = {row.pk: row.kept for row in Conduct.objects.all()}

    def is_counted_once() -> bool:
        assert Round.objects.filter(game=game, misses__isnull=False).count() == 1
        return [row.kept - before[row.pk] for row in Conduct.objects.all()] == [1, 1]

    return is_counted_once


def a_finished_game() -> Callable[[], object]:
    game = a_turn("bob")
    act(game, rules.Resign(0), now=timezone.now())

    def is_counted_once() -> bool:
        assert Game.objects.filter(pk=game.pk, counted=1).exists()
        assert SiteSums.objects.get().number == 1
        return [row.number for row in Career.objects.all()] == [1, 1]

    return is_counted_once


def a_letter() -> Callable[[], object]:
    game = a_turn()
    now = timezone.now()
    sent = mail_to("alice", "turn", now=now)
    raw = reply(sent, "3x3", headers={"Date": f"{now:%a, %d %b %Y %H:%M:%S} +0000"})
    where = {"recipient": sent.reply_to[0], "door": "smtp", "sender": sent.to[0]}
    receiving.store(raw=raw, received_at=now, **where)

    def is_played_and_answered_once() -> bool:
        check_game(game.pk)
        mail = InboundMail.objects.get()
        assert (mail.state, mail.outcome) == ("done", receiving.Outcome.PLAYED)
        assert OutboxMessage.objects.filter(kind="ack").count() == 1
        return Event.objects.filter(game=game, kind="bid").count() == 2

    return is_played_and_answered_once


def an_old_letter() -> Callable[[], object]:
    long_ago = timezone.now() - timedelta(days=15)
    receiving.store(raw=b"Subject: x\n\ny", recipient="x", received_at=long_ago, door="smtp")
    InboundMail.objects.update(state="done")
    return lambda: InboundMail.objects.filter(sealed=None).count() == 1


def old_notices() -> Callable[[], object]:
    long_ago = timezone.now() - tidying.KEPT - timedelta(days=1)
    game = a_turn(since=long_ago)
    act(game, rules.Resign(0), now=long_ago)
    OutboxMessage.objects.update(status=OutboxStatus.SENT)
    return lambda: not OutboxMessage.objects.exists() and Game.objects.count() == 1


def an_abandoned_sign_up() -> Callable[[], object]:
    User.objects.filter(pk=person("alice").pk).update(last_login=timezone.now())
    long_ago = timezone.now() - timedelta(days=30)
    User.objects.create(email="m@example.org", display_name="Mallory", date_joined=long_ago)
    Session.objects.create(session_key="old", expire_date=timezone.now() - timedelta(days=1))
    return lambda: (
        [user.display_name for user in User.objects.all()] == ["Alice"]
        and not Session.objects.exists()
    )


CASES = (
    Case(SWEEP, "INSERT INTO games_event", a_missed_turn),
    Case("games.tasks.count_rounds", 'UPDATE "games_conduct"', a_closed_round),
    Case("games.tasks.count_games", 'UPDATE "games_sitesums"', a_finished_game),
    Case("games.tasks.take_mail_in", "INSERT INTO games_event", a_letter, needs_a_minute=True),
    Case("games.tasks.handle_mail", "INSERT INTO games_event", a_letter, needs_a_minute=True),
    Case("games.tasks.forget_mail", 'UPDATE "games_inboundmail"', an_old_letter),
    Case("games.tasks.tidy", 'DELETE FROM "games_outboxmessage"', old_notices),
    Case("accounts.tasks.tidy", 'DELETE FROM "accounts_user"', an_abandoned_sign_up),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.task)
def test_a_task_that_is_killed_in_its_middle_is_done_once(worker: Worker, case: Case) -> None:
    is_done_once = case.given()
    args = [mail.pk for mail in InboundMail.objects.all()] if "handle_mail" in case.task else []
    before, done = snapshot(), worker.done()
    with worker.halting(case.at):
        worker.ask(case.task, *args)
        first = worker.wait_halted()
        worker.kill()
        if case.needs_a_minute:
            worker.wait_done(case.task, done)  # it came back at once, and left alone what is leased
            done = worker.done()
            a_minute_passes()
            worker.ask("games.tasks.take_mail_in")
        # The queue has kept what its worker died of: another process comes as far as the first.
        assert worker.wait_halted() != first
        assert snapshot() == before, "nothing is half done"
    worker.wait_done("games.tasks.take_mail_in" if case.needs_a_minute else case.task, done)
    assert is_done_once()
    after = snapshot()
    worker.run(case.task, *args)
    assert is_done_once()
    assert snapshot() == after


# --- what is sent ---------------------------------------------------------------------------------


def killed_relay(worker: Worker, is_reached: Callable[[], object]) -> None:
    """Let the relay be killed where ``is_reached``, and run again when its lease is over."""
    done = worker.done()
    worker.ask(RELAY)
    wait_until(is_reached, "the sending")
    worker.kill()
    worker.wait_done(RELAY, done)  # the queue's own second try leaves alone what is leased
    worker.street.busy = worker.office.busy = False
    a_minute_passes()
    worker.run(RELAY)
    worker.run(RELAY)


def test_a_relay_that_is_killed_while_the_server_thinks_sends_the_mail_once(
    worker: Worker,
) -> None:
    a_turn()
    worker.office.busy = True
    killed_relay(worker, worker.office.was_read.is_set)
    assert [mail["To"] for mail in worker.office.mails] == ["alice@example.org"]
    turn = OutboxMessage.objects.get(kind="turn")
    assert (turn.status, turn.attempts) == (OutboxStatus.SENT, 2)
    assert OutboxMessage.objects.filter(kind="reminder").exists()


def test_reminders_whose_planning_is_killed_are_planned_once(worker: Worker) -> None:
    a_turn()
    done = worker.done()
    with worker.halting("INSERT INTO games_outboxmessage"):
        worker.ask(RELAY)
        worker.wait_halted()
        worker.kill()
        assert not OutboxMessage.objects.filter(kind="reminder").exists()
    worker.wait_done(RELAY, done)
    a_minute_passes()
    worker.run(RELAY)
    planned = list(OutboxMessage.objects.filter(kind="reminder").values_list("stage", flat=True))
    assert planned
    assert len(set(planned)) == len(planned)
    assert len(worker.office.mails) == 1


def test_a_digest_whose_sending_is_killed_comes_once(worker: Worker) -> None:
    game = a_turn()
    wish(mode=Mode.DIGEST)
    worker.run(RELAY)
    assert not worker.office.mails
    digest_row = OutboxMessage.objects.get(kind="digest")
    OutboxMessage.objects.filter(pk=digest_row.pk).update(due_at=timezone.now())
    worker.office.busy = True
    worker.office.was_read.clear()
    killed_relay(worker, worker.office.was_read.is_set)
    (mail,) = worker.office.mails
    assert game.code in mail.get_body(("plain",)).get_content()


@pytest.mark.parametrize("channel", [Channel.WEBHOOK, Channel.PUSH])
def test_a_call_that_is_killed_before_its_answer_is_made_again_as_the_same_one(
    worker: Worker, channel: Channel
) -> None:
    game, url = a_turn(), url_of(worker.server)
    if channel == Channel.WEBHOOK:
        Webhook.objects.create(user=person("alice"), form="json", url=url)
    else:
        browser = Browser(url)
        said = {**browser.said, "digest": digest(url), "device": "Firefox"}
        PushSubscription.objects.create(user=person("alice"), created_at=timezone.now(), **said)
    worker.street.busy = True
    killed_relay(worker, worker.street.was_read.is_set)
    # Whoever took the first knows by its name that the second is the same.
    name = {Channel.WEBHOOK: rb"webhook-id: (\S+)", Channel.PUSH: rb"Topic: (\S+)"}[channel]
    names = [re.findall(name, request) for request in worker.server.requests]
    assert len(names) == 2
    assert names[0] == names[1] != []
    row = OutboxMessage.objects.get(channel=channel)
    assert (row.status, row.version) == (OutboxStatus.SENT, game.version)
    assert len(worker.office.mails) == 1


# --- the whole worker -----------------------------------------------------------------------------


def test_what_a_worker_died_of_is_done_by_the_next_one_when_the_beat_rings(
    worker: Worker,
) -> None:
    is_played_once = a_missed_turn()
    before = snapshot()
    with worker.halting("INSERT INTO games_event"):
        worker.ask(SWEEP)
        worker.wait_halted()
        worker.kill_all()
        assert snapshot() == before
    worker.start()
    worker.run(SWEEP)
    assert is_played_once()
    worker.run(SWEEP)
    assert is_played_once()
    assert not Game.objects.exclude(status=GameStatus.ACTIVE).exists()

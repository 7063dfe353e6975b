"""Killed before or after any statement: nothing is half done, and trying again does it once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from typing import Any

import pytest
from django.core import mail as mailbox
from django.db import connection

from games import rules
from games.models import Event, Game, GameStatus, OutboxMessage, OutboxStatus
from games.services import deadlines, lobby, moves, nudges, orders, outbox
from tests.cast import NOON, act, give_turn, later, person, player, seat_of, table
from tests.integration.games.invariants import check_game, snapshot
from tests.integration.games.mailing import bid, opened_by_alice

pytestmark = pytest.mark.django_db


# A test runs within a transaction: its savepoints stand for what the database does by itself.
TRANSACTION = ("BEGIN", "SAVEPOINT", "RELEASE", "ROLLBACK")


class PowerCut(BaseException):
    """The process is gone: no handler of errors sees it."""


@contextmanager
def cut(point: int, *, after: bool) -> Iterator[list[str]]:
    """Cut the power before or after statement number ``point``; yield what was run until then."""
    done: list[str] = []

    def execute(run: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if sql.startswith(TRANSACTION):
            return run(sql, *rest)
        if len(done) == point and not after:
            raise PowerCut
        result = run(sql, *rest)
        done.append(sql)
        if len(done) == point + 1 and after:
            raise PowerCut
        return result

    with connection.execute_wrapper(execute):
        yield done


def survive(work: Callable[[], object], game: Game) -> int:
    """Kill ``work`` at every point until it gets through; return how many times it was killed."""
    for killed in count():
        before = snapshot()
        try:
            with cut(killed // 2, after=bool(killed % 2)):
                work()
        except PowerCut:
            assert snapshot() == before
            check_game(game.pk)
            continue
        check_game(game.pk)
        return killed
    raise AssertionError


@pytest.mark.parametrize("what", ["bid", "dudo", "resign"])
def test_a_move_that_is_killed_anywhere_is_played_once_when_sent_again(what: str) -> None:
    game = opened_by_alice("alice", "bob", "carol")
    seat = game.to_act
    assert seat is not None
    actions: dict[str, rules.Move] = {
        "bid": rules.MakeBid(seat, rules.Bid.parse("21x4")),
        "dudo": rules.Dudo(seat),
        "resign": rules.Resign(seat),
    }

    def work() -> moves.Played:
        return moves.play(
            game_id=game.pk,
            action=actions[what],
            expected_version=3,
            now=NOON,
            idem_key="once",
        )

    assert survive(work, game) >= 4
    before = snapshot()
    assert work() == moves.Played(4 if what == "bid" else 5, repeated=True)
    assert snapshot() == before
    assert list(Event.objects.filter(idem_key="once").values_list("kind", flat=True)) == [what]


def test_the_last_move_of_a_game_that_is_killed_anywhere_ends_it_once() -> None:
    game = table(("alice", "bob"), ruleset=rules.with_start_dice(rules.find_ruleset("bga"), 1))
    give_turn(game, "alice")
    game = act(game, bid(game, "alice", "2x6"))
    call = rules.Dudo(seat_of(game, "bob").number)
    last = {"game_id": game.pk, "action": call, "expected_version": game.version, "now": NOON}
    assert survive(lambda: moves.play(**last), game) >= 4
    game.refresh_from_db()
    assert game.status == GameStatus.FINISHED
    assert OutboxMessage.objects.filter(kind="game_over").count() == 2


def test_a_sweep_that_is_killed_anywhere_plays_the_missed_turn_once() -> None:
    game = opened_by_alice()
    late = later(days=1, minutes=1)
    assert survive(lambda: deadlines.expire_turns(now=late), game) >= 4
    assert Event.objects.filter(is_auto=True).count() == 1
    assert deadlines.expire_turns(now=late) == 0


@pytest.mark.parametrize("text", ["bid 21x4", "dudo", "ask"])
def test_a_sweep_that_is_killed_anywhere_follows_an_order_once(text: str) -> None:
    game = table()
    give_turn(game, "alice")
    bob = person("bob").pk
    orders.leave(
        game_id=game.pk, user_id=bob, text=text, waits=False, round_number=1, now=NOON
    )  # fmt: skip
    act(game, bid(game, "alice", "20x4"))
    assert survive(lambda: deadlines.expire_turns(now=later(minutes=1)), game) >= 4
    assert Event.objects.filter(seat=seat_of(game, "bob").number, is_auto=False).count() == (
        text != "ask"
    )
    assert OutboxMessage.objects.filter(kind="turn", version=3).count() == (text == "ask")
    assert deadlines.expire_turns(now=later(minutes=1)) == 0


def test_a_bid_that_is_killed_anywhere_is_called_by_an_order_once() -> None:
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    game = opened_by_alice("alice", "bob", "carol", ruleset=ruleset)
    for name in ("alice", "bob", "carol"):
        if seat_of(game, name).number != game.to_act:
            orders.leave(
                game_id=game.pk, user_id=person(name).pk, text="calza on 21x4", waits=False,
                round_number=1, now=NOON,
            )  # fmt: skip
    action = rules.MakeBid(game.to_act, rules.Bid.parse("21x4"))
    move = {"game_id": game.pk, "action": action, "expected_version": 3, "now": NOON}
    assert survive(lambda: moves.play(**move, idem_key="once"), game) >= 8
    kinds = Event.objects.filter(game=game).order_by("seq").values_list("kind", flat=True)
    assert list(kinds) == ["create", "start", "seal", "bid", "bid", "calza", "seal"]
    assert moves.play(**move, idem_key="once").repeated


def test_an_order_that_is_killed_anywhere_as_it_is_left_acts_once() -> None:
    game = opened_by_alice()
    order = {"game_id": game.pk, "user_id": person("bob").pk, "text": "bid 21x4", "waits": False}
    left = {**order, "round_number": 1, "now": NOON}
    assert survive(lambda: orders.leave(**left), game) >= 4
    assert Event.objects.filter(kind="bid").count() == 2


def test_a_start_that_is_killed_anywhere_begins_once() -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=3600, bots=1)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    bob = person("bob")
    lobby.join(game_id=game.pk, player=player(bob), now=NOON)
    ready = {"game_id": game.pk, "user_id": bob.pk, "is_ready": True, "now": NOON}
    assert survive(lambda: lobby.set_ready(**ready), game) >= 10
    assert list(Event.objects.order_by("seq").values_list("kind", "seq")) == [
        ("create", 0),
        ("start", 1),
        ("seal", 2),
    ]


def test_a_nudge_that_fails_costs_nothing(
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = opened_by_alice()

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no broker")

    monkeypatch.setattr(nudges, "_send", fail)
    with django_capture_on_commit_callbacks() as nudged:
        game = act(game, rules.Dudo(seat_of(game, "bob").number))
    assert nudged
    assert game.version == 5
    check_game(game.pk)


@pytest.mark.django_db(transaction=True)  # what is killed is rolled back as it would be
def test_a_relay_that_is_killed_anywhere_sends_the_mail_at_most_twice() -> None:
    opened_by_alice()
    turn = OutboxMessage.objects.get(kind="turn", version=3)
    OutboxMessage.objects.exclude(pk=turn.pk).update(status=OutboxStatus.SENT)
    for killed in count():
        OutboxMessage.objects.filter(pk=turn.pk).update(
            status=OutboxStatus.PENDING, due_at=NOON, lease_until=None, fence=0, attempts=0
        )
        mailbox.outbox.clear()
        was_cut = False
        try:
            with cut(killed // 2, after=bool(killed % 2)):
                outbox.relay(now=NOON)
        except PowerCut:
            was_cut = True
        assert outbox.relay(now=NOON + outbox.LEASE + timedelta(seconds=1)) <= was_cut
        turn.refresh_from_db()
        assert turn.status == OutboxStatus.SENT
        assert len({sent.extra_headers["Message-ID"] for sent in mailbox.outbox}) == 1
        assert len(mailbox.outbox) <= 1 + was_cut
        if not was_cut:
            break
    assert killed >= 6

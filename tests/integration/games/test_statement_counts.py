"""What a move and a sweep cost the database: the same few statements, whatever has grown."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import rules
from games.models import Game, GameStatus, OutboxMessage, Seat
from games.services import deadlines, moves, outbox
from games.sql import SEPARATOR
from tests.cast import NOON, act, give_turn, later, seat_of, set_dice, table, veteran

pytestmark = pytest.mark.django_db

MOST = 10
"""Performance goal M3; a bid takes seven."""

FRIENDS = ("alice", "bob", "carol", "dave", "erin", "frank")
_CONTROL = re.compile(r"(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b")


def statements(job: Callable[[], object]) -> int:
    """Return how many statements ``job`` ran; those that travelled together count one by one."""
    with CaptureQueriesContext(connection) as captured:
        job()
    texts = [query["sql"] for query in captured.captured_queries]
    return sum(1 + text.count(SEPARATOR) for text in texts if not _CONTROL.match(text))


def cost_of(game: Game, action: rules.Move) -> int:
    """Return how many statements a move takes."""
    return statements(
        lambda: moves.play(
            game_id=game.pk, action=action, expected_version=game.version, now=NOON, idem_key="k"
        )
    )


def a_bid(game: Game, text: str = "3x4") -> rules.MakeBid:
    assert game.to_act is not None
    return rules.MakeBid(game.to_act, rules.Bid.parse(text))


@pytest.mark.parametrize("players", [2, 6])
def test_a_bid_takes_seven_statements_however_many_play(players: int) -> None:
    game = table(FRIENDS[:players])
    assert cost_of(game, a_bid(game)) == 7


def test_a_bid_takes_as_many_late_in_a_long_game_among_many_games() -> None:
    veteran("alice")
    for number in range(12):
        table(("alice", f"rival{number}"))
    game = table(("alice", "bob", "carol"))
    for _ in range(4):
        for quantity in range(1, 9):
            game = act(game, a_bid(game, f"{quantity}x2"))
        game = act(game, rules.Dudo(game.to_act))
    assert cost_of(game, a_bid(game)) == 7


@pytest.mark.parametrize("players", [2, 6])
def test_a_dudo_takes_ten_however_many_play(players: int) -> None:
    game = table(FRIENDS[:players])
    game = act(game, a_bid(game, "40x4"))
    assert cost_of(game, rules.Dudo(game.to_act)) == 10


def test_the_dearest_moves_stay_below_the_goal() -> None:
    """Somebody who missed a turn comes back with a dudo that another loses; and a game ends."""
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    game = act(game, a_bid(game, "40x4"))
    Seat.objects.filter(game=game, number=game.to_act).update(missed_in_a_row=1)
    assert cost_of(game, rules.Dudo(game.to_act)) <= MOST
    last = table(("alice", "bob"))
    give_turn(last, "alice")
    set_dice(last, alice=1, bob=1)
    last = act(last, a_bid(last, "9x4"))
    Seat.objects.filter(game=last, number=last.to_act).update(missed_in_a_row=1)
    assert cost_of(last, rules.Dudo(last.to_act)) <= MOST
    last.refresh_from_db()
    assert last.status == GameStatus.FINISHED


def test_a_refused_move_only_reads() -> None:
    game = table()
    give_turn(game, "alice")
    game = act(game, a_bid(game))
    wrong = rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("4x4"))

    def refused() -> None:
        with pytest.raises(rules.RuleViolation):
            act_on(game, wrong)

    assert statements(refused) == 3


def act_on(game: Game, action: rules.Move) -> None:
    moves.play(game_id=game.pk, action=action, expected_version=game.version, now=NOON)


def test_a_due_turn_costs_a_move_and_a_look_at_the_bids() -> None:
    games = [table(("alice", "bob"), turn_seconds=3600) for _ in range(4)]
    due = later(hours=2)
    alone = statements(lambda: deadlines.expire_turns(now=due, limit=1))
    others = statements(lambda: deadlines.expire_turns(now=due, limit=len(games)))
    sweeps = 1
    assert (alone - sweeps) * (len(games) - 1) == others - sweeps
    assert alone <= MOST


def test_an_empty_sweep_is_one_statement() -> None:
    table()
    assert statements(lambda: deadlines.expire_turns(now=NOON)) == 1


def plan_of(job: Callable[[], object], table_name: str) -> str:
    """Return how the database runs the first SELECT on a table that ``job`` sends.

    It is explained as it was sent, values apart: with them in the text a partial index might be
    taken that the real statement does not get.
    """
    sent: list[tuple[str, object]] = []

    def note(execute: Callable[..., object], sql: str, values: object, *rest: object) -> object:
        sent.append((sql, values))
        return execute(sql, values, *rest)

    with connection.execute_wrapper(note):
        job()
    sql, values = next(pair for pair in sent if f'FROM "{table_name}"' in pair[0])
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # the tables of a test are tiny
        explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
        cursor.execute(f"{explain} {sql}", values)
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def test_the_sweep_of_deadlines_walks_its_partial_index() -> None:
    game = table(turn_seconds=3600)
    plan = plan_of(lambda: deadlines.expire_turns(now=NOON + timedelta(minutes=1)), "games_game")
    assert "game_wake" in plan
    assert "TEMP B-TREE" not in plan
    assert Game.objects.filter(pk=game.pk, wake_at__isnull=False).exists()


def test_the_claim_of_the_outbox_walks_its_partial_index() -> None:
    table()
    assert OutboxMessage.objects.exists()
    plan = plan_of(lambda: outbox.relay(now=NOON - timedelta(days=1)), "games_outboxmessage")
    assert "outbox_due" in plan

"""Reads that PostgreSQL plans once a connection, by their names."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games import queries, rows
from games.models import Bid
from tests.cast import table

BIDS = rows.Select((rows.Part(Bid),), "FROM {0} t0 WHERE t0.round_id = %s ORDER BY t0.number")

needs_postgres = pytest.mark.skipif(
    "connection.vendor != 'postgresql'", reason="plans are kept there"
)


def sql_of(job: Callable[[], object]) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        job()
    return [query["sql"] for query in captured.captured_queries]


@pytest.mark.django_db
def test_a_read_gives_the_same_rows_however_often_it_is_run() -> None:
    game = table(("alice", "bob", "carol"))
    with transaction.atomic():
        found = [queries.lock_game(game.pk) for _ in range(8)]
    assert {len(seats) for _, seats in found} == {3}
    assert {each.version for each, _ in found} == {game.version}


@needs_postgres
@pytest.mark.django_db
def test_a_read_goes_by_its_name_from_the_first_time_on() -> None:
    assert sql_of(lambda: BIDS.all(1))[0].startswith("EXECUTE perudo_")


@needs_postgres
@pytest.mark.django_db
def test_behind_a_pooler_reads_have_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    assert sql_of(lambda: BIDS.all(1))[0].startswith("SELECT ")


@needs_postgres
@pytest.mark.django_db(transaction=True)
def test_a_new_connection_learns_the_names_anew() -> None:
    assert BIDS.all(1) == []
    connection.close()
    assert BIDS.all(1) == []


@needs_postgres
@pytest.mark.django_db(transaction=True)
def test_in_a_transaction_that_has_failed_a_read_fails_as_any_does() -> None:
    connection.close()
    with transaction.atomic():
        with connection.cursor() as cursor, pytest.raises(DatabaseError):
            cursor.execute("SELECT no_such_column")
        with pytest.raises(DatabaseError):
            BIDS.all(1)
        transaction.set_rollback(True)
    assert BIDS.all(1) == []

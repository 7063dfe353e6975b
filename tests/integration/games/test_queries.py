"""The statements that are built once read and write what the ORM would."""

import threading

import pytest
from django.db import connection, transaction
from django.db.models import Model

from games import queries, rows, rules
from games.models import Bid, Event, Game, OutboxMessage, Round, Seat
from tests.cast import act, give_turn, person, seat_of, table


def values_of(row: Model) -> dict[str, object]:
    """Return every column of a row."""
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def read_by_orm(row: Model) -> dict[str, object]:
    return values_of(type(row)._default_manager.get(pk=row.pk))


@pytest.mark.django_db
def test_reads_agree_with_the_orm() -> None:
    game = table(("alice", "bob"), bots=1)
    give_turn(game, "alice")
    act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("3x4")))
    with transaction.atomic():
        locked, seats = queries.lock_game(game.pk)
    assert values_of(locked) == read_by_orm(locked)
    assert [values_of(seat) for seat in seats] == [read_by_orm(seat) for seat in seats]
    assert locked.current_round is not None
    assert values_of(locked.current_round) == read_by_orm(locked.current_round)
    around = queries.around_table(locked, None)
    assert [values_of(seat) for seat in around.seats] == [read_by_orm(seat) for seat in seats]
    assert [seat.user.display_name if seat.user else "" for seat in around.seats] == [
        seat.user.display_name if seat.user else ""
        for seat in Seat.objects.filter(game=game).order_by("number")
    ]
    assert [values_of(bid) for bid in around.bids] == [values_of(bid) for bid in Bid.objects.all()]
    assert (around.closed, around.next_game) == ([], None)


@pytest.mark.django_db
def test_a_waiting_room_has_no_round_and_an_unknown_game_is_none() -> None:
    game = table(("alice", "bob"))
    Game.objects.filter(pk=game.pk).update(current_round=None, status="open")
    with transaction.atomic():
        locked, _ = queries.lock_game(game.pk)
        assert locked.current_round is None
        with pytest.raises(Game.DoesNotExist):
            queries.lock_game(game.pk + 1)
    assert queries.game_and_seat("0000000000", person("alice").pk) is None
    assert queries.addressed_game("0000000000", None) is None


@pytest.mark.django_db
def test_a_game_is_found_with_the_seat_of_whoever_asks() -> None:
    game = table(("alice", "bob"))
    bob = seat_of(game, "bob")
    for find in (queries.game_and_seat, queries.addressed_game):
        found, seat = find(game.code, bob.user_id) or (None, None)
        assert found == game
        assert seat == bob.number
        assert (find(game.code, person("mallory").pk) or (0, 0))[1] is None
        assert (find(game.code, None) or (0, 0))[1] is None


@pytest.mark.django_db
def test_fields_that_were_not_read_load_when_they_are_asked_for() -> None:
    game = table(("alice", "bob"))
    found, _ = queries.addressed_game(game.code, None) or (None, None)
    assert found is not None
    assert found.ruleset == game.ruleset
    assert found.current_round == game.current_round


@pytest.mark.django_db
def test_writes_agree_with_the_orm() -> None:
    """Every column of what a move writes comes back as it went in."""
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("30x4")))
    game = act(game, rules.Dudo(game.to_act))
    closed = Round.objects.get(game=game, number=1)
    seal, event = Event.objects.filter(game=game).order_by("-seq")[:2]
    assert closed.result.items() <= event.payload.items()
    assert (seal.kind, seal.seq) == ("seal", game.version)
    assert closed.closed_at == event.made_at
    assert game.current_round == Round.objects.get(game=game, number=2)
    for message in OutboxMessage.objects.filter(game=game, version=game.version):
        message.full_clean()
        assert message.status == "pending"
        assert message.seat is not None


@pytest.mark.django_db(transaction=True)
def test_whoever_waited_for_the_lock_sees_what_was_written_meanwhile() -> None:
    game = table(("alice", "bob"))
    give_turn(game, "alice")
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("20x4")))
    loser = seat_of(game, "alice").number
    has_lock, found = threading.Event(), []

    def wait_for_lock() -> None:
        try:
            has_lock.wait(timeout=20)
            with transaction.atomic():
                found.append(queries.lock_game(game.pk))
        finally:
            connection.close()

    waiting = threading.Thread(target=wait_for_lock)
    waiting.start()
    with transaction.atomic():
        queries.lock_game(game.pk)
        has_lock.set()
        waiting.join(timeout=0.5)
        assert not found, "the lock held nobody up"
        act(game, rules.Dudo(game.to_act))
    waiting.join(timeout=30)
    ((later, seats),) = found
    assert later.version == game.version + 2
    assert later.current_round is not None
    assert later.current_round.number == 2
    assert seats[loser].dice == 4


@pytest.mark.django_db
def test_a_conditional_write_among_others_says_whether_it_was_made() -> None:
    game = table(("alice", "bob"))
    game.name = "Tuesdays"
    seat = seat_of(game, "bob")
    seat.missed_in_a_row = 1
    also = rows.change(seat, ("missed_in_a_row",))
    assert rows.run([rows.change(game, ("name",), version=game.version + 1), also]) == 0
    assert rows.run([rows.change(game, ("name",), version=game.version), also]) == 1
    assert rows.run([]) == 0
    game.refresh_from_db()
    assert (game.name, seat_of(game, "bob").missed_in_a_row) == ("Tuesdays", 1)

"""An account that closes gives up its seats, whatever state their games are in."""

from typing import Any

import pytest

from accounts import services as accounts
from games import rules
from games.models import Event, Game, GameStatus, OutboxMessage, Seat
from games.services import lobby, moves
from tests.cast import NOON, act, person, player, seat_of, table

pytestmark = pytest.mark.django_db


def room(*guests: str) -> Game:
    """Return alice's waiting room, one seat larger than its players."""
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=len(guests) + 2, turn_seconds=3600)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    for name in guests:
        lobby.join(game_id=game.pk, player=player(person(name)), now=NOON)
    return game


def test_a_guest_leaves_the_waiting_room_and_a_host_cancels_it() -> None:
    game = room("bob", "carol")
    accounts.close_account(user=person("bob"), now=NOON)
    assert [seat.name for seat in game.seats.order_by("number")] == ["Alice", "Carol"]
    accounts.close_account(user=person("alice"), now=NOON)
    game.refresh_from_db()
    assert (game.status, game.host_id) == (GameStatus.CANCELLED, None)
    told = OutboxMessage.objects.filter(kind="cancelled").values_list("seat__name", flat=True)
    assert list(told) == ["Carol"]


def test_games_under_way_are_resigned_and_finished_ones_keep_a_nameless_seat() -> None:
    running, over, out = table(("alice", "bob", "carol")), table(), table(("alice", "bob", "carol"))
    over = act(over, rules.Resign(seat_of(over, "bob").number))
    act(out, rules.Resign(seat_of(out, "bob").number))
    number = seat_of(running, "bob").number
    accounts.close_account(user=person("bob"), now=NOON)
    seat = Seat.objects.get(game=running, number=number)
    assert (seat.user, seat.name, seat.dice, seat.place, seat.has_resigned) == (
        None, "", 0, 3, True,
    )  # fmt: skip
    assert Event.objects.filter(game=running, kind="resign").count() == 1
    assert Event.objects.filter(game=out, kind="resign").count() == 1
    for game in (running, over, out):
        game.refresh_from_db()
    assert (running.status, over.status) == (GameStatus.ACTIVE, GameStatus.FINISHED)


def test_the_name_of_whoever_goes_stays_nowhere() -> None:
    finished = table()
    act(finished, rules.Resign(seat_of(finished, "bob").number))
    Game.objects.filter(pk=finished.pk).update(name="Alice’s game")
    bobs = table(("bob", "alice"))
    Game.objects.filter(pk=bobs.pk).update(name="Bob’s game")
    accounts.close_account(user=person("alice"), now=NOON)
    rows = [*Game.objects.values(), *Seat.objects.values(), *Event.objects.values()]
    assert "Alice" not in str(rows)
    assert Game.objects.get(pk=bobs.pk).name == "Bob’s game"


def test_a_room_that_begins_meanwhile_is_resigned_as_a_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = room("bob", "carol")
    lobby.set_ready(game_id=game.pk, user_id=person("bob").pk, is_ready=True, now=NOON)
    lobby.set_ready(game_id=game.pk, user_id=person("carol").pk, is_ready=True, now=NOON)
    real = moves.lock

    def quicker(game_id: int) -> Any:
        monkeypatch.setattr(moves, "lock", real)
        lobby.start(game_id=game_id, host_id=person("alice").pk, now=NOON)
        return real(game_id)

    monkeypatch.setattr(moves, "lock", quicker)
    accounts.close_account(user=person("bob"), now=NOON)
    game.refresh_from_db()
    assert game.status == GameStatus.ACTIVE
    assert Seat.objects.get(game=game, user=None).has_resigned

"""Who may take one more seat: so many tables, the gate of one, and who has left too many."""

import time
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import rules
from games.models import Conduct, Game, GameStatus, Hours, Seat, Tenure
from games.services import lobby, places
from games.services.errors import LobbyRefusal
from tests.cast import NOON, act, later, person, player, seat_of, table, veteran
from tests.integration.games.pages import address, browser, text
from tests.integration.games.test_races import at_once, winners

pytestmark = pytest.mark.django_db


def room(host: str = "host", **choices: object) -> Game:
    veteran(host)
    new = lobby.NewGame(
        **{"ruleset": rules.find_ruleset("bga"), "seats": 3, "is_private": False, **choices}
    )
    return lobby.create_game(host=player(person(host)), new=new, now=NOON)


def join(game: Game, name: str, *, now: object = NOON) -> None:
    lobby.join(game_id=game.pk, player=player(person(name)), now=now)


def known(name: str, *, kept: float, missed: float, games: int = 9) -> None:
    row = {"kept": kept, "missed": missed, "games": games}
    Conduct.objects.update_or_create(user=person(name), defaults=row)


# --- so many tables ------------------------------------------------------------------------------


@given(st.integers(0, 1000))
def test_every_finished_game_makes_room_for_one_more_up_to_fifty(finished: int) -> None:
    most = places.most_tables(finished)
    assert 5 <= most <= 50
    assert places.most_tables(finished + 1) - most in (0, 1)
    assert (most == 50) == (finished >= 45)


def test_a_new_player_sits_at_five_tables_and_is_told_what_makes_room() -> None:
    for _ in range(5):
        join(room(), "bob")
    last = room()
    with pytest.raises(LobbyRefusal) as refused:
        join(last, "bob")
    assert (refused.value.code, refused.value.params) == ("lobby.too-many-tables", {"most": 5})
    answer = browser("bob").post(address(last, "join/"))
    assert answer.status_code == 409
    assert "every finished game makes room for one table more" in text(answer)
    own = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2)
    with pytest.raises(LobbyRefusal, match=r"lobby\.too-many-tables"):
        lobby.create_game(host=player(person("bob")), new=own, now=NOON)
    assert Seat.objects.filter(user=person("bob")).count() == 5


def test_who_sits_already_can_press_again_however_many_tables_he_has() -> None:
    games = [room() for _ in range(5)]
    for game in games:
        join(game, "bob")
    join(games[0], "bob")
    assert Seat.objects.filter(user=person("bob")).count() == 5


def test_a_game_that_is_over_for_him_leaves_room() -> None:
    for _ in range(4):
        join(room(), "alice")
    game = table(("alice", "bob", "carol"))
    with pytest.raises(LobbyRefusal):
        join(room(), "alice")
    act(game, rules.Resign(seat_of(game, "alice").number))
    join(room(), "alice")


def test_a_start_needs_no_more_room_than_the_seat_that_was_taken() -> None:
    """Waiting rooms count like games, so a start is never one too many."""
    for _ in range(4):
        join(room(), "bob")
    game = table(("alice", "bob"))
    assert game.status == GameStatus.ACTIVE


def test_nobody_sits_at_more_than_fifty() -> None:
    Conduct.objects.create(user=person("bob"), games=400)
    game = room()
    for number in range(50):
        other = Game.objects.create(
            name=str(number),
            seats_wanted=3,
            turn_seconds=86_400,
            ruleset=game.ruleset,
            created_at=NOON,
            wake_at=later(days=9),
        )
        Seat.objects.create(game=other, number=0, user=person("bob"), name="Bob", joined_at=NOON)
    with pytest.raises(LobbyRefusal, match=r"lobby\.most-tables"):
        join(game, "bob")


@pytest.mark.django_db(transaction=True)
def test_seats_taken_at_once_are_counted_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for _ in range(4):
        join(room(), "bob")
    games = [room() for _ in range(4)]
    # Between the count and the seat there is time enough for all of them to have counted.
    monkeypatch.setattr(places, "check_gate", lambda *_: time.sleep(0.3))
    results = at_once([lambda game=game: join(game, "bob") for game in games])
    assert len(winners(results)) == 1
    assert Seat.objects.filter(user=person("bob")).count() == 5


# --- the gate ------------------------------------------------------------------------------------


def test_a_gate_lets_in_who_has_kept_enough_of_his_turns() -> None:
    game = room(gate=85)
    known("bob", kept=85, missed=15)
    join(game, "bob")
    assert seat_of(game, "bob").number == 1


def test_a_gate_tells_whom_it_refuses_what_to_do() -> None:
    game = room(gate=92)
    known("bob", kept=21, missed=2)
    with pytest.raises(LobbyRefusal) as refused:
        join(game, "bob")
    assert refused.value.code == "gate.turns"
    page = text(browser("bob").post(address(game, "join/")))
    assert "This table asks for 92 % of turns in time" in page
    assert "the turns in time that you still need: 2." in page


def test_new_players_pass_a_gate_that_welcomes_them_and_no_other() -> None:
    open_gate, shut_gate = room(gate=92), room(gate=92, new_welcome=False)
    known("bob", kept=1, missed=9, games=4)
    join(open_gate, "bob")
    with pytest.raises(LobbyRefusal, match=r"gate\.new"):
        join(shut_gate, "bob")


def test_an_invitation_by_link_is_no_way_round_the_gate() -> None:
    game = room(gate=92, new_welcome=False, is_private=True)
    answer = browser("bob").post(f"/join/{game.invite_token}/")
    assert answer.status_code == 409
    assert "players who have finished 5 games" in text(answer)
    assert not game.seats.filter(user=person("bob")).exists()


def test_no_other_gate_than_those_offered_is_made() -> None:
    with pytest.raises(LobbyRefusal, match=r"lobby\.gate"):
        room(gate=99)


def test_gate_and_reliability_are_seen_before_anybody_sits_down() -> None:
    game = room(gate=85)
    known("host", kept=93, missed=7, games=45)
    join(game, "newcomer")
    asked = "85\N{NO-BREAK SPACE}% of their turns in time. New players are welcome."
    for page in (address(game), "/lobby/", f"/join/{game.invite_token}/"):
        assert asked in text(browser().get(page))
    seats = text(browser().get(address(game)))
    assert "93\N{NO-BREAK SPACE}% in time" in seats
    assert '<span class="tag">new</span>' in seats
    assert 'href="/p/Host/"' in seats


def test_the_form_makes_the_table_that_its_host_wants() -> None:
    fields = {"rules": "bga", "seats": "3", "bots": "0", "start_dice": "5", "visibility": "open"}
    chosen = {"clock": "standard", "gate": "85", "day_parts": "on"}
    answer = browser("alice").post("/games/new/", {**fields, **chosen})
    assert answer.status_code == 302
    made = Game.objects.get()
    assert (made.gate, made.new_welcome, made.day_parts) == (85, False, True)
    page = text(browser("bob").get(address(made)))
    assert "New players are not." in page
    assert "Shown as parts of the day" in page


# --- seats left without a word -------------------------------------------------------------------


def leave_seats(name: str, count: int) -> None:
    """Let the clock have taken ``count`` seats from ``name``, the newest of them at noon."""
    for number in range(count):
        game = table(("host", f"rival{number}"))
        Tenure.objects.create(
            game=game,
            seat=game.seats.first(),
            user=person(name),
            from_round=1,
            to_round=1,
            place=2,
            retired_at=NOON - timedelta(days=number),
        )


def test_three_seats_left_silently_bar_nobody() -> None:
    veteran("host")
    leave_seats("bob", 3)
    join(room(), "bob")


@pytest.mark.parametrize(("seats", "days"), [(4, 1), (5, 3), (6, 7), (7, 30), (8, 30)])
def test_from_the_fourth_on_each_bars_for_longer(seats: int, days: int) -> None:
    veteran("host")
    leave_seats("bob", seats)
    assert places.banned_until(person("bob").pk, now=NOON) == later(days=days)
    game = room()
    answer = browser("bob").post(address(game, "join/"))
    assert (answer.status_code, game.seats.count()) in ((409, 1), (302, 2))
    with pytest.raises(LobbyRefusal, match=r"lobby\.banned"):
        join(room(), "bob", now=later(days=days) - timedelta(minutes=1))
    join(room(), "bob", now=later(days=days))


def test_a_seat_that_was_left_with_a_word_does_not_count() -> None:
    veteran("host")
    leave_seats("bob", 4)
    away = {
        "id": "1",
        "first": "2026-04-28",
        "last": "2026-05-03",
        "start": later(days=-6).isoformat(),
        "end": later(days=-2).isoformat(),
        "announced_at": later(days=-9).isoformat(),
    }
    Hours.objects.create(user=person("bob"), absences=[away])
    assert places.banned_until(person("bob").pk, now=NOON) is None

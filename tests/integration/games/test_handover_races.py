"""Two at once, and killed in the middle: a seat goes to one person, whole or not at all."""

from collections.abc import Callable

import pytest
from django.db import transaction

from games import rules, timing
from games.models import Game, Hours, OutboxMessage, Seat, Tenure
from games.services import deadlines, hours, moves, takeovers
from games.services.errors import SeatRefusal, StaleMove
from games.services.waking import GRACE
from tests.cast import NOON, later, person, player, seat_of, table
from tests.integration.games.handing import WEEK, claim, make_absent, play_for, retire, with_clock
from tests.integration.games.test_crashes import survive
from tests.integration.games.test_races import REFUSALS, assert_consistent, at_once, move

THREE = ("alice", "bob", "carol")
LEAVERS = ("carol", "ines", "jon", "kim", "lou")
"""One a table: who leaves several has to wait before he may sit down at another."""
ASKED = (*REFUSALS, SeatRefusal)

racing = pytest.mark.django_db(transaction=True)


def asks(game: Game, name: str, seat: Seat) -> Callable[[], object]:
    """Return a job in which ``name`` asks for a seat; a refusal is what it gives back."""
    user = player(person(name))
    hours.ensure(user.user_id)

    def ask() -> object:
        try:
            takeovers.take_over(game_id=game.pk, seat_id=seat.pk, player=user, now=NOON)
        except SeatRefusal as refusal:
            return refusal.code
        return "promised"

    return ask


@racing
def test_of_several_who_ask_at_once_one_gets_the_seat_and_the_others_are_told() -> None:
    game = table(THREE)
    seat = retire(game, "carol")
    names = ("dave", "erin", "frank", "gina")
    answers = at_once([asks(game, name, seat) for name in names])
    assert sorted(map(str, answers)) == ["promised"] + ["takeover.taken"] * 3
    seat.refresh_from_db()
    assert seat.heir == person(names[answers.index("promised")])
    game.refresh_from_db()
    assert game.handovers == 2


@racing
def test_one_who_presses_twice_is_promised_one_seat() -> None:
    game = table(("alice", "bob", "carol", "erin"))
    first, second = retire(game, "carol"), retire(game, "erin")
    answers = at_once([asks(game, "dave", first)] * 4 + [asks(game, "dave", second)] * 2)
    assert set(answers) == {"promised", "takeover.seated"}
    assert Seat.objects.filter(heir=person("dave")).count() == 1


@racing
def test_who_asks_as_the_dice_are_rolled_begins_with_this_roll_or_with_the_next() -> None:
    for name in LEAVERS:
        game = table(("alice", "bob", name))
        seat = retire(game, name)
        game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")))
        call = move(game, rules.Dudo(game.to_act))
        answers = at_once([asks(game, "dave", seat), call])
        assert answers[0] == "promised"
        assert not isinstance(answers[1], StaleMove)
        seat.refresh_from_db()
        assert (seat.user, seat.held_from) in ((person("dave"), 2), (None, 0))
        assert (seat.heir is None) == (seat.user is not None)
        assert_consistent(game)
        Game.objects.filter(pk=game.pk).update(wake_at=later(days=30))


@racing
def test_giving_it_back_as_the_dice_are_rolled_leaves_one_or_the_other() -> None:
    for name in LEAVERS:
        game = table(("alice", "bob", name))
        seat = retire(game, name)
        claim(game, "dave", seat)
        game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")))
        user_id = person("dave").pk

        def give_back(game: Game = game, user_id: int = user_id) -> object:
            try:
                takeovers.withdraw(game_id=game.pk, user_id=user_id)
            except SeatRefusal as refusal:
                return refusal.code
            return "given back"

        answer, _ = at_once([give_back, move(game, rules.Dudo(game.to_act))])
        seat.refresh_from_db()
        assert (answer == "takeover.begun") == (seat.user is not None)
        assert seat.heir is None
        Game.objects.filter(pk=game.pk).update(wake_at=later(days=30))


@racing
def test_the_clock_against_the_player_who_comes_back_lets_one_of_them_win() -> None:
    for name in LEAVERS:
        game = table(("alice", "bob", name))
        make_absent(game, name, since=NOON - WEEK - GRACE)
        Game.objects.filter(pk=game.pk).update(wake_at=NOON)
        user_id = person(name).pk

        def come_back(game: Game = game, user_id: int = user_id) -> object:
            try:
                moves.come_back(game_id=game.pk, user_id=user_id, now=NOON)
            except SeatRefusal as refusal:
                return refusal.code
            return "back"

        answer, _ = at_once([come_back, lambda: deadlines.expire_turns(now=NOON)])
        retired = Tenure.objects.filter(game=game).exists()
        assert answer == ("takeover.retired" if retired else "back")
        assert Seat.objects.filter(game=game, user_id=user_id).exists() is not retired
        assert_consistent(game)
        Game.objects.filter(pk=game.pk).update(wake_at=later(days=30))


@racing
def test_eight_sweepers_retire_a_seat_once() -> None:
    game = table(THREE)
    make_absent(game, "carol", since=NOON - WEEK - GRACE)
    Game.objects.filter(pk=game.pk).update(wake_at=NOON)
    at_once([lambda: deadlines.expire_turns(now=NOON)] * 8)
    assert Tenure.objects.count() == 1
    assert OutboxMessage.objects.filter(kind="vacant").count() == 2
    game.refresh_from_db()
    assert game.handovers == 1


@racing
def test_other_hours_as_the_dice_are_rolled_leave_the_deadline_that_is_kept() -> None:
    """The roll reads the hours of who sits down: they change before it or after it."""
    for zone in ("Pacific/Apia", "America/Lima", "Asia/Tokyo"):
        game = with_clock("standard")
        seat = retire(game, "carol")
        claim(game, "dave", seat)
        game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")))
        user_id = person("dave").pk
        Hours.objects.filter(pk=user_id).update(night_changed_at=None)
        night = Hours.objects.get(pk=user_id).night
        at_once(
            [
                lambda zone=zone, user_id=user_id, night=night: hours.set_week(
                    user_id=user_id, zone=zone, night=night, weekend=[], now=NOON
                ),
                move(game, rules.Dudo(game.to_act)),
            ]
        )
        game, seats = _read(game)
        assert game.to_act == seat.number
        assert game.turn_deadline_at == timing.deadline_for(game, seats[seat.number])
        Game.objects.filter(pk=game.pk).update(status="finished", wake_at=None)


def _read(game: Game) -> tuple[Game, list[Seat]]:
    with transaction.atomic():
        return moves.lock(game.pk)


# --- killed in the middle -------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_retirement_that_is_killed_anywhere_happens_once() -> None:
    game = table(THREE)
    make_absent(game, "carol", since=NOON - WEEK - GRACE)
    Game.objects.filter(pk=game.pk).update(wake_at=NOON)
    assert survive(lambda: deadlines.expire_turns(now=NOON), game) >= 8
    assert Tenure.objects.count() == 1
    assert OutboxMessage.objects.filter(kind="retired").count() == 1


@pytest.mark.django_db
def test_taking_over_that_is_killed_anywhere_is_done_once() -> None:
    game = table(THREE)
    seat = retire(game, "carol")
    dave = player(person("dave"))
    work = {"game_id": game.pk, "seat_id": seat.pk, "player": dave, "now": NOON}
    assert survive(lambda: takeovers.take_over(**work), game) >= 4
    takeovers.take_over(**work)
    game.refresh_from_db()
    assert game.handovers == 2


@pytest.mark.django_db
def test_a_roll_that_is_killed_anywhere_seats_the_new_player_once() -> None:
    game = table(THREE)
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")))
    call = {"game_id": game.pk, "action": rules.Dudo(game.to_act), "expected_version": game.version}
    assert survive(lambda: moves.play(**call, now=NOON), game) >= 8
    assert seat_of(game, "dave").held_from == 2
    mails = OutboxMessage.objects.filter(kind="turn", seat__user=person("dave"), version=5)
    assert mails.count() == 1

"""A seat that nobody comes back to is retired; the table may let a bot play it."""

from datetime import timedelta

import pytest
from django.db import transaction

from accounts import services as accounts
from games import rules, timing
from games.clock import ClockRefusal, Question, Result
from games.models import Game, GameStatus, Order, OutboxMessage, OutboxStatus, Seat, Tenure
from games.services import (
    commit,
    deadlines,
    farewell,
    more_time,
    moves,
    orders,
    outbox,
    voting,
)
from games.services.errors import StaleMove
from games.services.waking import GRACE
from tests.cast import (
    NOON,
    act,
    eliminate,
    give_turn,
    later,
    person,
    seat_of,
    table,
)
from tests.integration.games.beacons import relay
from tests.integration.games.handing import (
    WEEK,
    claim,
    end_round,
    handed_over,
    make_absent,
    pending,
    refused,
    retire,
    vacant,
)
from tests.integration.games.invariants import check_game
from tests.integration.games.test_abandoned import left_by, newest, run_out

__all__ = ["relay"]

pytestmark = pytest.mark.django_db

THREE = ("alice", "bob", "carol")


# --- retirement ---------------------------------------------------------------------------------


def test_a_seat_is_retired_seven_days_after_its_player_became_absent_and_no_sooner() -> None:
    """R-84: while somebody else has two weeks for his turn, too."""
    game = table(("alice", "carol"), turn_seconds=14 * 86_400)
    while not seat_of(game, "carol").is_absent:
        game = newest(game)
        if game.to_act == seat_of(game, "alice").number:
            bid = rules.Bid((game.bid_quantity or 0) + 1, 2)
            act(game, rules.MakeBid(game.to_act, bid), now=game.turn_started_at or NOON)
        else:
            run_out(game)
    since = seat_of(game, "carol").absent_since
    assert since is not None
    game = newest(game)
    if game.to_act != seat_of(game, "alice").number:
        deadlines.expire_turns(now=game.wake_at or NOON)
        game = newest(game)
    due = since + WEEK + GRACE
    assert game.wake_at == due
    assert deadlines.expire_turns(now=due - timedelta(seconds=1)) == 0
    assert seat_of(game, "carol").retired_at is None
    assert deadlines.expire_turns(now=due) == 1
    seat = vacant(game, "carol")
    assert (seat.user_id, seat.retired_at, seat.is_absent) == (None, due, True)
    game = newest(game)
    assert game.wake_at == (game.turn_deadline_at or NOON) + GRACE, "and then waits for the turn"
    check_game(game.pk)


def test_an_extension_of_somebody_elses_turn_does_not_put_the_retirement_off() -> None:
    game = table(THREE)
    give_turn(game, "alice")
    Seat.objects.filter(pk=seat_of(game, "carol").pk).update(
        is_absent=True, absent_since=NOON - WEEK + timedelta(hours=2)
    )
    deadline = newest(game).turn_deadline_at
    assert deadline is not None
    moves.lock(game.pk)
    more_time.take_extension(
        game_id=game.pk, user_id=person("alice").pk, deadline=deadline, now=NOON
    )
    assert newest(game).wake_at == NOON + timedelta(hours=2) + GRACE


def test_the_old_player_keeps_his_rounds_and_the_place_of_that_moment() -> None:
    """R-84."""
    game = table(("alice", "bob", "carol", "dave"))
    eliminate(game, "dave")
    game = end_round(game, "bob")
    retire(game, "carol")
    tenure = Tenure.objects.get()
    assert (tenure.user, tenure.from_round, tenure.to_round) == (person("carol"), 1, 2)
    assert (tenure.place, tenure.retired_at) == (3, NOON)
    retire(game, "bob")
    assert Tenure.objects.get(user=person("bob")).place == 2, "who stays longer is placed higher"


def test_of_two_that_are_due_at_once_the_one_who_left_first_is_placed_last() -> None:
    game = table(("alice", "bob", "carol", "dave"))
    for name, days in (("bob", 8), ("carol", 9)):
        Seat.objects.filter(pk=seat_of(game, name).pk).update(
            is_absent=True, absent_since=NOON - timedelta(days=days)
        )
    Game.objects.filter(pk=game.pk).update(wake_at=NOON)
    assert deadlines.expire_turns(now=NOON) == 1
    places = dict(Tenure.objects.values_list("user__display_name", "place"))
    assert places == {"Carol": 4, "Bob": 3}
    assert pending("vacant") == ["Alice", "Dave"]
    assert OutboxMessage.objects.filter(kind="vacant", seat__user=person("alice")).count() == 1


def test_retirement_is_told_to_the_player_and_to_the_table_with_a_link_of_its_own() -> None:
    game = table(THREE)
    before = game.invite_token
    retire(game, "carol")
    game.refresh_from_db()
    assert game.invite_token != before
    assert pending("retired") == ["Carol"]
    assert pending("vacant") == ["Alice", "Bob"]


def test_a_retired_seat_plays_at_once_by_the_automatic_move() -> None:
    game = table(THREE)
    give_turn(game, "carol")
    seat = retire(game, "carol")
    game.refresh_from_db()
    assert game.to_act == seat.number
    deadlines.expire_turns(now=later(days=2))
    bid = newest(game).current_round.bids.get()
    assert (bid.seat, bid.is_auto) == (seat.number, True)
    check_game(game.pk)


def test_what_was_due_to_the_old_player_is_not_sent_any_more() -> None:
    game = table(THREE)
    carol = seat_of(game, "carol")
    assert OutboxMessage.objects.filter(seat=carol, status=OutboxStatus.PENDING).exists()
    orders.leave(
        game_id=game.pk, user_id=person("carol").pk, text="dudo", waits=False, round_number=1,
        now=NOON,
    )  # fmt: skip
    retire(game, "carol")
    rows = OutboxMessage.objects.filter(seat=carol, status=OutboxStatus.PENDING)
    assert list(rows.values_list("kind", "user__display_name")) == [("retired", "Carol")]
    assert not Order.objects.exists()


def test_the_old_player_cannot_come_back_and_is_told_why() -> None:
    game = table(THREE)
    give_turn(game, "carol")
    number = seat_of(game, "carol").number
    retire(game, "carol")
    who = {"game_id": game.pk, "user_id": person("carol").pk}
    refused("takeover.retired", moves.come_back, now=NOON, **who)
    with pytest.raises(rules.RuleViolation):
        moves.resign(now=NOON, **who)
    game.refresh_from_db()
    with pytest.raises(StaleMove):  # a page that was opened before, and sent after
        moves.play(
            game_id=game.pk, action=rules.MakeBid(number, rules.Bid.parse("2x3")),
            expected_version=game.version, now=NOON,
        )  # fmt: skip
    assert vacant(game, "carol").retired_at == NOON
    check_game(game.pk)


def test_who_comes_back_in_time_costs_the_player_to_move_nothing() -> None:
    """The sweep had been told to look then; there is nothing to do for it any more."""
    game = table(THREE)
    give_turn(game, "alice")
    make_absent(game, "carol", since=NOON - WEEK + timedelta(hours=2))
    soon = later(hours=2) + GRACE
    Game.objects.filter(pk=game.pk).update(wake_at=soon)
    moves.come_back(game_id=game.pk, user_id=person("carol").pk, now=later(hours=1))
    assert newest(game).wake_at == NOON + timedelta(days=1) + GRACE
    Game.objects.filter(pk=game.pk).update(wake_at=soon)  # should anything ever leave it there
    deadlines.expire_turns(now=soon)
    game = newest(game)
    assert (game.bids_made, game.wake_at) == (0, NOON + timedelta(days=1) + GRACE)


def test_whoever_plays_before_the_clock_acts_keeps_his_seat() -> None:
    game = table(THREE)
    give_turn(game, "carol")
    make_absent(game, "carol", since=NOON - WEEK - timedelta(minutes=1))
    act(game, rules.MakeBid(seat_of(game, "carol").number, rules.Bid.parse("2x3")))
    Game.objects.filter(pk=game.pk).update(wake_at=NOON)
    deadlines.expire_turns(now=NOON)
    assert not Tenure.objects.exists()
    assert not seat_of(game, "carol").is_absent


def test_a_table_that_all_have_left_still_ends_after_72_hours() -> None:
    game = left_by("alice", "bob")
    longest = seat_of(game, "alice")
    last = max(seat.absent_since for seat in game.seats.all() if seat.absent_since)
    Seat.objects.filter(pk=longest.pk).update(absent_since=last - timedelta(days=6))
    moves.come_back(game_id=game.pk, user_id=person("bob").pk, now=last)
    Seat.objects.filter(pk=seat_of(game, "bob").pk).update(is_absent=True, absent_since=last)
    with transaction.atomic():
        locked, seats = moves.lock(game.pk)
        commit.go_on(locked, seats, now=last)
    game = newest(game)
    assert game.turn_deadline_at == last + timedelta(days=3)
    retires = last + timedelta(days=1) + GRACE
    assert game.wake_at == retires
    deadlines.expire_turns(now=retires)
    game = newest(game)
    assert Tenure.objects.get().user == person("alice")
    assert (game.status, game.wake_at) == (GameStatus.ACTIVE, last + timedelta(days=3))
    deadlines.expire_turns(now=last + timedelta(days=3))
    assert newest(game).ended_by == "abandoned"


def test_late_sweeps_end_an_abandoned_table_instead_of_retiring_its_seats() -> None:
    game = left_by("alice", "bob")
    deadlines.expire_turns(now=later(days=60))
    assert newest(game).ended_by == "abandoned"
    assert not Tenure.objects.exists()


# --- bots -----------------------------------------------------------------------------------------


def ask_for_a_bot(game: Game, name: str) -> Result:
    return voting.propose(game_id=game.pk, user_id=person(name).pk, question=Question.BOT, now=NOON)


def test_the_table_may_let_a_bot_take_over_and_the_retired_do_not_count() -> None:
    game = table(("alice", "bob", "carol", "dave"))
    seat = retire(game, "carol")
    retire(game, "dave")
    assert timing.voters(list(game.seats.all())) == {
        seat_of(game, "alice").number, seat_of(game, "bob").number,
    }  # fmt: skip
    assert ask_for_a_bot(game, "alice") is Result.OPEN
    aye = {"question": Question.BOT, "aye": True, "now": NOON}
    result = voting.cast(game_id=game.pk, user_id=person("bob").pk, **aye)
    assert result is Result.PASSED
    seat.refresh_from_db()
    assert (seat.heir_bot, seat.bot) == ("paco", "")
    refused("takeover.taken", claim, game=game, name="erin", seat=seat)
    game = end_round(game, "bob")
    seat.refresh_from_db()
    assert (seat.bot, seat.user, seat.retired_at, seat.held_from) == ("paco", None, None, 2)
    names = set(Seat.objects.filter(game=game).exclude(bot="").values_list("name", flat=True))
    assert len(names) == 2
    check_game(game.pk)


def test_one_who_is_alone_with_retired_seats_decides_alone() -> None:
    game = table(THREE)
    retire(game, "carol")
    retire(game, "bob")
    assert ask_for_a_bot(game, "alice") is Result.PASSED


def test_no_bot_is_voted_in_where_no_seat_is_free() -> None:
    game = table(THREE)
    with pytest.raises(ClockRefusal) as refusal:
        ask_for_a_bot(game, "alice")
    assert refusal.value.code == "vote.no-seat"
    seat = retire(game, "carol")
    ask_for_a_bot(game, "alice")
    claim(game, "dave", seat)
    with pytest.raises(ClockRefusal):
        voting.cast(
            game_id=game.pk, user_id=person("bob").pk, question=Question.BOT, aye=True, now=NOON
        )


def test_the_voice_of_who_is_retired_meanwhile_counts_no_more() -> None:
    game = table(("alice", "bob", "carol", "dave"))
    ask = {"game_id": game.pk, "question": Question.PAUSE, "now": NOON}
    voting.propose(user_id=person("carol").pk, **ask)
    retire(game, "carol")
    game = handed_in(game)
    assert newest(game).vote["ayes"] == []
    refusing = Seat.objects.get(game=game, user=person("erin"))
    with pytest.raises(ClockRefusal):
        voting.cast(user_id=refusing.user_id, aye=True, **ask)


def handed_in(game: Game) -> Game:
    claim(game, "erin", vacant(game, "carol"))
    return end_round(game, "bob")


# --- going for good -------------------------------------------------------------------------------


def test_an_account_that_closes_leaves_its_old_rounds_and_places_without_a_name() -> None:
    game = handed_over(table(THREE), "carol", "dave")
    accounts.close_account(user=person("carol"), now=NOON)
    tenure = Tenure.objects.get()
    assert (tenure.user, tenure.place, tenure.to_round) == (None, 3, 1)
    assert "Carol" not in str([*Seat.objects.values(), *Game.objects.values()])
    check_game(game.pk)


def test_an_account_that_closes_before_it_begins_gives_the_seat_back() -> None:
    game = table(THREE)
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    farewell.leave_everything(user_id=person("dave").pk, now=NOON)
    accounts.close_account(user=person("dave"), now=NOON)
    seat.refresh_from_db()
    assert seat.is_free
    accounts.close_account(user=person("carol"), now=NOON)
    assert outbox.relay(now=NOON) > 0
    check_game(game.pk)

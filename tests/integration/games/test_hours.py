"""A player's hours: nights, weekends, absences and the emergency pause, in games under way."""

from contextlib import suppress
from datetime import date, datetime, time, timedelta

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games import clock, timing
from games.clock import ClockRefusal, ClockSettings, find_clock, plain
from games.models import Game, Hours, OutboxMessage, OutboxStatus, Seat
from games.selectors.hours import count_days
from games.services import commit, deadlines, hours, moves
from tests.cast import NOON as MAY
from tests.cast import person, seat_of
from tests.cast import table as plain_table
from tests.cast import veteran as at_many_tables
from tests.integration.games.test_clocks import HOUR, NOON, at, bid, table

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
STANDARD = find_clock("standard")


def alice() -> int:
    return person("alice").pk


def hers(settings: ClockSettings = STANDARD, *, now: datetime = NOON) -> Game:
    """Return a game in which alice's own clock has run since ``now``."""
    game = table(settings, now=now)
    with transaction.atomic():
        locked, seats = moves.lock(game.pk)
        commit.restart_turn(locked, seats[commit.turn_of(locked)], now=now)
    return newest(game)


def hours_of(name: str) -> Hours:
    return Hours.objects.get(user=person(name))


def newest(game: Game) -> Game:
    return Game.objects.select_related("current_round").get(pk=game.pk)


def reminders(game: Game) -> list[OutboxMessage]:
    pending = OutboxMessage.objects.filter(game=game, kind="reminder", seat=seat_of(game, "alice"))
    return list(pending.filter(status=OutboxStatus.PENDING))


def change(now: datetime, **fields: object) -> None:
    own = hours_of("alice")
    same = {"zone": own.zone, "night": own.night, "weekend": own.weekend}
    hours.set_week(user_id=alice(), now=now, **{**same, **fields})


def go_away(first: int, last: int, *, now: datetime) -> None:
    days = date(2026, 6, first), date(2026, 6, last)
    hours.go_away(user_id=alice(), first=days[0], last=days[1], now=now)


# --- the night and the weekend --------------------------------------------------------------------


def test_a_night_that_moves_moves_the_deadline_and_its_reminder() -> None:
    game = hers()
    before = {each.stage: each.due_at for each in reminders(game)}
    change(at(10, 12), night=None)
    game = newest(game)
    assert game.turn_deadline_at == NOON + 72 * HOUR
    assert game.wake_at == game.turn_deadline_at + timedelta(seconds=30)
    after = {each.stage: each.due_at for each in reminders(game)}
    assert after["last"] < before["last"]
    assert after["last"] < game.turn_deadline_at


def test_what_has_run_by_the_old_hours_stays_run() -> None:
    game = hers()
    change(at(11, 12), night=None)  # 10.5 h and 4.5 h have run: 57 h are left
    assert newest(game).turn_deadline_at == at(11, 12) + 57 * HOUR
    change(at(18, 12), night=time(22, 30))
    assert newest(game).turn_deadline_at == at(11, 12) + 57 * HOUR, "it had run out"


def test_a_bank_that_has_run_is_taken_off_before_the_night_moves() -> None:
    game = hers()
    change(at(13, 10), night=time(2))  # 24 h of the turn and 19 h of the bank have run
    game = newest(game)
    assert (game.turn_base, seat_of(game, "alice").bank) == (timedelta(), 29 * HOUR)


def test_the_night_moves_once_a_week() -> None:
    hers()
    change(at(10, 12), night=time(20))
    with pytest.raises(ClockRefusal) as refused:
        change(at(17, 11), zone="Asia/Tokyo")
    assert (refused.value.code, refused.value.params["at"]) == ("hours.night-changed", at(17, 12))
    change(at(17, 11), night=time(20))  # no change at all
    change(at(17, 12), zone="Asia/Tokyo")
    assert hours_of("alice").zone == "Asia/Tokyo"


def test_the_weekend_is_two_days_and_moves_once_a_week_apart_from_the_night() -> None:
    hers()
    change(at(10, 12), night=time(20))
    with pytest.raises(ClockRefusal, match="at most 2"):
        change(at(10, 12), weekend=[0, 1, 2])
    change(at(10, 12), weekend=[6, 5])
    assert hours_of("alice").weekend == [5, 6]
    with pytest.raises(ClockRefusal, match="once a week"):
        change(at(10, 13), weekend=[])


def test_a_refused_change_changes_nothing_at_the_table() -> None:
    game = hers()
    change(at(10, 12), weekend=[5])
    before = Game.objects.filter(pk=game.pk).values().get()
    with pytest.raises(ClockRefusal):
        change(at(11, 12), weekend=[6])
    assert Game.objects.filter(pk=game.pk).values().get() == before


def test_the_hours_of_a_rival_move_nobodys_deadline() -> None:
    game = hers()
    own = hours_of("bob")
    hours.set_week(user_id=own.pk, zone=own.zone, night=None, weekend=[], now=at(11, 12))
    assert newest(game).turn_deadline_at == at(15, 9)


def test_a_fixed_time_keeps_its_deadline_whatever_the_night() -> None:
    game = hers(plain(86_400))
    change(at(10, 15), night=None)
    assert newest(game).turn_deadline_at == NOON + DAY


# --- absences -------------------------------------------------------------------------------------


def test_an_absence_counts_from_the_next_roll_on() -> None:
    game = hers()
    go_away(10, 12, now=at(10, 13))
    assert newest(game).turn_deadline_at == at(15, 9), "no clock stops with dice in hand"
    game = bid(game, "alice", "2x3", at=at(10, 14))
    deadlines.expire_turns(now=game.wake_at or NOON)
    go_away(20, 21, now=at(19, 12))
    assert hours_of("alice").days_left == 14 - 3 - 2


def test_a_round_that_is_rolled_during_an_absence_waits_for_its_end() -> None:
    hers()
    go_away(11, 12, now=at(10, 13))
    game = hers(now=at(11, 12))
    # Away until the end of the 12th, and asleep until 7:30: 72 h, 15 of them a day.
    assert game.turn_deadline_at == at(17, 19, 30)


def test_an_absence_counts_for_seven_days_in_a_game_and_then_its_turn_ends() -> None:
    hers()
    go_away(11, 21, now=at(10, 13))
    game = hers(now=at(11, 12))
    assert game.turn_deadline_at == at(18, 12), "the game has waited for seven days"
    game = hers(now=at(18, 12))
    assert game.turn_deadline_at == at(26, 19, 30), "another game waits for seven days of its own"


def test_an_absence_that_is_called_off_in_time_gives_its_days_back_and_another_the_rest() -> None:
    game = hers()
    go_away(11, 14, now=at(10, 13))
    go_away(20, 21, now=at(10, 13))
    soon, later = hours_of("alice").absences
    hours.call_off(user_id=alice(), absence_id=later["id"], now=at(10, 14))
    assert hours_of("alice").days_left == 10
    game = hers(now=at(11, 12))
    hours.call_off(user_id=alice(), absence_id=soon["id"], now=at(12, 12))
    assert hours_of("alice").days_left == 12, "the 13th and the 14th come back"
    # 10.5 h on the 12th, then 15 h a day: 72 h in all, for nothing has run while she was away.
    assert newest(game).turn_deadline_at == at(17, 9)
    hours.call_off(user_id=alice(), absence_id=soon["id"], now=at(12, 13))
    assert hours_of("alice").days_left == 12


def test_coming_back_early_from_an_absence_over_the_cap_brings_the_turn_back() -> None:
    hers(now=at(1, 10))
    go_away(1, 14, now=at(1, 10))
    game = hers(now=at(1, 12))
    with transaction.atomic():
        locked, seats = moves.lock(game.pk)
        commit.restart_turn(locked, seats[commit.turn_of(locked)], now=at(10, 12))
    assert newest(game).turn_deadline_at == at(10, 12) + timedelta(seconds=3), "it plays at once"
    hours.call_off(user_id=alice(), absence_id=hours_of("alice").absences[0]["id"], now=at(10, 12))
    assert newest(game).turn_deadline_at == at(15, 9)


@pytest.mark.parametrize(
    ("first", "last", "code"),
    [
        (9, 12, "absence.past"),
        (12, 11, "absence.length"),
        (11, 25, "absence.length"),
        (14, 15, "absence.overlap"),
        (16, 26, "absence.allowance"),
    ],
)
def test_an_absence_is_refused_for_a_reason(first: int, last: int, code: str) -> None:
    hers()
    go_away(12, 15, now=at(10, 12))
    before = Hours.objects.filter(user=person("alice")).values().get()
    with pytest.raises(ClockRefusal) as refused:
        go_away(first, last, now=at(10, 12))
    assert refused.value.code == code
    assert {**before, "counted_on": None} == {
        **Hours.objects.filter(user=person("alice")).values().get(),
        "counted_on": None,
    }


def test_an_absence_that_is_announced_twice_is_one() -> None:
    hers()
    for _ in range(2):
        go_away(12, 15, now=at(10, 12))
    assert len(hours_of("alice").absences) == 1
    assert hours_of("alice").days_left == 10


def test_whoever_came_back_early_may_leave_again_on_that_day() -> None:
    hers()
    for hour in (12, 14):
        go_away(10, 12, now=at(10, hour))
        booked = hours_of("alice").absences[-1]
        hours.call_off(user_id=alice(), absence_id=booked["id"], now=at(10, hour + 1))
    assert hours_of("alice").days_left == 12, "each took the day on which it began"


def test_absences_that_no_game_needs_any_more_are_forgotten() -> None:
    game = hers()
    go_away(12, 13, now=at(10, 12))
    go_away(20, 20, now=at(18, 12))
    assert len(hours_of("alice").absences) == 2, "the game began before them"
    Game.objects.filter(pk=game.pk).update(started_at=at(14, 12))
    go_away(22, 22, now=at(18, 12))
    assert [each["first"][-2:] for each in hours_of("alice").absences] == ["20", "22"]


def count(*, at: datetime) -> None:
    """Count the days on which alice has played, as any change of her hours does."""
    row = hours_of("alice")
    count_days(row, now=at)
    row.save()


def test_twelve_days_on_which_she_played_bring_a_day_and_each_counts_once() -> None:
    at_many_tables("alice", "bob")
    hers()
    for day in range(11, 24):
        game = hers(now=at(day, 10))
        for _ in range(2):
            game = bid(game, "alice" if game.bids_made == 0 else "bob", _next(game), at=at(day, 11))
    count(at=at(22, 12))
    assert (hours_of("alice").days_left, hours_of("alice").days_played) == (14, 11)
    for _ in range(2):
        count(at=at(24, 12))
    assert (hours_of("alice").days_left, hours_of("alice").days_played) == (15, 1)


def test_a_move_of_the_clock_or_of_a_rival_is_no_day_played() -> None:
    game = hers()
    deadlines.expire_turns(now=at(16, 12))
    game = bid(newest(game), "bob", _next(newest(game)), at=at(16, 13))
    count(at=at(18, 12))
    assert hours_of("alice").days_played == 0


def _next(game: Game) -> str:
    return f"{(game.bid_quantity or 0) + 1}x3"


# --- the emergency pause --------------------------------------------------------------------------


def veteran(count: int = 5) -> None:
    """Let alice have finished ``count`` games."""
    person("alice", time_zone="Europe/Rome")
    for _ in range(count):
        over = plain_table(now=MAY)
        resign(over)


def resign(game: Game) -> None:
    moves.resign(game_id=game.pk, user_id=person("bob").pk, now=MAY)


def test_an_emergency_stops_all_her_clocks_at_once_for_72_hours() -> None:
    veteran()
    games = hers(), hers(plain(86_400))
    waiting = bid(hers(plain(86_400)), "alice", "2x3", at=NOON)
    hours.stop_everything(user_id=alice(), now=at(10, 13))
    assert [newest(game).turn_deadline_at for game in games] == [at(18, 9), at(14, 12)]
    assert newest(waiting).turn_deadline_at == at(11, 12), "bob goes on"
    hours.stop_everything(user_id=alice(), now=at(11, 13))
    assert hours_of("alice").emergency_at == at(10, 13), "it is one and the same"


def test_an_emergency_is_not_for_beginners_and_not_for_every_month() -> None:
    veteran(4)
    with pytest.raises(ClockRefusal, match="finished 5 games"):
        hours.stop_everything(user_id=alice(), now=at(10, 13))
    veteran(1)
    hours.stop_everything(user_id=alice(), now=at(10, 13))
    with pytest.raises(ClockRefusal, match="2026-12-07"):
        hours.stop_everything(user_id=alice(), now=at(14, 13))


def test_an_emergency_saves_nobody_whose_time_is_over() -> None:
    veteran()
    game = hers(plain(86_400))
    hours.stop_everything(user_id=alice(), now=at(11, 12) + timedelta(seconds=10))
    assert newest(game).turn_deadline_at == at(11, 12)
    assert deadlines.expire_turns(now=at(11, 13)) == 1


# --- laws -----------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 96), st.sampled_from(["night", "away", "back", "week"]))))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_no_change_of_hours_gives_back_time_that_has_run(steps: list[tuple[int, str]]) -> None:
    with transaction.atomic():
        game = hers()
        left = 72 * HOUR
        for hour, what in sorted(steps):
            now = NOON + hour * HOUR
            Hours.objects.update(night_changed_at=None, weekend_changed_at=None)
            with suppress(ClockRefusal):
                _try(what, hour, now=now)
            game = newest(game)
            seat = Seat.objects.get(game=game, number=game.to_act)
            seat.hours = hours_of("alice")
            own = timing.seat_clock(game, seat)
            now_left = clock.remaining(own, timing.quiet_of(game, seat), now=now)
            assert now_left <= left
            assert game.turn_deadline_at is not None
            assert game.turn_deadline_at == timing.deadline_for(game, seat)
            left = now_left
        transaction.set_rollback(True)


def _try(what: str, hour: int, *, now: datetime) -> None:
    match what:
        case "night":
            change(now, night=time(hour % 24))
        case "week":
            change(now, weekend=[hour % 7])
        case "away":
            go_away(10 + hour // 24, 12 + hour // 24, now=now)
        case _:
            for each in hours_of("alice").absences:
                hours.call_off(user_id=alice(), absence_id=each["id"], now=now)

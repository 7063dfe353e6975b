"""Reminders of a running turn: when they are due, and that each goes out at most once."""

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from django.core import mail as mailbox
from django.test import Client
from django.utils import timezone

from games import clock, rules
from games.clock import find_clock
from games.models import Game, Hours, OutboxMessage, Seat, Wishes
from games.services import deadlines, hours, notices, outbox, presence
from tests.cast import NOON as MAY
from tests.cast import act, later, person, seat_of
from tests.cast import table as plain_table
from tests.integration.games.test_clocks import HOUR, NOON, ROME, at, bid, table

pytestmark = pytest.mark.django_db

STANDARD = find_clock("standard")


def bobs_turn(*, since: datetime = NOON) -> Game:
    """Return a game in which alice has bid and bob's clock has run since ``since``."""
    return tell_of_turn(bid(table(STANDARD), "alice", "2x3", at=since))


def tell_of_turn(game: Game) -> Game:
    """Plan the reminders of the turn under way, as the relay does with its notice."""
    turn = OutboxMessage.objects.get(game=game, kind="turn", version=game.version)
    notices.plan_reminders(turn, now=turn.created_at)
    return game


def planned(game: Game, name: str = "bob") -> dict[str, datetime]:
    """Return the reminders that wait, by what they say."""
    seat = seat_of(game, name)
    rows = OutboxMessage.objects.filter(
        seat=seat, kind="reminder", version=game.version, status="pending"
    )
    assert rows.count() == len({row.stage for row in rows})
    return {row.stage: row.due_at for row in rows}


def post(now: datetime) -> list[str]:
    """Send what is due; return to whom, with what the mail calls itself."""
    mailbox.outbox.clear()
    outbox.relay(now=now)
    return [f"{mail.extra_headers['X-Perudo-Mail']} {mail.to[0]}" for mail in mailbox.outbox]


def test_a_turn_brings_the_reminders_of_the_schedule() -> None:
    assert planned(bobs_turn()) == {
        "half": at(11, 9),
        "most": at(11, 16, 12),
        "bank": at(11, 21),
        "last": at(14, 22),
    }


def test_each_goes_out_once_and_in_waking_hours() -> None:
    bobs_turn()
    post(NOON)
    told = [now for hour in range(24 * 5) if post(now := NOON + hour * HOUR)]
    assert [now.astimezone(ROME).hour for now in told] == [9, 17, 21, 22]
    assert not post(NOON + 100 * HOUR)


def test_a_move_takes_them_back() -> None:
    game = bobs_turn()
    post(NOON)
    bid(game, "bob", "3x3", at=at(10, 13))
    assert not [line for line in post(at(14, 23)) if line == "reminder bob@example.org"]


def test_a_turn_that_was_looked_at_has_no_reminder_at_half_time() -> None:
    game = bobs_turn()
    post(NOON)
    presence.look(seat_id=seat_of(game, "bob").pk, version=game.version, now=at(10, 13))
    assert post(at(11, 9)) == []
    assert post(at(11, 17)) == ["reminder bob@example.org"]


def test_a_look_at_an_earlier_turn_is_none_at_this_one() -> None:
    game = bobs_turn()
    post(NOON)
    presence.look(seat_id=seat_of(game, "bob").pk, version=game.version - 1, now=at(10, 13))
    assert post(at(11, 9)) == ["reminder bob@example.org"]


def test_a_relay_that_was_away_does_not_send_two_at_once() -> None:
    bobs_turn()
    post(NOON)
    assert post(at(11, 21)) == ["reminder bob@example.org"]


def test_a_relay_that_was_away_from_the_start_sends_the_turn_alone() -> None:
    bobs_turn()
    assert post(at(11, 17)) == ["turn bob@example.org"]
    assert post(at(11, 21)) == ["reminder bob@example.org"]


def test_they_move_with_the_deadline_and_those_that_went_out_stay_gone() -> None:
    game = bobs_turn()
    post(NOON)
    post(at(11, 17))
    before = planned(game)
    hours.go_away(
        user_id=person("bob").pk, first=at(12, 0).date(), last=at(13, 0).date(), now=at(11, 18)
    )
    # It begins with the next roll, so nothing moves yet; without nights, the deadline is nearer.
    assert planned(game) == before
    own = Hours.objects.get(user=person("bob"))
    hours.set_week(
        user_id=own.user_id, zone=own.zone, night=None, weekend=own.weekend, now=at(11, 18)
    )
    game.refresh_from_db()
    after = planned(game)
    assert after["last"] < before["last"]
    assert max(after.values()) < game.turn_deadline_at
    assert "half" not in after
    sent = OutboxMessage.objects.filter(
        seat=seat_of(game, "bob"), kind="reminder", status="sent", version=game.version
    )
    assert len(after) + sent.count() <= 4
    moments = sorted([*after.values(), *(row.sent_at for row in sent)])
    assert all(b - a >= clock.APART for a, b in pairwise(moments))


def test_moving_them_twice_to_the_same_deadline_changes_nothing() -> None:
    game = bobs_turn()
    before = planned(game)
    seat = seat_of(game, "bob")
    seat.hours = Hours.objects.get(user=person("bob"))
    notices.move_reminders(game, seat, now=NOON)
    notices.move_reminders(game, seat, now=NOON)
    assert planned(game) == before


def test_a_plain_turn_of_an_hour_has_one_at_four_fifths() -> None:
    game = tell_of_turn(plain_table(turn_seconds=3600))
    seat = Seat.objects.get(game=game, number=game.to_act)
    rows = OutboxMessage.objects.filter(game=game, seat=seat, kind="reminder")
    assert [row.due_at for row in rows] == [later(minutes=48)]


def test_a_plain_turn_of_a_day_reminds_in_the_evening_and_before_the_end() -> None:
    game = tell_of_turn(plain_table(turn_seconds=86_400))
    seat = Seat.objects.get(game=game, number=game.to_act)
    rows = OutboxMessage.objects.filter(game=game, seat=seat, kind="reminder").order_by("due_at")
    # Four fifths are at 7:12, in the night: the evening before. The end is at noon.
    assert [(row.stage, row.due_at - MAY) for row in rows] == [
        ("most", timedelta(hours=9, minutes=30)),
        ("last", timedelta(hours=22)),
    ]


def test_bots_and_absent_seats_are_not_reminded() -> None:
    game = plain_table(("alice",), bots=1)
    Seat.objects.filter(game=game, user=person("alice")).update(is_absent=True)
    Game.objects.filter(pk=game.pk).update(running_since=None, turn_deadline_at=MAY, wake_at=MAY)
    OutboxMessage.objects.all().delete()
    for minute in range(1, 6):
        assert deadlines.expire_turns(now=later(minutes=minute)) == 1
    assert not OutboxMessage.objects.filter(kind__in=("reminder", "turn")).exists()


# --- looking --------------------------------------------------------------------------------------


def table_now(name: str = "alice") -> tuple[Game, str]:
    """Return a game in which ``name`` is to move now, and its page."""
    game = plain_table(now=timezone.now())
    if seat_of(game, name).number != game.to_act:
        other = "bob" if name == "alice" else "alice"
        action = rules.MakeBid(seat_of(game, other).number, rules.Bid.parse("2x3"))
        game = act(game, action, now=timezone.now())
    return game, f"/g/{game.code}/"


def open_page(name: str, page: str, method: str = "get", **headers: str) -> None:
    client = Client(headers=headers)
    client.force_login(person(name))
    assert getattr(client, method)(page).status_code == 200


def test_whoever_has_just_looked_at_his_turn_gets_no_mail_of_it() -> None:
    _, page = table_now()
    open_page("alice", page)
    told = post(timezone.now())
    assert "turn alice@example.org" not in told


def test_people_who_play_at_once_get_no_mail_of_each_turn() -> None:
    game, page = table_now()
    now = timezone.now()
    open_page("alice", page)
    for name, said in (("alice", "4x3"), ("bob", "5x3")):
        number = seat_of(game, name).number
        game = act(game, rules.MakeBid(number, rules.Bid.parse(said)), now=now)
    assert game.to_act == seat_of(game, "alice").number
    for seconds in (1, 44):
        assert "turn alice@example.org" not in post(now + timedelta(seconds=seconds))
    looked = Seat.objects.filter(pk=seat_of(game, "alice").pk)
    looked.update(seen_version=game.version, seen_at=now + timedelta(seconds=8))
    assert "turn alice@example.org" not in post(now + timedelta(seconds=55))


@pytest.mark.parametrize(("minutes", "waits"), [(1, True), (6, False)])
def test_a_turn_that_the_page_may_have_shown_and_has_not_is_told_a_moment_later(
    minutes: int, waits: bool
) -> None:
    game, page = table_now()
    now = timezone.now()
    open_page("alice", page)
    Seat.objects.filter(game=game).update(seen_at=now - timedelta(minutes=minutes))
    for name, said in (("alice", "4x3"), ("bob", "5x3")):
        number = seat_of(game, name).number
        game = act(game, rules.MakeBid(number, rules.Bid.parse(said)), now=now)
    at_once = "turn alice@example.org" in post(now + timedelta(seconds=1))
    assert at_once is not waits
    later_on = "turn alice@example.org" in post(now + timedelta(seconds=45))
    assert later_on is waits


def test_a_look_of_an_hour_ago_holds_no_mail_back() -> None:
    game, page = table_now()
    open_page("alice", page)
    Seat.objects.filter(game=game).update(seen_at=timezone.now() - timedelta(minutes=61))
    assert "turn alice@example.org" in post(timezone.now())


@pytest.mark.parametrize(
    ("method", "headers"), [("head", {}), ("get", {"Sec-Purpose": "prefetch"})]
)
def test_what_no_person_saw_is_no_look(method: str, headers: dict[str, str]) -> None:
    _, page = table_now()
    open_page("alice", page, method, **headers)
    assert "turn alice@example.org" in post(timezone.now())


def test_looking_at_a_rival_s_turn_is_noted_nowhere() -> None:
    game, page = table_now()
    open_page("bob", page)
    assert seat_of(game, "bob").seen_at is None


def test_a_look_is_written_once_a_minute_and_says_nothing_to_the_game() -> None:
    game, page = table_now()
    open_page("alice", page)
    first = seat_of(game, "alice").seen_at
    open_page("alice", page)
    assert seat_of(game, "alice").seen_at == first
    Seat.objects.filter(game=game).update(seen_at=first - timedelta(minutes=2))
    open_page("alice", page)
    assert seat_of(game, "alice").seen_at > first - timedelta(minutes=2)
    version = game.version
    game.refresh_from_db()
    assert game.version == version


def test_the_relay_plans_them_when_it_takes_the_turns_notice() -> None:
    game = bid(table(STANDARD), "alice", "2x3", at=NOON)
    assert not planned(game)
    post(NOON)
    assert list(planned(game)) == ["half", "most", "bank", "last"]


def test_a_turn_that_was_answered_before_its_notice_went_out_has_none() -> None:
    game = bid(table(STANDARD), "alice", "2x3", at=NOON)
    bid(game, "bob", "3x3", at=NOON)
    post(NOON)
    assert not OutboxMessage.objects.filter(seat=seat_of(game, "bob"), kind="reminder").exists()


def test_a_notice_that_is_taken_twice_plans_them_once() -> None:
    game = bobs_turn()
    before = planned(game)
    tell_of_turn(game)
    assert planned(game) == before


def test_who_stopped_the_mails_of_a_turn_is_still_reminded() -> None:
    game = bid(table(STANDARD), "alice", "2x3", at=NOON)
    Wishes.objects.create(user=person("bob"), mode="away", told_at=NOON)
    assert not post(NOON)
    assert planned(game)

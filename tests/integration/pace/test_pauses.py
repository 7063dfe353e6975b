"""Whole games in which time stands still: an absence, an emergency, a pause of the table."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.clock import EMERGENCY_TIME, Question, find_clock
from games.models import Game, GameStatus, OutboxMessage, Seat
from games.services import hours, more_time, moves, voting
from tests.cast import person, table
from tests.integration.pace.wall import BASE, CAP, HOUR, Wall
from tests.integration.pace.watch import Watch, sit_down

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ROME = ZoneInfo("Europe/Rome")
DAY = timedelta(days=1)
NAMES = ("alice", "bob", "carol")


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 6, day, hour, minute, tzinfo=ROME)


def watched(dice: int = 3) -> Watch:
    """Return a game of three in Rome, begun on the morning of a Monday, the first of June."""
    walls = {name: Wall(ROME) for name in NAMES}
    return sit_down(walls, find_clock("standard"), now=at(1, 9), dice=dice)


def play_until(watch: Watch, name: str) -> None:
    """Let everybody answer within the hour until it is the turn of ``name``."""
    for _ in range(len(NAMES) * 3):
        watch.look()
        if watch.on_turn == name:
            return
        watch.move(at=watch.now + timedelta(minutes=47))
    raise AssertionError(f"it is never the turn of {name}")


def play_to_the_end(watch: Watch, *, looks: bool = True) -> None:
    """Let everybody answer within the hour, whoever is away at once, until somebody has won."""
    for _ in range(200):
        is_over = watch.is_over
        if looks or is_over:
            watch.look()
        if is_over:
            break
        if watch.ledger is None:
            watch.sweep()
        else:
            watch.move(at=watch.now + timedelta(minutes=47))
    assert watch.game.status == GameStatus.FINISHED


def test_an_absence_counts_from_the_next_roll_for_seven_days_then_turns_are_played_at_once() -> (
    None
):
    watch = watched(dice=6)
    watch.wait(at(1, 10))
    play_until(watch, "bob")
    # It is his turn, with dice in his cup: they are played without the absence.
    before, last = watch.deadline, date(2026, 6, 9)
    hours.go_away(user_id=person("bob").pk, first=watch.now.date(), last=last, now=watch.now)
    watch.trips["bob"] = [(watch.now, at(10, 0))]
    assert watch.deadline == before
    watch.look()
    round_number = watch.round_number
    while watch.round_number == round_number:
        watch.move(at=watch.now + timedelta(minutes=47))
        watch.look()
    play_until(watch, "bob")
    left = watch.left()
    assert left == BASE + CAP
    # His clock stands until the game has waited for seven days, and then for nothing more.
    start, _end = watch.trips["bob"][0]
    assert watch.deadline == start + 7 * DAY
    watch.miss()
    assert watch.banks["bob"] == CAP, "a time that stood still took nothing"
    watch.look()
    while watch.now < at(9, 20):
        if watch.ledger is None:
            assert watch.on_turn == "bob"
            watch.sweep()
        else:
            watch.move(at=min(watch.now + 3 * HOUR, watch.deadline))
        watch.look()
    assert not watch.is_over
    bob = {"game_id": watch.game_id, "user_id": person("bob").pk}
    assert Seat.objects.filter(is_absent=True).get().user_id == bob["user_id"]
    # Home again, he says so: his next turn has its whole time.
    watch.wait(at(10, 9))
    watch.change(lambda: moves.come_back(**bob, now=watch.now))
    play_until(watch, "bob")
    assert watch.left() == BASE + CAP
    play_to_the_end(watch, looks=False)


def test_an_emergency_stands_still_at_once_and_gives_back_nothing_that_ran() -> None:
    person("carol", time_zone="Europe/Rome")
    for number in range(5):
        won = table(("carol", "dave"), now=at(1, 8) - timedelta(days=number + 1))
        Game.objects.filter(pk=won.pk).update(status="finished", wake_at=None)
    OutboxMessage.objects.all().delete()
    watch = watched()
    play_until(watch, "carol")
    watch.wait(watch.now + 26 * HOUR)
    left = None

    def stop() -> None:
        nonlocal left
        left = watch.left()
        hours.stop_everything(user_id=person("carol").pk, now=watch.now)
        watch.stand_still(watch.now, EMERGENCY_TIME, "carol")

    watch.change(stop)
    watch.look()
    assert left is not None
    assert left < BASE + CAP
    # The pause is over in the middle of a morning: exactly as much is left as before it.
    watch.change(lambda: watch.wait(watch.now + EMERGENCY_TIME))
    watch.change(lambda: None)
    assert watch.left() == left
    watch.look()
    watch.move(at=watch.deadline)
    assert watch.banks["carol"] == 4 * HOUR
    play_to_the_end(watch)


def test_a_pause_by_vote_stops_every_clock_and_more_time_is_for_one_turn_alone() -> None:
    watch = watched()
    play_until(watch, "alice")
    watch.wait(watch.now + 30 * HOUR)
    vote = {"game_id": watch.game_id, "question": Question.PAUSE}
    voting.propose(user_id=person("bob").pk, now=watch.now, **vote)
    watch.look()
    left = None

    def pause() -> None:
        nonlocal left
        left = watch.left()
        voting.cast(user_id=person("carol").pk, aye=True, now=watch.now, **vote)
        watch.stand_still(watch.now, voting.PAUSE)

    watch.change(pause)
    watch.look()
    watch.wait(watch.now + voting.PAUSE)
    watch.change(lambda: None)
    assert watch.left() == left
    watch.look()
    own = {"game_id": watch.game_id, "user_id": person("alice").pk}

    def extend() -> None:
        more_time.take_extension(deadline=watch.deadline, now=watch.now, **own)
        assert watch.ledger is not None
        watch.ledger.base += 24 * HOUR

    watch.change(extend)
    watch.look()

    def give() -> None:
        giver = {"game_id": watch.game_id, "user_id": person("bob").pk}
        more_time.give(deadline=watch.deadline, now=watch.now, **giver)
        assert watch.ledger is not None
        watch.ledger.base += 24 * HOUR

    watch.change(give)
    watch.look()
    bank = watch.banks["alice"]
    watch.move(at=watch.now + 2 * HOUR)
    assert watch.banks["alice"] <= bank, "a gift that is not needed is no bank"
    # The vote gives the next turn more time; another pause begins while nobody looks at a clock.
    play_until(watch, "bob")
    ask = {"game_id": watch.game_id, "question": Question.EXTEND}
    voting.propose(user_id=person("alice").pk, now=watch.now, **ask)

    def agree() -> None:
        voting.cast(user_id=person("carol").pk, aye=True, now=watch.now, **ask)
        assert watch.ledger is not None
        watch.ledger.base += 24 * HOUR

    watch.change(agree)
    watch.look()
    watch.move(at=watch.deadline)
    assert Seat.objects.filter(game=watch.game_id, is_absent=True).count() == 0
    play_to_the_end(watch)

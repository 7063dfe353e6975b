"""Whole games across the changes of the time: three zones, nights, weekends, a wall for each."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games.clock import find_clock
from games.models import GameStatus
from games.rules.record import replay
from games.selectors import record_of
from tests.integration.pace.wall import Wall
from tests.integration.pace.watch import Watch, sit_down

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.one_database]

MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)

PEOPLE = {
    "alice": ("Europe/Rome", {5, 6}),
    "bob": ("America/New_York", {4}),
    "carol": ("Australia/Lord_Howe", set[int]()),
}

# The instants at which the wall jumps: forward and back by an hour, at Lord Howe by half of one.
SEASONS = {
    "spring": (
        datetime(2026, 3, 4, 9, 17, tzinfo=UTC),
        {
            "bob": datetime(2026, 3, 8, 7, tzinfo=UTC),
            "alice": datetime(2026, 3, 29, 1, tzinfo=UTC),
            "carol": datetime(2026, 4, 4, 15, tzinfo=UTC),
        },
    ),
    "autumn": (
        datetime(2026, 9, 30, 9, 17, tzinfo=UTC),
        {
            "carol": datetime(2026, 10, 3, 15, 30, tzinfo=UTC),
            "alice": datetime(2026, 10, 25, 1, tzinfo=UTC),
            "bob": datetime(2026, 11, 1, 6, tzinfo=UTC),
        },
    ),
}
PORTIONS = (0.5, 0.12, 0.9, 1.0, 0.45)
"""How much of the time until the deadline players let pass, in turn."""


def answer_at(watch: Watch, jumps: dict[str, datetime]) -> datetime:
    """Return when the player on turn moves: near a jump he waits over his own, the others hurry."""
    horizon = max(watch.deadline, watch.now + 3 * DAY)
    coming = {name for name, at in jumps.items() if watch.now < at <= horizon}
    if watch.on_turn in coming:
        return watch.deadline
    if coming:
        return watch.now + MINUTE
    portion = PORTIONS[len(watch.past) % len(PORTIONS)]
    wait = (watch.deadline - watch.now) * portion
    return watch.deadline if portion == 1.0 else watch.now + timedelta(seconds=wait // MINUTE * 60)


@pytest.mark.parametrize("season", SEASONS)
def test_a_game_across_a_change_of_the_time_keeps_every_deadline_it_shows(season: str) -> None:
    start, jumps = SEASONS[season]
    walls = {name: Wall(ZoneInfo(z), weekend=frozenset(w)) for name, (z, w) in PEOPLE.items()}
    for name, at in jumps.items():
        before, after = (each.astimezone(walls[name].zone) for each in (at - MINUTE, at))
        assert before.utcoffset() != after.utcoffset()
    clock = replace(find_clock("standard"), weekends=True)
    watch = sit_down(walls, clock, now=start, dice=4)
    while not watch.is_over:
        watch.look()
        watch.move(at=answer_at(watch, jumps))
    watch.look()
    assert watch.game.status == GameStatus.FINISHED
    assert not replay(record_of(watch.game))
    assert not watch.autos()
    for name, jump in jumps.items():
        over_it = [1 for who, start, end in watch.past if who == name and start < jump < end]
        assert over_it, f"{name} was not on turn while the wall jumped"

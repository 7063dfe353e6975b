"""The parts of a day, in every zone and over every change of the clocks."""

from datetime import datetime, timedelta, tzinfo

import pytest
from hypothesis import given

from games.clock import DayPart, day_part, part_end, part_start
from tests.unit.clock.times import HOUR, ROME, at, instants, zones

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize(
    ("wall", "part"),
    [
        ("00:00", DayPart.NIGHT),
        ("05:59", DayPart.NIGHT),
        ("06:00", DayPart.MORNING),
        ("12:00", DayPart.AFTERNOON),
        ("18:00", DayPart.EVENING),
        ("23:59", DayPart.EVENING),
    ],
)
def test_a_day_has_four_parts_by_the_wall(wall: str, part: DayPart) -> None:
    assert day_part(at(f"2026-06-10 {wall}", ROME), ROME) is part


@given(instants, zones)
def test_an_instant_lies_in_its_part(instant: datetime, zone: tzinfo) -> None:
    start, end = part_start(instant, zone), part_end(instant, zone)
    assert start <= instant <= end
    assert end - start <= timedelta(hours=9)
    assert instant == start or end > instant
    assert part_start(start, zone) == start
    assert part_end(end, zone) - end < 3 * HOUR  # a zone may skip the hour at which one begins


@given(instants, zones)
def test_all_of_a_part_looks_the_same(instant: datetime, zone: tzinfo) -> None:
    start, end = part_start(instant, zone), part_end(instant, zone)
    middle = start + (end - start) / 2
    if start < instant < end:
        assert day_part(middle, zone) is day_part(instant, zone)
        assert (part_start(middle, zone), part_end(middle, zone)) == (start, end)


def test_a_deadline_says_no_more_of_the_turn_than_its_part() -> None:
    early, late = at("2026-06-10 18:01", ROME), at("2026-06-10 23:58", ROME)
    assert part_end(early, ROME) == part_end(late, ROME) == at("2026-06-11 00:00", ROME)
    night_of_change = at("2026-03-29 01:30", ROME)
    assert part_end(night_of_change, ROME) - part_start(night_of_change, ROME) == 5 * HOUR

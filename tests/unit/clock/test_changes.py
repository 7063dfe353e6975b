"""A night and a weekend move once a week."""

from datetime import timedelta

import pytest

from games.clock.changes import next_change_at, why_not_change_night, why_not_change_weekend
from tests.unit.clock.times import DAY, at

pytestmark = pytest.mark.one_database

CHANGED = at("2026-06-10 12:00")


def test_the_first_change_is_free() -> None:
    assert next_change_at(None) is None
    assert why_not_change_night(None, now=CHANGED) is None
    assert why_not_change_weekend(None, now=CHANGED) is None


def test_the_next_change_is_a_week_later() -> None:
    again = CHANGED + 7 * DAY
    assert next_change_at(CHANGED) == again
    for why_not, code in (
        (why_not_change_night, "hours.night-changed"),
        (why_not_change_weekend, "hours.weekend-changed"),
    ):
        refused = why_not(CHANGED, now=again - timedelta(seconds=1))
        assert (refused.code, refused.params) == (code, {"at": again})
        assert "2026-06-17 12:00 UTC" in refused.message
        assert why_not(CHANGED, now=again) is None

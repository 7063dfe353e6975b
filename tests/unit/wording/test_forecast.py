"""Forecasts, times of moves and reliability in words."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from games.clock import Answers, Forecast, Reliability
from games.wording import answers_sentence, length_sentence, move_times, prospect_sentences
from games.wording import reliability_tag as tag
from games.wording.conduct import next_step_sentence, reliability_sentence
from games.wording.forecast import game_end_sentence, next_turn_sentence

pytestmark = pytest.mark.one_database

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)  # a Monday
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def move_time(at: datetime, *, now: datetime, by_parts: bool) -> str:
    (told,) = move_times([at], now=now, by_parts=by_parts)
    return told


def between(first: timedelta, last: timedelta) -> Forecast:
    return Forecast(NOW + first, NOW + last)


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        (0 * HOUR, HOUR, "probably within the hour."),
        (HOUR, 3 * HOUR, "probably Monday afternoon."),
        (3 * DAY + 7 * HOUR, 3 * DAY + 9 * HOUR, "probably Thursday evening."),
        (6 * HOUR, 20 * HOUR, "probably between Monday evening and Tuesday morning."),
        (-3 * HOUR, 13 * HOUR, "between Monday afternoon and Tuesday in the small hours."),
        (8 * DAY, 9 * DAY, "between 9 June, afternoon and 10 June, afternoon."),
    ],
)
def test_the_next_turn_is_told_to_a_part_of_the_day(
    first: timedelta, last: timedelta, told: str
) -> None:
    assert next_turn_sentence(between(first, last), now=NOW).endswith(told)


@pytest.mark.parametrize(
    ("first", "last", "told"),
    [
        (HOUR, 3 * HOUR, "The game probably ends today."),
        (2 * DAY, 2 * DAY + HOUR, "The game ends about 3 June."),
        (2 * DAY, 8 * DAY, "The game ends about 3 to 9 June."),
        (27 * DAY, 33 * DAY, "The game ends about 28 June to 4 July."),
    ],
)
def test_the_end_is_told_in_days(first: timedelta, last: timedelta, told: str) -> None:
    assert game_end_sentence(between(first, last), now=NOW) == told


def test_what_is_not_known_is_not_told() -> None:
    end = between(2 * DAY, 8 * DAY)
    assert prospect_sentences(None, None, now=NOW) == ()
    assert prospect_sentences(None, end, now=NOW) == ("The game ends about 3 to 9 June.",)


def test_parts_of_the_day_are_the_readers() -> None:
    at = datetime(2026, 6, 2, 17, tzinfo=UTC)
    assert move_time(at, now=NOW, by_parts=True) == "Tuesday afternoon"
    with timezone.override(ZoneInfo("Europe/Rome")):
        assert move_time(at, now=NOW, by_parts=True) == "Tuesday evening"
        assert move_time(at, now=NOW, by_parts=False) == "Tue 19:00"
    assert move_time(at, now=NOW + 9 * DAY, by_parts=True) == "2 June, afternoon"
    assert move_time(at, now=NOW + 9 * DAY, by_parts=False) == "2 June, 17:00"


def test_italian_days_have_no_capital_in_a_sentence() -> None:
    with translation.override("it"):
        assert "martedì" in move_time(NOW + DAY, now=NOW, by_parts=True)


@given(st.timedeltas(HOUR / 60, 500 * DAY), st.timedeltas(HOUR / 60, 500 * DAY))
def test_a_length_is_two_different_numbers_of_one_unit_around_the_truth(
    first: timedelta, second: timedelta
) -> None:
    least, most = sorted((first, second))
    words = length_sentence(least, most).rstrip(".").split()
    unit = {"hour": HOUR, "day": DAY, "week": 7 * DAY}[words[-1].rstrip("s")]
    low, high = int(words[-4]), int(words[-2])
    assert 1 <= low < high
    assert low * unit <= max(least, unit)
    assert most <= high * unit


@pytest.mark.parametrize(
    ("known", "short", "long"),
    [
        (
            Reliability(kept=93, missed=7, games=9),
            "93\N{NO-BREAK SPACE}% in time",
            "93\N{NO-BREAK SPACE}% of turns in time: good.",
        ),
        (
            Reliability(kept=80, missed=20, games=9),
            "80\N{NO-BREAK SPACE}% in time",
            "80\N{NO-BREAK SPACE}% of turns in time: weak.",
        ),
        (Reliability(games=4), "new", "New: fewer than 5 finished games."),
    ],
)
def test_reliability_is_a_percentage_or_new(known: Reliability, short: str, long: str) -> None:
    assert tag(known) == short
    assert reliability_sentence(known).startswith(long)


def test_the_next_step_says_how_many_turns_or_games_are_missing() -> None:
    assert "1 more turn in time makes it “good”." in next_step_sentence(
        Reliability(kept=22, missed=2, games=9).next_step()
    )
    assert "Finish 1 more game" in next_step_sentence(Reliability(games=4).next_step())
    assert next_step_sentence(Reliability(kept=99, missed=1, games=9).next_step()) == ""


def test_few_answers_say_nothing() -> None:
    few, enough = (Answers.of([HOUR] * count) for count in (7, 8))
    assert answers_sentence(few) == answers_sentence(None) == ""
    assert "less than 1 hour" in answers_sentence(enough)


def test_answers_at_once_are_told_in_whole_minutes() -> None:
    at_once = Answers.of([timedelta(0)] * 3 + [HOUR] * 6)
    assert "a quarter less than 1 minute," in answers_sentence(at_once)

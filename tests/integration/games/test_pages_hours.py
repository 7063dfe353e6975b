"""The page of a player's hours, and what the table shows of them."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Hours
from games.services import hours
from tests.cast import person
from tests.integration.games.pages import address, browser, live_table, text
from tests.integration.games.test_pages_waiting_room import room

pytestmark = pytest.mark.django_db

PAGE = "/settings/hours/"


def send(client: Client, act: str, **fields: object) -> tuple[int, str]:
    """Send a form of the page; return the status and the page that its sender ends up on."""
    answer = client.post(PAGE, {"act": act, **fields})
    status = answer.status_code
    return status, text(client.get(PAGE) if status == 302 else answer)


def own() -> Hours:
    return Hours.objects.get(user=person("alice"))


def today() -> date:
    return timezone.localdate()


def in_days(count: int) -> str:
    return (today() + timedelta(days=count)).isoformat()


def test_the_settings_lead_to_the_hours() -> None:
    assert f'href="{PAGE}"' in text(browser("alice").get("/settings/"))


def test_looking_gives_nobody_hours_and_shows_the_usual_night() -> None:
    page = text(browser("alice").get(PAGE))
    assert '<option value="22:30" selected>' in page
    assert "14 days of absence left" in page
    assert not Hours.objects.exists()


def test_night_zone_and_weekend_are_saved_and_refused_for_a_week() -> None:
    person("alice", time_zone="Europe/Rome")
    client = browser("alice")
    week = {"night": "21:00", "zone": "Europe/Rome", "weekend": ["5", "6"]}
    status, page = send(client, "hours", **week)
    assert (status, own().weekend, f"{own().night:%H:%M}") == (302, [5, 6], "21:00")
    assert "can change again from" in page
    status, page = send(client, "hours", **{**week, "night": "none"})
    assert status == 422
    assert "The night can be changed once a week: the next time on" in page
    assert own().night is not None


def test_there_may_be_no_night_at_all() -> None:
    assert send(browser("alice"), "hours", night="none", zone="UTC")[0] == 302
    assert own().night is None


def test_the_zone_is_the_accounts_or_the_one_in_use() -> None:
    person("alice", time_zone="Europe/Rome")
    hours.ensure(person("alice").pk)
    type(person("alice")).objects.update(time_zone="Asia/Tokyo")
    client = browser("alice")
    page = text(client.get(PAGE))
    assert '<option value="Europe/Rome" selected>' in page
    assert send(client, "hours", night="22:30", zone="Mars/Base")[0] == 422
    assert send(client, "hours", night="22:30", zone="Asia/Tokyo")[0] == 302
    assert own().zone == "Asia/Tokyo"


def test_three_days_are_no_weekend() -> None:
    status, page = send(
        browser("alice"), "hours", night="22:30", zone="UTC", weekend=["0", "1", "2"]
    )
    assert status == 422
    assert "A weekend has at most 2 days." in page


def test_an_absence_is_announced_listed_and_called_off() -> None:
    client = browser("alice")
    status, page = send(client, "away", first=in_days(3), last=in_days(5))
    assert status == 302
    assert "11 days of absence left" in page
    assert "counts from the first roll after it begins" in page
    assert "have moved" not in page
    assert "Call it off" in page
    send(client, "call_off", absence=own().absences[0]["id"])
    assert "14 days of absence left" in text(client.get(PAGE))
    assert own().absences == []


@pytest.mark.parametrize(
    ("first", "last", "reason"),
    [
        (-2, 1, "An absence cannot begin in the past."),
        (5, 3, "The last day cannot be before the first."),
        (1, 20, "An absence lasts from 1 to 14 days."),
        (400, 401, "That is more than a year ahead."),
    ],
)
def test_an_absence_that_cannot_be_is_refused_in_words(first: int, last: int, reason: str) -> None:
    status, page = send(browser("alice"), "away", first=in_days(first), last=in_days(last))
    assert (status, reason in page) == (422, True)


@pytest.mark.parametrize("garbage", ["", "tomorrow", "9999-12-31", "0001-01-01", "2026-13-40"])
def test_garbage_is_refused_without_a_crash(garbage: str) -> None:
    client = browser("alice")
    for act in ("away", "hours", "call_off", "emergency", "nonsense", ""):
        fields = dict.fromkeys(("first", "last", "night", "zone", "weekend", "absence"), garbage)
        assert send(client, act, **fields)[0] in (302, 422)


def test_beginners_are_told_why_there_is_no_emergency() -> None:
    client = browser("alice")
    assert "for players who have finished 5 games" in text(client.get(PAGE))
    assert send(client, "emergency")[0] == 422
    assert Hours.objects.filter(emergency_at__isnull=False).count() == 0


def test_the_table_and_the_waiting_room_show_who_is_away() -> None:
    game, waiting = live_table("alice", "bob"), room("alice", "bob")
    away_until = today() + timedelta(days=2)
    hours.ensure(person("bob").pk)
    hours.go_away(user_id=person("bob").pk, first=today(), last=away_until, now=timezone.now())
    said = f"away until {away_until.day} {away_until:%B}"
    for name in ("alice", "bob"):
        assert said in text(browser(name).get(address(game)))
        assert said in text(browser(name).get(address(waiting)))
    hours.call_off(
        user_id=person("bob").pk,
        absence_id=Hours.objects.get(user=person("bob")).absences[0]["id"],
        now=timezone.now(),
    )
    assert "away until" not in text(browser("alice").get(address(game)))


def test_a_coming_absence_is_seen_before_anybody_starts() -> None:
    waiting = room("alice", "bob")
    first, last = today() + timedelta(days=3), today() + timedelta(days=4)
    hours.go_away(user_id=person("bob").pk, first=first, last=last, now=timezone.now())
    said = f"away from {first.day} {first:%B} to {last.day} {last:%B}"
    assert said in text(browser("alice").get(address(waiting)))

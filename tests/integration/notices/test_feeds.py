"""The calendar and the feed at secret addresses: what they hold, and for whom."""

import re
from datetime import date, datetime, timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from games import rules
from games.clock import TimeOut
from games.mail import calendar
from games.models import Game, Hours, Wishes
from games.selectors.turns import Turn
from games.services import hours, more_time, wishes
from tests.cast import NOON, act, person, seat_of, table

MOST_OCTETS = 75
ATOM = "{http://www.w3.org/2005/Atom}"


def lines_of(body: bytes) -> list[str]:
    """Read a calendar as strictly as RFC 5545, 3.1 is written, and return its unfolded lines."""
    assert body.endswith(b"\r\n")
    assert b"\r" not in body.replace(b"\r\n", b"")
    assert b"\n" not in body.replace(b"\r\n", b"")
    physical = body[:-2].split(b"\r\n")
    assert all(len(line) <= MOST_OCTETS for line in physical)
    unfolded: list[bytes] = []
    for line in physical:
        line.decode()  # no piece begins or ends within a character
        if line.startswith(b" "):
            unfolded[-1] += line[1:]
        else:
            unfolded.append(line)
    assert all(re.match(rb"[A-Z-]+(;[A-Z-]+=[^:;]+)*:", line) for line in unfolded)
    return [line.decode() for line in unfolded]


def events(body: bytes) -> list[dict[str, str]]:
    """Return the properties of each event; check that components nest and nothing comes twice."""
    lines = lines_of(body)
    assert (lines[0], lines[-1]) == ("BEGIN:VCALENDAR", "END:VCALENDAR")
    assert lines[1] == "VERSION:2.0"
    assert any(line.startswith("PRODID:") for line in lines)
    found: list[dict[str, str]] = []
    inside = False
    for line in lines[1:-1]:
        name, value = line.split(":", 1)
        if line == "BEGIN:VEVENT":
            assert not inside
            inside = True
            found.append({})
        elif line == "END:VEVENT":
            assert {"UID", "DTSTAMP"} <= found[-1].keys()
            inside = False
        elif inside:
            assert name not in found[-1]
            found[-1][name] = value
    assert not inside
    assert len({event["UID"] for event in found}) == len(found)
    return found


def unescaped(value: str) -> str:
    """Return a TEXT value as it was before (RFC 5545, 3.3.11); nothing bare may be left in it."""
    assert not re.search(r"(?<!\\)(\\\\)*[,;]", value)
    return re.sub(r"\\([\\;,nN])", lambda m: "\n" if m[1] in "nN" else m[1], value)


# --- the form -------------------------------------------------------------------------------------

NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=60)


@given(name=NAMES)
def test_any_name_makes_a_calendar_that_can_be_read(name: str) -> None:
    at = NOON
    turn = Turn("abcdefghjk", name, 3, 1, at, at, at + timedelta(days=1), None, False, TimeOut.AUTO)
    (event,) = events(calendar.calendar([turn], []))
    assert event["DTSTART"] == "20260505T120000Z"
    assert "your time to move ends" in unescaped(event["SUMMARY"])


def test_signs_that_mean_something_to_a_calendar_come_through() -> None:
    name = "Fri; sat, " + "à la carte " * 8 + "\\ end"
    turn = Turn("abcdefghjk", name, 3, 1, NOON, NOON, NOON, None, False, TimeOut.AUTO)
    (event,) = events(calendar.calendar([turn], []))
    assert unescaped(event["SUMMARY"]).startswith(name)


# --- what is in it --------------------------------------------------------------------------------


def feeds(name: str = "alice") -> dict[str, str]:
    """Return the addresses of a player's feeds, made anew."""
    wishes.renew_feeds(user_id=person(name).pk)
    token = Wishes.objects.get(user=person(name)).feed_token
    return {kind: f"/feeds/{token}/turns.{kind}" for kind in ("ics", "atom")}


def game_of_alice() -> Game:
    """Return a game that has just begun, with alice to move."""
    game = table(now=timezone.now())
    if game.to_act != seat_of(game, "alice").number:
        game = act(game, rules.MakeBid(game.to_act, rules.Bid.parse("2x3")), now=timezone.now())
    return game


@pytest.mark.django_db
def test_the_calendar_holds_my_deadlines_and_absences_and_nobody_else_s() -> None:
    game = game_of_alice()
    today = timezone.now().date()
    first, last = today + timedelta(days=2), today + timedelta(days=4)
    hours.go_away(user_id=person("alice").pk, first=first, last=last, now=timezone.now())
    turn, away = events(Client().get(feeds()["ics"]).content)
    assert turn["DTSTART"] == game.turn_deadline_at.strftime("%Y%m%dT%H%M%SZ")
    assert turn["URL"].endswith(f"/g/{game.code}/")
    assert away["DTSTART;VALUE=DATE"] == f"{first:%Y%m%d}"
    assert date.fromisoformat(away["DTEND;VALUE=DATE"]) == last + timedelta(days=1)
    assert events(Client().get(feeds("bob")["ics"]).content) == []


@pytest.mark.django_db
def test_a_deadline_that_moves_moves_its_event_and_keeps_its_name() -> None:
    game = game_of_alice()
    address = feeds()["ics"]
    (before,) = events(Client().get(address).content)
    Game.objects.filter(pk=game.pk).update(
        turn_deadline_at=game.turn_deadline_at + timedelta(days=1)
    )
    (after,) = events(Client().get(address).content)
    assert after["UID"] == before["UID"]
    assert after["DTSTART"] > before["DTSTART"]
    act(game, rules.MakeBid(game.to_act, rules.Bid.parse("9x5")), now=timezone.now())
    assert events(Client().get(address).content) == []


def stamp(at: datetime) -> str:
    return at.strftime("%Y%m%dT%H%M%SZ")


@pytest.mark.django_db
def test_a_turn_is_stamped_anew_only_when_its_deadline_moves() -> None:
    game = game_of_alice()
    address = feeds()
    (before,) = events(Client().get(address["ics"]).content)
    assert before["DTSTAMP"] == stamp(game.turn_started_at)
    later = game.turn_started_at + timedelta(hours=2)
    more_time.take_extension(
        game_id=game.pk, user_id=person("alice").pk, deadline=game.turn_deadline_at, now=later
    )
    for _ in range(2):  # asking changes nothing
        (after,) = events(Client().get(address["ics"]).content)
        assert after["DTSTAMP"] == stamp(later)
    (entry,) = ElementTree.fromstring(Client().get(address["atom"]).content).findall(f"{ATOM}entry")
    assert datetime.fromisoformat(entry.findtext(f"{ATOM}updated")) == later
    assert entry.findtext(f"{ATOM}published") != entry.findtext(f"{ATOM}updated")


@pytest.mark.django_db
def test_an_absence_is_stamped_when_it_is_announced_and_again_when_it_is_cut_short() -> None:
    alice, now = person("alice"), timezone.now()
    today = now.date()
    hours.ensure(alice.pk)
    hours.go_away(user_id=alice.pk, first=today, last=today + timedelta(days=4), now=now)
    hours.go_away(
        user_id=alice.pk,
        first=today + timedelta(days=9),
        last=today + timedelta(days=9),
        now=now + timedelta(minutes=1),
    )
    address = feeds()["ics"]
    first, second = events(Client().get(address).content)
    assert first["DTSTAMP"] == stamp(now)
    assert second["DTSTAMP"] == stamp(now + timedelta(minutes=1))
    back = now + timedelta(minutes=5)
    hours.call_off(
        user_id=alice.pk, absence_id=Hours.objects.get(user=alice).absences[0]["id"], now=back
    )
    first, second = events(Client().get(address).content)
    assert first["DTSTAMP"] == stamp(back)
    assert second["DTSTAMP"] == stamp(now + timedelta(minutes=1))


@pytest.mark.django_db
def test_the_feed_has_an_entry_for_each_of_my_turns() -> None:
    game = game_of_alice()
    answer = Client().get(feeds()["atom"])
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)
    assert root.tag == f"{ATOM}feed"
    (entry,) = root.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}id").endswith(f"turn/{game.code}/{game.version}")
    assert entry.findtext(f"{ATOM}title").endswith("your turn")
    assert entry.find(f"{ATOM}link").get("href").endswith(f"/g/{game.code}/")


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["ics", "atom"])
def test_feeds_tell_neither_dice_nor_bids_nor_who_plays(kind: str) -> None:
    game = game_of_alice()
    body = Client().get(feeds()[kind]).content.decode()
    assert game.code in body
    for word in ("Bob", "example.org/", "threes", "2x3", "dice"):
        assert word not in body


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["ics", "atom"])
def test_a_new_address_makes_the_old_one_nobody_s(kind: str) -> None:
    old, new = feeds(), feeds()
    assert Client().get(old[kind]).status_code == 404
    assert Client().get(new[kind]).status_code == 200
    person("alice").delete()
    assert Client().get(new[kind]).status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["ics", "atom"])
def test_a_reader_that_has_it_is_told_so_and_no_cache_keeps_it(kind: str) -> None:
    game = game_of_alice()
    address = feeds()[kind]
    first = Client().get(address)
    again = Client().get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    for answer in (first, again):
        assert "no-store" in answer["Cache-Control"]
        assert "private" in answer["Cache-Control"]
        assert not answer.cookies
    Game.objects.filter(pk=game.pk).update(
        turn_deadline_at=game.turn_deadline_at + timedelta(hours=1)
    )
    assert Client().get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.django_db
def test_feeds_read_in_their_owner_s_language() -> None:
    game_of_alice()
    alice = person("alice")
    alice.language = "it"
    alice.save()
    root = ElementTree.fromstring(Client().get(feeds()["atom"]).content)
    assert root.get("{http://www.w3.org/XML/1998/namespace}lang") == "it"

"""A player's calendar (iCalendar, RFC 5545): the deadlines of his turns and his absences."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _

from games.mail.addresses import mail_domain
from games.mail.letters import link
from games.mail.words import title_of
from games.selectors.hours import Away
from games.selectors.turns import Turn

MOST_OCTETS = 75
"""Of a line, without its end (RFC 5545, 3.1)."""


def calendar(turns: Iterable[Turn], absences: Iterable[Away]) -> bytes:
    """Return the calendar, in the language that is active. It tells nothing of any table.

    An event keeps its UID while its deadline moves: it is the turn's, not the deadline's. Without a
    METHOD its DTSTAMP is when what it says was last changed (RFC 5545, 3.8.7.2), and not when it
    was asked for.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Perudo by Post//Turns//EN",
        f"NAME:{_text(settings.SITE_NAME)}",
        f"X-WR-CALNAME:{_text(settings.SITE_NAME)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        *(line for turn in turns for line in _turn(turn)),
        *(line for away in absences for line in _absence(away)),
        "END:VCALENDAR",
    ]
    return b"".join(_fold(line) for line in lines)


def _turn(turn: Turn) -> Iterator[str]:
    said = {"title": title_of(turn.name, turn.code)}
    url = link("game", turn.code)
    yield "BEGIN:VEVENT"
    yield f"UID:turn-{turn.code}-{turn.version}@{mail_domain()}"
    yield f"DTSTAMP:{_instant(turn.changed_at)}"
    yield f"DTSTART:{_instant(turn.deadline_at)}"
    yield f"SUMMARY:{_text(_('%(title)s: your time to move ends') % said)}"
    yield f"DESCRIPTION:{_text(url)}"
    yield f"URL:{url}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _absence(away: Away) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:absence-{away.id}@{mail_domain()}"
    yield f"DTSTAMP:{_instant(away.changed_at)}"
    yield f"DTSTART;VALUE=DATE:{_day(away.first)}"
    yield f"DTEND;VALUE=DATE:{_day(away.last + timedelta(days=1))}"
    yield f"SUMMARY:{_text(_('Away from all games'))}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _instant(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _day(day: date) -> str:
    return day.strftime("%Y%m%d")


def _text(value: str) -> str:
    """Return a TEXT value (RFC 5545, 3.3.11)."""
    kept = "".join(char for char in value if char.isprintable() or char == "\n")
    for char in ("\\", ";", ","):
        kept = kept.replace(char, f"\\{char}")
    return kept.replace("\n", "\\n")


def _fold(line: str) -> bytes:
    """Return a line in pieces of at most 75 octets, none of which splits a character."""
    pieces, piece = [], b""
    for char in line:
        octets = char.encode()
        if len(piece) + len(octets) > MOST_OCTETS:
            pieces.append(piece)
            piece = b" "
        piece += octets
    return b"\r\n".join([*pieces, piece]) + b"\r\n"

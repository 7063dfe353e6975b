"""A player's own hours, and what the others may know of his absences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models.functions import TruncDate

from games import clock, timing
from games.models import GameStatus, Hours, Seat
from games.selectors.own import earlier_events, own_events

_BY_HAND = ("bid", "dudo", "calza")


@dataclass(frozen=True, slots=True)
class Away:
    """An announced absence, in days of its player's calendar and as the instants between.

    ``changed_at`` is when it was announced, or cut short.
    """

    id: str
    first: date
    last: date
    start: datetime
    end: datetime
    changed_at: datetime

    def covers(self, now: datetime) -> bool:
        """Return whether the player is away at ``now``."""
        return self.start <= now < self.end


@dataclass(frozen=True, slots=True)
class HoursPage:
    """A player's hours and what he may change of them.

    ``night_from`` and ``weekend_from`` are the instants before which they may not change again.
    ``absences`` are those that are not over. ``emergency_until`` is set while a pause lasts.
    """

    zone: str
    night: time | None
    weekend: tuple[int, ...]
    night_from: datetime | None
    weekend_from: datetime | None
    absences: tuple[Away, ...]
    days_left: int
    most_days: int
    days_to_the_next: int
    emergency_until: datetime | None
    why_no_emergency: clock.ClockRefusal | None


def hours_page(user_id: int, *, zone: str, now: datetime) -> HoursPage:
    """Return the hours of a player; ``zone`` is his account's, for one who never sat down."""
    row = Hours.objects.filter(pk=user_id).first() or Hours(user_id=user_id, zone=zone)
    count_days(row, now=now)  # shown only: whoever changes his hours writes it down
    finished = Seat.objects.filter(user_id=user_id, game__status=GameStatus.FINISHED).count()
    pause_ends = row.emergency_at + clock.EMERGENCY_TIME if row.emergency_at else None
    return HoursPage(
        zone=row.zone,
        night=row.night,
        weekend=tuple(row.weekend),
        night_from=_later(clock.next_change_at(row.night_changed_at), now),
        weekend_from=_later(clock.next_change_at(row.weekend_changed_at), now),
        absences=tuple(each for each in aways(row.absences) if each.end > now),
        days_left=row.days_left,
        most_days=clock.MOST_DAYS,
        days_to_the_next=clock.PLAYED_FOR_A_DAY - row.days_played,
        emergency_until=_later(pause_ends, now),
        why_no_emergency=clock.why_not_emergency(
            finished_games=finished, last_at=row.emergency_at, now=now
        ),
    )


def count_days(hours: Hours, *, now: datetime) -> bool:
    """Add the days played since the last count to ``hours``; return whether a day has passed."""
    zone = timing.zone_of(hours.zone)
    yesterday = now.astimezone(zone).date() - timedelta(days=1)
    by_hand: dict[str, Any] = {"kind__in": _BY_HAND, "is_auto": False}
    if hours.counted_on is not None:
        if hours.counted_on >= yesterday:
            return False
        # A day more than needed: where it begins depends on the zone.
        by_hand["made_at__gte"] = now - (yesterday - hours.counted_on) - timedelta(2)
    played = {
        day
        for own in (own_events(hours.pk), earlier_events(hours.pk))
        for day in own.filter(**by_hand)
        .annotate(day=TruncDate("made_at", tzinfo=zone))
        .values_list("day", flat=True)
    }
    days = [
        day
        for day in played
        if day <= yesterday and (hours.counted_on is None or day > hours.counted_on)
    ]
    earned = clock.Allowance(hours.days_left, hours.days_played).after_playing(len(days))
    hours.days_left, hours.days_played = earned.days, earned.played
    hours.counted_on = yesterday
    return True


def aways(entries: Iterable[Mapping[str, str]]) -> tuple[Away, ...]:
    """Return the absences of a player as values, in their order."""
    return tuple(
        Away(
            id=each["id"],
            first=date.fromisoformat(each["first"]),
            last=date.fromisoformat(each["last"]),
            start=datetime.fromisoformat(each["start"]),
            end=datetime.fromisoformat(each["end"]),
            changed_at=datetime.fromisoformat(each.get("cut_at", each["announced_at"])),
        )
        for each in entries
    )


def aways_of(hours: Hours) -> tuple[Away, ...]:
    """Return what a table sees of a player's absences: an emergency is one."""
    booked, since = aways(hours.absences), hours.emergency_at
    if since is None:
        return booked
    until = since + clock.EMERGENCY_TIME
    zone = timing.zone_of(hours.zone)
    first, last = (each.astimezone(zone).date() for each in (since, until))
    pause = Away(id="", first=first, last=last, start=since, end=until, changed_at=since)
    return (pause, *booked)


def exported_hours(user_id: int) -> dict[str, object]:
    """Return what is kept of a player's hours, made of what JSON knows; {} if he never sat down."""
    row = Hours.objects.filter(pk=user_id).first()
    if row is None:
        return {}
    return {
        "time_zone": row.zone,
        "night_from": f"{row.night:%H:%M}" if row.night else None,
        "weekend_days": row.weekend,  # Monday is 0
        "absences": [
            {"first": away.first.isoformat(), "last": away.last.isoformat()}
            for away in aways(row.absences)
        ],
        "days_of_absence_left": row.days_left,
        "emergency_at": row.emergency_at.isoformat() if row.emergency_at else None,
    }


def _later(instant: datetime | None, now: datetime) -> datetime | None:
    return instant if instant is not None and instant > now else None

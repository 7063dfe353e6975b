"""Players' hours: when their clocks stand still, in all their games.

Other hours mean other deadlines. All games that a player sits in are locked in the order of their
keys, what has run by the old hours is taken off, and only then the new ones are written.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Q

from games import clock, queries, timing
from games.clock import ClockRefusal
from games.models import Game, GameStatus, Hours, Seat
from games.models.ids import new_token
from games.selectors.hours import count_days
from games.services import commit, retiming

_LIVE = (GameStatus.OPEN, GameStatus.ACTIVE)


def ensure(user_id: int) -> None:
    """Give a player who sits down hours, with the night of his own zone, if he has none yet."""
    if not Hours.objects.filter(pk=user_id).exists():
        zone = get_user_model().objects.filter(pk=user_id).values_list("time_zone", flat=True)[0]
        Hours.objects.get_or_create(pk=user_id, defaults={"zone": zone})


@transaction.atomic
def set_week(
    *, user_id: int, zone: str, night: time | None, weekend: Sequence[int], now: datetime
) -> None:
    """Change a player's night and weekend, in all his games at once.

    :raises ClockRefusal: one of them was changed within a week, or the weekend is too long.
    """
    hours, tables = _take(user_id, now=now)
    clock.Quiet(zone=timing.zone_of(zone), night=night, weekend=frozenset(weekend))
    days = sorted(weekend)
    if (hours.zone, hours.night) != (zone, night):
        _refuse(clock.why_not_change_night(hours.night_changed_at, now=now))
        hours.zone, hours.night, hours.night_changed_at = zone, night, now
    if hours.weekend != days:
        _refuse(clock.why_not_change_weekend(hours.weekend_changed_at, now=now))
        hours.weekend, hours.weekend_changed_at = days, now
    _write(hours, tables, now=now)


@transaction.atomic
def go_away(*, user_id: int, first: date, last: date, now: datetime) -> None:
    """Announce an absence from ``first`` to ``last``, days of the player's own calendar.

    It counts in each game from the first roll after its start. Announced twice, it is one.

    :raises ClockRefusal: it is too long, in the past, over another, or over the allowance.
    """
    hours, tables = _take(user_id, now=now)
    if any(_days(each) == (first, last) and _ends(each) > now for each in hours.absences):
        return
    zone = timing.zone_of(hours.zone)
    try:
        absence = clock.Absence(first, last)
    except ValueError as error:
        raise ClockRefusal("absence.length", least=1, most=14) from error
    allowance = clock.Allowance(hours.days_left, hours.days_played)
    # One that was cut short today is over: he may leave again.
    booked = [clock.Absence(*_days(each)) for each in hours.absences if _ends(each) > now]
    today = now.astimezone(zone).date()
    _refuse(clock.why_not_absence(absence, booked=booked, allowance=allowance, today=today))
    span = absence.span(zone)
    # Not from this morning on: dice that were rolled since then are in play without it.
    entry = {
        "id": new_token(),
        "first": first.isoformat(),
        "last": last.isoformat(),
        "start": max(span.start, now).isoformat(),
        "end": span.end.isoformat(),
        "announced_at": now.isoformat(),
    }
    oldest = min([table.game.started_at for table in tables if table.game.started_at], default=now)
    kept = [each for each in hours.absences if _ends(each) > oldest]
    hours.absences = sorted([*kept, entry], key=lambda each: str(each["first"]))
    hours.days_left = allowance.spend(absence.days).days
    _write(hours, tables, now=now)


@transaction.atomic
def call_off(*, user_id: int, absence_id: str, now: datetime) -> None:
    """Call an absence off, before it or in it: what is left of it goes back into the allowance.

    One that is over, or unknown, stays as it is.
    """
    hours, tables = _take(user_id, now=now)
    found = next((each for each in hours.absences if each["id"] == absence_id), None)
    if found is None or _ends(found) <= now:
        return
    first, last = _days(found)
    today = now.astimezone(timing.zone_of(hours.zone)).date()
    if datetime.fromisoformat(found["start"]) >= now:
        hours.absences = [each for each in hours.absences if each is not found]
        given_back = (last - first).days + 1
    else:
        at = now.isoformat()
        cut = {**found, "last": min(today, last).isoformat(), "end": at, "cut_at": at}
        hours.absences = [cut if each is found else each for each in hours.absences]
        given_back = max((last - today).days, 0)
    allowance = clock.Allowance(hours.days_left, hours.days_played)
    hours.days_left = allowance.give_back(given_back).days
    _write(hours, tables, now=now)


@transaction.atomic
def stop_everything(*, user_id: int, now: datetime) -> None:
    """Let all of a player's clocks stand still for 72 hours, at once and in the open rounds too.

    :raises ClockRefusal: he has not finished enough games, or did it not long ago.
    """
    hours, tables = _take(user_id, now=now)
    if hours.emergency_at is not None and now < hours.emergency_at + clock.EMERGENCY_TIME:
        return
    finished = Seat.objects.filter(user_id=user_id, game__status=GameStatus.FINISHED).count()
    _refuse(clock.why_not_emergency(finished_games=finished, last_at=hours.emergency_at, now=now))
    hours.emergency_at = now
    _write(hours, tables, now=now)


@dataclass(slots=True)
class _Table:
    """A locked game, and the seat in it of the player whose hours change."""

    game: Game
    seat: Seat
    was_over_cap: bool


def _take(user_id: int, *, now: datetime) -> tuple[Hours, list[_Table]]:
    """Lock a player's hours and every game that they count in; stop his running clocks.

    Games begin and seats move on under their own locks only: none of them can read the old hours
    between this and the end of the transaction.
    """
    ensure(user_id)
    hours = Hours.objects.select_for_update().get(pk=user_id)
    count_days(hours, now=now)
    # A seat that is promised to him may become his with the next roll, which reads his hours.
    held = Q(user_id=user_id) | Q(heir_id=user_id)
    mine = Seat.objects.filter(held, game__status__in=_LIVE).order_by("game_id")
    tables = []
    for game_id in mine.values_list("game_id", flat=True):
        game, seats = queries.lock_game(game_id)
        seat = next((seat for seat in seats if seat.user_id == user_id), None)
        if seat is None:
            continue
        is_due = game.status == GameStatus.ACTIVE and game.to_act == seat.number
        tables.append(_Table(game, seat, is_due and timing.is_over_cap(game, seat, now=now)))
        if is_due and game.running_since is not None:
            timing.settle(game, seat, now=now)
    return hours, tables


def _write(hours: Hours, tables: Sequence[_Table], *, now: datetime) -> None:
    """Write the hours, and where the player is to move, the deadline that follows from them."""
    hours.save()
    for table in tables:
        game, seat = table.game, table.seat
        seat.hours = hours
        if game.status != GameStatus.ACTIVE or game.to_act != seat.number:
            continue
        if game.running_since is not None:
            retiming.write(game, seat, now=now)
        elif table.was_over_cap and not timing.is_over_cap(game, seat, now=now):
            commit.restart_turn(game, seat, now=now)


def _days(entry: dict[str, str]) -> tuple[date, date]:
    return date.fromisoformat(entry["first"]), date.fromisoformat(entry["last"])


def _ends(entry: dict[str, str]) -> datetime:
    return datetime.fromisoformat(entry["end"])


def _refuse(refusal: ClockRefusal | None) -> None:
    if refusal is not None:
        raise refusal

"""The turns that wait for one person, in all games: what digests, calendars and feeds list."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F

from games import timing
from games.clock import TimeOut
from games.models import GameStatus, Hours, Seat
from games.selectors.hours import Away, aways
from games.selectors.values import shown_time


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that its player has to make until ``deadline_at``. It tells nothing of the table.

    ``changed_at`` is since when it is told as it is: it began, or its deadline was moved.
    """

    code: str
    name: str
    version: int
    round_number: int
    started_at: datetime
    changed_at: datetime
    deadline_at: datetime
    paused_until: datetime | None
    is_muted: bool
    time_out: TimeOut


def turns_of(user_id: int) -> tuple[Turn, ...]:
    """Return the turns on which a person's clock runs, the soonest deadline first."""
    waiting = Seat.objects.filter(
        user_id=user_id,
        is_absent=False,
        game__status=GameStatus.ACTIVE,
        game__to_act=F("number"),
        game__running_since__isnull=False,
    )
    rows: Any = waiting.order_by("game__turn_deadline_at", "game_id").values_list(
        "game__code",
        "game__name",
        "game__version",
        "game__current_round__number",
        "game__turn_started_at",
        "game__running_since",
        "game__turn_deadline_at",
        "game__pauses",
        "is_muted",
        "game__clock__time_out",
        "game__day_parts",
    )
    return tuple(_turn(*row) for row in rows)


def _turn(
    code: str,
    name: str,
    version: int,
    round_number: int,
    started_at: datetime,
    running_since: datetime,
    deadline_at: datetime,
    pauses: list[list[str]],
    is_muted: bool,
    time_out: str | None,
    by_parts: bool,
) -> Turn:
    # When it began is when somebody else moved.
    began = shown_time(started_at, by_parts=by_parts)
    # Whatever moves a deadline settles its clock, which runs from then on.
    changed = shown_time(running_since, by_parts=by_parts)
    act = TimeOut(time_out or TimeOut.AUTO)
    return Turn(
        code=code,
        name=name,
        version=version,
        round_number=round_number,
        started_at=began,
        changed_at=changed,
        deadline_at=deadline_at,
        paused_until=timing.pause_end(pauses),
        is_muted=is_muted,
        time_out=act,
    )


def absences_of(user_id: int) -> tuple[Away, ...]:
    """Return the absences that a person has announced, in their order."""
    hours = Hours.objects.filter(pk=user_id).first()
    return aways(hours.absences) if hours is not None else ()

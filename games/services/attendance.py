"""Who is there: missed turns, absent seats, and a table that nobody comes back to.

Everything here changes locked rows in memory; the caller writes them.
"""

from collections.abc import Sequence
from datetime import datetime

from games import clock, rules, timing
from games.clock import TimeOut
from games.models import Game, Seat
from games.services.log import Entry

MISSES_TO_ABSENCE = clock.MISSES_TO_ABSENT
"""Missed turns in a row after which a seat plays at once, until its player comes back."""


def note(actor: Seat, action: rules.SeatAction, entry: Entry) -> None:
    """Count a missed turn, or end an absence: a player comes back by playing."""
    if isinstance(action, rules.Resign):
        actor.has_resigned = True
    if not entry.is_auto:
        return_to(actor)
        return
    actor.missed_in_a_row = min(actor.missed_in_a_row + 1, 1000)
    if actor.missed_in_a_row >= MISSES_TO_ABSENCE and not actor.is_absent:
        actor.is_absent, actor.absent_since = True, entry.now


def penalty(game: Game, seat: Seat, *, now: datetime) -> rules.Resign | rules.Forfeit | None:
    """Return what the clock that has run out costs its seat, where this table chose a price.

    Whoever is away as announced pays none. Nor does an absent seat, for which no clock runs: its
    turns are played at once, and a die for each would leave it none within a minute.
    """
    if game.running_since is None or timing.is_over_cap(game, seat, now=now):
        return None
    match timing.clock_of(game).time_out:
        case TimeOut.OUT:
            return rules.Resign(seat.number)
        case TimeOut.LOSE_A_DIE:
            return rules.Forfeit(seat.number)
        case TimeOut.AUTO:
            return None


def return_to(seat: Seat) -> None:
    """Let the player of ``seat`` be there again."""
    seat.missed_in_a_row, seat.is_absent, seat.absent_since = 0, False, None


def abandoned_at(seats: Sequence[Seat]) -> datetime | None:
    """Return when a game ends because all its people are absent, None while anybody is there.

    Until then it stands still: no seat plays at once against nobody. Whoever is to take over a seat
    is there, and so are the others for him.
    """
    people = [seat for seat in seats if seat.dice and (seat.user_id or seat.heir_id)]
    return clock.abandoned_at(
        attendance_of(seat) if seat.user_id else clock.PRESENT for seat in people
    )


def retires_at(seat: Seat) -> datetime | None:
    """Return when ``seat`` is to be retired unless its player comes back, None if it is not."""
    is_in = seat.user_id is not None and seat.dice > 0
    return attendance_of(seat).retires_at if is_in else None


def attendance_of(seat: Seat) -> clock.Attendance:
    """Return how the player of ``seat`` attends."""
    since = seat.absent_since if seat.is_absent else None
    return clock.Attendance(seat.missed_in_a_row, since, seat.retired_at)

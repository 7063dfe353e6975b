"""Who is there: missed turns, absent seats, and a table that nobody comes back to.

Everything here changes locked rows in memory; the caller writes them.
"""

from collections.abc import Sequence
from datetime import datetime

from games import clock, rules
from games.models import Seat
from games.services.log import Entry

MISSES_TO_ABSENCE = clock.MISSES_TO_ABSENT
"""Missed turns in a row after which a seat plays at once, until its player comes back."""


def note(actor: Seat, action: rules.Move, entry: Entry) -> None:
    """Count a missed turn, or end an absence: a player comes back by playing."""
    if isinstance(action, rules.Resign):
        actor.has_resigned = True
    if not entry.is_auto:
        return_to(actor)
        return
    actor.missed_in_a_row = min(actor.missed_in_a_row + 1, 1000)
    if actor.missed_in_a_row >= MISSES_TO_ABSENCE and not actor.is_absent:
        actor.is_absent, actor.absent_since = True, entry.now


def return_to(seat: Seat) -> None:
    """Let the player of ``seat`` be there again."""
    seat.missed_in_a_row, seat.is_absent, seat.absent_since = 0, False, None


def abandoned_at(seats: Sequence[Seat]) -> datetime | None:
    """Return when a game ends because all its people are absent, None while anybody is there.

    Until then it stands still: no seat plays at once against nobody.
    """
    return clock.abandoned_at(
        clock.Attendance(seat.missed_in_a_row, seat.absent_since if seat.is_absent else None)
        for seat in seats
        if seat.user_id is not None and seat.dice
    )

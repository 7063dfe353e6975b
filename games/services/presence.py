"""Who has looked at what: so that nobody is told what he has just seen."""

from datetime import datetime

from games.models import Seat


def look(*, seat_id: int, version: int, now: datetime) -> None:
    """Note that the player on a seat has looked at his turn, the one of this version.

    A fact about the reader, not about the game: no rule, page or clock depends on it.
    """
    Seat.objects.filter(pk=seat_id).update(seen_version=version, seen_at=now)

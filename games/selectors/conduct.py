"""How players keep their turns: the values of their rows, and of all of them together."""

from datetime import timedelta

from games import clock
from games.models import Conduct

FIELD_SIZE = 100
"""So many players, those who played last, tell how fast players are."""

LEAST_FIELD = 5
"""From how many players on that says anything."""


def reliability_of(row: Conduct | None) -> clock.Reliability:
    """Return a player's reliability; who has no row has played no turn yet."""
    if row is None:
        return clock.Reliability()
    return clock.Reliability(row.kept, row.missed, row.games, row.played_on)


def answers_of(row: Conduct | None) -> clock.Answers | None:
    """Return the quartiles of the waking time that a player's turns took, None if he had none."""
    return None if row is None else quartiles(row.known, row.low, row.median, row.high)


def exported_conduct(user_id: int) -> dict[str, object]:
    """Return how one player's turns were counted, for that player."""
    row = Conduct.objects.filter(pk=user_id).first()
    known = reliability_of(row)
    return {
        "turns_in_time": known.kept,
        "turns_missed": known.missed,
        "finished_games_against_people": known.games,
        "last_day_played": known.played_on.isoformat() if known.played_on else None,
        "newest_answers_in_seconds": row.answers if row else [],
    }


def quartiles(known: int, low: int, median: int, high: int) -> clock.Answers | None:
    """Return answers as a value, from their number and their quartiles in seconds."""
    if not known:
        return None
    first, second, third = (timedelta(seconds=each) for each in (low, median, high))
    return clock.Answers(first, second, third, known)


def field_answers() -> clock.Answers | None:
    """Return how fast those answer who played last, on an average; None if they are too few."""
    known = Conduct.objects.filter(counted_at__isnull=False, known__gte=clock.LEAST_ANSWERS)
    newest = known.order_by("-counted_at").values("low", "median", "high")[:FIELD_SIZE]
    found = list(newest)
    if len(found) < LEAST_FIELD:
        return None
    low, median, high = (
        timedelta(seconds=round(sum(row[name] for row in found) / len(found)))
        for name in ("low", "median", "high")
    )
    return clock.Answers(low, median, high, count=len(found) * clock.LEAST_ANSWERS)

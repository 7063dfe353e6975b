"""What happened in a game after a position that somebody saw. All of it is public."""

from dataclasses import dataclass

from games.models import Event, Game
from games.rules import Bid, RoundOutcome


@dataclass(frozen=True, slots=True)
class Happening:
    """One accepted action: a bid, or what closed a round."""

    seat: int
    bid: Bid | None
    outcome: RoundOutcome | None
    is_auto: bool


def happened_since(game: Game, version: int, *, most: int = 20) -> tuple[Happening, ...]:
    """Return the newest actions after ``version``, at most ``most``, the oldest of them first."""
    rows = Event.objects.filter(game=game, seq__gt=version, seat__isnull=False).order_by("-seq")
    return tuple(_happening(row) for row in reversed(rows[:most]))


def happened_next(game: Game, version: int) -> Happening | None:
    """Return what was done in the turn of that version, None while it lasts."""
    rows = Event.objects.filter(game=game, seq__gt=version, seat__isnull=False).order_by("seq")
    first = rows.first()
    return None if first is None else _happening(first)


def _happening(row: Event) -> Happening:
    if row.seat is None:
        raise ValueError(f"event {row.pk} has no seat")
    is_bid = row.kind == "bid"
    return Happening(
        seat=row.seat,
        bid=Bid.parse(row.payload["bid"]) if is_bid else None,
        outcome=None if is_bid else RoundOutcome.from_dict(row.payload),
        is_auto=row.is_auto,
    )

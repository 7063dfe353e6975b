"""When a player's next turn is likely to come, when a game is likely to end, how long one takes.

All of it comes from what everybody may know: who is to move since when, the dice that the table
shows, how long each player's turns took in rounds that are over, and when they sleep. A standing
order is nobody's but its owner's, so none is read here, not even to say less: two games that differ
in a rival's order have the same forecast until it acts. What orders have played is in the answers
already, a turn in no time; no more of them is known than that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta
from functools import lru_cache

from games import clock, timing
from games.models import Game, Seat
from games.rules import TableView
from games.selectors.conduct import answers_of, quartiles

FRESH_FOR = timedelta(minutes=10)
"""A forecast is worked out anew after this, and stands until then."""

_SOME_NOON = datetime(2026, 6, 15, 10, tzinfo=UTC)
_NIGHT = clock.Quiet(night=time(22, 30))


@dataclass(frozen=True, slots=True)
class Prospect:
    """What is likely, as two intervals; None where too little is known to say anything."""

    next_turn: clock.Forecast | None
    end: clock.Forecast | None


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a table's forecast for one viewer is made of. It asks nobody what time it is.

    ``paces`` are the seats still in the game, the one to move first; ``dice`` theirs, empty where
    the table hides them. ``between`` counts those that move before the viewer, 0 if he is to move
    or out.
    """

    paces: tuple[clock.SeatPace, ...]
    dice: tuple[int, ...]
    between: int
    started_at: datetime | None = field(default=None)

    def at(self, now: datetime) -> Prospect:
        """Return the forecast at ``now``; it is the same for some minutes."""
        return _prospect(self, fresh(now))


def outlook(
    game: Game, seats: Sequence[Seat], view: TableView | None, number: int | None
) -> Outlook | None:
    """Return what the forecast for the player on seat ``number`` is made of; None for none.

    :param seats: in their order, with hours and conduct.
    :param view: what the viewer may know of the table: where it hides dice, so does the forecast.
    """
    if view is None or view.to_act is None or not _is_there(seats):
        return None
    around = [*seats[view.to_act :], *seats[: view.to_act]]
    playing = [seat for seat in around if not view.seats[seat.number].out]
    numbers = [seat.number for seat in playing]
    dice = [view.seats[seat].dice for seat in numbers]
    return Outlook(
        paces=tuple(_pace(game, seat) for seat in playing),
        dice=() if None in dice else tuple(count for count in dice if count is not None),
        between=numbers.index(number) if number in numbers else 0,
        started_at=game.turn_started_at,
    )


def length_of_game(
    settings: clock.ClockSettings, *, seats: int, start_dice: int, answers: clock.Answers | None
) -> tuple[timedelta, timedelta] | None:
    """Return how long a game is likely to take at a table of people who answer as most do.

    :param answers: the field's (:func:`games.selectors.conduct.field_answers`).
    """
    if answers is None or seats < 2:
        return None
    return _length(settings.base + settings.bank, seats, start_dice, answers)


@lru_cache(maxsize=256)
def _length(
    most: timedelta, seats: int, start_dice: int, answers: clock.Answers
) -> tuple[timedelta, timedelta]:
    pace = clock.SeatPace(answers, quiet=_NIGHT, most=most)
    found = clock.game_end([pace] * seats, [start_dice] * seats, now=_SOME_NOON)
    if found is None:
        raise ValueError("the field is always known")
    return found.earliest - _SOME_NOON, found.latest - _SOME_NOON


@lru_cache(maxsize=1024)
def _prospect(table: Outlook, now: datetime) -> Prospect:
    """Work a forecast out, once for all looks at a position within a few minutes."""
    since = table.started_at
    waited = timedelta() if since is None else table.paces[0].quiet.between(since, now)
    before_me = table.paces[: table.between]
    coming = clock.next_turn(before_me, now=now, waited=waited) if before_me else None
    end = None
    if len(table.dice) > 1:
        end = clock.game_end(table.paces, table.dice, now=now, waited=waited)
    return Prospect(coming, end)


def _pace(game: Game, seat: Seat) -> clock.SeatPace:
    if seat.user_id is None or seat.is_absent:
        return _AT_ONCE
    # Whatever the table's clock does, people sleep, and their answers are told without nights.
    hours, most = seat.hours, timing.clock_of(game).base + seat.bank
    if hours is None or hours.absences or hours.emergency_at or game.pauses:
        return clock.SeatPace(answers_of(seat.conduct), timing.own_hours(game, seat), most=most)
    row = seat.conduct
    known = (row.known, row.low, row.median, row.high) if row else (0, 0, 0, 0)
    return _usual_pace(known, hours.zone, hours.night, tuple(hours.weekend), most)


@lru_cache(maxsize=4096)
def _usual_pace(
    known: tuple[int, int, int, int],
    zone: str,
    night: time | None,
    weekend: tuple[int, ...],
    most: timedelta,
) -> clock.SeatPace:
    """Return the pace of a player who is not away: made once, for a table is looked at often."""
    count, low, median, high = known
    quiet = clock.Quiet(timing.zone_of(zone), night=night, weekend=frozenset(weekend))
    return clock.SeatPace(quartiles(count, low, median, high), quiet, most=most)


_AT_ONCE = clock.SeatPace(None, at_once=1.0)


def _is_there(seats: Sequence[Seat]) -> bool:
    """Return whether anybody still in plays himself: else the table stands still."""
    return any(seat.user_id is not None and seat.dice and not seat.is_absent for seat in seats)


def fresh(now: datetime) -> datetime:
    """Return the moment that a forecast made at ``now`` is for."""
    return now - timedelta(seconds=now.timestamp() % FRESH_FOR.total_seconds())

"""Rows -> values of :mod:`games.clock`: a table's clock, a seat's clock, a player's quiet hours."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import cast
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from games import clock
from games.models import Game, GameStatus, Seat

_READ = "_clock_read"


def clock_of(game: Game) -> clock.ClockSettings:
    """Return the time rules that ``game`` began with."""
    if game.clock is None:
        return clock.plain(game.turn_seconds)
    # A move asks half a dozen times; what was read is kept beside what it was read from.
    source, settings = game.__dict__.get(_READ, (None, None))
    if source is not game.clock:
        settings = _read(json.dumps(game.clock))
        game.__dict__[_READ] = game.clock, settings
    return cast(clock.ClockSettings, settings)


@lru_cache(maxsize=512)
def _read(text: str) -> clock.ClockSettings:
    return clock.ClockSettings.from_dict(json.loads(text))


def seat_clock(game: Game, seat: Seat) -> clock.SeatClock:
    """Return the clock of the seat on turn."""
    return clock.SeatClock(
        game.turn_base, seat.bank, on_turn=True, running_since=game.running_since
    )


def quiet_of(game: Game, seat: Seat) -> clock.Quiet:
    """Return when the clock of ``seat`` stands still at this table, in the open round."""
    settings = clock_of(game)
    if settings.is_plain or seat.hours is None:
        return clock.Quiet(pauses=_pauses(game, seat))
    return own_hours(game, seat).at_table(settings)


def own_hours(game: Game, seat: Seat) -> clock.Quiet:
    """Return the hours of the player on ``seat``, whatever of them this table allows."""
    if seat.hours is None:
        return clock.Quiet(pauses=_pauses(game, seat))
    standing, _ = clock.split_at_cap(absences_of(game, seat))
    return clock.Quiet(
        zone=zone_of(seat.hours.zone),
        night=seat.hours.night,
        weekend=frozenset(seat.hours.weekend),
        absences=standing,
        pauses=_pauses(game, seat),
    )


def _pauses(game: Game, seat: Seat) -> tuple[clock.Span, ...]:
    return (*(_span(pause) for pause in game.pauses), *_emergency(seat))


def pause_end(pauses: Sequence[list[str]]) -> datetime | None:
    """Return when a table's clocks go on, or went on, after its last pause; None without one.

    A pause that is voted during another one follows on it, so that this is the end of both.
    """
    return _span(pauses[-1]).end if pauses else None


def stands_still(game: Game, seats: Sequence[Seat]) -> bool:
    """Return whether a game waits for anybody to come back: all its people are absent.

    Its deadline is then when it is called off. Whoever is to take over a seat is there.
    """
    people = [seat for seat in seats if seat.dice and (seat.user_id or seat.heir_id)]
    is_under_way = game.status == GameStatus.ACTIVE and game.turn_deadline_at is not None
    return is_under_way and bool(people) and all(seat.user_id and seat.is_absent for seat in people)


def _emergency(seat: Seat) -> tuple[clock.Span, ...]:
    """Return the emergency pause of a seat's player, which counts at once and at every table."""
    since = seat.hours.emergency_at if seat.hours else None
    return (clock.Span(since, since + clock.EMERGENCY_TIME),) if since else ()


def is_over_cap(game: Game, seat: Seat, *, now: datetime) -> bool:
    """Return whether an announced absence has used up what this game waits for one player."""
    return any(span.start <= now < span.end for span in _over_cap(game, seat))


def _over_cap(game: Game, seat: Seat) -> tuple[clock.Span, ...]:
    if seat.hours is None or not clock_of(game).absences:
        return ()
    return clock.split_at_cap(absences_of(game, seat))[1]


def is_away(game: Game, seat: Seat, *, now: datetime) -> bool:
    """Return whether the player on ``seat`` is away as announced, or has an emergency."""
    spans = (*absences_of(game, seat), *_emergency(seat))
    return any(span.start <= now < span.end for span in spans)


def waking_hours(seat: Seat) -> clock.Quiet:
    """Return when the player on ``seat`` is awake, whatever his table makes of it."""
    if seat.hours is None:
        return clock.Quiet()
    return clock.Quiet(zone=zone_of(seat.hours.zone), night=seat.hours.night)


def absences_of(game: Game, seat: Seat) -> tuple[clock.Span, ...]:
    """Return the absences that count for a seat in the open round: begun before it was rolled."""
    if seat.hours is None or game.current_round is None or game.started_at is None:
        return ()
    spans = (_span([each["start"], each["end"]]) for each in seat.hours.absences)
    here = (
        clock.Span(max(span.start, game.started_at), span.end)
        for span in spans
        if span.end > game.started_at
    )
    return clock.in_round(here, rolled_at=game.current_round.opened_at)


def zone_of(name: str) -> ZoneInfo:
    """Return a time zone by its name; one that the system does not know any more is UTC."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def deadline_for(game: Game, seat: Seat) -> datetime | None:
    """Return the deadline of the turn: the one that is shown, and the one that is enforced.

    An absence that outlasts what the game waits for ends the turn, whatever is left of its time.
    A table that shows parts of the day ends it with one of its player's, so that the deadline does
    not say to the minute when he was given the turn.
    """
    own = seat_clock(game, seat)
    ends = clock.deadline(own, quiet_of(game, seat))
    if own.running_since is None or ends is None:
        return ends
    over = (span.start for span in _over_cap(game, seat) if span.start > own.running_since)
    ends = min([ends, *over])
    if not game.day_parts:
        return ends
    return clock.part_end(ends, zone_of(seat.hours.zone if seat.hours else "UTC"))


def remaining_of_turn(game: Game, seat: Seat, *, now: datetime) -> timedelta:
    """Return what is left of the time for the turn that runs, without the bank."""
    return clock.settle(seat_clock(game, seat), quiet_of(game, seat), now=now).base


def remaining_in_bank(game: Game, seat: Seat, *, now: datetime) -> timedelta:
    """Return what is left in the bank of ``seat``, whose clock runs."""
    return clock.settle(seat_clock(game, seat), quiet_of(game, seat), now=now).bank


def length_of_turn(game: Game) -> timedelta:
    """Return the whole time for the turn that runs, with what was given to it."""
    return clock_of(game).base + game.turn_extra


def start(game: Game, seat: Seat, *, now: datetime) -> None:
    """Start the clock of a turn on the locked rows."""
    own = clock.SeatClock(timedelta(), seat.bank)
    game.turn_extra = timedelta()
    _keep(game, seat, clock.start_turn(own, clock_of(game), now=now))


def start_nothing(game: Game) -> None:
    """Let no clock run: somebody plays at once, or nobody does."""
    game.turn_base, game.running_since, game.turn_extra = timedelta(), None, timedelta()


def settle(game: Game, seat: Seat, *, now: datetime) -> None:
    """Take off what has run until ``now``: to be done before the hours of a player change."""
    _keep(game, seat, clock.settle(seat_clock(game, seat), quiet_of(game, seat), now=now))


def extend(game: Game, seat: Seat, *, by: timedelta, now: datetime) -> None:
    """Give the seat on turn more time for this turn.

    :raises ClockRefusal: ``clock.run-out``.
    """
    own = clock.extend(seat_clock(game, seat), quiet_of(game, seat), by=by, now=now)
    _keep(game, seat, own)
    game.turn_extra += by


def stop(game: Game, seat: Seat, *, arrived_at: datetime) -> None:
    """Stop the clock of a turn with a move of its player: what ran is taken off, a bonus comes."""
    if game.running_since is None:
        return
    own, quiet = seat_clock(game, seat), quiet_of(game, seat)
    # The deadline that was shown is the one that decides, and it was kept: should a time zone have
    # got new rules since, the clock comes to another one.
    in_time = min(arrived_at, clock.deadline(own, quiet) or arrived_at)
    _keep(game, seat, clock.stop_turn(own, clock_of(game), quiet, arrived_at=in_time))


def drop(game: Game, seat: Seat, *, now: datetime) -> None:
    """Stop the clock of a turn that ended without a move of its player, in time or not."""
    if game.running_since is None:
        return
    _keep(game, seat, clock.drop_turn(seat_clock(game, seat), quiet_of(game, seat), now=now))


def _keep(game: Game, seat: Seat, own: clock.SeatClock) -> None:
    game.turn_base, game.running_since = own.base, own.running_since
    seat.bank = own.bank


def _span(pair: list[str]) -> clock.Span:
    start, end = pair
    return clock.Span(datetime.fromisoformat(start), datetime.fromisoformat(end))


def vote_of(game: Game, seats: Sequence[Seat], *, now: datetime) -> clock.Vote | None:
    """Return the vote that is open at this table."""
    vote = undecided(game, seats)
    return vote if vote is not None and vote.result(now) is clock.Result.OPEN else None


def undecided(game: Game, seats: Sequence[Seat]) -> clock.Vote | None:
    """Return the vote that nobody's voice has decided; whoever has left counts no more in it.

    A vote on more time is about one turn, and over with it; one on bots, with the last free seat.
    """
    if game.vote is None or game.status != GameStatus.ACTIVE:
        return None
    question = clock.Question(game.vote["question"])
    if question is clock.Question.EXTEND and game.vote["version"] != game.version:
        return None
    if question is clock.Question.BOT and not any(seat.is_free for seat in seats):
        return None
    here = voters(seats)
    return clock.Vote(
        question,
        here & set(game.vote["seats"]),
        datetime.fromisoformat(game.vote["opened_at"]),
        here & set(game.vote["ayes"]),
        here & set(game.vote["noes"]),
    )


def voters(seats: Sequence[Seat]) -> frozenset[int]:
    """Return the seats of people who are still in the game."""
    return frozenset(seat.number for seat in seats if seat.user_id is not None and seat.dice)

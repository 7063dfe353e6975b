"""What reads return: frozen values made of names, numbers, public events and views."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from django.utils.timezone import get_current_timezone
from django.utils.translation import gettext as _

from games import timing
from games.clock import Attendance, ClockSettings, Reliability, part_start
from games.models import Bid, Game, GameStatus, Round, Seat, Tenure
from games.rules import Bid as BidValue
from games.rules import Mode, RoundOutcome, Ruleset
from games.selectors.conduct import reliability_of
from games.selectors.hours import Away, aways_of


@dataclass(frozen=True, slots=True)
class Earlier:
    """Who held a seat before, and which rounds of it were his.

    ``until`` is the last round before somebody took it over, None while nobody has: between
    ``to_round`` and that it played by itself. ``place`` is the one that he took in the game.
    """

    name: str
    is_me: bool
    from_round: int
    to_round: int
    until: int | None
    place: int
    retired_at: datetime


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits on a seat, and what everybody may know of it besides its dice.

    ``number`` is the place in the order of play; ``seat_id`` stays with whoever took the seat.
    A bot, and somebody who is gone, have no ``reliability``. A retired seat goes by the name of who
    held it last; ``heir`` is the name of who holds it from the next roll on. A seat that has left
    (``has_resigned``) was put out by the clock if it ``timed_out``.
    """

    seat_id: int
    number: int
    name: str
    is_me: bool
    is_host: bool
    bot: bool
    is_ready: bool
    is_absent: bool
    has_resigned: bool
    timed_out: bool
    place: int | None
    absences: tuple[Away, ...] = ()
    reliability: Reliability | None = None
    is_retired: bool = False
    is_free: bool = False
    retires_at: datetime | None = None
    heir: str = ""
    is_promised_to_me: bool = False
    earlier: tuple[Earlier, ...] = ()
    mail_fails: bool = False

    def in_round(self, number: int) -> "SeatInfo":
        """Return the seat with whoever held it in that round: its cup and its bids were his."""
        for who in self.earlier:
            if who.until is None or number <= who.until:
                is_me = who.is_me and who.from_round <= number <= who.to_round
                return replace(self, name=who.name, is_me=is_me, bot=False)
        return self

    @property
    def present(self) -> bool:
        """Return whether this seat's own player moves for it."""
        return not self.is_absent

    def away_until(self, now: datetime) -> date | None:
        """Return the last day of the absence that its player announced, if he is away now."""
        return next((away.last for away in self.absences if away.covers(now)), None)


@dataclass(frozen=True, slots=True)
class GameInfo:
    """What a game is, as everybody who may know of it sees it."""

    code: str
    name: str
    status: GameStatus
    is_private: bool
    ruleset: Ruleset
    turn_seconds: int
    clock: ClockSettings
    gate: int
    new_welcome: bool
    day_parts: bool
    shows_odds: bool
    is_rated: bool
    seats_wanted: int
    version: int
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    ended_by: str
    commitment: str


@dataclass(frozen=True, slots=True)
class BidLine:
    """One bid of a round and who made it."""

    number: int
    seat: int
    name: str
    is_me: bool
    bid: BidValue
    is_auto: bool
    made_at: datetime


@dataclass(frozen=True, slots=True)
class ClosedRound:
    """How a round ended: all of it public. ``covered`` are the seats whose cups stayed down."""

    number: int
    mode: Mode
    outcome: RoundOutcome
    is_auto: bool
    covered: tuple[int, ...]
    closed_at: datetime | None


def game_info(game: Game, ruleset: Ruleset) -> GameInfo:
    """Return what everybody who may know of ``game`` sees of it."""
    return GameInfo(
        code=game.code,
        name=game.name,
        status=GameStatus(game.status),
        is_private=game.is_private,
        ruleset=ruleset,
        turn_seconds=game.turn_seconds,
        clock=timing.clock_of(game),
        gate=game.gate,
        new_welcome=game.new_welcome,
        day_parts=game.day_parts,
        shows_odds=game.shows_odds,
        is_rated=game.is_rated,
        seats_wanted=game.seats_wanted,
        version=game.version,
        created_at=game.created_at,
        started_at=game.started_at,
        finished_at=game.finished_at,
        ended_by=game.ended_by,
        commitment=game.commitment,
    )


def seat_name(seat: Seat) -> str:
    """Return what others call this seat: the account's name today, or the one it left behind."""
    if seat.user is not None:
        return seat.user.display_name
    if seat.retired_at is not None and seat.earlier:
        return _name_of(seat.earlier[-1])
    return seat.name if seat.bot else _("Former player")


def _name_of(tenure: Tenure) -> str:
    return tenure.user.display_name if tenure.user is not None else _("Former player")


def _heir_name(seat: Seat) -> str:
    if seat.heir is not None:
        return seat.heir.display_name
    return seat.name if seat.heir_bot else ""


def _earlier(seat: Seat, viewer_id: int | None) -> tuple[Earlier, ...]:
    held_now = () if seat.retired_at is not None else (seat.held_from,)
    nexts = (*(tenure.from_round for tenure in seat.earlier[1:]), *held_now)
    return tuple(
        Earlier(
            name=_name_of(tenure),
            is_me=viewer_id is not None and tenure.user_id == viewer_id,
            from_round=tenure.from_round,
            to_round=tenure.to_round,
            until=nexts[place] - 1 if place < len(nexts) else None,
            place=tenure.place,
            retired_at=tenure.retired_at,
        )
        for place, tenure in enumerate(seat.earlier)
    )


def _retires_at(seat: Seat) -> datetime | None:
    """Return when an absent player's seat is to be retired."""
    is_in = seat.is_absent and seat.user_id is not None and seat.dice > 0
    return Attendance(absent_since=seat.absent_since).retires_at if is_in else None


def seat_infos(
    seats: Sequence[Seat], *, viewer_id: int | None, host_id: int | None
) -> tuple[SeatInfo, ...]:
    """Return who sits where; ``seats`` come with their accounts, in the order of their numbers."""
    return tuple(
        SeatInfo(
            seat_id=seat.pk,
            number=seat.number,
            name=seat_name(seat),
            is_me=viewer_id is not None and seat.user_id == viewer_id,
            is_host=host_id is not None and seat.user_id == host_id,
            bot=bool(seat.bot),
            is_ready=seat.is_ready,
            is_absent=seat.is_absent,
            has_resigned=seat.has_resigned,
            # Whoever leaves by himself was there; the clock puts out with a missed turn.
            timed_out=seat.has_resigned and seat.missed_in_a_row > 0,
            place=seat.place,
            absences=aways_of(seat.hours) if seat.hours else (),
            reliability=reliability_of(seat.conduct) if seat.user_id is not None else None,
            is_retired=seat.retired_at is not None,
            is_free=seat.is_free,
            retires_at=_retires_at(seat),
            heir=_heir_name(seat),
            is_promised_to_me=viewer_id is not None and seat.heir_id == viewer_id,
            earlier=_earlier(seat, viewer_id),
            mail_fails=seat.mail_fails,
        )
        for seat in seats
    )


def retired_seats(seats: Iterable[SeatInfo]) -> frozenset[int]:
    """Return the numbers of the seats that nobody holds any more."""
    return frozenset(seat.number for seat in seats if seat.is_retired)


def bid_lines(
    bids: Sequence[Bid], seats: Sequence[SeatInfo], *, by_parts: bool
) -> tuple[BidLine, ...]:
    """Return a round's bids with the names of those who made them.

    :param by_parts: whether the table shows parts of the day: no more of its times leaves here.
    """
    return tuple(
        BidLine(
            number=bid.number,
            seat=bid.seat,
            name=seats[bid.seat].name,
            is_me=seats[bid.seat].is_me,
            bid=BidValue(bid.quantity, bid.face),
            is_auto=bid.is_auto,
            made_at=shown_time(bid.made_at, by_parts=by_parts),
        )
        for bid in bids
    )


def closed_round(row: Round, *, by_parts: bool) -> ClosedRound | None:
    """Return how ``row`` ended, or None while it lasts. Reads the event, never the roll.

    :param by_parts: as in :func:`bid_lines`.
    """
    if row.result is None:
        return None
    outcome = RoundOutcome.from_dict(row.result)
    lifted = {cup.seat for cup in outcome.lifted}
    # A round that somebody's leaving ended before the roll has no cups that stayed down.
    counts = row.counts if row.is_rolled else ()
    return ClosedRound(
        number=row.number,
        mode=Mode(row.mode),
        outcome=outcome,
        is_auto=row.closed_by_clock,
        covered=tuple(seat for seat, dice in enumerate(counts) if dice and seat not in lifted),
        closed_at=shown_time(row.closed_at, by_parts=by_parts) if row.closed_at else None,
    )


def shown_time(at: datetime, *, by_parts: bool) -> datetime:
    """Return the time of a move as its table shows it: a part of the reader's day, or as it was."""
    return part_start(at, get_current_timezone()) if by_parts else at

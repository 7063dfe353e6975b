"""What reads return: frozen values made of names, numbers, public events and views."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import gettext as _

from games import timing
from games.clock import ClockSettings
from games.models import Bid, Game, GameStatus, Round, Seat
from games.rules import Bid as BidValue
from games.rules import Mode, RoundOutcome, Ruleset
from games.selectors.hours import Away, aways


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits on a seat, and what everybody may know of it besides its dice.

    ``number`` is the place in the order of play; ``seat_id`` stays with whoever took the seat.
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
    place: int | None
    absences: tuple[Away, ...] = ()

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
    return seat.name if seat.bot else _("Former player")


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
            place=seat.place,
            absences=aways(seat.hours.absences) if seat.hours else (),
        )
        for seat in seats
    )


def bid_lines(bids: Sequence[Bid], seats: Sequence[SeatInfo]) -> tuple[BidLine, ...]:
    """Return a round's bids with the names of those who made them."""
    return tuple(
        BidLine(
            number=bid.number,
            seat=bid.seat,
            name=seats[bid.seat].name,
            is_me=seats[bid.seat].is_me,
            bid=BidValue(bid.quantity, bid.face),
            is_auto=bid.is_auto,
            made_at=bid.made_at,
        )
        for bid in bids
    )


def closed_round(row: Round) -> ClosedRound | None:
    """Return how ``row`` ended, or None while it lasts. Reads the event, never the roll."""
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
        closed_at=row.closed_at,
    )

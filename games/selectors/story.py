"""What a player missed: the public log since his own last move, and his view of the table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from games import store
from games.models import (
    Channel,
    Event,
    Game,
    GameStatus,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    Round,
    Seat,
)
from games.rules import Bid, TableView, view_for
from games.selectors.forecast import Outlook, outlook
from games.selectors.log import CLOSINGS, TOLD, without_void_bids
from games.selectors.table import seats_of
from games.selectors.values import ClosedRound, SeatInfo, closed_round, seat_infos

_NEWS = (OutboxKind.TURN, OutboxKind.ROUND_OVER)


@dataclass(frozen=True, slots=True)
class ToldBid:
    """One bid of the log."""

    seat: int
    bid: Bid
    is_auto: bool


@dataclass(frozen=True, slots=True)
class ToldRound:
    """A round that was closed, with those of its bids that the player has not heard of."""

    bids: tuple[ToldBid, ...]
    closed: ClosedRound


@dataclass(frozen=True, slots=True)
class Story:
    """What happened in a game since one of its players last moved.

    ``rounds`` are the rounds closed since, the oldest first; ``earlier`` counts those left out.
    ``bids`` are all bids of the round that is being played. ``is_first`` says that the player
    has not moved yet in this game. ``view`` is None once the game is over; it knows the player's
    own dice only when they were asked for. ``outlook`` is what his forecast is made of.
    """

    seats: tuple[SeatInfo, ...]
    me: int
    is_first: bool
    rounds: tuple[ToldRound, ...]
    earlier: int
    bids: tuple[ToldBid, ...]
    view: TableView | None
    outlook: Outlook | None

    def names_in(self, number: int) -> tuple[str, ...]:
        """Return the names by seat number as they were in that round."""
        return tuple(seat.in_round(number).name for seat in self.seats)


def story_for(
    game: Game, number: int, *, since: int | None = None, most_rounds: int, with_dice: bool = False
) -> Story:
    """Return the story for the player on seat ``number``, in a constant number of queries.

    :param since: leave out what happened up to this version, if that is later than his last move.
    :param most_rounds: how many closed rounds to tell, at least 1; older ones are only counted.
    :param with_dice: fill in the player's own dice, which reads the seed.
    """
    if game.current_round is None:
        raise ValueError(f"game {game.pk} has not begun")
    rows = seats_of(game)
    heard, is_first = _heard_until(game, rows[number])
    heard = max(heard, since or 0)
    current = game.current_round.number
    events = list(
        Event.objects.filter(Q(seq__gt=heard) | Q(round_number=current), game=game)
        .filter(kind__in=TOLD)
        .order_by("seq")
    )
    events = without_void_bids(events)
    closings = [event for event in events if event.kind in CLOSINGS and event.seq > heard]
    numbers = [event.round_number for event in closings[-most_rounds:]]
    view = None
    if game.status == GameStatus.ACTIVE:
        can_see = with_dice and bool(rows[number].dice)
        view = view_for(store.load_state(game, rows, with_dice=can_see), number)
    return Story(
        seats=seat_infos(rows, viewer_id=rows[number].user_id, host_id=game.host_id),
        me=number,
        is_first=is_first,
        rounds=_told_rounds(game, numbers, [event for event in events if event.seq > heard]),
        earlier=len(closings) - len(numbers),
        bids=_told_bids(events, current) if view is not None else (),
        view=view,
        outlook=outlook(game, rows, view, number),
    )


def told_until(seat: Seat, *, before: int) -> int:
    """Return up to which version, below ``before``, mails have told this player the story, or 0."""
    sent = OutboxMessage.objects.filter(
        seat=seat,
        kind__in=_NEWS,
        channel=Channel.MAIL,
        status=OutboxStatus.SENT,
        version__lt=before,
        created_at__gte=seat.joined_at,
    )
    return sent.order_by("-version").values_list("version", flat=True).first() or 0


def _heard_until(game: Game, seat: Seat) -> tuple[int, bool]:
    """Return up to which version the player knows the log by having moved, and if he never did.

    The clock's moves for him are news to him. So is what came of his own dudo or calza.
    """
    own = Event.objects.filter(
        game=game, seat=seat.number, is_auto=False, round_number__gte=seat.held_from
    )
    last = own.order_by("-seq").values_list("seq", "kind").first()
    if last is None:
        return 0, True
    seq, kind = last
    return (seq if kind == "bid" else seq - 1), False


def _told_rounds(
    game: Game, numbers: Sequence[int], events: Sequence[Event]
) -> tuple[ToldRound, ...]:
    rows = Round.objects.filter(game=game, number__in=numbers).order_by("number")
    closed = (closed_round(row, by_parts=game.day_parts) for row in rows)
    return tuple(
        ToldRound(_told_bids(events, item.number), item) for item in closed if item is not None
    )


def _told_bids(events: Sequence[Event], round_number: int) -> tuple[ToldBid, ...]:
    return tuple(
        ToldBid(event.seat, Bid.parse(event.payload["bid"]), event.is_auto)
        for event in events
        if event.kind == "bid" and event.round_number == round_number and event.seat is not None
    )

"""A game looked back on: round by round, and as one record file."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import Q

from games import store
from games.models import Bid, Event, Game, GameStatus, Round
from games.rules import Bid as BidValue
from games.rules import (
    Calza,
    CoveredCups,
    Cup,
    Dudo,
    Forfeit,
    MakeBid,
    Mode,
    OutcomeKind,
    Resign,
    RoundOutcome,
    SeatAction,
)
from games.rules.record import (
    GameRecord,
    MoveEntry,
    ResultEntry,
    RollEntry,
    clean_label,
    without_covered_cups,
)
from games.selectors.log import TOLD, without_void_bids
from games.selectors.table import seats_of
from games.selectors.values import (
    BidLine,
    ClosedRound,
    GameInfo,
    SeatInfo,
    bid_lines,
    closed_round,
    game_info,
    seat_infos,
)
from games.selectors.visible import Viewer

_ENDINGS: dict[OutcomeKind, Callable[[int], SeatAction]] = {
    OutcomeKind.DUDO: Dudo,
    OutcomeKind.CALZA: Calza,
    OutcomeKind.RESIGN: Resign,
    OutcomeKind.FORFEIT: Forfeit,
}


@dataclass(frozen=True, slots=True)
class RoundPage:
    """One closed round: the bids, the cups that were lifted, and what may be shown besides.

    ``covered_cups`` are the cups that the rules never lifted, by seat: filled once the game is
    over and its ruleset lets them be shown. ``own_cup`` is the viewer's own.
    """

    game: GameInfo
    seats: tuple[SeatInfo, ...]
    number: int
    last_number: int
    mode: Mode
    bids: tuple[BidLine, ...]
    closed: ClosedRound
    covered_cups: tuple[tuple[int, Cup], ...]
    own_cup: Cup | None

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by seat number."""
        return tuple(seat.name for seat in self.seats)


@dataclass(frozen=True, slots=True)
class GameHistory:
    """All closed rounds of a game, the newest first; ``current`` is its newest round's number."""

    game: GameInfo
    seats: tuple[SeatInfo, ...]
    rounds: tuple[ClosedRound, ...]
    current: int

    def names_in(self, number: int) -> tuple[str, ...]:
        """Return the names by seat number as they were in that round."""
        return tuple(seat.in_round(number).name for seat in self.seats)


def history(game: Game, viewer: Viewer) -> GameHistory:
    """Return how every round of ``game`` ended so far."""
    seats = seat_infos(seats_of(game), viewer_id=viewer.user_id, host_id=game.host_id)
    rows = Round.objects.filter(game=game, result__isnull=False).order_by("-number")
    closed = (closed_round(row, by_parts=game.day_parts) for row in rows)
    return GameHistory(
        game=game_info(game, store.ruleset_of(game)),
        seats=seats,
        rounds=tuple(item for item in closed if item is not None),
        current=game.current_round.number if game.current_round else 0,
    )


def round_page(game: Game, number: int, viewer: Viewer) -> RoundPage:
    """Return one closed round.

    :raises Round.DoesNotExist: there is no such round, or it is still being played.
    """
    this_and_newest = Q(number=number) | Q(pk=game.current_round_id)
    rounds = {row.number: row for row in Round.objects.filter(this_and_newest, game=game)}
    row = rounds.get(number)
    closed = closed_round(row, by_parts=game.day_parts) if row else None
    if row is None or closed is None:
        raise Round.DoesNotExist
    today = seat_infos(seats_of(game), viewer_id=viewer.user_id, host_id=game.host_id)
    seats = tuple(seat.in_round(number) for seat in today)
    me = next((seat for seat in seats if seat.is_me), None)
    bids = list(Bid.objects.filter(round=row).order_by("number"))
    may_show = _may_show_covered(game)
    cups = store.load_cups(game, row) if may_show or me else ()
    return RoundPage(
        game=game_info(game, store.ruleset_of(game)),
        seats=seats,
        number=row.number,
        last_number=max(rounds) - (game.status == GameStatus.ACTIVE),
        mode=Mode(row.mode),
        bids=bid_lines(bids, seats, by_parts=game.day_parts),
        closed=closed,
        covered_cups=tuple((seat, cups[seat]) for seat in closed.covered if may_show),
        own_cup=cups[me.number] if me and me.number in closed.covered else None,
    )


def record_of(game: Game) -> GameRecord:
    """Return a finished game as a record that anybody may have.

    Every die is in it where the ruleset shows covered cups after the end; else only the lifted.

    :raises ValueError: the game has not ended.
    """
    if game.status != GameStatus.FINISHED:
        raise ValueError(f"game {game.pk} has not ended")
    ruleset = store.ruleset_of(game)
    seats = seats_of(game)
    infos = seat_infos(seats, viewer_id=None, host_id=None)
    entries: list[RollEntry | MoveEntry | ResultEntry] = []
    rounds = {row.number: row for row in Round.objects.filter(game=game)}
    cups = store.load_all_cups(game, rounds.values())
    opened = 0
    events = Event.objects.filter(game=game, kind__in=TOLD).order_by("seq")
    for event in without_void_bids(events):
        if event.round_number != opened:
            opened = event.round_number
            if rounds[opened].is_rolled:
                entries.append(RollEntry(cups[opened]))
        entries.extend(_entries(event))
    record = GameRecord(
        rules=ruleset,
        seats=tuple(clean_label(info.name) for info in infos),
        opener=rounds[1].opener,
        entries=tuple(entries),
        places=tuple(seat.place for seat in seats),
        meta=_meta(game),
    )
    return record if _may_show_covered(game) else without_covered_cups(record)


def _meta(game: Game) -> dict[str, str]:
    """Return what a record says of its game beside the rules: how its players were helped, too."""
    meta = {"game": game.code, "commitment": game.commitment}
    return {**meta, "odds": "shown"} if game.shows_odds else meta


def _entries(event: Event) -> list[MoveEntry | ResultEntry]:
    if event.seat is None:
        raise ValueError(f"event {event.pk} has no seat")
    if event.kind == "bid":
        bid = BidValue.parse(event.payload["bid"])
        return [MoveEntry(MakeBid(event.seat, bid), event.is_auto)]
    outcome = RoundOutcome.from_dict(event.payload)
    return [MoveEntry(_ENDINGS[outcome.kind](event.seat), event.is_auto), ResultEntry(outcome)]


def _may_show_covered(game: Game) -> bool:
    allowed = store.ruleset_of(game).covered_cups_after_game is CoveredCups.AFTER_END
    return game.status == GameStatus.FINISHED and allowed

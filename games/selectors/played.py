"""A finished game as statistics and reviews read it: everything that its record holds."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games import rules, stats, store
from games.models import Bid, Game, GameStatus, Round, Seat, Tenure


@dataclass(frozen=True, slots=True)
class _Holding:
    """Who held a seat in which rounds; ``until`` is None for who held it at the end."""

    user_id: int | None
    since: int
    until: int | None = None

    def covers(self, number: int) -> bool:
        return self.since <= number and (self.until is None or number <= self.until)


def played_game(game: Game) -> stats.PlayedGame:
    """Return a finished game with every cup in it, in five queries.

    It is for those who take away what a reader may not know, or know that there is no such thing.

    :raises ValueError: the game has not ended.
    :raises SeedUnavailable: its seed cannot be decrypted.
    """
    if game.status != GameStatus.FINISHED:
        raise ValueError(f"game {game.pk} has not ended")
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    tenures = list(Tenure.objects.filter(game=game))
    rows = list(Round.objects.filter(game=game, result__isnull=False).order_by("number"))
    cups = store.load_all_cups(game, (row for row in rows if row.is_rolled))
    bids: dict[int, list[stats.PlayedBid]] = defaultdict(list)
    for bid in Bid.objects.filter(round__game=game).order_by("round_id", "number"):
        placed = rules.Bid(bid.quantity, bid.face)
        bids[bid.round_id].append(stats.PlayedBid(bid.seat, placed, bid.is_auto))
    holdings = _holdings(seats, tenures)
    return stats.PlayedGame(
        rules=store.ruleset_of(game),
        seats=len(seats),
        rounds=tuple(
            _round(row, bids[row.pk], cups.get(row.number), holdings, len(seats)) for row in rows
        ),
        finishers=_finishers(seats, tenures),
        # A seat that was handed on was a person's, whoever sits there now.
        is_among_people=sum(not seat.bot for seat in seats) + len(tenures) > 1,
    )


def _round(
    row: Round,
    bids: Sequence[stats.PlayedBid],
    cups: tuple[rules.Cup, ...] | None,
    holdings: Mapping[int, Sequence[_Holding]],
    seats: int,
) -> stats.PlayedRound:
    return stats.PlayedRound(
        number=row.number,
        mode=rules.Mode(row.mode),
        palifico_by=row.palifico_by,
        counts=tuple(row.counts),
        bids=tuple(bids),
        outcome=rules.RoundOutcome.from_dict(row.result or {}),
        cups=cups,
        holders=tuple(
            next((who.user_id for who in holdings[seat] if who.covers(row.number)), None)
            for seat in range(seats)
        ),
        is_auto=row.closed_by_clock,
    )


def _holdings(seats: Sequence[Seat], tenures: Sequence[Tenure]) -> dict[int, list[_Holding]]:
    """Return who held each seat; nobody, while it waited for somebody to take it over."""
    numbers = {seat.pk: seat.number for seat in seats}
    found = {seat.number: [_Holding(seat.user_id, seat.held_from)] for seat in seats}
    for tenure in tenures:
        earlier = _Holding(tenure.user_id, tenure.from_round, tenure.to_round)
        found[numbers[tenure.seat_id]].insert(0, earlier)
    return found


def _finishers(seats: Sequence[Seat], tenures: Sequence[Tenure]) -> tuple[stats.Finisher, ...]:
    numbers = {seat.pk: seat.number for seat in seats}
    found = {
        tenure.user_id: stats.Finisher(
            tenure.user_id, numbers[tenure.seat_id], tenure.place, has_left=True
        )
        for tenure in tenures
        if tenure.user_id is not None
    }
    # Who left and came back to the table has the place of the seat that he held at the end.
    for seat in seats:
        if seat.user_id is not None and seat.place is not None:
            found[seat.user_id] = stats.Finisher(
                seat.user_id, seat.number, seat.place, has_left=seat.has_resigned
            )
    return tuple(sorted(found.values(), key=lambda who: (who.place, who.player)))

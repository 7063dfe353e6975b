"""What a player has missed at a table: what was done since his own last move, briefly.

Mails tell more of it (:mod:`games.selectors.story`); a page has what was read for it anyway.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Bid, Game, Round
from games.queries import Around
from games.selectors.values import BidLine, ClosedRound, SeatInfo, bid_lines, closed_round


@dataclass(frozen=True, slots=True)
class MissedRound:
    """A round that was closed since, with those of its bids that are news."""

    bids: tuple[BidLine, ...]
    closed: ClosedRound
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Missed:
    """What was done since a player's own last move: ``rounds``, the oldest first, then ``bids``.

    ``is_first`` says that he has not moved in the rounds looked at, ``is_cut`` that there were more
    rounds before them.
    """

    rounds: tuple[MissedRound, ...]
    bids: tuple[BidLine, ...]
    is_first: bool
    is_cut: bool


def missed_by(game: Game, around: Around, seats: Sequence[SeatInfo], me: SeatInfo) -> Missed:
    """Return what the player on seat ``me`` has not seen. The clock's moves for him are news too.

    So is what came of his own dudo or calza.
    """
    held_from = around.seats[me.number].held_from
    news, has_moved = _after_own(around.bids, me.number)
    rounds: list[MissedRound] = []
    looked_at = 0
    for row in around.closed:
        if has_moved or row.number < held_from:
            break
        looked_at += 1
        bids, has_moved = _after_own(around.earlier.get(row.pk, ()), me.number)
        if _closed_by(row, me.number):
            bids, has_moved = [], True
        told = closed_round(row, by_parts=game.day_parts)
        if told is not None:
            then = tuple(seat.in_round(row.number) for seat in seats)
            rounds.insert(
                0,
                MissedRound(
                    bids=bid_lines(bids, then, by_parts=game.day_parts),
                    closed=told,
                    names=tuple(seat.name for seat in then),
                ),
            )
    oldest = around.closed[looked_at - 1].number if looked_at else 0
    return Missed(
        rounds=tuple(rounds),
        bids=bid_lines(news, seats, by_parts=game.day_parts),
        is_first=not has_moved,
        is_cut=not has_moved and looked_at == len(around.closed) and oldest > max(1, held_from),
    )


def _after_own(bids: Sequence[Bid], seat: int) -> tuple[list[Bid], bool]:
    """Return the bids after the last that this seat made itself, and if there was such a one."""
    for place in range(len(bids), 0, -1):
        bid = bids[place - 1]
        if bid.seat == seat and not bid.is_auto:
            return list(bids[place:]), True
    return list(bids), False


def _closed_by(row: Round, seat: int) -> bool:
    """Return whether this seat ended the round itself."""
    caller = None if row.result is None else row.result["caller"]
    return caller == seat and not row.closed_by_clock

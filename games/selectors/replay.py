"""A finished game, moment by moment: what the table knew then, and what may be shown of it now.

A moment is a round and how far it had come: move 0 is the roll, then come its bids, and the last
move is the call that ended it. No query depends on how long the game was.
"""

from dataclasses import dataclass

from django.db.models import Count

from games import queries, store
from games.models import Game, GameStatus, Round
from games.rules import CoveredCups, Cup, Mode, TableView, view_for
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

Place = tuple[int, int]
"""Where in a game a moment is: the round's number, and the move in it."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a finished game.

    ``view`` is the table as ``eyes`` saw it then, None being everybody's; it knows that seat's
    dice. ``cups`` are the dice to show, by seat, None where there are none to show: of the seat
    ``eyes``, or of every seat that may be shown. ``choices`` are these seats. ``last_moves`` has
    the number of the last move of each round, the first round's first.
    """

    game: GameInfo
    seats: tuple[SeatInfo, ...]
    number: int
    move: int
    last_moves: tuple[int, ...]
    mode: Mode
    is_rolled: bool
    bids: tuple[BidLine, ...]
    closed: ClosedRound
    view: TableView
    eyes: int | None
    every_cup: bool
    choices: tuple[int, ...]
    cups: tuple[Cup | None, ...]

    @property
    def is_end(self) -> bool:
        """Return whether the round's last word has been said."""
        return self.move > len(self.bids)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names by seat number as they were in this round."""
        return tuple(seat.name for seat in self.seats)

    @property
    def last_number(self) -> int:
        """Return the number of the last round."""
        return len(self.last_moves)

    @property
    def before(self) -> Place | None:
        """Return the moment before, None at the first."""
        if self.move:
            return self.number, self.move - 1
        return (self.number - 1, self.last_moves[self.number - 2]) if self.number > 1 else None

    @property
    def after(self) -> Place | None:
        """Return the next moment, None at the last."""
        if not self.is_end:
            return self.number, self.move + 1
        return (self.number + 1, 0) if self.number < self.last_number else None


def replay_moment(
    game: Game,
    place: Place,
    viewer: Viewer,
    *,
    eyes: int | None = None,
    every_cup: bool = False,
) -> Moment:
    """Return a moment of a finished game.

    :param eyes: the seat that is looked through; None shows what everybody saw.
    :param every_cup: open all cups that may be shown, whoever is looked through.
    :raises Round.DoesNotExist: the game is not over, or has no such moment.
    """
    number, move = place
    last_moves = _last_moves(game)
    if not 1 <= number <= len(last_moves) or not 0 <= move <= last_moves[number - 1]:
        raise Round.DoesNotExist
    row = Round.objects.get(game=game, number=number)
    closed = closed_round(row, by_parts=game.day_parts)
    rows = queries.seats_with_users(game.pk)
    if closed is None or (eyes is not None and eyes >= len(rows)):
        raise Round.DoesNotExist
    today = seat_infos(rows, viewer_id=viewer.user_id, host_id=game.host_id)
    seats = tuple(seat.in_round(number) for seat in today)
    choices = may_be_shown(game, row, closed, seats)
    wanted = tuple(seat for seat in choices if every_cup or seat == eyes)
    bids = queries.bids_of(row.pk)
    state = store.load_past(
        game, rows, row, bids=bids[:move], is_closed=move > len(bids), cups_of=wanted
    )
    return Moment(
        game=game_info(game, store.ruleset_of(game)),
        seats=seats,
        number=number,
        move=move,
        last_moves=last_moves,
        mode=Mode(row.mode),
        is_rolled=row.is_rolled,
        bids=bid_lines(bids, seats, by_parts=game.day_parts),
        closed=closed,
        view=view_for(state, eyes),
        eyes=eyes,
        every_cup=every_cup,
        choices=choices,
        cups=tuple(
            view_for(state, seat.number).own_dice if seat.number in wanted else None
            for seat in seats
        ),
    )


def end_of(game: Game) -> Place:
    """Return the last moment of a finished game.

    :raises Round.DoesNotExist: the game is not over.
    """
    last_moves = _last_moves(game)
    if not last_moves:
        raise Round.DoesNotExist
    return len(last_moves), last_moves[-1]


def may_be_shown(
    game: Game, row: Round, closed: ClosedRound, seats: tuple[SeatInfo, ...]
) -> tuple[int, ...]:
    """Return the seats whose cups of a round in a finished game its reader may see (R-72).

    That is every cup, unless the table chose that covered cups stay covered: then those that the
    rules lifted, and the reader's own.
    """
    if not row.is_rolled:
        return ()
    allowed = store.ruleset_of(game).covered_cups_after_game is CoveredCups.AFTER_END
    return tuple(
        seat.number
        for seat in seats
        if row.counts[seat.number] and (allowed or seat.is_me or seat.number not in closed.covered)
    )


def _last_moves(game: Game) -> tuple[int, ...]:
    """Return how many moves each round had, the call among them; nothing before the end."""
    if game.status != GameStatus.FINISHED:
        return ()
    rounds = Round.objects.filter(game=game, result__isnull=False).order_by("number")
    counted = rounds.annotate(made=Count("bids")).values_list("made", flat=True)
    return tuple(made + 1 for made in counted)

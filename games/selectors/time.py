"""The clocks of a table: what everybody has left, and what the viewer may do about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from games import clock, queries, timing
from games.clock import ClockRefusal, Question
from games.clock.dayparts import PART
from games.models import Game, Seat
from games.selectors.hours import Away
from games.selectors.values import GameInfo, SeatInfo, game_info, seat_infos
from games.selectors.visible import Viewer
from games.store import ruleset_of


@dataclass(frozen=True, slots=True)
class SeatTime:
    """What a seat has left. ``bank`` is None where nobody waits for it: out, or a bot.

    A table that shows parts of the day shows a bank in whole parts too.
    """

    seat: SeatInfo
    is_out: bool
    is_to_move: bool
    bank: timedelta | None
    absences: tuple[Away, ...]


@dataclass(frozen=True, slots=True)
class VoteInfo:
    """The open vote, as everybody at the table sees it: how many, not who."""

    question: Question
    ayes: int
    noes: int
    voters: int
    closes_at: datetime
    may_vote: bool


@dataclass(frozen=True, slots=True)
class TimePage:
    """The clocks of a game under way.

    ``deadline_at`` is that of the clock that runs, None while none does; ``left`` is what is left
    of the turn's own time, None where the table tells no minutes. A ``why_not_`` is the reason why
    the viewer may not do that now. ``paused_until`` is when the table's last pause ends, or ended.
    """

    game: GameInfo
    seats: tuple[SeatTime, ...]
    me: SeatInfo | None
    on_turn: SeatInfo | None
    deadline_at: datetime | None
    left: timedelta | None
    tokens_left: int
    is_in: bool
    is_mine: bool
    why_not_token: ClockRefusal | None
    why_not_gift: ClockRefusal | None
    why_not_nudge: ClockRefusal | None
    vote: VoteInfo | None
    questions: tuple[Question, ...]
    paused_until: datetime | None


def time_page(game: Game, viewer: Viewer, *, now: datetime) -> TimePage:
    """Return the clocks of a game under way, in a constant number of queries."""
    rows = queries.seats_with_users(game.pk)
    infos = seat_infos(rows, viewer_id=viewer.user_id, host_id=game.host_id)
    me = next((seat for seat in infos if seat.is_me), None)
    mine = rows[me.number] if me is not None and rows[me.number].dice else None
    runs = game.to_act is not None and game.running_since is not None
    on_turn = rows[game.to_act] if runs and game.to_act is not None else None
    vote = vote_info(game, rows, mine, now=now)
    possible = {
        Question.EXTEND: on_turn is not None,
        Question.BOT: any(seat.is_free for seat in rows),
    }
    questions = tuple(each for each in Question if possible.get(each, True))
    return TimePage(
        game=game_info(game, ruleset_of(game)),
        seats=tuple(
            _seat_time(game, seat, info, on_turn, now=now)
            for seat, info in zip(rows, infos, strict=True)
        ),
        me=me,
        on_turn=infos[on_turn.number] if on_turn else None,
        deadline_at=game.turn_deadline_at if on_turn else None,
        left=_left(game, on_turn, now=now),
        tokens_left=max(clock.TOKENS - mine.tokens_used, 0) if mine else 0,
        is_in=mine is not None,
        is_mine=mine is not None and mine is on_turn,
        why_not_token=clock.why_not_token(used=mine.tokens_used) if mine else None,
        why_not_gift=_why_not_gift(mine, on_turn),
        why_not_nudge=_why_not_nudge(game, mine, on_turn, now=now),
        vote=vote,
        questions=questions if mine is not None and vote is None else (),
        paused_until=timing.pause_end(game.pauses),
    )


def vote_info(
    game: Game, seats: Sequence[Seat], mine: Seat | None, *, now: datetime
) -> VoteInfo | None:
    """Return the vote that is open; ``mine`` is the viewer's seat if he is still in the game."""
    vote = timing.vote_of(game, seats, now=now)
    if vote is None:
        return None
    return VoteInfo(
        question=vote.question,
        ayes=len(vote.ayes),
        noes=len(vote.noes),
        voters=len(vote.seats),
        closes_at=vote.closes_at,
        may_vote=mine is not None and mine.number in vote.silent,
    )


def _seat_time(
    game: Game, seat: Seat, info: SeatInfo, on_turn: Seat | None, *, now: datetime
) -> SeatTime:
    bank: timedelta | None = None
    if seat.user_id is not None and seat.dice:
        runs = seat is on_turn
        bank = timing.remaining_in_bank(game, seat, now=now) if runs else seat.bank
        if game.day_parts:
            bank -= bank % PART
    return SeatTime(
        seat=info,
        is_out=not seat.dice,
        is_to_move=game.to_act == seat.number,
        bank=bank,
        absences=tuple(away for away in info.absences if away.end > now),
    )


def _left(game: Game, on_turn: Seat | None, *, now: datetime) -> timedelta | None:
    """Return what is left of the turn's own time: where that may be known, it tells its start."""
    if game.day_parts:
        return None
    return timedelta() if on_turn is None else timing.remaining_of_turn(game, on_turn, now=now)


def _why_not_gift(mine: Seat | None, on_turn: Seat | None) -> ClockRefusal | None:
    if mine is None or on_turn is None:
        return None
    return clock.why_not_gift(giver=mine.number, to=on_turn.number, given_to=mine.gave_to)


def _why_not_nudge(
    game: Game, mine: Seat | None, on_turn: Seat | None, *, now: datetime
) -> ClockRefusal | None:
    if mine is None or on_turn is None:
        return None
    return clock.why_not_nudge(
        by=mine.number,
        to=on_turn.number,
        left_of_turn=timing.remaining_of_turn(game, on_turn, now=now),
        length=timing.length_of_turn(game),
        nudged_at=on_turn.nudged_at,
        now=now,
    )

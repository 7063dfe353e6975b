"""Votes of a table: to pause it, to give more time, to call the game off, to let bots in.

One vote is open at a time. It passes with more than half of the people still in the game, and what
it decides happens in the transaction of the vote that decided.
"""

from datetime import datetime, timedelta

from django.db import transaction

from games import clock, queries, timing
from games.bots import BOT_NAMES
from games.clock import ClockRefusal, Question, Result
from games.models import Game, GameStatus, OutboxKind, OutboxMessage, Seat
from games.services import ending, notices, retiming, tenures

PAUSE = timedelta(days=3)
ASK_EVERY = timedelta(days=1)


@transaction.atomic
def propose(*, game_id: int, user_id: int, question: Question, now: datetime) -> Result:
    """Open a vote, with the voice of who opens it, and write to those who have not voted.

    Proposed again while it is open, it is a vote for it.

    :returns: how it stands; alone among bots, one voice decides.
    :raises ClockRefusal: he is out of the game, another vote is open, no clock runs that could get
        more time, or no seat waits for somebody.
    """
    game, seats, seat = _seated(game_id, user_id)
    vote = timing.vote_of(game, seats, now=now)
    if vote is not None:
        _refuse(vote.why_not_beside(question))
        return _cast(game, seats, vote, seat, aye=True, now=now)
    if question is Question.EXTEND:
        runs = retiming.on_clock(game, seats) is not None
        _refuse(clock.why_not_now(is_in=True, runs=runs))
    if question is Question.BOT:
        _refuse(clock.why_no_bot(free_seats=sum(each.is_free for each in seats)))
    vote = clock.open_vote(question, seats=timing.voters(seats), by=seat.number, now=now)
    result = _settle(game, seats, vote, now=now)
    if result is Result.OPEN:
        _ask(game, [seat for seat in seats if seat.number in vote.silent], now=now)
    return result


@transaction.atomic
def cast(*, game_id: int, user_id: int, question: Question, aye: bool, now: datetime) -> Result:
    """Vote on the question that is open. The same answer sent twice counts once.

    :raises ClockRefusal: nothing like that is open, or he has voted already, or may not.
    """
    game, seats, seat = _seated(game_id, user_id)
    vote = timing.vote_of(game, seats, now=now)
    if vote is None or vote.question is not question:
        raise ClockRefusal("vote.closed")
    return _cast(game, seats, vote, seat, aye=aye, now=now)


def count_again(game: Game, seats: list[Seat], *, now: datetime) -> None:
    """Do what the table has decided, if somebody's leaving a locked game made a majority of it."""
    vote = timing.undecided(game, seats) if game.vote is not None else None
    if vote is not None and now < vote.closes_at and vote.result(now) is Result.PASSED:
        _settle(game, seats, vote, now=now)


def _refuse(refusal: ClockRefusal | None) -> None:
    if refusal is not None:
        raise refusal


def _ask(game: Game, silent: list[Seat], *, now: datetime) -> None:
    """Write to those who have not voted; whoever proposes again and again writes once a day."""
    asked = OutboxMessage.objects.filter(
        game=game, kind=OutboxKind.VOTE, created_at__gt=now - ASK_EVERY
    )
    known = set(asked.values_list("seat_id", flat=True))
    fresh = notices.tell(
        OutboxKind.VOTE, game, [seat for seat in silent if seat.pk not in known], now=now
    )
    for each in fresh:
        each.dedupe = f"{each.dedupe}:{now.timestamp():.0f}"
    notices.save(fresh)


def _seated(game_id: int, user_id: int) -> tuple[Game, list[Seat], Seat]:
    game, seats = queries.lock_game(game_id)
    if game.status != GameStatus.ACTIVE:
        raise ClockRefusal("vote.closed")
    seat = next((seat for seat in seats if seat.user_id == user_id and seat.dice), None)
    if seat is None:
        raise ClockRefusal("vote.not-yours")
    return game, seats, seat


def _cast(
    game: Game, seats: list[Seat], vote: clock.Vote, seat: Seat, *, aye: bool, now: datetime
) -> Result:
    if seat.number in (vote.ayes if aye else vote.noes):
        return vote.result(now)
    return _settle(game, seats, vote.cast(seat.number, aye=aye, now=now), now=now)


def _settle(game: Game, seats: list[Seat], vote: clock.Vote, *, now: datetime) -> Result:
    """Write how a vote stands; do what it has decided."""
    result = vote.result(now)
    if result is Result.OPEN:
        game.vote = {
            "question": vote.question.value,
            "version": game.version,
            "opened_at": vote.opened_at.isoformat(),
            "seats": sorted(vote.seats),
            "ayes": sorted(vote.ayes),
            "noes": sorted(vote.noes),
        }
    else:
        game.vote = None
    game.save(update_fields=["vote"])
    if result is Result.PASSED:
        _do(game, seats, vote.question, now=now)
    return result


def _do(game: Game, seats: list[Seat], question: Question, *, now: datetime) -> None:
    if question is Question.CANCEL:
        ending.call_off(game, seats, why=ending.BY_VOTE, now=now)
        return
    if question is Question.BOT:
        tenures.promise_to_bots(game, seats, names=BOT_NAMES)
        return
    on_turn = retiming.on_clock(game, seats)
    if on_turn is None:
        if question is Question.PAUSE:
            _pause(game, now=now)
            game.save(update_fields=["pauses"])
        return
    seat = on_turn

    def change() -> None:
        if question is Question.PAUSE:
            _pause(game, now=now)
        else:
            timing.extend(game, seat, by=clock.GIFT_TIME, now=now)

    retiming.change(game, seat, change, now=now)


def _pause(game: Game, *, now: datetime) -> None:
    """Let the table's clocks stand still for three days, after a pause that lasts already."""
    since = max([now, *(datetime.fromisoformat(end) for _, end in game.pauses)])
    game.pauses = [*game.pauses, [since.isoformat(), (since + PAUSE).isoformat()]]

"""Seats that change hands: retired by the clock, and given to those who wait for the next roll.

A seat whose player has been absent for seven days is nobody's any more. It goes on playing by
itself until somebody takes it over (:mod:`games.services.takeovers`) or it is out. Everything here
changes a locked game.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from games import queries, timing
from games.bots import DEFAULT_BOT
from games.models import (
    Game,
    GameStatus,
    Order,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    ReplyToken,
    Seat,
    Tenure,
)
from games.models.ids import new_token
from games.services import attendance, notices, waking

_OF_ITS_PLAYER: dict[str, Any] = {
    "missed_in_a_row": 0,
    "is_absent": False,
    "absent_since": None,
    "tokens_used": 0,
    "token_turns": [],
    "gave_to": [],
    "nudged_at": None,
    "seen_version": 0,
    "seen_at": None,
    "is_muted": False,
    "takes_replies": True,
    "addresses_renewed": 0,
    "mail_fails": False,
    "mail_failed_at": None,
}
"""What a seat keeps of the player on it, as it is for one who has just sat down."""


def retire_due(game: Game, seats: list[Seat], *, now: datetime) -> bool:
    """Retire the seats whose players have been absent for too long; return whether there were any.

    They go in the order in which they left: who is retired first is placed last.
    """
    due = [(attendance.retires_at(seat), seat) for seat in seats]
    found = [(at, seat) for at, seat in due if at is not None and at + waking.GRACE <= now]
    if not found:
        return False
    retired = [seat for _, seat in sorted(found, key=lambda pair: (pair[0], pair[1].number))]
    for seat in retired:
        _retire(game, seats, seat, now=now)
    game.invite_token = new_token()  # who was once invited to a seat is not asked to take this one
    game.handovers += 1
    game.wake_at = waking.wake_of(game, seats, now=now)
    game.save(update_fields=["invite_token", "handovers", "vote", "wake_at"])
    people = [seat for seat in seats if seat.dice]
    told = notices.tell(OutboxKind.VACANT, game, people, now=now, suffix=f":{game.handovers}")
    notices.save(told)
    return True


def sit_down(game: Game, seats: list[Seat], *, now: datetime) -> list[OutboxMessage]:
    """Let those to whom seats are promised begin with the dice that have just been rolled.

    Whose seat has gone out meanwhile, or whose game is over, is told so by the notices returned.
    """
    messages: list[OutboxMessage] = []
    current = game.current_round
    goes_on = game.status == GameStatus.ACTIVE
    for seat in seats:
        if seat.heir_id is None and not seat.heir_bot:
            continue
        if not goes_on or not seat.dice:
            messages += notices.tell_person(
                OutboxKind.TOO_LATE, game, seat, user_id=seat.heir_id, now=now
            )
            _write(seat, heir_id=None, heir_bot="")
        elif current is not None and current.is_rolled:
            _begin(game, seat, first_round=current.number, now=now)
    return messages


def void_roll(game: Game, number: int) -> None:
    """Take a roll that does not count any more from those who held a seat when it was made.

    Its cups are rolled anew: they are not theirs.
    """
    Tenure.objects.filter(game=game, to_round__gte=number).update(to_round=number - 1)


def promise_to_bots(game: Game, seats: list[Seat], *, names: Iterable[str]) -> None:
    """Let bots take over the seats that nobody holds, from the next roll on."""
    taken = {seat.name for seat in seats}
    free = [name for name in names if name not in taken]
    for seat in seats:
        if seat.is_free:
            _write(seat, heir_bot=DEFAULT_BOT, name=free.pop(0) if free else DEFAULT_BOT.title())
    game.handovers += 1
    game.save(update_fields=["handovers"])


def _retire(game: Game, seats: list[Seat], seat: Seat, *, now: datetime) -> None:
    """Take a seat from its player: what he did on it stays his, and so does his place."""
    number = game.current_round.number if game.current_round else 0
    is_rolled = game.current_round is not None and game.current_round.is_rolled
    still_in = [other for other in seats if other.dice and other.retired_at is None]
    Tenure.objects.create(
        game=game,
        seat=seat,
        user_id=seat.user_id,
        from_round=max(seat.held_from, 1),
        to_round=number if is_rolled else number - 1,
        place=len(still_in),
        retired_at=now,
    )
    told = notices.tell_person(OutboxKind.RETIRED, game, seat, user_id=seat.user_id, now=now)
    OutboxMessage.objects.filter(seat=seat, user=None, status=OutboxStatus.PENDING).update(
        status=OutboxStatus.SUPERSEDED
    )
    ReplyToken.objects.filter(seat=seat, revoked_at=None).update(revoked_at=now)
    Order.objects.filter(pk=seat.pk).delete()
    seat.order = seat.hours = None
    _write(seat, user_id=None, name="", retired_at=now)
    if game.vote is not None:
        voices = ("seats", "ayes", "noes")
        kept = {name: [each for each in game.vote[name] if each != seat.number] for name in voices}
        game.vote = {**game.vote, **kept}
    notices.save(told)


def _begin(game: Game, seat: Seat, *, first_round: int, now: datetime) -> None:
    """Give a seat to whom it is promised: the clock, the hours and the rest are his from now on."""
    _write(
        seat,
        **_OF_ITS_PLAYER,
        user_id=seat.heir_id,
        bot=seat.heir_bot,
        heir_id=None,
        heir_bot="",
        retired_at=None,
        held_from=first_round,
        joined_at=now,
        bank=timing.clock_of(game).bank,
    )
    queries.attach_hours([seat])
    for other in Seat.objects.filter(game=game).exclude(gave_to=[]):
        # They gave to the player before: they may give to this one once more.
        _write(other, gave_to=[number for number in other.gave_to if number != seat.number])


def _write(seat: Seat, **values: object) -> None:
    for name, value in values.items():
        setattr(seat, name, value)
    Seat.objects.filter(pk=seat.pk).update(**values)

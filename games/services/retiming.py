"""A deadline that moves while its turn lasts: other hours, more time, a pause.

Everything here changes a locked game whose clock runs. What has run by the old rules is taken off
before anything changes, so that no change gives it back; the version stays, for no move was made.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from games import timing
from games.models import Game, GameStatus, Seat
from games.services import commit, notices, waking

_FIELDS = ("turn_base", "running_since", "turn_extra", "turn_deadline_at", "wake_at", "pauses")


def on_clock(game: Game, seats: Sequence[Seat]) -> Seat | None:
    """Return the seat whose clock runs, None while none does.

    A bot and an absent seat have no time to run out.
    """
    if game.status != GameStatus.ACTIVE or game.running_since is None:
        return None
    return seats[commit.turn_of(game)]


def change(game: Game, seat: Seat, how: Callable[[], object], *, now: datetime) -> None:
    """Settle the running clock of ``seat``, do what changes its time, and write the new deadline.

    :raises ClockRefusal: ``how`` refuses it.
    """
    timing.settle(game, seat, now=now)
    how()
    write(game, seat, now=now)


def write(game: Game, seat: Seat, *, now: datetime) -> None:
    """Work out the deadline of a clock that runs and has been settled; its reminders move along."""
    before = game.turn_deadline_at
    game.turn_deadline_at = deadline = timing.deadline_for(game, seat)
    if deadline is None:
        raise ValueError(f"the clock of game {game.pk} does not run")
    # Hours that bring the deadline nearer may leave an order behind it.
    game.wake_at = min(waking.wake_for(game, seat, now=now), deadline + waking.GRACE)
    game.save(update_fields=_FIELDS)
    seat.save(update_fields=["bank"])
    if deadline != before:
        notices.move_reminders(game, seat, now=now)

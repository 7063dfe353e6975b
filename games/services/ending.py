"""A game under way that ends without a winner: voted off, or abandoned by everybody."""

from datetime import datetime

from games import rows, store, timing
from games.models import Game, GameStatus, Order, OutboxKind, Seat
from games.services import log, notices, tenures

BY_VOTE, ABANDONED = "vote", "abandoned"

_FIELDS = (
    "status",
    "finished_at",
    "ended_by",
    "vote",
    "to_act",
    "turn_base",
    "turn_extra",
    "running_since",
    "turn_started_at",
    "turn_deadline_at",
    "wake_at",
    "version",
    "log_hash",
)


def call_off(game: Game, seats: list[Seat], *, why: str, now: datetime) -> None:
    """End a locked game; its seed is opened as at any end, and everybody is told."""
    game.status, game.finished_at, game.ended_by = GameStatus.CANCELLED, now, why
    game.to_act = game.turn_started_at = game.turn_deadline_at = game.wake_at = None
    game.vote = None
    timing.start_nothing(game)
    Order.objects.filter(seat__game=game).delete()
    events = log.disclose(game, store.open_dice(game), "cancelled", log.Entry(now))
    if events:
        rows.run([rows.insertion(events)])
    game.save(update_fields=_FIELDS)
    late = tenures.sit_down(game, seats, now=now)
    notices.save([*notices.tell(OutboxKind.CANCELLED, game, seats, now=now), *late])

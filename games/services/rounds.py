"""How a round begins: its row, what binds its dice, and the news of the round before.

Everything here changes a locked game in memory; the caller writes what is returned.
"""

from datetime import datetime
from typing import cast

from games import beacon, rows, rules, store
from games.models import Event, Game, OutboxKind, OutboxMessage, Round, Seat
from games.services import log, notices
from games.services.log import Entry


def open_round(game: Game, state: rules.GameState, dice: store.Dice, entry: Entry) -> Event:
    """Create the round that ``state`` waits for; return the event that binds its dice."""
    opened = store.round_row(game, state, now=entry.now)
    bound = bind(game, opened, dice, entry)
    rows.insert_with_key(opened)
    game.current_round = opened
    game.to_act = state.round.to_act
    without_bids(game)
    return bound


def bind(game: Game, row: Round, dice: store.Dice, entry: Entry) -> Event:
    """Roll a round and return its seal, or say which of the beacon's values it will be rolled with.

    In the second case :func:`games.services.commit.roll` does the rest, once the value is out.
    """
    if game.chain in beacon.CHAINS:
        return log.intend(game, row, entry)
    return log.seal(game, row, dice, entry)


def without_bids(game: Game) -> None:
    """Let no bid stand."""
    game.bids_made = 0
    game.bid_seat = game.bid_quantity = game.bid_face = None


def news(
    game: Game, seats: list[Seat], closed: Round | None, *, now: datetime
) -> list[OutboxMessage]:
    """Return what tells those who are not to move how a round ended, or that the game began.

    A mail about a round carries its seal: there is none to send before the dice are rolled.
    """
    if not cast(Round, game.current_round).is_rolled:
        return []
    # The opener reads the same story in the mail that asks for his bid.
    others = [seat for seat in seats if seat.number != game.to_act]
    if closed is None:
        return notices.tell(OutboxKind.STARTED, game, others, now=now)
    listeners = [
        seat
        for seat in others
        if closed.counts[seat.number] and not (seat.is_absent or seat.has_resigned)
    ]
    return notices.tell(OutboxKind.ROUND_OVER, game, listeners, now=now, round_number=closed.number)

"""The public log of a game: as one transcript, and as what its moves were."""

from collections.abc import Iterable
from dataclasses import dataclass

from games import fairness, store
from games.models import Event, Game, GameStatus, Round, Seat

CLOSINGS = ("dudo", "calza", "resign", "forfeit")
"""The kinds of events that close a round."""

TOLD = ("bid", *CLOSINGS, "epoch")
"""The kinds of events that a story is made of."""


def transcript(game: Game) -> str:
    """Return the log of a game, as far as it goes, as one file (docs/pf1.md section 4).

    :raises Event.DoesNotExist: the game was made before logs were chained.
    """
    events = list(Event.objects.filter(game=game).order_by("seq"))
    if not events or events[0].kind != "create":
        raise Event.DoesNotExist
    return "".join(
        fairness.LogEvent(event.seq, event.kind, event.payload, bytes.fromhex(event.digest)).line()
        for event in events
    )


@dataclass(frozen=True, slots=True)
class OwnCup:
    """What lets a player check his own dice of this round: ``key`` (hex) is his secret."""

    seat: int
    round_number: int
    epoch: int
    key: str


def own_cup(game: Game, number: int | None) -> OwnCup | None:
    """Return the key of the cup under which the dice of seat ``number`` lie, if there are any."""
    row = game.current_round
    if number is None or row is None or not row.seal or game.status != GameStatus.ACTIVE:
        return None
    if not Seat.objects.filter(game=game, number=number, dice__gt=0).exists():
        return None
    return OwnCup(number, row.number, row.epoch, store.open_dice(game).cup_key(row, number))


def seal_line(row: Round | None) -> str:
    """Return the short form of a round's seal, or nothing where it has none."""
    if row is None or not row.seal:
        return ""
    digest = bytes.fromhex(row.seal)
    return fairness.seal_line(digest, number=row.number, epoch=row.epoch, seq=row.seal_seq)


def commitment_line(game: Game) -> str:
    """Return the short form of the commitment to a game's seed."""
    return fairness.commitment_line(bytes.fromhex(game.commitment))


def without_void_bids(events: Iterable[Event]) -> list[Event]:
    """Return the moves that count, in order: a round that was rolled anew begins without bids."""
    told: list[Event] = []
    for event in events:
        if event.kind == "epoch":
            while told and told[-1].kind == "bid" and told[-1].round_number == event.round_number:
                told.pop()
        else:
            told.append(event)
    return told

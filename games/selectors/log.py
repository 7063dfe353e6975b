"""The public log of a game: as one transcript, and as what its moves were."""

from collections.abc import Iterable

from games.fairness import LogEvent
from games.models import Event, Game

CLOSINGS = ("dudo", "calza", "resign")
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
        LogEvent(event.seq, event.kind, event.payload, bytes.fromhex(event.digest)).line()
        for event in events
    )


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

"""What the pages about fair dice show: one's own key of this round, and the public totals."""

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q

from games import store
from games.models import Event, Game, GameStatus
from games.rules import CoveredCups
from games.selectors.table import seats_of
from games.selectors.values import GameInfo, SeatInfo, game_info, seat_infos
from games.selectors.visible import Viewer

_ENDED = (GameStatus.FINISHED, GameStatus.CANCELLED)


@dataclass(frozen=True, slots=True)
class OwnCup:
    """The viewer's cup of the round under way, with the key (hex) that yields it and no other."""

    seat: int
    round: int
    epoch: int
    key: str


@dataclass(frozen=True, slots=True)
class CheckPage:
    """A game to be checked: who sits where, by seat number, and the viewer's own cup if any."""

    game: GameInfo
    names: tuple[str, ...]
    own_cup: OwnCup | None


@dataclass(frozen=True, slots=True)
class FairnessTotals:
    """How many games were promised, and what became of the promises.

    ``opened`` are the ended games whose seed is public, ``called_off`` those of them that never
    came to an end. ``kept_covered`` ended with the rule that covered cups are never shown.
    ``without_beacon`` counts rounds; it is None where no beacon is used.
    """

    committed: int
    ended: int
    opened: int
    called_off: int
    kept_covered: int
    without_beacon: int | None


def check_page(game: Game, viewer: Viewer) -> CheckPage:
    """Return what the page that checks ``game`` has to know besides the game's log.

    :raises SeedUnavailable: the viewer's own cup cannot be derived.
    """
    seats = seat_infos(seats_of(game), viewer_id=viewer.user_id, host_id=game.host_id)
    return CheckPage(
        game=game_info(game, store.ruleset_of(game)),
        names=tuple(seat.name for seat in seats),
        own_cup=_own_cup(game, next((seat for seat in seats if seat.is_me), None)),
    )


def _own_cup(game: Game, me: SeatInfo | None) -> OwnCup | None:
    row = game.current_round
    if me is None or row is None or game.status != GameStatus.ACTIVE:
        return None
    # A round that waits for its beacon has not been rolled.
    if not row.seal or not row.counts[me.number]:
        return None
    key = store.open_dice(game).cup_key(row, me.number)
    return OwnCup(me.number, row.number, row.epoch, key)


def fairness_totals() -> FairnessTotals:
    """Return the totals that a site owes the public."""
    # The opening is a game's last event, found by the log's own index.
    opening = Event.objects.filter(game=OuterRef("pk"), seq=OuterRef("version"), kind="open")
    never = Q(ruleset__covered_cups_after_game=CoveredCups.NEVER.value)
    ended = Game.objects.filter(status__in=_ENDED).aggregate(
        all=Count("pk"),
        opened=Count("pk", filter=Exists(opening)),
        called_off=Count("pk", filter=Q(Exists(opening), status=GameStatus.CANCELLED)),
        kept_covered=Count("pk", filter=never),
    )
    return FairnessTotals(
        committed=Game.objects.count(),
        ended=ended["all"],
        opened=ended["opened"],
        called_off=ended["called_off"],
        kept_covered=ended["kept_covered"],
        without_beacon=(
            Event.objects.filter(kind="fallback").count() if settings.BEACON_URLS else None
        ),
    )

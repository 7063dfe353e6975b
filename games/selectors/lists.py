"""Lists of games: mine, and those that wait for players."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, QuerySet

from games import clock, queries, store, timing
from games.clock import ClockSettings
from games.models import Game, GameStatus, Seat, Tenure
from games.rules import Ruleset
from games.selectors.conduct import field_answers
from games.selectors.forecast import length_of_game
from games.selectors.values import seat_name
from games.selectors.visible import Viewer

PAGE = 30
"""Games on one page of a list."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """One line of a list of games. ``length`` is how long it is likely to take, if known.

    Where a game ``stands_still``, all being absent, ``deadline_at`` is when it is called off.
    ``vacant`` are the names of those whose seats nobody holds any more, and ``take_over_token`` is
    of the link by which the viewer may take one over at an open table, or nothing.
    """

    code: str
    name: str
    status: GameStatus
    ruleset: Ruleset
    players: tuple[str, ...]
    seats_wanted: int
    clock: ClockSettings
    gate: int
    new_welcome: bool
    day_parts: bool
    shows_odds: bool
    is_rated: bool
    length: tuple[timedelta, timedelta] | None
    i_sit: bool
    is_my_turn: bool
    to_act: str
    my_place: int | None
    i_was_retired: bool
    i_start_next: bool
    i_am_out: bool
    i_must_get_ready: bool
    i_must_start: bool
    round_number: int | None
    deadline_at: datetime | None
    stands_still: bool
    paused_until: datetime | None
    vacant: tuple[str, ...]
    take_over_token: str
    finished_at: datetime | None
    created_at: datetime

    @property
    def free_seats(self) -> int:
        """Return how many more players the game waits for."""
        return max(0, self.seats_wanted - len(self.players))


@dataclass(frozen=True, slots=True)
class MyGames:
    """My games: those that wait for me first, by least time left."""

    waiting: tuple[GameCard, ...]
    running: tuple[GameCard, ...]
    open: tuple[GameCard, ...]
    ended: tuple[GameCard, ...]


@dataclass(frozen=True, slots=True)
class Lobby:
    """Open tables that wait for somebody: before they begin, and for a seat that is free again."""

    open: tuple[GameCard, ...]
    vacant: tuple[GameCard, ...]


def my_games(viewer: Viewer) -> MyGames:
    """Return the viewer's games in their groups, with a constant number of queries."""
    if viewer.user_id is None:
        return MyGames((), (), (), ())
    mine = Game.objects.filter(pk__in=_games_of(viewer.user_id)).select_related("current_round")
    live = mine.filter(status__in=(GameStatus.OPEN, GameStatus.ACTIVE))
    ended = mine.filter(status=GameStatus.FINISHED).order_by(F("finished_at").desc())
    cards = _cards([*live.order_by("turn_deadline_at", "pk"), *ended[:PAGE]], viewer)
    active = [card for card in cards if card.status == GameStatus.ACTIVE]
    return MyGames(
        waiting=tuple(card for card in active if card.is_my_turn),
        running=tuple(card for card in active if not card.is_my_turn),
        open=tuple(card for card in cards if card.status == GameStatus.OPEN),
        ended=tuple(card for card in cards if card.status == GameStatus.FINISHED),
    )


def _games_of(user_id: int) -> QuerySet[Seat, int]:
    """Return the games in which somebody holds a seat, or held one, or is promised one."""
    here = Seat.objects.filter(user_id=user_id).values_list("game_id", flat=True)
    once = Tenure.objects.filter(user_id=user_id).values_list("game_id", flat=True)
    soon = Seat.objects.filter(heir_id=user_id).values_list("game_id", flat=True)
    # Each by its own index: with OR the database would look through all games.
    return here.union(once, soon)


def lobby(viewer: Viewer) -> Lobby:
    """Return the newest open games that have a free seat, the viewer's own among them."""
    rooms = (
        Game.objects.filter(status=GameStatus.OPEN, is_private=False)
        .annotate(taken=Count("seats"))
        .filter(taken__lt=F("seats_wanted"))
        .order_by("-created_at")[:PAGE]
    )
    # By the few seats that ever were retired, and not by all that there are.
    free = Tenure.objects.filter(
        game__status=GameStatus.ACTIVE,
        game__is_private=False,
        seat__retired_at__isnull=False,
        seat__dice__gt=0,
        seat__heir__isnull=True,
        seat__heir_bot="",
    ).order_by("-pk")[:PAGE]
    tables = Game.objects.filter(pk__in=free.values("game_id")).select_related("current_round")
    cards = _cards([*rooms, *tables.order_by("-pk")], viewer, field=field_answers())
    return Lobby(
        open=tuple(card for card in cards if card.status == GameStatus.OPEN),
        vacant=tuple(card for card in cards if card.status == GameStatus.ACTIVE),
    )


def _cards(
    games: Sequence[Game], viewer: Viewer, *, field: clock.Answers | None = None
) -> tuple[GameCard, ...]:
    seats: dict[int, list[Seat]] = defaultdict(list)
    found = Seat.objects.filter(game__in=[game.pk for game in games]).select_related("user")
    rows = list(found.order_by("number"))
    queries.attach_past(rows)
    for seat in rows:
        seats[seat.game_id].append(seat)
    return tuple(_card(game, seats[game.pk], viewer, field) for game in games)


def _card(
    game: Game, seats: Sequence[Seat], viewer: Viewer, field: clock.Answers | None
) -> GameCard:
    me = next(
        (seat for seat in seats if viewer.user_id is not None and seat.user_id == viewer.user_id),
        None,
    )
    past = next(
        (
            tenure
            for seat in seats
            for tenure in seat.earlier
            if viewer.user_id is not None and tenure.user_id == viewer.user_id
        ),
        None,
    )
    has_begun = game.status != GameStatus.OPEN
    current = game.current_round if has_begun else None
    to_act = game.to_act if current is not None and current.is_rolled else None
    turn = next((seat for seat in seats if seat.number == to_act), None)
    vacant = tuple(seat_name(seat) for seat in seats if has_begun and seat.is_free)
    is_heir = any(seat.heir_id == viewer.user_id for seat in seats if seat.heir_id)
    may_take_over = vacant and not game.is_private and not (me or past or is_heir)
    ruleset = store.ruleset_of(game)
    settings = timing.clock_of(game)
    return GameCard(
        code=game.code,
        name=game.name,
        status=GameStatus(game.status),
        ruleset=ruleset,
        players=tuple(seat_name(seat) for seat in seats),
        seats_wanted=game.seats_wanted,
        clock=settings,
        gate=game.gate,
        new_welcome=game.new_welcome,
        day_parts=game.day_parts,
        shows_odds=game.shows_odds,
        is_rated=game.is_rated,
        length=length_of_game(
            settings,
            seats=game.seats_wanted,
            start_dice=ruleset.start_dice,
            answers=field,
        ),
        i_sit=me is not None,
        is_my_turn=me is not None and turn is me,
        to_act=seat_name(turn) if turn else "",
        my_place=me.place if me else past.place if past else None,
        i_was_retired=past is not None,
        i_start_next=is_heir,
        i_am_out=has_begun and me is not None and not me.dice,
        i_must_get_ready=not has_begun and me is not None and not me.is_ready,
        i_must_start=not has_begun and _waits_for_host(game, seats, me),
        round_number=current.number if current else None,
        deadline_at=game.turn_deadline_at,
        stands_still=timing.stands_still(game, seats),
        paused_until=timing.pause_end(game.pauses),
        vacant=vacant,
        take_over_token=game.invite_token if may_take_over else "",
        finished_at=game.finished_at,
        created_at=game.created_at,
    )


def _waits_for_host(game: Game, seats: Sequence[Seat], me: Seat | None) -> bool:
    """Return whether all that is missing is the word of the host, who is ``me``."""
    is_host = me is not None and me.user_id == game.host_id
    is_full = len(seats) == game.seats_wanted
    return is_host and is_full and all(seat.is_ready for seat in seats)

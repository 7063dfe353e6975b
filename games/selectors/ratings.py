"""Ratings as pages show them: one player's, his curve, and the leaderboards."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Max

from games.models import Rating, RatingChange, Standing
from games.ratings import Board
from games.ratings import Rating as RatingValue
from games.selectors.visible import Viewer

PAGE = 50
"""Players on one page of a board."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """What one game did to a player's rating, and when it ended."""

    ended_at: datetime
    place: int
    players: int
    before: RatingValue
    after: RatingValue


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A player on a leaderboard. ``fair`` is how many of his games chance alone would have won."""

    place: int
    name: str
    is_me: bool
    rating: RatingValue
    games: int
    wins: int
    fair: float


@dataclass(frozen=True, slots=True)
class OwnStanding:
    """Where the viewer stands, whichever page he looks at: no place where he is not listed."""

    place: int | None
    page: int | None
    rating: RatingValue
    games: int


@dataclass(frozen=True, slots=True)
class BoardPage:
    """One page of a leaderboard, the first being 1; ``own`` is None for a visitor."""

    rows: tuple[BoardRow, ...]
    page: int
    pages: int
    own: OwnStanding | None


def rating_of(user_id: int) -> RatingValue | None:
    """Return a player's rating, or None before his first rated game."""
    row = Rating.objects.filter(pk=user_id).first()
    return None if row is None else _value(row)


def rating_curve(user_id: int, *, newest: int = 200) -> tuple[RatedGame, ...]:
    """Return what a player's newest rated games did to his rating, the oldest of them first."""
    rows = RatingChange.objects.filter(user=user_id).order_by("-nth")[:newest]
    return tuple(
        RatedGame(
            ended_at=row.ended_at,
            place=row.place,
            players=row.players,
            before=RatingValue(row.mu_before, row.sigma_before, row.nth - 1),
            after=RatingValue(row.mu, row.sigma, row.nth),
        )
        for row in reversed(rows)
    )


def board_page(board: Board, viewer: Viewer, *, page: int) -> BoardPage:
    """Return a page of a leaderboard; one beyond the last is the last.

    Places are read, not counted: it costs the same however many players there are. Whoever hides
    his statistics is missing at once, and the others move up when boards are ranked next.
    """
    placed = Standing.objects.filter(board=board.key, place__isnull=False)
    last = placed.aggregate(last=Max("place"))["last"] or 0
    pages = max(1, -(-last // PAGE))
    page = min(max(1, page), pages)
    found = placed.filter(place__gt=(page - 1) * PAGE, place__lte=page * PAGE)
    shown = found.exclude(user__privacy__hides_statistics=True).select_related("user__rating")
    return BoardPage(
        rows=tuple(_row(row, viewer) for row in shown.order_by("place")),
        page=page,
        pages=pages,
        own=_own(board, viewer.user_id) if viewer.user_id is not None else None,
    )


def exported_ratings(user_id: int) -> dict[str, object]:
    """Return a player's rating and how his games have changed it, for that player."""
    value = rating_of(user_id)
    changes = RatingChange.objects.filter(user=user_id).select_related("game").order_by("nth")
    standings = Standing.objects.filter(user=user_id).order_by("board")
    return {
        "strength": value.mu if value else None,
        "uncertainty": value.sigma if value else None,
        "rated_games": value.games if value else 0,
        "changes": [
            {
                "game": row.game.code,
                "ended_at": row.ended_at.isoformat(),
                "place": row.place,
                "players": row.players,
                "strength": [row.mu_before, row.mu],
                "uncertainty": [row.sigma_before, row.sigma],
            }
            for row in changes
        ],
        "leaderboards": list(standings.values("board", "games", "wins", "fair", "place")),
    }


def _own(board: Board, user_id: int) -> OwnStanding:
    row = Standing.objects.filter(board=board.key, user=user_id).first()
    place = row.place if row else None
    return OwnStanding(
        place=place,
        page=None if place is None else -(-place // PAGE),
        rating=rating_of(user_id) or RatingValue(),
        games=row.games if row else 0,
    )


def _row(row: Standing, viewer: Viewer) -> BoardRow:
    return BoardRow(
        place=row.place or 0,
        name=row.user.display_name,
        is_me=row.user_id == viewer.user_id,
        rating=_value(row.user.rating),
        games=row.games,
        wins=row.wins,
        fair=row.fair,
    )


def _value(row: Rating) -> RatingValue:
    return RatingValue(row.mu, row.sigma, row.games)

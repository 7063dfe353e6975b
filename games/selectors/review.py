"""The review of a finished game, as its reader may know it."""

from dataclasses import dataclass

from games import queries, review, store
from games.models import Game, GameStatus, Review, Round
from games.rules import CoveredCups
from games.selectors.played import played_game
from games.selectors.values import GameInfo, SeatInfo, game_info, seat_infos
from games.selectors.visible import Viewer


@dataclass(frozen=True, slots=True)
class ReviewPage:
    """A reviewed game. ``is_whole`` is False where cups stay covered to this reader."""

    game: GameInfo
    seats: tuple[SeatInfo, ...]
    review: review.Review
    is_whole: bool


def review_page(game: Game, viewer: Viewer) -> ReviewPage:
    """Return the review of a finished game.

    :raises Round.DoesNotExist: the game is not over.
    :raises SeedUnavailable: its seed is needed and cannot be decrypted.
    """
    found = review_for(game, viewer)
    rows = queries.seats_with_users(game.pk)
    return ReviewPage(
        game=game_info(game, store.ruleset_of(game)),
        seats=seat_infos(rows, viewer_id=viewer.user_id, host_id=game.host_id),
        review=found,
        is_whole=_opens(game),
    )


def review_for(game: Game, viewer: Viewer) -> review.Review:
    """Return what may be told to ``viewer`` of every decision in a finished game.

    It was made when the game was counted; until then, and for somebody who may know a cup that
    others may not, it is made here.

    :raises Round.DoesNotExist: the game is not over.
    :raises SeedUnavailable: its seed is needed and cannot be decrypted.
    """
    if game.status != GameStatus.FINISHED:
        raise Round.DoesNotExist
    if _opens(game) or viewer.user_id is None:
        kept = Review.objects.filter(pk=game.pk).values_list("told", flat=True).first()
        if kept is not None and kept["version"] == review.VERSION:
            return review.from_json(kept)
    return review.review_of(played_game(game).as_read_by(viewer.user_id))


def _opens(game: Game) -> bool:
    return store.ruleset_of(game).covered_cups_after_game is CoveredCups.AFTER_END

"""Counting finished games into statistics, and reviewing them.

A finished game is a duty by itself, found by its ``counted`` being empty and counted once, so no
move takes a moment longer for it. Games are counted one after the other: whoever counts holds the
site's row, and the number that he takes from it is the order that streaks go by. All of it can be
worked out again from the games, in the same order, with the same result.
"""

import logging
from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from games import review, stats
from games.models import Game, GameStatus, Review, SiteSums
from games.selectors.played import played_game
from games.services.ledger import Ledger, whose
from games.store import SeedUnavailable

logger = logging.getLogger(__name__)

_SITE = 1
_BATCH = 500


def count_games(*, limit: int = 200) -> int:
    """Count the games that are over and not counted yet, oldest first; return how many."""
    due = Game.objects.filter(status=GameStatus.FINISHED, counted__isnull=True)
    count = 0
    for game_id in list(due.order_by("finished_at", "pk").values_list("pk", flat=True)[:limit]):
        try:
            count += _count(game_id)
        except (SeedUnavailable, IntegrityError) as error:
            # A seed whose key is missing, or a player who was erased meanwhile: the next sweep
            # looks again, and the others do not wait for it.
            logger.warning("game %s not counted: %s", game_id, type(error).__name__)
    return count


def _count(game_id: int) -> bool:
    """Count one game, unless somebody else does, or has; return whether it was counted."""
    game = _uncounted(game_id).first()
    if game is None:
        return False
    # Before anything is locked: this is the long part, and a game that is over stays as it is.
    played = played_game(game)
    told = review.to_json(review.review_of(played.as_read_by(None)))
    return _enter(game_id, played, told)


@transaction.atomic
def _enter(game_id: int, played: stats.PlayedGame, told: dict[str, Any]) -> bool:
    """Write what was read of a game, if it still is to be counted; return whether it was."""
    game = _uncounted(game_id).select_for_update(skip_locked=True, of=("self",)).first()
    if game is None:
        return False
    Review.objects.create(game=game, told=told)
    site = _lock_site()
    site.number += 1
    game.counted = site.number
    ledger = Ledger.locked(whose(played))
    ledger.enter(game, played)
    ledger.save()
    site.sums = _added(site.sums, [played])
    site.save(update_fields=["number", "sums"])
    game.save(update_fields=["counted"])
    return True


def _uncounted(game_id: int) -> QuerySet[Game]:
    return Game.objects.filter(pk=game_id, counted__isnull=True, status=GameStatus.FINISHED)


@transaction.atomic
def recompute() -> int:
    """Forget what was counted and count all of it again, in the same order; return how many."""
    site = _lock_site()
    anew, sums, count = _anew(site)
    Ledger.forget()
    anew.save()
    site.sums = sums
    site.save(update_fields=["sums"])
    return count


@transaction.atomic
def differences() -> list[str]:
    """Return where what is stored is not what a recount gives; nothing, if all is well."""
    site = _lock_site()
    anew, sums, _ = _anew(site)
    found = anew.differences()
    return [*found, "site"] if sums != site.sums else found


def _anew(site: SiteSums) -> tuple[Ledger, dict[str, list[int]], int]:
    ledger, sums, count = Ledger(), dict[str, list[int]](), 0
    counted = Game.objects.filter(counted__isnull=False, counted__lte=site.number)
    for game in counted.order_by("counted").iterator(chunk_size=_BATCH):
        played = played_game(game)
        ledger.enter(game, played)
        sums = _added(sums, [played])
        count += 1
    return ledger, sums, count


def _lock_site() -> SiteSums:
    """Return the site's row, locked until the transaction ends; it is made if there is none."""
    SiteSums.objects.bulk_create([SiteSums(pk=_SITE)], ignore_conflicts=True)
    return SiteSums.objects.select_for_update().get(pk=_SITE)


def _added(sums: dict[str, list[int]], games: Iterable[stats.PlayedGame]) -> dict[str, list[int]]:
    parts = (stats.site_sums(played.as_read_by(None)) for played in games)
    return stats.to_json(stats.total([stats.from_json(sums), *parts]))

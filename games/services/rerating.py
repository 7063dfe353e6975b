"""Working out all ratings again from the games: to prove them, or after a change of the rules.

Games are gone through in the order of their numbers. Of an account that is gone only what it had
before each game is known: that is taken as it was.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db import transaction
from django.db.models import Model

from games.models import Game, Rating, RatingBook, RatingChange, Standing
from games.ratings import NEW
from games.ratings import Rating as RatingValue
from games.selectors.finishes import Finish, Starter, finishes
from games.services import ranking
from games.services.ratings import change_row, changes_of, enter

_BATCH = 500
_CHANGE = ("user_id", "nth", "mu_before", "sigma_before", "mu", "sigma", "place", "players")
_STANDING = ("games", "wins", "fair", "last_at")

Key = tuple[int, int]


@dataclass(slots=True)
class _Books:
    """What follows from the games gone through so far."""

    ratings: dict[int, RatingValue] = field(default_factory=dict)
    standings: dict[tuple[int, str], Standing] = field(default_factory=dict)

    def enter(self, finish: Finish, gone: Mapping[Key, RatingValue]) -> list[RatingChange]:
        """Rate a game, and return its rows.

        :param gone: what those had before it whose accounts are gone, by game and seat.
        """
        found = {who.seat: self._before(finish, who, gone) for who in finish.starters}
        known = {seat: value for seat, value in found.items() if value is not None}
        rated = changes_of(finish, known)
        for each in rated:
            user_id = each.who.user_id
            if user_id is None:
                continue
            self.ratings[user_id] = each.after
            for board in finish.boards:
                new = Standing(user_id=user_id, board=board.key, last_at=finish.ended_at)
                enter(self.standings.setdefault((user_id, board.key), new), finish, each.who)
        return [change_row(finish, each) for each in rated]

    def _before(
        self, finish: Finish, who: Starter, gone: Mapping[Key, RatingValue]
    ) -> RatingValue | None:
        if who.user_id is None:
            return gone.get((finish.game_id, who.seat))
        return self.ratings.get(who.user_id, NEW)


@transaction.atomic
def differences() -> tuple[int, int]:
    """Return how many games have been rated, and how many stored rows are not what they say."""
    _take_book()
    books, games, wrong, seen = _Books(), 0, 0, 0
    for batch in _rated_games():
        keys = [finish.game_id for finish in batch]
        stored = {
            (row.game_id, row.seat): row for row in RatingChange.objects.filter(game__in=keys)
        }
        gone = _gone(stored.values())
        expected = {
            (row.game_id, row.seat): row for finish in batch for row in books.enter(finish, gone)
        }
        games, seen = games + len(batch), seen + len(stored)
        wrong += _count(expected, stored, _CHANGE)
    wrong += RatingChange.objects.count() - seen  # of games that are not rated (any more)
    ratings = {row.pk: RatingValue(row.mu, row.sigma, row.games) for row in Rating.objects.all()}
    wrong += sum(ratings.get(key) != books.ratings.get(key) for key in ratings | books.ratings)
    standings = {(row.user_id, row.board): row for row in Standing.objects.all()}
    return games, wrong + _count(books.standings, standings, _STANDING)


@transaction.atomic
def recompute(*, now: datetime) -> int:
    """Write all ratings, changes and standings anew from the games; return how many games."""
    book, books, games = _take_book(), _Books(), 0
    gone = _gone(RatingChange.objects.filter(user=None))
    RatingChange.objects.all().delete()
    for batch in _rated_games():
        games += len(batch)
        rows = [row for finish in batch for row in books.enter(finish, gone)]
        RatingChange.objects.bulk_create(rows)
    Rating.objects.all().delete()
    Rating.objects.bulk_create(
        [
            Rating(user_id=user_id, mu=value.mu, sigma=value.sigma, games=value.games)
            for user_id, value in books.ratings.items()
        ],
        batch_size=_BATCH,
    )
    Standing.objects.all().delete()
    Standing.objects.bulk_create(books.standings.values(), batch_size=_BATCH)
    ranking.rank(book, now=now)
    return games


def _take_book() -> RatingBook:
    """Lock the book: nobody rates meanwhile."""
    RatingBook.objects.get_or_create(pk=1)
    return RatingBook.objects.select_for_update().get(pk=1)


def _rated_games() -> Iterator[tuple[Finish, ...]]:
    """Yield how the rated games ended, batch by batch in the order in which they were rated."""
    last = 0
    while True:
        rated = Game.objects.filter(is_rated=True, rated_as__gt=last).order_by("rated_as")
        games = list(rated.only("finished_at", "ruleset", "rated_as")[:_BATCH])
        if not games:
            return
        yield finishes(games)
        last = games[-1].rated_as or 0


def _gone(rows: Iterable[RatingChange]) -> dict[Key, RatingValue]:
    """Return what those had before a game, by game and seat, whose accounts are gone."""
    return {
        (row.game_id, row.seat): RatingValue(row.mu_before, row.sigma_before, row.nth - 1)
        for row in rows
        if row.user_id is None
    }


def _count(
    expected: Mapping[Any, Model], stored: Mapping[Any, Model], names: tuple[str, ...]
) -> int:
    """Return how many rows are missing, too many, or not the same in the named fields."""
    values = attrgetter(*names)
    both = expected.keys() & stored.keys()
    unlike = sum(values(expected[key]) != values(stored[key]) for key in both)
    return unlike + len(expected.keys() ^ stored.keys())

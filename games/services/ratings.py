"""Rating finished games, one after the other.

A finished game that ``is_rated`` and has no number in ``rated_as`` is a duty by itself. Whoever
rates holds the :class:`~games.models.RatingBook`, takes the game that ended first, and writes what
follows from it in one transaction; the number that the game gets is its place in the order, which
``manage.py recompute_ratings`` goes through again.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import QuerySet

from games.models import Game, GameStatus, Rating, RatingBook, RatingChange, Standing
from games.ratings import NEW, ranks, rate
from games.ratings import Rating as RatingValue
from games.selectors.finishes import Finish, Starter, finishes
from games.services import ranking


@dataclass(frozen=True, slots=True)
class Rated:
    """What a game does to the rating of one of those who began it."""

    who: Starter
    before: RatingValue
    after: RatingValue


def rate_games(*, now: datetime, limit: int = 500) -> int:
    """Rate the games that are over and not rated yet, in their order; return how many.

    Where somebody else is rating, he does it. Then the boards are ranked, if that is due.
    """
    count = 0
    if _due().exists():
        RatingBook.objects.get_or_create(pk=1)
        while count < limit and _rate_next():
            count += 1
    ranking.rank_if_due(now=now)
    return count


def changes_of(finish: Finish, known: Mapping[int, RatingValue]) -> tuple[Rated, ...]:
    """Return what a game does to its players' ratings; nothing if it is void.

    :param known: by seat, the rating before it of those who count: others are left out.
    """
    who = [starter for starter in finish.starters if starter.seat in known]
    if finish.is_void or len(who) < 2:
        return ()
    places = ranks([starter.leaving for starter in who])
    before = [known[starter.seat] for starter in who]
    after = rate(list(zip(before, places, strict=True)))
    return tuple(Rated(*each) for each in zip(who, before, after, strict=True))


def change_row(finish: Finish, rated: Rated) -> RatingChange:
    """Return the unsaved row of a change; of an account that is gone it names nobody."""
    return RatingChange(
        game_id=finish.game_id,
        seat=rated.who.seat,
        user_id=rated.who.user_id,
        nth=rated.after.games,
        mu_before=rated.before.mu,
        sigma_before=rated.before.sigma,
        mu=rated.after.mu,
        sigma=rated.after.sigma,
        place=rated.who.place,
        players=len(finish.starters),
        ended_at=finish.ended_at,
    )


def enter(row: Standing, finish: Finish, who: Starter) -> None:
    """Add a game to a player's standing on one of its boards."""
    row.games += 1
    row.wins += who.place == 1
    row.fair = round(row.fair + 1 / len(finish.starters), 6)
    row.last_at = max(row.last_at, finish.ended_at)


def value_of(row: Rating | None) -> RatingValue:
    """Return a row as a value; without one it is that of a new player."""
    return NEW if row is None else RatingValue(row.mu, row.sigma, row.games)


def hold(user_ids: Iterable[int]) -> frozenset[int]:
    """Lock accounts until the transaction ends, in the order of their keys; return who is there.

    Whoever closes an account holds it too, so that nothing is written of one that is going.
    """
    people = get_user_model().objects.select_for_update(no_key=True).filter(pk__in=set(user_ids))
    return frozenset(people.order_by("pk").values_list("pk", flat=True))


def _due() -> QuerySet[Game]:
    waiting = Game.objects.filter(status=GameStatus.FINISHED, is_rated=True, rated_as__isnull=True)
    return waiting.order_by("finished_at", "pk")


@transaction.atomic
def _rate_next() -> bool:
    """Rate the game that ended first; return whether there was one, and nobody else is rating."""
    book = RatingBook.objects.select_for_update(skip_locked=True).first()
    game = _due().first() if book is not None else None
    if book is None or game is None:
        return False
    [finish] = finishes([game])
    people = hold(who.user_id for who in finish.starters if who.user_id is not None)
    rows = Rating.objects.in_bulk(people)
    rated = changes_of(
        finish,
        {
            who.seat: value_of(rows.get(who.user_id))
            for who in finish.starters
            if who.user_id in people
        },
    )
    number = 0
    if rated:
        _write(finish, rated)
        number = book.games = book.games + 1
        book.is_stale = True
        book.save(update_fields=["games", "is_stale"])
    Game.objects.filter(pk=game.pk).update(rated_as=number)
    return True


def _write(finish: Finish, rated: Sequence[Rated]) -> None:
    RatingChange.objects.bulk_create([change_row(finish, each) for each in rated])
    people = {each.who.user_id: each for each in rated if each.who.user_id is not None}
    Rating.objects.bulk_create(
        [
            Rating(user_id=key, mu=each.after.mu, sigma=each.after.sigma, games=each.after.games)
            for key, each in people.items()
        ],
        update_conflicts=True,
        unique_fields=["user"],
        update_fields=["mu", "sigma", "games"],
    )
    boards = [board.key for board in finish.boards]
    stored = Standing.objects.filter(user__in=people, board__in=boards)
    standings = {(row.user_id, row.board): row for row in stored}
    for key, each in people.items():
        for board in boards:
            new = Standing(user_id=key, board=board, last_at=finish.ended_at)
            row = standings.setdefault((key, board), new)
            row.pk = None  # so that one statement writes old rows and new ones
            enter(row, finish, each.who)
    Standing.objects.bulk_create(
        standings.values(),
        update_conflicts=True,
        unique_fields=["user", "board"],
        update_fields=["games", "wins", "fair", "last_at"],
    )

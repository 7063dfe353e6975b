"""The places of the leaderboards, worked out from the ratings now and then.

A page reads places and counts nothing, so it costs the same however many players there are.
"""

from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from games.models import RatingBook, Standing
from games.ratings import ACTIVE_DAYS, ALL, LISTED_FROM, LISTED_FROM_IN_GROUP

RANK_EVERY = timedelta(minutes=5)
"""How long places may be older than the ratings."""

RANK_ANYWAY = timedelta(hours=12)
"""After so long they are worked out although nothing was rated: somebody may have stopped."""


@transaction.atomic
def rank_if_due(*, now: datetime) -> int | None:
    """Give the boards their places anew where that is due; return how many have changed.

    :returns: None when it is not due, or somebody else is at it.
    """
    book = RatingBook.objects.select_for_update(skip_locked=True).first()
    if book is None:
        return None
    wait = RANK_EVERY if book.is_stale else RANK_ANYWAY
    if book.ranked_at is not None and now - book.ranked_at < wait:
        return None
    return rank(book, now=now)


def rank(book: RatingBook, *, now: datetime) -> int:
    """Give the boards their places, by the strength less its uncertainty; return how many changed.

    :param book: locked.
    """
    is_listed = _listed(now)
    left = Standing.objects.filter(place__isnull=False).exclude(is_listed).update(place=None)
    moved = _place(Standing.objects.filter(is_listed))
    book.is_stale, book.ranked_at = False, now
    book.save(update_fields=["is_stale", "ranked_at"])
    return left + moved


def _place(listed: QuerySet[Standing]) -> int:
    """Write the places of standings, in the database alone; return how many have changed.

    Read and written back row by row it takes a minute for a hundred thousand players. As an insert
    of rows that are there, it needs no UPDATE FROM, which not every SQLite in use knows.
    """
    place = Window(
        RowNumber(),
        partition_by="board",
        order_by=[(F("user__rating__mu") - F("user__rating__sigma")).desc(), F("user")],
    )
    names = ("id", "user_id", "board", "games", "wins", "fair", "last_at")
    placed, values = listed.annotate(new=place).values_list(*names, "new").query.sql_with_params()
    table = Standing._meta.db_table
    sql = (
        f"INSERT INTO {table} ({', '.join(names)}, place) {placed}"
        " ON CONFLICT (id) DO UPDATE SET place = excluded.place"
        f" WHERE {table}.place IS NULL OR {table}.place <> excluded.place"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return int(cursor.rowcount)


def _listed(now: datetime) -> Q:
    """Return which standings have a place: enough games, not long ago, and nobody's who hides."""
    enough = Q(board=ALL) | Q(games__gte=LISTED_FROM_IN_GROUP)
    recent = Q(last_at__gte=now - timedelta(days=ACTIVE_DAYS))
    # Most players have never said anything about their privacy, and have no row of it.
    shown = Q(user__privacy__isnull=True) | Q(user__privacy__hides_statistics=False)
    return enough & recent & shown & Q(user__rating__games__gte=LISTED_FROM)

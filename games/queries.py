"""The reads that every move and every look at a table make, built once (see :mod:`games.rows`)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.functions import Now

from games.models import Bid, Conduct, Game, Hours, Order, Round, Seat, Tenure
from games.rows import Part, Select, attach, read

_user: Any = Seat._meta.get_field("user").related_model

_GAME = Select((Part(Game),), "FROM {0} t0 WHERE t0.id = %s")
_LOCKED_GAME = Select((Part(Game),), "FROM {0} t0 WHERE t0.id = %s FOR UPDATE")
# What a move needs of a seat and of its player's hours.
_MOVER = Part(
    Seat,
    (
        *("game", "number", "user", "bot", "name", "is_ready", "dice", "palifico_done", "place"),
        *("has_resigned", "missed_in_a_row", "is_absent", "absent_since", "bank", "seen_version"),
        *("seen_at", "held_from", "retired_at", "heir", "heir_bot"),
    ),
)
_HOURS = Part(Hours, ("zone", "night", "weekend", "absences", "emergency_at"))
_MOVERS = Select(
    (_MOVER, _HOURS, Part(Order)),
    "FROM {0} t0 LEFT JOIN {1} t1 ON t1.user_id = t0.user_id LEFT JOIN {2} t2 ON t2.seat_id = t0.id"
    " WHERE t0.game_id = %s ORDER BY t0.number",
)
_CURRENT_ROUND = Select(
    (Part(Round),),
    f"FROM {{0}} t0 WHERE t0.id = (SELECT current_round_id FROM {Game._meta.db_table}"  # noqa: S608
    " WHERE id = %s)",
)
_BY_CODE = (
    "FROM {0} t0 LEFT JOIN {1} t1 ON t1.game_id = t0.id AND t1.user_id = %s WHERE t0.code = %s"
)
_GAME_BY_CODE = Select((Part(Game), Part(Seat, ("number",))), _BY_CODE)
# What a player's command needs before its service locks the game and reads all of it.
_ADDRESSED = Part(Game, ("code", "status", "version", "host", "is_private", "turn_deadline_at"))
_GAME_ADDRESSED = Select((_ADDRESSED, Part(Seat, ("number",))), _BY_CODE)
# What a page or a mail tells of a player: his hours and how he keeps his turns, for forecasts too.
_CONDUCT = Part(Conduct, ("kept", "missed", "games", "played_on", "known", "low", "median", "high"))
_SEATS = Select(
    (Part(Seat), Part(_user, ("display_name",)), _HOURS, _CONDUCT),
    "FROM {0} t0 LEFT JOIN {1} t1 ON t1.id = t0.user_id"
    " LEFT JOIN {2} t2 ON t2.user_id = t0.user_id"
    " LEFT JOIN {3} t3 ON t3.user_id = t0.user_id WHERE t0.game_id = %s ORDER BY t0.number",
)
# Of the orders only the viewer's own is read: a rival's never comes near a page. Beside his seat
# stands the other game that waits for him and ends its turn first: in the same statement, for a
# page reads it every time.
_WAITING = (
    f"SELECT g.id FROM {Seat._meta.db_table} s"  # noqa: S608
    f" JOIN {Game._meta.db_table} g ON g.id = s.game_id AND g.to_act = s.number"
    f" JOIN {Round._meta.db_table} r ON r.id = g.current_round_id"
    " AND (r.beacon_round = 0 OR r.beacon_signature <> '')"
    " WHERE s.user_id = %s AND s.place IS NULL AND g.status = 'active' AND g.id <> %s"
    " ORDER BY g.turn_deadline_at, g.id LIMIT 1"
)
_SEATS_AND_OWN = Select(
    (
        *(Part(Seat), Part(_user, ("display_name",)), _HOURS, _CONDUCT, Part(Order)),
        Part(Game, ("code", "name")),
    ),
    "FROM {0} t0 LEFT JOIN {1} t1 ON t1.id = t0.user_id"
    " LEFT JOIN {2} t2 ON t2.user_id = t0.user_id"
    " LEFT JOIN {3} t3 ON t3.user_id = t0.user_id"
    " LEFT JOIN {4} t4 ON t4.seat_id = t0.id AND t0.user_id = %s"
    f" LEFT JOIN {{5}} t5 ON t0.user_id = %s AND t5.id = ({_WAITING})"
    " WHERE t0.game_id = %s ORDER BY t0.number",
)
_BIDS = Select((Part(Bid),), "FROM {0} t0 WHERE t0.round_id = %s ORDER BY t0.number")
# The round that is played and the two before it: what a player has missed is seldom more.
_NEWEST = "game_id = %s ORDER BY {order}number DESC LIMIT 3"
_LAST_ROUNDS = Select((Part(Round),), f"FROM {{0}} t0 WHERE t0.{_NEWEST.format(order='t0.')}")
_LAST_BIDS = Select(
    (Part(Bid),),
    # PostgreSQL and SQLite take LIMIT in a subquery; MySQL would not.
    f"FROM {{0}} t0 WHERE t0.round_id IN (SELECT id FROM {Round._meta.db_table}"  # noqa: S608
    f" WHERE {_NEWEST.format(order='')}) ORDER BY t0.round_id, t0.number",
)


@dataclass(frozen=True, slots=True)
class Around:
    """What lies around a table. ``closed`` are the rounds closed last, the newest first.

    ``bids`` are those of the round that is played, ``earlier`` those of the closed ones, by the
    keys of their rounds. ``next_game`` is another one that waits for the viewer.
    """

    seats: list[Seat]
    bids: list[Bid]
    closed: list[Round]
    earlier: dict[int, list[Bid]]
    next_game: Game | None


def lock_game(game_id: int) -> tuple[Game, list[Seat]]:
    """Lock a game until the transaction ends; return it with its round, and its seats in order.

    The seats know their players' hours and standing orders.

    Round and seats are read by statements of their own: in the first one PostgreSQL would hand out
    theirs as they were before it waited for the lock.

    :raises Game.DoesNotExist: there is no such game.
    """
    locks = connections[DEFAULT_DB_ALIAS].features.has_select_for_update
    first = _LOCKED_GAME if locks else _GAME
    found, rounds, movers = read(
        (first, (game_id,)), (_CURRENT_ROUND, (game_id,)), (_MOVERS, (game_id,))
    )
    if not found:
        raise Game.DoesNotExist
    game: Game = found[0][0]
    attach(game, "current_round", rounds[0][0] if rounds else None)
    for seat, hours, order in movers:
        seat.hours, seat.order = hours, order
    game.around = seats = [seat for seat, *_ in movers]
    return game, seats


def attach_past(seats: list[Seat]) -> None:
    """Give the seats that have changed hands, or are about to, those who held them, and who comes.

    Where none has, nothing is read.
    """
    changed = {seat.pk: seat for seat in seats if seat.retired_at is not None or seat.held_from}
    if not changed:
        return
    tenures = list(
        Tenure.objects.filter(seat__in=changed).select_related("user").order_by("retired_at", "pk")
    )
    heirs = {seat.heir_id for seat in changed.values()} - {None}
    people = _user.objects.in_bulk(heirs) if heirs else {}
    for seat in changed.values():
        seat.earlier = tuple(tenure for tenure in tenures if tenure.seat_id == seat.pk)
        attach(seat, "heir", people.get(seat.heir_id))


def attach_hours(seats: list[Seat]) -> None:
    """Give seats their players' hours, as :func:`lock_game` does."""
    known = Hours.objects.in_bulk([seat.user_id for seat in seats if seat.user_id is not None])
    for seat in seats:
        seat.hours = known.get(seat.user_id)


def clock(game_id: int) -> datetime:
    """Return what time it is for the database: now, not when a request arrived."""
    now: datetime = Game.objects.filter(pk=game_id).values_list(Now(), flat=True).get()
    return now


def game_and_seat(code: str, user_id: int | None) -> tuple[Game, int | None] | None:
    """Return the game of that code, and the number of the user's seat in it."""
    return _with_seat(_GAME_BY_CODE.one(user_id, code))


def addressed_game(code: str, user_id: int | None) -> tuple[Game, int | None] | None:
    """Return as :func:`game_and_seat` does, but only what tells who may do what."""
    return _with_seat(_GAME_ADDRESSED.one(user_id, code))


def _with_seat(found: tuple[Any, ...] | None) -> tuple[Game, int | None] | None:
    return (found[0], found[1].number if found[1] else None) if found else None


def seats_with_users(game_id: int) -> list[Seat]:
    """Return the seats in the order of their numbers, with what tells of their players."""
    return _with_users(_SEATS.all(game_id))


def bids_of(round_id: int) -> list[Bid]:
    """Return a round's bids in their order."""
    return [bid for (bid,) in _BIDS.all(round_id)]


def around_table(game: Game, user_id: int | None) -> Around:
    """Return the seats with their accounts, the last rounds with their bids, and what is next.

    The game gets its current round, and the user's own seat its standing order. A round that began
    after the game was read is passed over.
    """
    seats, bids, rounds = read(
        (_SEATS_AND_OWN, (user_id, user_id, user_id, game.pk, game.pk)),
        (_LAST_BIDS, (game.pk,)),
        (_LAST_ROUNDS, (game.pk,)),
    )
    current = next((row for (row,) in rounds if row.pk == game.current_round_id), None)
    if current is not None:
        attach(game, "current_round", current)
    known = [row for (row,) in rounds if current is None or row.number <= current.number]
    made: dict[int, list[Bid]] = {row.pk: [] for row in known}
    for (bid,) in bids:
        if bid.round_id in made:
            made[bid.round_id].append(bid)
    next_game = None
    for seat, *_, order, waiting in seats:
        seat.order = order
        next_game = next_game or waiting
    return Around(
        seats=_with_users(seats),
        bids=made.pop(game.current_round_id, []) if game.current_round_id is not None else [],
        closed=[row for row in known if row.result is not None],
        earlier=made,
        next_game=next_game,
    )


def _with_users(found: list[tuple[Any, ...]]) -> list[Seat]:
    for seat, user, hours, conduct, *_ in found:
        attach(seat, "user", user)
        seat.hours, seat.conduct = hours, conduct
    seats = [seat for seat, *_ in found]
    attach_past(seats)
    return seats

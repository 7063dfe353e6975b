"""The waiting room: make a game, fill its seats, get ready, start."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from games import beacon, rules, store, timing
from games.bots import BOT_NAMES, DEFAULT_BOT
from games.clock import GATES, ClockSettings, plain
from games.models import Game, GameStatus, Invitation, OutboxKind, Removal, Seat
from games.services import conduct, hours, invitations, log, notices, places, starting
from games.services.errors import LobbyRefusal
from games.services.moves import lock

TURN_SECONDS = range(3600, 14 * 86_400 + 1)
WAITING_ROOM_LIFE = timedelta(days=14)
SEAT_NAME = 40
"""Characters of the name a seat keeps for when its account is gone."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who acts: an account's id and the name that others see."""

    user_id: int
    name: str


@dataclass(frozen=True, slots=True)
class NewGame:
    """What a host chooses. ``turn_seconds`` (one hour to fourteen days) is a plain clock's time.

    ``clock`` goes before it. Without ``with_beacon`` its rolls take no public
    randomness, even where the site has a beacon. ``gate`` is the percentage of turns in time that
    whoever joins must have kept, or 0; ``new_welcome`` lets new players through it. With
    ``day_parts`` the table shows the times of moves, and ends turns, by parts of the day. With
    ``shows_odds`` whoever is to move sees how likely bids are, by his own dice. With bots, or odds,
    it is not rated, whatever ``is_rated`` says.
    """

    ruleset: rules.Ruleset
    seats: int
    turn_seconds: int = 86_400
    clock: ClockSettings | None = None
    is_private: bool = True
    bots: int = 0
    name: str = ""
    with_beacon: bool = True
    gate: int = 0
    new_welcome: bool = True
    day_parts: bool = False
    shows_odds: bool = False
    is_rated: bool = True


@transaction.atomic
def create_game(
    *, host: Player, new: NewGame, now: datetime, rematch_of: Game | None = None
) -> Game:
    """Open a waiting room with the host in the first seat; start at once if bots fill it.

    :raises LobbyRefusal: the choices don't fit together, or the host may take no seat now.
    """
    if not 2 <= new.seats <= new.ruleset.max_players:
        raise LobbyRefusal("lobby.seats", most=new.ruleset.max_players)
    if new.turn_seconds not in TURN_SECONDS:
        raise LobbyRefusal("lobby.turn-time")
    clock = new.clock or plain(new.turn_seconds)
    if not 0 <= new.bots < new.seats or new.bots > len(BOT_NAMES) * 2:
        raise LobbyRefusal("lobby.bots")
    if new.gate not in (0, *GATES):
        raise LobbyRefusal("lobby.gate")
    if new.shows_odds and new.ruleset.dice_counts is rules.DiceCounts.HIDDEN:
        raise LobbyRefusal("lobby.odds-of-hidden-dice")
    places.check(conduct.ensure(host.user_id), now=now)
    game = Game.objects.create(
        name=new.name,
        host_id=host.user_id,
        is_private=new.is_private,
        seats_wanted=new.seats,
        turn_seconds=int(clock.base.total_seconds()),
        clock=clock.to_dict(),
        gate=new.gate,
        new_welcome=new.new_welcome,
        day_parts=new.day_parts,
        shows_odds=new.shows_odds,
        is_rated=new.is_rated and not new.bots and not new.shows_odds,
        ruleset=new.ruleset.to_dict(),
        rematch_of=rematch_of,
        chain=beacon.chain_for_new_games() if new.with_beacon else "none",
        created_at=now,
        wake_at=now + WAITING_ROOM_LIFE,
    )
    store.create_secret(game)
    log.found(game, now=now).save()
    game.save(update_fields=["log_hash"])
    _sit(game, 0, now=now, player=host, is_ready=True)
    for number in range(1, new.bots + 1):
        _sit(game, number, now=now, bot=BOT_NAMES[(number - 1) % len(BOT_NAMES)])
    starting.start_if_complete(game, now=now)
    return game


@transaction.atomic
def join(*, game_id: int, player: Player, now: datetime) -> None:
    """Take a free seat. Whoever sits already just stays.

    :raises LobbyRefusal: ``lobby.full``, ``lobby.not-open`` or ``lobby.removed``; or the player may
        take no seat now, or none at this table (:mod:`games.services.places`).
    """
    own = conduct.ensure(player.user_id)
    game, seats = _open_room(game_id)
    if any(seat.user_id == player.user_id for seat in seats):
        return
    if Removal.objects.filter(game=game, user_id=player.user_id).exists():
        raise LobbyRefusal("lobby.removed")
    if len(seats) >= game.seats_wanted:
        raise LobbyRefusal("lobby.full")
    places.check(own, now=now)
    places.check_gate(own, game)
    taken = {seat.number for seat in seats}
    number = next(number for number in range(game.seats_wanted) if number not in taken)
    _sit(game, number, now=now, player=player)


@transaction.atomic
def leave(*, game_id: int, user_id: int, now: datetime) -> None:
    """Give up one's seat before the start; the host's leaving cancels the game."""
    game, _ = _open_room(game_id)
    if game.host_id == user_id:
        _cancel(game, now=now, by=game.host_id)
    else:
        Seat.objects.filter(game=game, user_id=user_id).delete()


@transaction.atomic
def set_ready(*, game_id: int, user_id: int, is_ready: bool, now: datetime) -> None:
    """Say that one is ready, or not yet. A full table that is ready starts by itself."""
    game, seats = _open_room(game_id)
    seat = next((seat for seat in seats if seat.user_id == user_id), None)
    if seat is None:
        raise LobbyRefusal("lobby.not-seated")
    seat.is_ready = is_ready
    seat.save(update_fields=["is_ready"])
    starting.start_if_complete(game, now=now)


@transaction.atomic
def remove_seat(*, game_id: int, host_id: int, seat_id: int, now: datetime) -> None:
    """Let the host free a seat, of a person or a bot, before the start.

    :param seat_id: the row, not its number: a newcomer on the same chair is somebody else.
    """
    game, seats = _open_room(game_id)
    _only_host(game, host_id)
    seat = next((seat for seat in seats if seat.pk == seat_id), None)
    if seat is None or seat.user_id == host_id:
        raise LobbyRefusal("lobby.no-such-seat")
    if seat.user is not None:
        invitations.lock_out(game, user_id=seat.user.pk, email=seat.user.email)
    seat.delete()


@transaction.atomic
def add_bot(*, game_id: int, host_id: int, now: datetime) -> None:
    """Give a free seat to a bot; the game is not rated any more."""
    game, seats = _open_room(game_id)
    _only_host(game, host_id)
    if len(seats) >= game.seats_wanted:
        raise LobbyRefusal("lobby.full")
    taken = {seat.number for seat in seats}
    number = next(number for number in range(game.seats_wanted) if number not in taken)
    names = {seat.name for seat in seats}
    if game.is_rated:
        # For good, even if it goes again: nobody who came to an unrated game is rated in the end.
        game.is_rated = False
        game.save(update_fields=["is_rated"])
    _sit(game, number, now=now, bot=next(name for name in BOT_NAMES * 2 if name not in names))
    starting.start_if_complete(game, now=now)


@transaction.atomic
def cancel(*, game_id: int, host_id: int, now: datetime) -> None:
    """Call the game off before the start; everybody who sat is told."""
    game, _ = _open_room(game_id)
    _only_host(game, host_id)
    _cancel(game, now=now, by=game.host_id)


@transaction.atomic
def expire(*, game_id: int, now: datetime) -> None:
    """Close a waiting room that has been open too long.

    :raises LobbyRefusal: it is not due, or no waiting room any more.
    """
    game, _ = _open_room(game_id)
    if game.wake_at is None or game.wake_at > now:
        raise LobbyRefusal("lobby.not-due")
    _cancel(game, now=now, by=None)


@transaction.atomic
def start(*, game_id: int, host_id: int, now: datetime, opener: int | None = None) -> None:
    """Start with the players that are there, all of them ready.

    :param opener: number of the seat that the host names to open, where the rules let him.
    """
    game, seats = _open_room(game_id)
    _only_host(game, host_id)
    if len(seats) < 2:
        raise LobbyRefusal("lobby.too-few")
    if not all(seat.is_ready for seat in seats):
        raise LobbyRefusal("lobby.not-ready")
    starting.start(game, seats, opener=opener, now=now)


@transaction.atomic
def invite(
    *, game_id: int, player: Player, emails: Sequence[str], language: str, now: datetime
) -> int:
    """Write an invitation, and its mail, to each address once; return how many are new.

    :raises LobbyRefusal: not seated there, or too many for one day.
    """
    game, seats = _open_room(game_id)
    if all(seat.user_id != player.user_id for seat in seats):
        raise LobbyRefusal("lobby.not-seated")
    addresses = {email.strip().lower() for email in emails}
    known = set(Invitation.objects.filter(game=game).values_list("email", flat=True))
    fresh = sorted(addresses - known)
    invitations.check_allowance(player.user_id, len(fresh), now=now)
    for email in fresh:
        invitations.write(game, by=player.user_id, now=now, email=email, language=language)
    return len(fresh)


def rematch(*, game: Game, player: Player, now: datetime) -> Game:
    """Return the waiting room for the same people; the first to ask opens it and hosts it.

    :raises LobbyRefusal: the game is not over, the player was not in it, or he has sent too many
        invitations today.
    """
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    if game.status != GameStatus.FINISHED:
        raise LobbyRefusal("lobby.not-finished")
    if all(seat.user_id != player.user_id for seat in seats):
        raise LobbyRefusal("lobby.not-seated")
    again = Game.objects.filter(rematch_of=game).first()
    if again is None:
        try:
            return _open_rematch(game, seats, player=player, now=now)
        except IntegrityError:
            again = Game.objects.get(rematch_of=game)  # another player was quicker
    if not Seat.objects.filter(game=again, user_id=player.user_id).exists():
        join(game_id=again.pk, player=player, now=now)
    return again


@transaction.atomic
def _open_rematch(game: Game, seats: Sequence[Seat], *, player: Player, now: datetime) -> Game:
    new = NewGame(
        ruleset=store.ruleset_of(game),
        seats=len(seats),
        turn_seconds=game.turn_seconds,
        clock=timing.clock_of(game),
        is_private=True,
        bots=sum(bool(seat.bot) for seat in seats),
        name=game.name,
        day_parts=game.day_parts,
        shows_odds=game.shows_odds,
        is_rated=game.is_rated,
    )
    again = create_game(host=player, new=new, now=now, rematch_of=game)
    others = {seat.user_id for seat in seats} - {None, player.user_id}
    invitations.check_allowance(player.user_id, len(others), now=now)
    for user_id in others:
        invitations.write(again, by=player.user_id, now=now, user_id=user_id)
    return again


def call_off(game: Game, *, now: datetime) -> None:
    """Close a locked waiting room that cannot go on; everybody who sat is told."""
    _cancel(game, now=now, by=None)


def _open_room(game_id: int) -> tuple[Game, list[Seat]]:
    game, seats = lock(game_id)
    if game.status != GameStatus.OPEN:
        raise LobbyRefusal("lobby.not-open")
    return game, seats


def _only_host(game: Game, user_id: int) -> None:
    if game.host_id != user_id:
        raise LobbyRefusal("lobby.host-only")


def _sit(
    game: Game,
    number: int,
    *,
    now: datetime,
    player: Player | None = None,
    bot: str = "",
    is_ready: bool = False,
) -> None:
    if player is not None:
        hours.ensure(player.user_id)
    Seat.objects.create(
        game=game,
        number=number,
        user_id=player.user_id if player else None,
        bot=DEFAULT_BOT if bot else "",
        name=(player.name if player else bot)[:SEAT_NAME],
        is_ready=is_ready or bool(bot),
        joined_at=now,
    )


def _cancel(game: Game, *, now: datetime, by: int | None) -> None:
    """Close the waiting room and tell everybody but the account that did it."""
    game.status, game.finished_at, game.wake_at = GameStatus.CANCELLED, now, None
    game.rematch_of = None  # so that the same people may ask for another one
    for event in log.disclose(game, store.open_dice(game), "cancelled", log.Entry(now)):
        event.save()
    game.save(
        update_fields=["status", "finished_at", "wake_at", "rematch_of", "version", "log_hash"]
    )
    others = [seat for seat in Seat.objects.filter(game=game) if seat.user_id != by]
    notices.save(notices.tell(OutboxKind.CANCELLED, game, others, now=now))

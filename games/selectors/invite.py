"""What an invitation link shows to whoever holds it, with an account or without."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from games import store
from games.models import Game, GameStatus, Invitation
from games.rules import DiceCounts
from games.selectors.table import seats_of
from games.selectors.values import GameInfo, game_info, seat_infos
from games.selectors.visible import Viewer, find_by_token


class InviteState(StrEnum):
    """What the link is good for now."""

    OPEN = "open"
    FULL = "full"
    EXPIRED = "expired"
    BEGUN = "begun"
    VACANT = "vacant"
    FORMER = "former"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A seat that nobody holds any more, and who did. ``dice`` is None where they are hidden."""

    seat_id: int
    name: str
    dice: int | None


@dataclass(frozen=True, slots=True)
class InvitePage:
    """A game as its invitation tells of it.

    ``i_sit`` says that the viewer has a seat already, or is about to. Once the game has begun,
    ``vacant`` are the seats that can be taken over.
    """

    game: GameInfo
    state: InviteState
    host: str
    players: tuple[str, ...]
    free_seats: int
    i_sit: bool
    vacant: tuple[FreeSeat, ...] = ()
    round_number: int = 0


def invite_page(token: str, viewer: Viewer, *, now: datetime) -> tuple[Game, InvitePage]:
    """Return the game that a link leads to, and what its holder may know of it.

    :raises Game.DoesNotExist: the link is no longer good, or never was.
    """
    game, invitation = find_by_token(token)
    rows, ruleset = seats_of(game), store.ruleset_of(game)
    seats = seat_infos(rows, viewer_id=viewer.user_id, host_id=game.host_id)
    free = game.seats_wanted - len(seats)
    vacant: tuple[FreeSeat, ...] = ()
    if game.status == GameStatus.ACTIVE and invitation is None:
        are_hidden = ruleset.dice_counts is DiceCounts.HIDDEN
        vacant = tuple(
            FreeSeat(row.pk, seat.name, None if are_hidden else row.dice)
            for row, seat in zip(rows, seats, strict=True)
            if row.is_free
        )
    was_here = any(who.is_me for seat in seats for who in seat.earlier)
    page = InvitePage(
        game=game_info(game, ruleset),
        state=_state(game, invitation, free=free, vacant=vacant, was_here=was_here, now=now),
        host=next((seat.name for seat in seats if seat.is_host), ""),
        players=tuple(seat.name for seat in seats),
        free_seats=free,
        i_sit=any(seat.is_me or seat.is_promised_to_me for seat in seats),
        vacant=vacant,
        round_number=game.current_round.number if vacant and game.current_round else 0,
    )
    return game, page


def _state(
    game: Game,
    invitation: Invitation | None,
    *,
    free: int,
    vacant: tuple[FreeSeat, ...],
    was_here: bool,
    now: datetime,
) -> InviteState:
    if game.status == GameStatus.CANCELLED:
        return InviteState.CANCELLED
    if was_here:
        return InviteState.FORMER
    if vacant:
        return InviteState.VACANT
    if game.status != GameStatus.OPEN:
        return InviteState.BEGUN
    if invitation is not None and now > invitation.expires_at:
        return InviteState.EXPIRED
    return InviteState.OPEN if free else InviteState.FULL

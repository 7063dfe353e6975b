"""What an invitation link shows to whoever holds it, with an account or without."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from games import store
from games.models import Game, GameStatus, Invitation
from games.selectors.table import seats_of
from games.selectors.values import GameInfo, game_info, seat_infos
from games.selectors.visible import Viewer, find_by_token


class InviteState(StrEnum):
    """What the link is good for now."""

    OPEN = "open"
    FULL = "full"
    EXPIRED = "expired"
    BEGUN = "begun"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class InvitePage:
    """A game as its invitation tells of it. ``i_sit`` says that the viewer has a seat already."""

    game: GameInfo
    state: InviteState
    host: str
    players: tuple[str, ...]
    free_seats: int
    i_sit: bool


def invite_page(token: str, viewer: Viewer, *, now: datetime) -> tuple[Game, InvitePage]:
    """Return the game that a link leads to, and what its holder may know of it.

    :raises Game.DoesNotExist: the link is no longer good, or never was.
    """
    game, invitation = find_by_token(token)
    seats = seat_infos(seats_of(game), viewer_id=viewer.user_id, host_id=game.host_id)
    free = game.seats_wanted - len(seats)
    page = InvitePage(
        game=game_info(game, store.ruleset_of(game)),
        state=_state(game, invitation, free=free, now=now),
        host=next((seat.name for seat in seats if seat.is_host), ""),
        players=tuple(seat.name for seat in seats),
        free_seats=free,
        i_sit=any(seat.is_me for seat in seats),
    )
    return game, page


def _state(game: Game, invitation: Invitation | None, *, free: int, now: datetime) -> InviteState:
    if game.status == GameStatus.CANCELLED:
        return InviteState.CANCELLED
    if game.status != GameStatus.OPEN:
        return InviteState.BEGUN
    if invitation is not None and now > invitation.expires_at:
        return InviteState.EXPIRED
    return InviteState.OPEN if free else InviteState.FULL

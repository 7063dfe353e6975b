"""Who may see which game. Every read starts here; what is not found does not exist."""

from dataclasses import dataclass
from enum import StrEnum

from games import queries
from games.models import Game, Invitation, Seat, Tenure


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: an account's id, or None for somebody who is not signed in."""

    user_id: int | None = None


class Tie(StrEnum):
    """What a person has to do with a game that he holds no seat in."""

    FORMER = "former"
    HEIR = "heir"


def find_game(code: str, viewer: Viewer) -> Game:
    """Return the game named ``code``.

    Open games may be known to all, private ones to those who sit in them, to their host, and to
    whoever held a seat in them or is about to.

    :raises Game.DoesNotExist: there is none, or ``viewer`` may not know of it.
    """
    return _if_known(queries.game_and_seat(code, viewer.user_id), viewer)[0]


def find_seated_game(code: str, viewer: Viewer) -> tuple[Game, int | None]:
    """Return the game named ``code`` and the number of the viewer's seat in it.

    The game's other fields than status, version and deadline load when they are asked for.

    :raises Game.DoesNotExist: as :func:`find_game`.
    """
    return _if_known(queries.addressed_game(code, viewer.user_id), viewer)


def _if_known(found: tuple[Game, int | None] | None, viewer: Viewer) -> tuple[Game, int | None]:
    if found is None:
        raise Game.DoesNotExist
    game, seat = found
    is_host = viewer.user_id is not None and game.host_id == viewer.user_id
    if game.is_private and seat is None and not is_host and tie_of(game, viewer) is None:
        raise Game.DoesNotExist
    return found


def tie_of(game: Game, viewer: Viewer) -> Tie | None:
    """Return what else than a seat ties ``viewer`` to a game, None if nothing does."""
    if viewer.user_id is None:
        return None
    if Seat.objects.filter(game=game, heir_id=viewer.user_id).exists():
        return Tie.HEIR
    if Tenure.objects.filter(game=game, user_id=viewer.user_id).exists():
        return Tie.FORMER
    return None


def find_by_token(token: str) -> tuple[Game, Invitation | None]:
    """Return the waiting room that an invitation link opens.

    :raises Game.DoesNotExist: the link is no longer good, or never was.
    """
    game = Game.objects.filter(invite_token=token).first()
    if game is not None:
        return game, None
    invitation = Invitation.objects.filter(token=token).select_related("game").first()
    if invitation is None:
        raise Game.DoesNotExist
    return invitation.game, invitation

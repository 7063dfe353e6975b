"""The waiting room in words: why it refused something, and when the first round may begin."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.translation import gettext_lazy as _

_REFUSALS = MappingProxyType(
    {
        "lobby.seats": _("At this table there are from 2 to %(most)s seats."),
        "lobby.turn-time": _("The time a turn is from one hour to fourteen days."),
        "lobby.bots": _("At least one seat is yours: give fewer seats to bots."),
        "lobby.too-many-open": _(
            "You have %(most)s games that wait for players. Start or cancel one of them first."
        ),
        "lobby.too-many-active": _(
            "You host %(most)s games that are under way. Finish one of them first."
        ),
        "lobby.too-many-invitations": _(
            "That would be more than %(most)s invitations by e-mail within a day. Pass on the link "
            "instead."
        ),
        "lobby.address-has-enough": _(
            "No more invitations are mailed to %(email)s today. Pass on the link instead."
        ),
        "lobby.full": _("All seats are taken."),
        "lobby.not-open": _("This game takes no more players: it has begun, or was called off."),
        "lobby.not-seated": _("You have no seat in this game."),
        "lobby.host-only": _("Only the host may do that."),
        "lobby.no-such-seat": _("That seat is empty already, or it is the host’s."),
        "lobby.too-few": _("It takes at least two players to start."),
        "lobby.not-ready": _("The game can start when all players are ready."),
        "lobby.not-finished": _("This game is not over yet."),
        "lobby.not-due": _("This game still waits for players."),
    }
)


def lobby_refusal(code: str, params: Mapping[str, object]) -> str:
    """Return why a waiting room refuses something."""
    return str(_REFUSALS[code]) % params

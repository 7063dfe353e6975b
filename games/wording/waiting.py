"""The waiting room in words: why it refused something, and when the first round may begin."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.translation import gettext_lazy as _

from games.wording.clocks import clock_refusal, in_words

_REFUSALS = MappingProxyType(
    {
        "lobby.seats": _("At this table there are from 2 to %(most)s seats."),
        "lobby.turn-time": _("The time a turn is from one hour to fourteen days."),
        "lobby.bots": _("At least one seat is yours: give fewer seats to bots."),
        "lobby.gate": _("A table can ask for 75, 85 or 92 percent of turns in time."),
        "lobby.odds-of-hidden-dice": _(
            "The odds would tell how many dice are left, which these rules hide: choose one or the "
            "other."
        ),
        "lobby.too-many-tables": _(
            "You sit at %(most)s tables, which is as many as you may for now. Finish a game, or "
            "leave a waiting room, first: every finished game makes room for one table more."
        ),
        "lobby.most-tables": _(
            "You sit at %(most)s tables, and nobody may sit at more. Finish a game, or leave a "
            "waiting room, first."
        ),
        "lobby.banned": _(
            "The clock had to take four seats or more from you within half a year, so you can take "
            "no new one until %(at)s. Until then play on where you sit."
        ),
        "lobby.too-many-invitations": _(
            "That would be more than %(most)s invitations by e-mail within a day. Pass on the link "
            "instead."
        ),
        "lobby.address-has-enough": _(
            "No more invitations are mailed to %(email)s today. Pass on the link instead."
        ),
        "lobby.full": _("All seats are taken."),
        "lobby.removed": _("The host has removed you from this game."),
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
    """Return why a waiting room refuses something; moments in the active zone."""
    if code not in _REFUSALS:
        return clock_refusal(code, params)
    return str(_REFUSALS[code]) % {key: in_words(value) for key, value in params.items()}

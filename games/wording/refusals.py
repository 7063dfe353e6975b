"""The sentence a reader gets for each code of :class:`games.rules.RuleViolation`."""

from types import MappingProxyType

from django.utils.translation import gettext_lazy as _

from games.rules import ACE, Bid, RuleViolation
from games.wording.dice import bid_text, face_name, quantity_text

_SENTENCES = MappingProxyType(
    {
        "bid.unreadable": _("A bid is a number of dice and a face from 1 to 6, such as 4x5."),
        "bid.aces-opening": _("A normal round cannot be opened with a bid on aces."),
        "bid.not-a-raise": _("%(bid)s does not raise %(over)s."),
        "bid.aces-half": _("To go over to aces after %(over)s, bid at least %(least)s."),
        "bid.double-plus-one": _("To leave the aces after %(over)s, bid at least %(least)s dice."),
        "bid.face-locked": _("In this palifico round you have to stay with the %(face)s."),
        "bid.one-way": _(
            "At this table a raise either adds dice of the same face, or keeps the number of dice "
            "and takes a higher face."
        ),
        "bid.over-cap": _("At this table a bid cannot name more than %(cap)s dice."),
        "bid.over-hidden-cap": _("At this table a bid cannot name more dice than are in play."),
        "turn.not-yours": _("It is not your turn."),
        "seat.unknown": _("There is no such seat in this game."),
        "seat.out": _("This seat is out of the game."),
        "game.over": _("The game is over."),
        "game.seats": _("This table seats 2 to %(most)s players."),
        "round.not-rolled": _("The dice of this round have not been rolled yet."),
        "round.already-rolled": _("The dice of this round have already been rolled."),
        "round.wrong-cups": _("The rolled cups do not fit the dice that the players have."),
        "dudo.no-bid": _("There is no bid to doubt yet."),
        "calza.disabled": _("Calza is not played at this table."),
        "calza.no-bid": _("There is no bid to call exact yet."),
        "calza.own-bid": _("You cannot call calza on your own bid."),
        "calza.turn-only": _("At this table only the player whose turn it is may call calza."),
        "calza.two-players": _("Calza is not allowed when only two players are left."),
        "calza.palifico": _("Calza is not allowed in a palifico round."),
        "calza.needs-lost-die": _("At this table only a player who has lost a die may call calza."),
        "ruleset.unknown": _("There are no rules of that name."),
        "ruleset.malformed": _("These rules cannot be read: look at “%(key)s”."),
        "ruleset.value": _("“%(key)s” cannot have that value."),
        "ruleset.option": _("The rules “%(name)s” have no option “%(key)s”."),
        "ruleset.option-value": _("The option “%(key)s” is either on or off."),
    }
)


def refusal(violation: RuleViolation) -> str:
    """Return why the rules refuse something, with bids and faces in words."""
    params = {key: _said(violation.code, key, value) for key, value in violation.params.items()}
    return str(_SENTENCES[violation.code]) % params


def _said(code: str, key: str, value: object) -> object:
    """Return a parameter as a reader hears it: "4x5" is "4 fives", face 5 is "fives"."""
    if key in ("bid", "over"):
        return bid_text(Bid.parse(str(value)))
    if key == "face" and isinstance(value, int):
        return face_name(value, 2)
    if code == "bid.aces-half" and isinstance(value, int):
        return quantity_text(value, ACE)
    return value

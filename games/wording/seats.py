"""Seats that change hands, in words."""

from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

_REFUSALS = MappingProxyType(
    {
        "takeover.over": gettext_lazy("This game is over: there is no seat to take over."),
        "takeover.taken": gettext_lazy(
            "Somebody was quicker, or the seat has gone out: it cannot be taken over any more."
        ),
        "takeover.seated": gettext_lazy("You have a seat in this game already."),
        "takeover.former": gettext_lazy(
            "You held a seat in this game until it was retired, so you cannot take one over."
        ),
        "takeover.retired": gettext_lazy(
            "Your seat was retired after seven days, so you cannot play in this game any more. "
            "You may watch."
        ),
        "takeover.begun": gettext_lazy(
            "The dice have been rolled and the seat is yours. You can leave the game instead."
        ),
        "takeover.not-yet": gettext_lazy(
            "You play from the next round on: the dice of this one were rolled for somebody else."
        ),
    }
)


def seat_refusal(code: str) -> str:
    """Return why a seat that changes hands was refused to somebody."""
    return str(_REFUSALS[code])


def retired_sentence(name: str) -> str:
    """Return that a seat was retired."""
    return _("%(name)s was away for seven days, so the seat was retired.") % {"name": name}


def place_sentence(name: str, place: int) -> str:
    """Return which place somebody took when his seat was retired."""
    said = {"name": name, "place": place}
    return (
        _("%(name)s was away for seven days and took place %(place)d when the seat was retired.")
        % said
    )


def free_sentence(name: str) -> str:
    """Return that a seat waits for somebody to take it over."""
    return _(
        "%(name)s was away for seven days, so nobody holds this seat any more. It plays by itself "
        "until somebody takes it over."
    ) % {"name": name}


def promised_sentence(name: str, heir: str) -> str:
    """Return who takes over a seat."""
    said = {"name": name, "heir": heir}
    return _("%(heir)s takes over the seat of %(name)s with the next round.") % said


def taken_sentence(name: str, heir: str) -> str:
    """Return who has taken over a seat."""
    return _("%(heir)s has taken over the seat of %(name)s.") % {"name": name, "heir": heir}

"""What a review says of a decision: how likely it was to come true, and how good it was.

Verdicts are on decisions, never on what came of them; luck is named apart.
"""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.review import CALZA, DUDO, WAIT, Decision, Mark, Weighed
from games.rules import Bid
from games.wording.dice import bid_text, quantity_text
from games.wording.happenings import bid_sentence
from games.wording.odds import chance_text

_LITTLE, _SOME, _MUCH = 0.3, 0.8, 1.5
"""Points given away per decision, from which on the next words are said."""


def decision_sentence(decision: Decision, name: str) -> str:
    """Return what was done: "Alice bid 4 fives."."""
    if decision.action not in (DUDO, CALZA):
        return bid_sentence(name, decision.bid, automatic=decision.is_auto)
    said = {"name": name, "bid": bid_text(decision.bid)}
    if decision.action == DUDO:
        return _("%(name)s called dudo on %(bid)s.") % said
    return _("%(name)s called calza on %(bid)s.") % said


def decision_odds_sentence(decision: Decision) -> str:
    """Return how likely it was to come true, to who made it; nothing if that is not known."""
    weighed = decision.weighed
    if weighed is None:
        return ""
    said = {
        "own": chance_text(weighed.own),
        "exact": chance_text(weighed.exact),
        "informed": chance_text(weighed.informed),
    }
    if decision.action == DUDO:
        words = _(
            "The doubt was right with %(own)s by own dice, with %(informed)s by the bids too."
        )
    elif decision.action == CALZA:
        words = _("It was exact with %(own)s by own dice, with %(informed)s by the bids too.")
    else:
        words = _(
            "It held with %(own)s by own dice (exactly: %(exact)s), with %(informed)s by the bids "
            "too."
        )
    return words % said


def truth_sentence(decision: Decision) -> str:
    """Return what was under the cups, as far as that is known."""
    if decision.count is None:
        return ""
    found = quantity_text(decision.count, decision.bid.face)
    return _("Under all cups: %(dice)s.") % {"dice": found}


def verdict_sentence(decision: Decision) -> str:
    """Return how good a decision was, whatever came of it."""
    weighed = decision.weighed
    if decision.is_auto:
        return _("The clock moved: there is nothing to judge.")
    if weighed is None:
        return _("The cup stays covered, so nothing is said of it.")
    if weighed.is_best:
        return _praise(decision)
    best = weighed.best[0].action
    said = {"best": option_text(best), "points": points_text(weighed.loss)}
    match weighed.mark:
        case Mark.GOOD:
            return _("Nearly as good as the best: %(best)s.") % said
        case Mark.DUBIOUS:
            words = _("Dubious: better was %(best)s, by %(points)s points.")
        case Mark.MISTAKE:
            words = _("A mistake: better was %(best)s, by %(points)s points.")
        case Mark.BLUNDER:
            words = _("A blunder: better was %(best)s, by %(points)s points.")
    is_call = decision.action in (DUDO, CALZA)
    if is_call and decision.came_true:
        return f"{words % said} {_('It came true all the same: luck.')}"
    return words % said


def swing_sentence(decision: Decision) -> str:
    """Return what the end of a round did to the caller's chance to win; nothing for bids."""
    if not decision.swing:
        return ""
    points = points_text(abs(decision.swing))
    if decision.swing > 0:
        return _("It brought %(points)s points of the chance to win.") % {"points": points}
    return _("It cost %(points)s points of the chance to win.") % {"points": points}


def option_text(action: str) -> str:
    """Return an option as it is said: "4 fives", "dudo"."""
    if action == DUDO:
        return pgettext("option", "dudo")
    if action == CALZA:
        return pgettext("option", "calza")
    if action == WAIT:
        return pgettext("option", "to wait")
    return bid_text(Bid.parse(action))


def options_text(weighed: Weighed) -> str:
    """Return the best options with the chance to win after each."""
    return _("; ").join(
        f"{option_text(option.action)}: {chance_text(option.value)}" for option in weighed.best
    )


def points_text(points: float) -> str:
    """Return points of a hundred with one decimal."""
    return str(number_format(points, 1))


def closeness_text(mean_loss: float | None) -> str:
    """Return how close to the best somebody played, as a band: the number itself says less."""
    if mean_loss is None:
        return pgettext("play", "nothing to judge")
    if mean_loss < _LITTLE:
        return pgettext("play", "very close to the best")
    if mean_loss < _SOME:
        return pgettext("play", "close to the best")
    if mean_loss < _MUCH:
        return pgettext("play", "some way from the best")
    return pgettext("play", "far from the best")


def _praise(decision: Decision) -> str:
    if decision.action not in (DUDO, CALZA):
        return _("A good bid.")
    return _("A good call.") if decision.came_true else _("A good call, and bad luck.")

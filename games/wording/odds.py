"""How likely bids are, in words."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from games.rules import Bid
from games.wording.conduct import percent_text
from games.wording.dice import bid_text


def chance_text(chance: float) -> str:
    """Return a chance from 0 to 1 in whole percents; only what is certain is 0 or 100."""
    percent = 100 * chance
    if 0 < percent < 1:
        return percent_text("<1")
    if 99 < percent < 100:
        return percent_text(">99")
    return percent_text(round(percent))


def standing_odds_sentence(bid: Bid, *, holds: float, exact: float | None) -> str:
    """Return how likely the standing bid holds and, where that can be called, is exact.

    The chances are from 0 to 1, by the reader's own dice.
    """
    said = {"bid": bid_text(bid), "chance": chance_text(holds)}
    if exact is None:
        return _("By your own dice, at least %(bid)s: %(chance)s.") % said
    return _("By your own dice, at least %(bid)s: %(chance)s, exactly: %(exact)s.") % {
        **said,
        "exact": chance_text(exact),
    }


def raises_odds_sentence(odds: Mapping[Bid, str]) -> str:
    """Return how likely the lowest bids are that the reader may make, by his own dice."""
    listed = ", ".join(
        _("at least %(bid)s: %(chance)s") % {"bid": bid_text(bid), "chance": chance}
        for bid, chance in odds.items()
    )
    return _("If you bid: %(odds)s.") % {"odds": listed}

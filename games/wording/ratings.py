"""Ratings and leaderboards, in words."""

from datetime import date

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.ratings import ACTIVE_DAYS, LISTED_FROM, LISTED_FROM_IN_GROUP
from games.wording.rulesets import RuleLine


def rating_tag(*, is_rated: bool) -> RuleLine:
    """Return whether a game counts for ratings, as a list of games says it."""
    sentence = _("This game is rated.") if is_rated else _("This game is not rated.")
    return RuleLine("table.is_rated", _("Rating"), sentence)


def unrated_seat_sentence() -> str:
    """Return that who takes a seat over is not rated."""
    return _("Your rating stays as it is: the game counts for the player who began it here.")


def rating_line(*, is_rated: bool) -> RuleLine:
    """Return whether a table's game counts for ratings, and what that means."""
    if is_rated:
        sentence = _(
            "This game is rated: the finishing order counts for those who begin it. Whoever "
            "resigns, or loses his seat to the clock, is placed below all who are still in. A seat "
            "that is taken over counts for the player before. If nobody loses a die, nothing "
            "counts."
        )
    else:
        sentence = _("This game is not rated: it changes nobody’s rating.")
    return RuleLine("table.is_rated", _("Rating"), sentence)


def season_title(first: date) -> str:
    """Return what a season is called, from its first day."""
    return _("Season from %(day)s") % {"day": date_format(first, "DATE_FORMAT")}


def seats_title(count: int) -> str:
    """Return the name of the leaderboard of tables of one size."""
    return ngettext("%(count)d player", "%(count)d players", count) % {"count": count}


def not_listed_sentence(*, games: int, here: int, is_group: bool) -> str:
    """Tell somebody why he has no place on a leaderboard.

    :param games: how many rated games he has finished, and ``here``: those of this board.
    """
    if games < LISTED_FROM:
        return ngettext(
            "You are not listed yet: that takes %(least)d rated games, and you have finished "
            "%(count)d.",
            "You are not listed yet: that takes %(least)d rated games, and you have finished "
            "%(count)d.",
            games,
        ) % {"least": LISTED_FROM, "count": games}
    if is_group and here < LISTED_FROM_IN_GROUP:
        return ngettext(
            "You are not listed here yet: that takes %(least)d rated games of this kind, and you "
            "have finished %(count)d.",
            "You are not listed here yet: that takes %(least)d rated games of this kind, and you "
            "have finished %(count)d.",
            here,
        ) % {"least": LISTED_FROM_IN_GROUP, "count": here}
    return _(
        "You are not listed: whoever has finished no rated game for %(days)d days, or hides his "
        "statistics, is left out. Places are worked out every few minutes."
    ) % {"days": ACTIVE_DAYS}

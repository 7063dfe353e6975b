"""What is counted of finished games, in words: names, what they mean, and how numbers read."""

from dataclasses import dataclass
from types import MappingProxyType

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

_NAMES = MappingProxyType(
    {
        "win": gettext_lazy("Games won"),
        "place": gettext_lazy("Placing"),
        "dudo_right": gettext_lazy("Dudos that were right"),
        "dudo_edge": gettext_lazy("Dudo edge"),
        "dudo": gettext_lazy("Dudos"),
        "calza_right": gettext_lazy("Calzas that were exact"),
        "calza": gettext_lazy("Calzas in a game"),
        "bluff": gettext_lazy("Bluffs"),
        "stretch": gettext_lazy("Stretches"),
        "false": gettext_lazy("Bids that did not hold"),
        "caught": gettext_lazy("Doubted bids that did not hold"),
        "escape": gettext_lazy("Bluffs that got through"),
        "pressure": gettext_lazy("Opening pressure"),
        "aggression": gettext_lazy("Aggression"),
        "clutch": gettext_lazy("Rounds survived with one die"),
        "comeback": gettext_lazy("Games won after one die"),
        "palifico": gettext_lazy("Own palifico rounds without a loss"),
    }
)
_MEANINGS = MappingProxyType(
    {
        "win": gettext_lazy("Of all finished games."),
        "place": gettext_lazy("0 is always first, 1 always last."),
        "dudo_right": gettext_lazy("Of all dudos."),
        "dudo_edge": gettext_lazy(
            "How much more often they were right than own dice and the bids foretold."
        ),
        "dudo": gettext_lazy("Of turns with a bid to answer."),
        "calza_right": gettext_lazy("Of all calzas."),
        "calza": gettext_lazy("On an average."),
        "bluff": gettext_lazy("Bids that none of one’s own dice counts for."),
        "stretch": gettext_lazy("Bids that by one’s own dice fail rather than hold."),
        "false": gettext_lazy("Doubted or not."),
        "caught": gettext_lazy("Of one’s bids that were doubted."),
        "escape": gettext_lazy("Of all bluffs, those that no right dudo met."),
        "pressure": gettext_lazy(
            "What the first bid of a round asks for, in dice that are to be expected in all cups: "
            "1 is the average roll."
        ),
        "aggression": gettext_lazy("Dice that a raise goes beyond the least one on its face."),
        "clutch": gettext_lazy("Of rounds begun with one die."),
        "comeback": gettext_lazy("Of games in which one was down to one die."),
        "palifico": gettext_lazy("Of one’s own palifico rounds."),
    }
)
_CAUSES = MappingProxyType(
    {
        "bluff": pgettext_lazy("a die was lost by", "A bluff"),
        "stretch": pgettext_lazy("a die was lost by", "A stretch"),
        "bid": pgettext_lazy("a die was lost by", "An ordinary bid"),
        "dudo": pgettext_lazy("a die was lost by", "A wrong dudo"),
        "calza": pgettext_lazy("a die was lost by", "A wrong calza"),
        "clock": pgettext_lazy("a die was lost by", "The clock"),
    }
)


@dataclass(frozen=True, slots=True)
class MedalWords:
    """An achievement: what it is called, and what earns it."""

    name: str
    deed: str


_MEDALS = MappingProxyType(
    {
        "first_game": (gettext_lazy("At the table"), gettext_lazy("Finished a game.")),
        "first_win": (gettext_lazy("Last one standing"), gettext_lazy("Won a game.")),
        "brink": (
            gettext_lazy("From the brink"),
            gettext_lazy("Won a game after having been down to one die."),
        ),
        "unhurt": (gettext_lazy("Unhurt"), gettext_lazy("Won a game without losing a die.")),
        "honest": (
            gettext_lazy("Honest"),
            gettext_lazy("Won a game with ten bids or more and not one bluff."),
        ),
        "quiet": (gettext_lazy("Quiet"), gettext_lazy("Won a game without a dudo or calza.")),
        "sharp": (
            gettext_lazy("Sharp ears"),
            gettext_lazy("Called five dudos or more in a game, all of them right."),
        ),
        "exact": (gettext_lazy("To the die"), gettext_lazy("Called a calza that was exact.")),
        "exact_twice": (
            gettext_lazy("To the die, again"),
            gettext_lazy("Called two exact calzas in one game."),
        ),
        "big_table": (
            gettext_lazy("Big table"),
            gettext_lazy("Won a game of six players or more."),
        ),
        "survivor": (
            gettext_lazy("Survivor"),
            gettext_lazy("Survived five rounds in a row with one die."),
        ),
        "hat_trick": (gettext_lazy("Hat-trick"), gettext_lazy("Won three games in a row.")),
        "regular": (gettext_lazy("Regular"), gettext_lazy("Finished fifty games.")),
    }
)


def statistic_name(code: str) -> str:
    """Return what a statistic is called."""
    return str(_NAMES[code])


def statistic_meaning(code: str) -> str:
    """Return what it is, in a sentence."""
    return str(_MEANINGS[code])


def medal_words(code: str) -> MedalWords:
    """Return an achievement in words."""
    name, deed = _MEDALS[code]
    return MedalWords(str(name), str(deed))


def cause_name(code: str) -> str:
    """Return a way to lose a die."""
    return str(_CAUSES[code])


def share_text(share: float) -> str:
    """Return a share as a whole percentage that no line break parts."""
    return (_("%(percent)s %%") % {"percent": round(share * 100)}).replace(
        " ", "\N{NO-BREAK SPACE}"
    )


def number_text(number: float, *, signed: bool = False, places: int = 2) -> str:
    """Return a number with so many decimals; ``signed``, with its sign before it."""
    shown = round(number, places) + 0.0  # no minus before nothing
    text = number_format(abs(shown), decimal_pos=places)
    if shown < 0:
        return f"\N{MINUS SIGN}{text}"
    return f"+{text}" if signed and shown > 0 else text


def count_text(number: int) -> str:
    """Return a count with its thousands parted."""
    return number_format(number, force_grouping=True)


def player_text(games: int, won: int) -> str:
    """Return a player in a sentence, for links to his page."""
    if not games:
        return _("A player.")
    return ngettext(
        "%(games)s finished game, %(won)s won.", "%(games)s finished games, %(won)s won.", games
    ) % {"games": count_text(games), "won": count_text(won)}


def occasions_text(count: int) -> str:
    """Return how many occasions a rate is of."""
    return ngettext("%(count)s occasion", "%(count)s occasions", count) % {
        "count": count_text(count)
    }


def band_text(low: str, high: str) -> str:
    """Return a band of two numbers that are in words already."""
    return _("%(low)s to %(high)s") % {"low": low, "high": high}


def luck_sentence(z: float | None) -> str:
    """Return what a score of roll luck says, and no more than that."""
    if z is None:
        return ""
    if abs(z) < 1:
        return _("That is ordinary: two players of three are as near to nothing.")
    if abs(z) < 2:
        return _("That is a little out of the ordinary: one player of three is as far from it.")
    return _("That is rare: one player of twenty is as far from the ordinary.")


def sample_sentence(count: int) -> str:
    """Return from how many occasions on something is shown."""
    return ngettext(
        "A rate is shown from %(count)d occasion on.",
        "A rate is shown from %(count)d occasions on.",
        count,
    ) % {"count": count}

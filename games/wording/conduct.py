"""How players keep their turns, and what a table asks of them, in words."""

from collections.abc import Iterator
from datetime import timedelta
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from games.clock import LEAST_ANSWERS, NEW_BELOW, Answers, NextStep, Reliability, Standing
from games.wording.rulesets import RuleLine
from games.wording.times import time_left

_STANDINGS = MappingProxyType(
    {
        Standing.NEW: pgettext_lazy("reliability", "new"),
        Standing.GOOD: pgettext_lazy("reliability", "good"),
        Standing.FAIR: pgettext_lazy("reliability", "fair"),
        Standing.WEAK: pgettext_lazy("reliability", "weak"),
        Standing.POOR: pgettext_lazy("reliability", "poor"),
    }
)
_NEW = gettext_lazy(
    "New: fewer than %(games)d finished games. Everybody begins so; it says nothing bad."
)


def standing_text(standing: Standing) -> str:
    """Return a class of reliability in one word."""
    return str(_STANDINGS[standing])


def percent_text(number: int | str) -> str:
    """Return a percentage that no line break parts."""
    return (_("%(percent)s %%") % {"percent": number}).replace(" ", "\N{NO-BREAK SPACE}")


def reliability_tag(known: Reliability) -> str:
    """Return what stands beside a name: "new", or "93 % in time"."""
    if known.standing is Standing.NEW:
        return standing_text(known.standing)
    return _("%(percent)s in time") % {"percent": percent_text(known.percent)}


def reliability_sentence(known: Reliability) -> str:
    """Return a player's reliability as his profile tells it."""
    if known.standing is Standing.NEW:
        return str(_NEW) % {"games": NEW_BELOW}
    said = {"percent": percent_text(known.percent), "standing": standing_text(known.standing)}
    return _("%(percent)s of turns in time: %(standing)s.") % said


def next_step_sentence(step: NextStep | None) -> str:
    """Tell a player himself what brings him one step up; nothing where he is on top."""
    if step is None:
        return ""
    to = {"standing": standing_text(step.to)}
    if step.games:
        return ngettext(
            "Finish %(count)d more game against people, and it says “%(standing)s”.",
            "Finish %(count)d more games against people, and it says “%(standing)s”.",
            step.games,
        ) % {**to, "count": step.games}
    return ngettext(
        "%(count)d more turn in time makes it “%(standing)s”.",
        "%(count)d more turns in time make it “%(standing)s”.",
        step.turns,
    ) % {**to, "count": step.turns}


def answers_sentence(answers: Answers | None) -> str:
    """Return how long a player's turns take; nothing from too little data."""
    if answers is None or answers.count < LEAST_ANSWERS:
        return ""
    minute = timedelta(minutes=1)  # "less than less than a minute" says nothing
    said = {
        "median": time_left(max(answers.median, minute)),
        "low": time_left(max(answers.low, minute)),
        "high": time_left(max(answers.high, minute)),
    }
    return (
        _(
            "Half of the turns took less than %(median)s, a quarter less than %(low)s, a quarter "
            "more than %(high)s. Nights are left out."
        )
        % said
    )


def gate_title(percent: int) -> str:
    """Return what a table asks of those who join, as a choice."""
    if not percent:
        return _("Anybody")
    return _("%(percent)s of turns in time or more") % {"percent": percent_text(percent)}


def table_lines(
    *, gate: int, new_welcome: bool, day_parts: bool, shows_odds: bool = False
) -> tuple[RuleLine, ...]:
    """Return what a table has chosen beside rules and clock, each with its sentence."""
    found = _lines(gate=gate, new_welcome=new_welcome, day_parts=day_parts, shows_odds=shows_odds)
    return tuple(RuleLine(f"table.{key}", title, sentence) for key, title, sentence in found)


def _lines(
    *, gate: int, new_welcome: bool, day_parts: bool, shows_odds: bool
) -> Iterator[tuple[str, str, str]]:
    if gate:
        asked = _("Players who have played at least %(percent)s of their turns in time.") % {
            "percent": percent_text(gate)
        }
        new = _("New players are welcome.") if new_welcome else _("New players are not.")
        yield "gate", _("Who may join"), f"{asked} {new}"
    if day_parts:
        yield (
            "day_parts",
            _("Times of moves"),
            _(
                "Shown as parts of the day, not in minutes. A turn’s time ends with a part of the "
                "player’s day: at midnight, 6, 12 or 18 o’clock."
            ),
        )
    if shows_odds:
        yield (
            "shows_odds",
            _("Odds"),
            _("Shown to whoever is to move, by his own dice alone. The game counts for no rating."),
        )

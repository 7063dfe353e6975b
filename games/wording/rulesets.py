"""A ruleset in sentences: one line for every toggle that matters, in the order of a game."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType

from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from games.rules import (
    BidCap,
    CalzaRules,
    CalzaWindow,
    CoveredCups,
    DiceCounts,
    FaceChange,
    FirstStarter,
    PalificoRules,
    RaiseMode,
    Reveal,
    Ruleset,
    Trigger,
    find_ruleset,
    preset_options,
    with_options,
)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule: the toggle's dotted ``key``, a short title and the sentence that explains it."""

    key: str
    title: str
    sentence: str


_TITLES = MappingProxyType(
    {
        "piatnik": gettext_lazy("Piatnik"),
        "bga": gettext_lazy("Board Game Arena"),
        "asmodee": gettext_lazy("Asmodee 2024"),
        "wikipedia": gettext_lazy("Wikipedia"),
        "custom": gettext_lazy("Our own rules"),
    }
)
_SUMMARIES = MappingProxyType(
    {
        "piatnik": gettext_lazy(
            "The classic box. The number of dice left is not shown, cups are lifted only until the "
            "bid is proven, and there is no calza."
        ),
        "bga": gettext_lazy(
            "The quick game known online. All dice are shown after a dudo, and everybody sees how "
            "many are left."
        ),
        "asmodee": gettext_lazy(
            "The modern box. Simple at first: palifico (“the last die”) and calza (“bull’s eye”) "
            "are the table’s choice."
        ),
        "wikipedia": gettext_lazy(
            "The rules as the French encyclopedia tells them, with room for up to ten players."
        ),
        "custom": gettext_lazy("Every rule chosen by the table."),
    }
)
_OPTION_TITLES = MappingProxyType(
    {
        "calza": gettext_lazy("Play with calza"),
        "palifico": gettext_lazy("Play with palifico"),
        "shown_counts": gettext_lazy("Show how many dice everybody has"),
        "more_players": gettext_lazy("Up to ten players"),
    }
)
_CHOICES = MappingProxyType(
    {
        FirstStarter.RANDOM: gettext_lazy("Chance picks who opens the first round."),
        FirstStarter.ROLL_OFF: gettext_lazy(
            "Everybody rolls a die for it: the highest opens the first round, and ties roll again."
        ),
        FirstStarter.DECLARED: gettext_lazy(
            "The host may name who opens the first round; otherwise chance does."
        ),
        RaiseMode.FREE: gettext_lazy(
            "A raise names more dice of any face, or the same number of dice of a higher face."
        ),
        RaiseMode.ONE_WAY: gettext_lazy(
            "A raise either adds dice of the same face, or keeps the number of dice and takes a "
            "higher face; never both."
        ),
        BidCap.NONE: gettext_lazy(
            "A bid may name any number of dice, even more than there are on the table."
        ),
        BidCap.DICE_AT_START: gettext_lazy(
            "A bid cannot name more dice than the table had when the game began."
        ),
        BidCap.DICE_IN_PLAY: gettext_lazy("A bid cannot name more dice than are still in play."),
        Reveal.ALL: gettext_lazy("After a dudo all cups are lifted."),
        Reveal.CLOCKWISE_EARLY_STOP: gettext_lazy(
            "After a dudo the cups are lifted one by one, beginning with the doubter; as soon as "
            "the bid is proven the others stay covered."
        ),
        DiceCounts.SHOWN: gettext_lazy("Everybody sees how many dice each player has left."),
        DiceCounts.HIDDEN: gettext_lazy(
            "The page does not show how many dice the others have left: remember who lost one."
        ),
        CoveredCups.AFTER_END: gettext_lazy(
            "When the game has ended, every roll of every round can be looked at and checked."
        ),
        CoveredCups.NEVER: gettext_lazy(
            "Cups that were never lifted stay covered after the game too; lifted cups and your own "
            "can be checked."
        ),
        Trigger.FIRST_TIME: gettext_lazy(
            "A player who drops to one die for the first time opens a palifico round: for this one "
            "round aces are not wild, and it may be opened on aces."
        ),
        Trigger.EVERY_DROP_TO_ONE: gettext_lazy(
            "A player opens a palifico round every time they drop to one die: for this one round "
            "aces are not wild, and it may be opened on aces."
        ),
        FaceChange.NOBODY: gettext_lazy(
            "In a palifico round the first bid fixes the face: a raise only adds dice."
        ),
        FaceChange.ONE_DIE_PLAYERS: gettext_lazy(
            "In a palifico round only players with one die may change the face; the others only "
            "add dice."
        ),
        CalzaWindow.NEXT_ACTION: gettext_lazy(
            "Anyone but the bidder may say that the standing bid is exact, in or out of turn, "
            "until the next move is made."
        ),
        CalzaWindow.GRACE: gettext_lazy(
            "Anyone but the bidder may say that the standing bid is exact. After each bid "
            "everybody has two of his waking hours for it, and nothing else counts before; of "
            "several callers the nearest to the bidder’s left is heard."
        ),
        CalzaWindow.TURN_ONLY: gettext_lazy(
            "The player whose turn it is may say that the standing bid is exact."
        ),
    }
)


def ruleset_title(name: str) -> str:
    """Return the name of a preset as a reader sees it; any other name is the table's own rules."""
    return str(_TITLES.get(name, _TITLES["custom"]))


def ruleset_summary(name: str) -> str:
    """Return what sets a preset apart, in a sentence or two."""
    return str(_SUMMARIES.get(name, _SUMMARIES["custom"]))


def option_title(key: str) -> str:
    """Return the label of a preset's option, as a checkbox says it."""
    return str(_OPTION_TITLES[key])


def choice_text(value: StrEnum) -> str:
    """Return the sentence of one value of a toggle, for the choices of a form."""
    return str(_CHOICES[value])


def describe(rules: Ruleset) -> tuple[RuleLine, ...]:
    """Return every rule that this ruleset sets, each with one sentence.

    A toggle that decides nothing here (calza between two players where there is no calza) has no
    line.
    """
    return _describe(rules, get_language())


@lru_cache(maxsize=256)
def _describe(rules: Ruleset, language: str | None) -> tuple[RuleLine, ...]:
    return (
        RuleLine(
            "max_players",
            _("Players"),
            _("From 2 to %(most)d players sit at the table.") % {"most": rules.max_players},
        ),
        RuleLine("start_dice", _("Dice"), _start_dice(rules.start_dice)),
        RuleLine("first_starter", _("First round"), choice_text(rules.first_starter)),
        RuleLine("raise_mode", _("Raising"), choice_text(rules.raise_mode)),
        RuleLine("bid_cap", _("Largest bid"), choice_text(rules.bid_cap)),
        RuleLine("reveal", _("Lifting the cups"), choice_text(rules.reveal)),
        RuleLine("dice_counts", _("Dice left"), choice_text(rules.dice_counts)),
        *_palifico(rules.palifico),
        *_calza(rules.calza, palifico=rules.palifico.enabled),
        RuleLine(
            "covered_cups_after_game",
            _("After the game"),
            choice_text(rules.covered_cups_after_game),
        ),
    )


def option_lines(name: str) -> tuple[tuple[str, str, tuple[RuleLine, ...]], ...]:
    """Return a preset's options as (key, title, the lines that it brings when it is on).

    The other options are taken as on, so that a rule about two of them together is said too.
    """
    base = find_ruleset(name)
    keys = preset_options(name)
    all_on = dict.fromkeys(keys, True)
    with_all = describe(with_options(base, all_on))
    return tuple(
        (
            key,
            option_title(key),
            _lines_of(with_all, without=with_options(base, all_on | {key: False})),
        )
        for key in keys
    )


def _lines_of(lines: tuple[RuleLine, ...], *, without: Ruleset) -> tuple[RuleLine, ...]:
    known = set(describe(without))
    return tuple(line for line in lines if line not in known)


def _start_dice(count: int) -> str:
    return ngettext(
        "Everybody begins with %(count)d die and is out without it.",
        "Everybody begins with %(count)d dice; whoever has none left is out.",
        count,
    ) % {"count": count}


def _palifico(rules: PalificoRules) -> Iterator[RuleLine]:
    title = _("Palifico")
    if not rules.enabled:
        yield RuleLine(
            "palifico.enabled", title, _("There are no palifico rounds: aces are always wild.")
        )
        return
    yield RuleLine("palifico.trigger", title, choice_text(rules.trigger))
    yield RuleLine("palifico.face_change", _("Face in palifico"), choice_text(rules.face_change))
    yield RuleLine(
        "palifico.two_players",
        _("Palifico between two"),
        _("Palifico is played also when only two players are left.")
        if rules.two_players
        else _("When only two players are left there is no palifico any more."),
    )


def _calza(rules: CalzaRules, *, palifico: bool) -> Iterator[RuleLine]:
    title = _("Calza")
    if not rules.enabled:
        yield RuleLine("calza.enabled", title, _("Calza is not played."))
        return
    yield RuleLine("calza.window", title, choice_text(rules.window))
    yield RuleLine(
        "calza.enabled",
        _("Result of a calza"),
        _(
            "Who calls calza and is right gets a lost die back; who is wrong loses one. Either way "
            "the caller opens the next round, and the bidder keeps all dice."
        ),
    )
    yield RuleLine(
        "calza.needs_lost_die",
        _("Calza with all dice"),
        _("Only a player who has lost a die may call calza.")
        if rules.needs_lost_die
        else _("A player who has lost no die may call calza too, but then gains nothing."),
    )
    yield RuleLine(
        "calza.two_players",
        _("Calza between two"),
        _("Calza is allowed also when only two players are left.")
        if rules.two_players
        else _("When only two players are left calza is not allowed."),
    )
    if palifico:
        yield RuleLine(
            "calza.in_palifico",
            _("Calza in palifico"),
            _("Calza is allowed in palifico rounds too.")
            if rules.in_palifico
            else _("Calza is not allowed in palifico rounds."),
        )

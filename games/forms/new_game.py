"""A new game: rules, seats, who may come."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Self

from django import forms
from django.forms.boundfield import BoundField
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games import wording
from games.clock import GATES
from games.forms.free_text import tidy_line
from games.rules import (
    PRESETS,
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
    with_start_dice,
)

CUSTOM = "custom"
MOST_SEATS = 10
NAME_LENGTH = 40

# What a custom ruleset chooses from: the toggle's dotted key and the kind of its values.
_CHOICES: tuple[tuple[str, Any, type[StrEnum]], ...] = (
    ("first_starter", _("Who opens the first round"), FirstStarter),
    ("raise_mode", _("What a raise may change"), RaiseMode),
    ("bid_cap", _("Largest bid"), BidCap),
    ("reveal", _("Lifting the cups"), Reveal),
    ("dice_counts", _("Dice left"), DiceCounts),
    ("palifico.trigger", _("When there is a palifico round"), Trigger),
    ("palifico.face_change", _("Who may change the face in it"), FaceChange),
    ("calza.window", _("Who may call calza, and when"), CalzaWindow),
    ("covered_cups_after_game", _("After the game"), CoveredCups),
)
_SWITCHES: tuple[tuple[str, Any, Any], ...] = (
    (
        "palifico.enabled",
        _("Play with palifico"),
        _("A player who drops to one die opens a round in which aces are not wild."),
    ),
    (
        "palifico.two_players",
        _("Palifico between two"),
        _("Palifico is played also when only two players are left."),
    ),
    (
        "calza.enabled",
        _("Play with calza"),
        _("Whoever calls the standing bid exact, and is right, gets a lost die back."),
    ),
    (
        "calza.two_players",
        _("Calza between two"),
        _("Calza is allowed also when only two players are left."),
    ),
    (
        "calza.in_palifico",
        _("Calza in palifico"),
        _("Calza is allowed in palifico rounds too."),
    ),
    (
        "calza.needs_lost_die",
        _("Calza only after a loss"),
        _("Only a player who has lost a die may call calza."),
    ),
)


@dataclass(frozen=True, slots=True)
class RulesetChoice:
    """One ruleset of the form: its radio button's value and words, and the fields under it."""

    value: str
    title: str
    summary: str
    is_chosen: bool
    fields: tuple[BoundField, ...]


class NewGameForm(forms.Form):
    """What a host chooses. Every field has a default, so that one click makes a good game."""

    rules = forms.ChoiceField(label=_("Rules"), initial="bga")
    seats = forms.TypedChoiceField(label=_("Seats"), coerce=int, initial=4)
    bots = forms.TypedChoiceField(
        label=_("Seats for bots"),
        help_text=_("They play at once and need no invitation."),
        coerce=int,
        initial=0,
    )
    start_dice = forms.TypedChoiceField(label=_("Dice at the start"), coerce=int, initial=5)
    visibility = forms.ChoiceField(label=_("Who may join"), initial="private")
    gate = forms.TypedChoiceField(
        label=_("Reliable players only"),
        help_text=_("Whoever joins must have played so many of his turns in time."),
        coerce=int,
        initial=0,
        required=False,
    )
    new_welcome = forms.BooleanField(
        label=_("New players are welcome all the same"),
        help_text=_("They have finished fewer than five games, and may be reliable or not."),
        required=False,
        initial=True,
    )
    day_parts = forms.BooleanField(
        label=_("Show parts of the day, not minutes"),
        help_text=_(
            "How fast somebody answers can tell something. Here the table sees that he moved on "
            "Tuesday evening, and a turn’s time ends with a part of the day."
        ),
        required=False,
    )
    is_rated = forms.BooleanField(
        label=_("Rated game"),
        help_text=_(
            "The finishing order counts for everybody’s rating. A game with a bot, or with odds, "
            "is never rated."
        ),
        required=False,
        initial=True,
    )
    shows_odds = forms.BooleanField(
        label=_("Show the odds (unrated)"),
        help_text=_(
            "Whoever is to move sees how likely each bid is by his own dice. Such a game counts "
            "for no rating."
        ),
        required=False,
    )
    name = forms.CharField(
        label=_("Name of the game"),
        help_text=_("It stands above the table and in the mails."),
        max_length=NAME_LENGTH,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices: dict[str, list[tuple[Any, str]]] = {
            "rules": [(name, wording.ruleset_title(name)) for name in (*PRESETS, CUSTOM)],
            "seats": [(count, str(count)) for count in range(2, MOST_SEATS + 1)],
            "bots": [(count, str(count)) for count in range(MOST_SEATS)],
            "start_dice": [(count, str(count)) for count in range(1, 9)],
            "visibility": [
                ("private", str(_("Private: only by invitation"))),
                ("open", str(_("Open: it stands in the lobby, and anybody may watch"))),
            ],
            "gate": [(gate, wording.gate_title(gate)) for gate in (0, *GATES)],
        }
        for name, options in choices.items():
            field = self.fields[name]
            if not isinstance(field, forms.ChoiceField):
                raise TypeError(name)
            field.choices = options
        self.fields["visibility"].widget = forms.RadioSelect(choices=choices["visibility"])
        self.fields.update(_option_fields())
        self.fields.update(_custom_fields())

    @classmethod
    def proposing(cls, *, rules: str, host: str) -> Self:
        """Return a form that proposes a name, and the ruleset ``rules`` where there is one."""
        initial = {"name": default_name(host)}
        if rules in (*PRESETS, CUSTOM):
            initial["rules"] = rules
        return cls(initial=initial)

    def ruleset_choices(self) -> tuple[RulesetChoice, ...]:
        """Return the rulesets with the fields that belong to each."""
        chosen = self["rules"].value()
        return tuple(
            RulesetChoice(
                value=value,
                title=wording.ruleset_title(value),
                summary=wording.ruleset_summary(value),
                is_chosen=value == chosen,
                fields=tuple(self[name] for name in self.fields if name.startswith(f"{value}-")),
            )
            for value in (*PRESETS, CUSTOM)
        )

    def plain_fields(self) -> tuple[BoundField, ...]:
        """Return the fields that hold for every ruleset, without the ruleset itself."""
        return tuple(self[name] for name in self.base_fields if name != "rules")

    def clean_name(self) -> str:
        """Return the name on one line, with nothing in it that cannot be seen."""
        return tidy_line(str(self.cleaned_data["name"]))

    def clean(self) -> dict[str, Any]:
        """Put the ruleset together, and check that seats and bots fit it."""
        data = self.cleaned_data
        if self.errors:
            return data
        data["ruleset"] = with_start_dice(self._ruleset(), data["start_dice"])
        seats, most = data["seats"], data["ruleset"].max_players
        if seats > most:
            self.add_error(
                "seats",
                ngettext(
                    "These rules have room for %(most)d player.",
                    "These rules have room for %(most)d players.",
                    most,
                )
                % {"most": most},
            )
        if data["bots"] >= seats:
            self.add_error("bots", _("At least one seat is yours: give fewer seats to bots."))
        return data

    def _ruleset(self) -> Ruleset:
        name: str = self.cleaned_data["rules"]
        if name != CUSTOM:
            on = {key: self.cleaned_data[f"{name}-{key}"] for key in preset_options(name)}
            return with_options(find_ruleset(name), on)
        chosen: dict[str, dict[str, Any]] = {"": {}, "palifico": {}, "calza": {}}
        for key in _ORDER:
            group, _dot, toggle = key.rpartition(".")
            chosen[group][toggle] = self.cleaned_data[f"{CUSTOM}-{key}"]
        return replace(
            _CUSTOM_BASE,
            **chosen[""],
            palifico=PalificoRules(**chosen["palifico"]),
            calza=CalzaRules(**chosen["calza"]),
        )


def default_name(host: str) -> str:
    """Return what a game is called whose host thinks of no name."""
    return (gettext("%(name)s’s game") % {"name": host})[:NAME_LENGTH]


_CUSTOM_BASE = Ruleset(name=CUSTOM, version=1, max_players=MOST_SEATS)


def _option_fields() -> dict[str, forms.Field]:
    """Return a switch for each option that a preset leaves to the table."""
    return {
        f"{name}-{key}": forms.BooleanField(
            label=title, required=False, help_text=" ".join(line.sentence for line in lines)
        )
        for name in PRESETS
        for key, title, lines in wording.option_lines(name)
    }


def _custom_fields() -> dict[str, forms.Field]:
    """Return a field for each toggle of a ruleset of one's own, in the order of a game."""
    switches: dict[str, forms.Field] = {
        key: forms.BooleanField(label=label, help_text=text, required=False, initial=_default(key))
        for key, label, text in _SWITCHES
    }
    radios: dict[str, forms.Field] = {
        key: forms.TypedChoiceField(
            label=label,
            choices=[(value.value, wording.choice_text(value)) for value in kind],
            coerce=kind,
            initial=_default(key),
            widget=forms.RadioSelect,
            # Whoever leaves one out gets the usual rule.
            required=False,
            empty_value=kind(_default(key)),
        )
        for key, label, kind in _CHOICES
    }
    return {f"{CUSTOM}-{key}": (radios | switches)[key] for key in _ORDER}


def _default(key: str) -> Any:
    group, _dot, toggle = key.rpartition(".")
    value = getattr(getattr(_CUSTOM_BASE, group) if group else _CUSTOM_BASE, toggle)
    return value.value if isinstance(value, StrEnum) else value


_ORDER = (
    "first_starter",
    "raise_mode",
    "bid_cap",
    "reveal",
    "dice_counts",
    "palifico.enabled",
    "palifico.trigger",
    "palifico.face_change",
    "palifico.two_players",
    "calza.enabled",
    "calza.window",
    "calza.needs_lost_die",
    "calza.two_players",
    "calza.in_palifico",
    "covered_cups_after_game",
)

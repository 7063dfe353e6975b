"""The clock of a new game: one of the presets, a fixed time, or one's own numbers."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.forms.boundfield import BoundField
from django.utils.translation import gettext_lazy as _

from games import wording
from games.clock import PRESETS, ClockRefusal, ClockSettings, TimeOut, find_clock, plain

HOUR, DAY = 3600, 86_400
# A fixed time runs through the night, so that it is never shorter than the floor of such clocks.
FIXED_CHOICES = (12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY, 14 * DAY)
TURN_CHOICES = (4 * HOUR, *FIXED_CHOICES)
BANK_CHOICES = (0, 12 * HOUR, DAY, 2 * DAY, 3 * DAY, 7 * DAY)
INCREMENT_CHOICES = (0, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR)
TIME_OUTS = (TimeOut.AUTO, TimeOut.LOSE_A_DIE, TimeOut.OUT)
ORDER = ("standard", "brisk", "day", "relaxed", "plain", "custom")
DEFAULT = "standard"


@dataclass(frozen=True, slots=True)
class ClockChoice:
    """One clock of the form: its radio button's value and words, and the fields under it."""

    value: str
    title: str
    summary: str
    is_chosen: bool
    fields: tuple[BoundField, ...]


class ClockForm(forms.Form):
    """What a host chooses of time. ``settings`` is the clock, once the form is valid."""

    clock = forms.ChoiceField(label=_("Time"), initial=DEFAULT)
    turn_seconds = forms.TypedChoiceField(
        label=_("Time for a turn"), coerce=int, initial=DAY, required=False
    )
    own_base = forms.TypedChoiceField(
        label=_("Time for a turn"), coerce=int, initial=DAY, required=False
    )
    own_bank = forms.TypedChoiceField(
        label=_("Bank at the start, and its limit"), coerce=int, initial=2 * DAY, required=False
    )
    own_increment = forms.TypedChoiceField(
        label=_("What a move in time adds to the bank"),
        coerce=int,
        initial=4 * HOUR,
        required=False,
    )
    own_nights = forms.BooleanField(
        label=_("The clock stands still at night"),
        help_text=_("Nine hours of each player’s own night. Without it a turn takes 12 hours."),
        required=False,
        initial=True,
    )
    own_weekends = forms.BooleanField(
        label=_("It stands still at weekends"),
        help_text=_("On two days a week that each player picks."),
        required=False,
    )
    own_absences = forms.BooleanField(
        label=_("It stands still during announced absences"), required=False, initial=True
    )

    time_out = forms.TypedChoiceField(
        label=_("When time is up"),
        help_text=_(
            "A die is lost for each time-out; after two in a row the automatic move is made "
            "instead, at once, until the player is back. Out means out: for a table where "
            "everybody is sure to come."
        ),
        coerce=TimeOut,
        initial=TimeOut.AUTO.value,
        required=False,
        empty_value=TimeOut.AUTO,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices: dict[str, list[tuple[Any, str]]] = {
            "clock": [(name, wording.clock_title(name)) for name in ORDER],
            "turn_seconds": _spans(FIXED_CHOICES),
            "own_base": _spans(TURN_CHOICES),
            "own_bank": _spans(BANK_CHOICES),
            "own_increment": _spans(INCREMENT_CHOICES),
            "time_out": [(each.value, wording.time_out_title(each)) for each in TIME_OUTS],
        }
        for name, options in choices.items():
            field = self.fields[name]
            if not isinstance(field, forms.ChoiceField):
                raise TypeError(name)
            field.choices = options

    def choices(self) -> tuple[ClockChoice, ...]:
        """Return the clocks with the fields that belong to each."""
        chosen = self["clock"].value()
        own = tuple(self[name] for name in self.fields if name.startswith("own_"))
        under = {"plain": (self["turn_seconds"],), "custom": own}
        return tuple(
            ClockChoice(
                value=name,
                title=wording.clock_title(name),
                summary=wording.clock_summary(PRESETS.get(name), name),
                is_chosen=name == chosen,
                fields=under.get(name, ()),
            )
            for name in ORDER
        )

    def clean(self) -> dict[str, Any]:
        """Put the clock together.

        :raises ValidationError: the numbers do not fit together.
        """
        data = self.cleaned_data
        if not self.errors:
            try:
                data["settings"] = replace(self._settings(), time_out=data["time_out"])
            except ClockRefusal as refusal:
                text = wording.clock_refusal(refusal.code, refusal.params)
                raise ValidationError(text, code=refusal.code) from refusal
        return data

    def _settings(self) -> ClockSettings:
        data = self.cleaned_data
        name: str = data["clock"]
        if name == "plain":
            return plain(data["turn_seconds"] or DAY)
        if name != "custom":
            return find_clock(name)
        bank = timedelta(seconds=data["own_bank"] or 0)
        increment = timedelta(seconds=data["own_increment"] or 0) if bank else timedelta()
        return ClockSettings(
            name="custom",
            version=1,
            base=timedelta(seconds=data["own_base"] or DAY),
            bank=bank,
            increment=increment,
            cap=bank,
            nights=data["own_nights"],
            weekends=data["own_weekends"],
            absences=data["own_absences"],
        )


def _spans(seconds: tuple[int, ...]) -> list[tuple[Any, str]]:
    return [
        (each, wording.time_left(timedelta(seconds=each)) if each else str(_("none")))
        for each in seconds
    ]

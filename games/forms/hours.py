"""A player's hours: the night and the weekend in which his clocks stand still, and absences."""

from collections.abc import Sequence
from datetime import time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from games import wording
from games.clock import MOST_WEEKEND_DAYS

NO_NIGHT = "none"
FARTHEST = timedelta(days=366)
NIGHTS = tuple(time(hour, minute) for hour in range(24) for minute in (0, 30))


class HoursForm(forms.Form):
    """When a player's clocks stand still week after week."""

    night = forms.ChoiceField(
        label=_("Your night begins at"),
        help_text=_("It lasts nine hours. Your clocks stand still in it where the table allows."),
    )
    zone = forms.ChoiceField(label=_("Time zone of your night"))
    weekend = forms.TypedMultipleChoiceField(
        label=_("Your weekend"),
        help_text=_("Up to two days a week, at tables that stop at weekends."),
        coerce=int,
        choices=[(str(day), name) for day, name in WEEKDAYS.items()],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, zones: Sequence[str], **kwargs: Any) -> None:
        """Offer the zones that the player may have meant: the one in use, and his account's."""
        super().__init__(*args, **kwargs)
        nights = [(f"{night:%H:%M}", f"{night:%H:%M}") for night in NIGHTS]
        self._offer("night", [(NO_NIGHT, str(_("No night: my clocks always run"))), *nights])
        names = list(dict.fromkeys(zones))
        self._offer("zone", [(name, name.replace("_", " ")) for name in names])

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        if not isinstance(field, forms.ChoiceField):
            raise TypeError(name)
        field.choices = choices

    def clean_night(self) -> time | None:
        """Return when the night begins, None for no night."""
        said: str = self.cleaned_data["night"]
        return None if said == NO_NIGHT else time.fromisoformat(said)

    def clean_weekend(self) -> list[int]:
        """Return the days, Monday is 0.

        :raises ValidationError: there are too many.
        """
        days: list[int] = self.cleaned_data["weekend"]
        if len(days) > MOST_WEEKEND_DAYS:
            text = wording.clock_refusal("hours.weekend", {"most": MOST_WEEKEND_DAYS})
            raise ValidationError(text, code="hours.weekend")
        return days


class AbsenceForm(forms.Form):
    """A planned absence, in days of the player's own calendar."""

    first = forms.DateField(
        label=_("First day away"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    last = forms.DateField(
        label=_("Last day away"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def clean(self) -> dict[str, Any]:
        """Check the order of the days.

        :raises ValidationError: the last one is before the first, or too far ahead.
        """
        data = self.cleaned_data
        if "first" in data and "last" in data:
            if data["last"] < data["first"]:
                raise ValidationError(_("The last day cannot be before the first."), code="order")
            if data["last"] > timezone.localdate() + FARTHEST:
                raise ValidationError(_("That is more than a year ahead."), code="far")
        return data

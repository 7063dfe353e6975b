"""A standing order: the choices of a plain form, or a line of text."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games import wording
from games.orders import Call, Choices, Order, OrderError, choices_of, compose, parse, parse_bids
from games.rules import Bid, RuleViolation

LONGEST_TEXT = 1000
"""What is read at all; the grammar's own limit is on what it comes to."""

_BIDS = forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "size": 20})


class _Order(forms.Form):
    """What both ways of writing an order share. ``order`` is there once the form is valid."""

    round = forms.IntegerField(min_value=1, widget=forms.HiddenInput)
    waits = forms.ChoiceField(
        label=_("When it acts"),
        choices=[
            ("", _("At once: the others may guess that it was an order")),
            ("1", _("After a while: as long as I usually take")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )

    def order(self) -> Order:
        """Return the order that was written."""
        written: Order = self.cleaned_data["order"]
        return written

    def is_to_wait(self) -> bool:
        """Return whether it acts after a while."""
        return bool(self.cleaned_data["waits"])


class OrderTextForm(_Order):
    """An order in the words of docs/orders.md."""

    text = forms.CharField(
        label=_("Your order"),
        help_text=_("Such as: dudo below 30%; bid 4x5, 5x5, 6x3; ask from 8"),
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )
    field_order = ("round", "text", "waits")

    def clean_text(self) -> str:
        """Read the order."""
        text: str = self.cleaned_data["text"]
        try:
            self.cleaned_data["order"] = parse(text)
        except OrderError as error:
            raise ValidationError(wording.order_refusal(error), code=error.code) from error
        return text


class OrderChoicesForm(_Order):
    """The plain form: its choices write an order."""

    dudo_below = forms.IntegerField(
        label=_("Call dudo when the chance that the bid holds is below"),
        help_text=_("In percent, to your own dice."),
        min_value=1,
        max_value=99,
        required=False,
    )
    ladder = forms.CharField(
        label=_("Otherwise bid the first of these that is a legal raise"),
        help_text=_("With commas between them, such as 4x5, 5x5, 6x3."),
        max_length=200,
        required=False,
        widget=_BIDS,
    )
    ask_from = forms.IntegerField(
        label=_("Ask me from so many dice on"),
        help_text=_("Of any face."),
        min_value=1,
        max_value=9999,
        required=False,
    )
    calza_on = forms.CharField(
        label=_("Call calza on this bid"),
        help_text=_("Such as 6x5, as soon as it is made."),
        max_length=40,
        required=False,
        widget=_BIDS,
    )
    calza_from = forms.IntegerField(
        label=_("Call calza when the chance that the bid is exact is at least"),
        help_text=_("In percent, to your own dice."),
        min_value=1,
        max_value=99,
        required=False,
    )
    otherwise = forms.ChoiceField(
        label=_("In all other cases"),
        choices=[
            (Call.ASK.value, _("Ask me")),
            (Call.LEAST.value, _("Make the lowest raise")),
            (Call.DUDO.value, _("Call dudo")),
            (Call.CALZA.value, _("Call calza")),
        ],
        initial=Call.ASK.value,
    )
    field_order = ("round", "dudo_below", "ladder", "otherwise", "ask_from", "calza_on",
                   "calza_from", "waits")  # fmt: skip

    @staticmethod
    def filled(order: Order) -> dict[str, Any]:
        """Return the values with which the form writes ``order``, or none where it cannot."""
        choices = choices_of(order)
        if choices is None:
            return {}
        return {
            "dudo_below": choices.dudo_below,
            "ladder": ", ".join(map(str, choices.ladder)),
            "ask_from": choices.ask_from,
            "calza_on": "" if choices.calza_on is None else str(choices.calza_on),
            "calza_from": choices.calza_from,
            "otherwise": choices.otherwise.value,
        }

    def clean_ladder(self) -> tuple[Bid, ...]:
        """Read the bids."""
        return self._bids("ladder")

    def clean_calza_on(self) -> Bid | None:
        """Read the one bid."""
        bids = self._bids("calza_on")
        if len(bids) > 1:
            raise ValidationError(_("Name one bid here."), code="order.one-bid")
        return bids[0] if bids else None

    def clean(self) -> dict[str, Any]:
        """Write the order."""
        data = self.cleaned_data
        if not self.errors:
            try:
                data["order"] = compose(
                    Choices(
                        calza_on=data["calza_on"],
                        calza_from=data["calza_from"],
                        ask_from=data["ask_from"],
                        dudo_below=data["dudo_below"],
                        ladder=data["ladder"],
                        otherwise=Call(data["otherwise"]),
                    )
                )
            except OrderError as error:
                raise ValidationError(wording.order_refusal(error), code=error.code) from error
            except RuleViolation as violation:
                raise ValidationError(
                    wording.refusal(violation), code=violation.code
                ) from violation
        return data

    def _bids(self, name: str) -> tuple[Bid, ...]:
        text: str = self.cleaned_data[name]
        try:
            return parse_bids(text) if text.strip() else ()
        except OrderError as error:
            raise ValidationError(wording.order_refusal(error), code=error.code) from error

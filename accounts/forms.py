"""Forms about a person. allauth's own forms are extended in ``accounts.entrance``."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.names import MAX_LENGTH, display_key, tidy_name, validate_display_name
from accounts.services import forget_unconfirmed
from accounts.zones import UTC, is_zone, zone_names


class DisplayNameField(forms.CharField):
    """A display name, tidied and checked, free or one's own."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Display name"),
            help_text=_("2 to 24 characters. The other players see it."),
            max_length=MAX_LENGTH,
            validators=[validate_display_name],
            **kwargs,
        )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Say what the browser may fill in, and that a name is not a word to be corrected."""
        return {
            **super().widget_attrs(widget),
            "autocomplete": "nickname",
            "spellcheck": "false",
            "autocapitalize": "words",
        }

    def to_python(self, value: Any) -> str:
        """Return the name composed and with single spaces."""
        return tidy_name(super().to_python(value) or "")


def zone_choices() -> list[tuple[str, Any]]:
    """Return the zones grouped by region, as an HTML select shows them."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in zone_names():
        region, _slash, place = name.partition("/")
        if place:
            groups.setdefault(region, []).append((name, place.replace("_", " ")))
    return [(UTC, UTC), *sorted(groups.items())]


class ZoneField(forms.ChoiceField):
    """A time zone. A script offers the one that the browser reports (``accounts/js/zone.js``)."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            label=_("Time zone"),
            help_text=_("Deadlines are shown and mailed in it."),
            choices=zone_choices,
            widget=forms.Select(attrs={"data-zone-offer": _("Use ZONE, as this browser says")}),
            **kwargs,
        )

    def valid_value(self, value: Any) -> bool:
        """Take every zone of the database: browsers report aliases that the list leaves out."""
        return is_zone(str(value))


class PersonFields(forms.Form):
    """What sign-up asks besides the address, whichever way one signs up.

    ``ACCOUNT_SIGNUP_FORM_CLASS``: allauth derives its forms from this one.
    """

    display_name = DisplayNameField()
    time_zone = ZoneField(initial=UTC)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            # The script chooses by itself; what somebody chose and posted, it leaves alone.
            self.fields["time_zone"].widget.attrs["data-zone-fill"] = True

    def clean_display_name(self) -> str:
        """Refuse a name that somebody has, or one that looks like it."""
        name: str = self.cleaned_data["display_name"]
        forget_unconfirmed(display_name=name, now=timezone.now())
        refuse_taken_name(name)
        return name

    def signup(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Do nothing more: the adapter stored the fields with the row."""


class SettingsForm(forms.Form):
    """What a person may change about himself on one page."""

    display_name = DisplayNameField()
    time_zone = ZoneField()
    language = forms.ChoiceField(label=_("Language"), choices=lambda: settings.LANGUAGES)
    dice_in_mail = forms.BooleanField(
        label=_("Put my own dice into my turn mails"),
        help_text=_(
            "With your dice in it, one mail is all you need to decide and to answer. "
            "Nobody else’s dice are ever mailed before the rules show them."
        ),
        required=False,
    )

    def __init__(self, data: QueryDict | None = None, *, user: User) -> None:
        self.user = user
        super().__init__(data, initial={name: getattr(user, name) for name in self.base_fields})

    def clean_display_name(self) -> str:
        """Refuse a name that somebody else has."""
        name: str = self.cleaned_data["display_name"]
        refuse_taken_name(name, besides=self.user)
        return name

    def refuse_name(self) -> None:
        """Say that the name was taken after it was looked up."""
        self.add_error("display_name", _taken())


class CloseAccountForm(forms.Form):
    """The last question before an account is erased."""

    sure = forms.BooleanField(label=_("Yes, delete my account and my personal data for good."))


class ProofForm(forms.Form):
    """The code that was mailed to prove that it is still you."""

    code = forms.CharField(
        label=_("Code"),
        max_length=32,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false"}),
    )

    def refuse(self) -> None:
        """Say that the code is wrong, used or too old."""
        self.add_error(
            "code",
            ValidationError(_("This code is wrong or no longer good."), code="proof.wrong"),
        )


def refuse_taken_name(name: str, *, besides: User | None = None) -> None:
    """Check that nobody has ``name``.

    :raises ValidationError: with code ``name.taken``.
    """
    holders = User.objects.filter(display_key=display_key(name))
    if besides is not None:
        holders = holders.exclude(pk=besides.pk)
    if holders.exists():
        raise _taken()


def _taken() -> ValidationError:
    return ValidationError(_("This name, or one that looks like it, is taken."), code="name.taken")

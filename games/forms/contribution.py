"""A player's own randomness: a phrase that he types, or bytes that his browser makes."""

import unicodedata
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from games.models import ContributionKind

MOST_CHARACTERS = 200


class ContributionForm(forms.Form):
    """Either ``phrase``, or ``random``: 32 bytes in hex that a script has filled in."""

    phrase = forms.CharField(
        label=_("A phrase of your own"),
        help_text=_("Any words, numbers or dice you rolled. Everybody can read it later."),
        max_length=MOST_CHARACTERS,
        required=False,
        strip=True,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    random = forms.CharField(
        required=False,
        widget=forms.HiddenInput,
        validators=[RegexValidator(r"\A[0-9a-f]{64}\Z")],
    )

    def clean_phrase(self) -> str:
        """Return the phrase composed (NFC), so that it hashes alike wherever it is typed."""
        phrase = unicodedata.normalize("NFC", self.cleaned_data["phrase"])
        if any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in phrase):
            raise ValidationError(_("This phrase has signs in it that cannot be shown."))
        return phrase

    def clean(self) -> dict[str, Any]:
        """Ask for one of the two."""
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("phrase") and not cleaned.get("random"):
            self.add_error("phrase", _("Type a few words: the more surprising, the better."))
        return cleaned

    def contribution(self) -> tuple[ContributionKind, bytes]:
        """Return the kind and the bytes of what was given; a phrase goes before random bytes."""
        if phrase := self.cleaned_data["phrase"]:
            return ContributionKind.TEXT, phrase.encode()
        return ContributionKind.RANDOM, bytes.fromhex(self.cleaned_data["random"])

"""Invitations by e-mail."""

import re

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

MOST_ADDRESSES = 20
_BETWEEN = re.compile(r"[\s,;]+")


class InviteForm(forms.Form):
    """E-mail addresses, one a line or with commas between them."""

    emails = forms.CharField(
        label=_("E-mail addresses"),
        help_text=_("One a line, or with commas between them."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3, "autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_emails(self) -> tuple[str, ...]:
        """Return the addresses, each once, in the order they were written."""
        text: str = self.cleaned_data["emails"]
        emails = tuple(dict.fromkeys(part.lower() for part in _BETWEEN.split(text) if part))
        wrong = [email for email in emails if not _is_address(email)]
        if wrong:
            raise ValidationError(
                ngettext_lazy(
                    "This is not an e-mail address: %(wrong)s",
                    "These are not e-mail addresses: %(wrong)s",
                    len(wrong),
                ),
                params={"wrong": ", ".join(wrong)},
            )
        if len(emails) > MOST_ADDRESSES:
            raise ValidationError(
                _("At most %(most)d addresses at a time."), params={"most": MOST_ADDRESSES}
            )
        return emails


def _is_address(text: str) -> bool:
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True

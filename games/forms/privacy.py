"""What a player hides of his page."""

from django import forms
from django.utils.translation import gettext_lazy as _


class PrivacyForm(forms.Form):
    """Two choices, both off at first."""

    hides_statistics = forms.BooleanField(
        required=False,
        label=_("Hide my statistics"),
        help_text=_("How you bid, call and finish, your luck and your streaks."),
    )
    hides_history = forms.BooleanField(
        required=False,
        label=_("Hide my games"),
        help_text=_("Your last games, your achievements, and how you did against others."),
    )

"""A move as the table's form sends it."""

from django import forms
from django.core.validators import RegexValidator

ACTS = ("bid", "dudo", "calza")
MOST_VERSIONS = 2**31 - 1


class MoveForm(forms.Form):
    """One move: the version it answers, its own key against being sent twice, and what to do.

    The page writes these fields itself (``components/ladder.html`` and ``move_buttons.html``).
    """

    version = forms.IntegerField(min_value=0, max_value=MOST_VERSIONS)
    idem_key = forms.CharField(max_length=24, validators=[RegexValidator(r"\A[A-Za-z0-9_-]+\Z")])
    act = forms.ChoiceField(choices=[(act, act) for act in ACTS])
    bid = forms.CharField(max_length=10, required=False)

    def key_of_answer(self) -> str:
        """Return the key of this move as an answer to its version.

        A key that is used again for another version is another move, so it can never collide.
        """
        return f"{self.cleaned_data['version']}.{self.cleaned_data['idem_key']}"

"""What a player wants to be told."""

from collections.abc import Sequence
from datetime import time
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games import outgoing, webpush, wording
from games.models import Mode, Topic, WebhookForm, push
from games.models.webhook import MOST_SIGNS
from games.selectors.wishes import WishesPage

HOURS = tuple(time(hour, minute) for hour in range(24) for minute in (0, 30))


class NoticesForm(forms.Form):
    """How many mails, at what hour, of which kinds, and about which games none."""

    mode = forms.ChoiceField(
        label=_("When it is my turn"),
        help_text=_(
            "With one mail until you return, the next one comes after you have looked at one of "
            "your turns. The digest lists all games that wait for you; a turn whose time would be "
            "over by then is mailed at once. Reminders come in any case, unless you stop them."
        ),
        choices=[],
        widget=forms.RadioSelect,
    )
    digest_at = forms.TypedChoiceField(
        label=_("Hour of the daily digest"),
        help_text=_("In your time zone."),
        choices=[(f"{hour:%H:%M}", f"{hour:%H:%M}") for hour in HOURS],
        coerce=time.fromisoformat,
    )
    topics = forms.TypedMultipleChoiceField(
        label=_("Tell me of"),
        choices=[],
        coerce=Topic,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    muted = forms.MultipleChoiceField(
        label=_("No notices about these games"),
        help_text=_("You keep your seat: turns that you miss are played for you."),
        choices=[],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: QueryDict | None = None, *, page: WishesPage) -> None:
        """Fill in what is stored."""
        stored = {
            "mode": page.mode.value,
            "digest_at": f"{page.digest_at:%H:%M}",
            "topics": [topic.value for topic in page.topics],
            "muted": [game.code for game in page.games if game.is_muted],
        }
        super().__init__(data, initial=stored)
        self._offer("mode", Mode.choices)
        self._offer("topics", Topic.choices)
        self._offer("muted", [(game.code, game.name or game.code) for game in page.games])
        if not page.games:
            del self.fields["muted"]

    def _offer(self, name: str, choices: Sequence[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        if not isinstance(field, forms.ChoiceField):
            raise TypeError(name)
        field.choices = list(choices)

    def clean_mode(self) -> Mode:
        """Return the mode as what it is."""
        return Mode(self.cleaned_data["mode"])


class WebhookAddressForm(forms.Form):
    """Where turns are announced besides by mail, and how that is written."""

    form = forms.ChoiceField(label=_("Written for"), choices=WebhookForm.choices)
    url = forms.CharField(
        label=_("Address of the webhook"),
        help_text=_("Empty: none. It is told which game, until when and where, and no die."),
        max_length=MOST_SIGNS,
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "url", "autocomplete": "off"}),
    )

    def __init__(self, data: QueryDict | None = None, *, page: WishesPage) -> None:
        """Fill in what is stored."""
        stored = {"form": page.hook.form, "url": page.hook.url} if page.hook else {}
        super().__init__(data, initial=stored)

    def clean_form(self) -> WebhookForm:
        """Return the form as what it is."""
        return WebhookForm(self.cleaned_data["form"])

    def clean_url(self) -> str:
        """Refuse what no webhook's address may be.

        :raises ValidationError: with the code of the guard.
        """
        url: str = self.cleaned_data["url"]
        try:
            if url:
                outgoing.check_url(url)
        except outgoing.Refused as refused:
            raise ValidationError(wording.webhook_error(refused.code), code=refused.code) from None
        return url


class DeviceForm(forms.Form):
    """What a browser says when it has subscribed: written by our script, read by no person.

    ``replaces`` is the address that it had before, where its push service gave it another one.
    """

    endpoint = forms.CharField(max_length=push.MOST_SIGNS)
    p256dh = forms.CharField(max_length=100)
    auth = forms.CharField(max_length=40)
    replaces = forms.CharField(max_length=push.MOST_SIGNS, required=False)

    def clean_endpoint(self) -> str:
        """Refuse what no push service's address may be.

        :raises ValidationError: with the code of the guard.
        """
        endpoint: str = self.cleaned_data["endpoint"]
        try:
            outgoing.check_url(endpoint)
        except outgoing.Refused as refused:
            raise ValidationError(refused.code, code=refused.code) from None
        return endpoint

    def clean(self) -> dict[str, Any]:
        """Refuse keys that are none.

        :raises ValidationError: ``push.keys``.
        """
        said = self.cleaned_data
        try:
            webpush.receiver(said.get("p256dh", ""), said.get("auth", ""))
        except ValueError:
            raise ValidationError("push.keys", code="push.keys") from None
        return said

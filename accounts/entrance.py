"""allauth's forms where ours differ: log-in, sign-up, adding a passkey."""

from typing import Any

from allauth.account import forms as account_forms
from allauth.mfa.webauthn import forms as webauthn_forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.plain_forms import drop_placeholders
from accounts.services import drop_rival_claims, hold_name


class LoginForm(account_forms.LoginForm):  # type: ignore[misc]
    """One form for both ways in: without a password a code is mailed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("E-mail address")
        self.fields["password"].required = False
        self.fields["password"].label = _("Password, if you set one")
        self.fields["password"].help_text = _("Leave it empty, and we mail you a code instead.")
        self.order_fields(["login", "password"])
        drop_placeholders(self)


class SignupForm(account_forms.SignupForm):  # type: ignore[misc]
    """Asks for address, name and zone. No password: one can be set when the address is proved.

    A password taken now would let somebody sign up with a stranger's address, wait until the
    stranger logs in by code, and then get in with the password that he chose.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("password1", None)
        self.fields["email"].label = _("E-mail address")
        self.fields["email"].help_text = _("We mail a code to it. Only you see it.")
        self.order_fields(["email", "display_name", "time_zone"])
        drop_placeholders(self)

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponseBase | None]:
        """Save the sign-up; for an address that has an account, hold the name as if it were new.

        Otherwise a second try with the same name would tell whether the first one made an account.
        """
        user, response = super().try_save(request)
        if user is None:
            hold_name(display_name=self.cleaned_data["display_name"])
        return user, response


class ConfirmAddressForm(account_forms.ConfirmEmailVerificationCodeForm):  # type: ignore[misc]
    """Takes the right code as proof against everybody who only claimed the address."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        drop_placeholders(self)

    def clean_code(self) -> str:
        """Drop the claims of others before allauth asks whether the address is free."""
        account_forms.BaseConfirmCodeForm.clean_code(self)
        if self.user is None:
            # The page stayed open until somebody else wanted the name (forget_unconfirmed).
            raise ValidationError(
                _("This sign-up took too long. Please sign up again."), code="signup.forgotten"
            )
        drop_rival_claims(email=self.email, owner_id=self.user.pk)
        checked: str = super().clean_code()
        return checked


class AddPasskeyForm(webauthn_forms.AddWebAuthnForm):  # type: ignore[misc]
    """Proposes a key that logs in on its own, which is what people mean by a passkey."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the passkey")
        self.fields["passwordless"].label = _("Log in with this key alone")
        self.fields["passwordless"].help_text = _(
            "It then asks for your finger, face or PIN. Without this it is a second step after "
            "your code or password."
        )
        self.fields["passwordless"].initial = True

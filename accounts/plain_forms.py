"""allauth's forms in the site's words: labels say what a field is, not placeholders."""

from typing import Any

from allauth.account import forms as account_forms
from allauth.mfa.base import forms as mfa_forms
from allauth.mfa.totp import forms as totp_forms
from django import forms
from django.utils.translation import gettext_lazy as _


def drop_placeholders(form: forms.BaseForm) -> None:
    """Leave the labels to say what a field is: a placeholder that repeats one is noise."""
    for field in form.fields.values():
        field.widget.attrs.pop("placeholder", None)


class _Plain:
    """Names the fields of a form of allauth's as this site does."""

    fields: dict[str, forms.Field]
    labels = {
        "email": _("E-mail address"),
        "password": _("Password"),
        "password1": _("New password"),
        "password2": _("The new password again"),
        "oldpassword": _("Password until now"),
        "code": _("Code"),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in self.fields.keys() & self.labels.keys():
            self.fields[name].label = self.labels[name]
        drop_placeholders(self)  # type: ignore[arg-type]  # mixed into forms alone


class RequestCodeForm(_Plain, account_forms.RequestLoginCodeForm):  # type: ignore[misc]
    """Asks where a code for logging in goes."""


class ConfirmLoginCodeForm(_Plain, account_forms.ConfirmLoginCodeForm):  # type: ignore[misc]
    """Takes the code that was mailed for logging in."""


class ResetPasswordForm(_Plain, account_forms.ResetPasswordForm):  # type: ignore[misc]
    """Asks where a code for a new password goes."""


class ConfirmResetCodeForm(_Plain, account_forms.ConfirmPasswordResetCodeForm):  # type: ignore[misc]
    """Takes the code that was mailed for a new password."""


class NewPasswordForm(_Plain, account_forms.ResetPasswordKeyForm):  # type: ignore[misc]
    """Takes the new password after that code."""


class ChangePasswordForm(_Plain, account_forms.ChangePasswordForm):  # type: ignore[misc]
    """Takes the old password and a new one."""


class SetPasswordForm(_Plain, account_forms.SetPasswordForm):  # type: ignore[misc]
    """Takes the first password of somebody who had none."""


class ReauthenticateForm(_Plain, account_forms.ReauthenticateForm):  # type: ignore[misc]
    """Asks for the password once more."""


class AddressForm(_Plain, account_forms.AddEmailForm):  # type: ignore[misc]
    """Asks for another address."""


class AuthenticateForm(_Plain, mfa_forms.AuthenticateForm):  # type: ignore[misc]
    """Takes the code of an app, or a recovery code."""


class ReauthenticateByFactorForm(_Plain, mfa_forms.ReauthenticateForm):  # type: ignore[misc]
    """Takes such a code once more."""


class ActivateAppForm(_Plain, totp_forms.ActivateTOTPForm):  # type: ignore[misc]
    """Takes the first code of an app."""

"""What allauth asks the site."""

import logging
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.core import context as allauth_context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts import services
from accounts.mail import MAIL_ERRORS
from accounts.models import User

log = logging.getLogger(__name__)

# Mails that anybody can have us send to an address that he types: how many of a kind. All kinds
# together are five a day to an address that nobody has proved to be his, and fifteen to a member's,
# who must be able to log in. Whichever it is, two counts are taken: the work tells nothing.
_FROM_ANYBODY: Final = {
    "account/email/unknown_account": "2/h/key",
    "account/email/account_already_exists": "2/h/key",
    "account/email/email_confirmation_signup": "5/d/key",
    "account/email/login_code": "10/d/key",
    "account/email/password_reset_code": "5/d/key",
}
_TO_A_STRANGER, _TO_A_MEMBER = "5/d/key", "15/d/key"

# A Unix socket has none: whoever comes by one without a proxy shares a limit.
_NO_ADDRESS: Final = "::"

_PASSKEY: Final = "mfa_reauthenticate:webauthn"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Stores our columns at sign-up, and sends mail in the reader's language."""

    def clean_email(self, email: str) -> str:
        """Free an address that somebody typed at sign-up and never proved to be his."""
        services.forget_unconfirmed(email=email, now=timezone.now())
        return email

    def save_user(
        self, request: HttpRequest, user: User, form: forms.Form, commit: bool = True
    ) -> User:
        """Fill in name, zone and the language of the page before the row is written."""
        data: dict[str, Any] = form.cleaned_data
        user.display_name = data["display_name"]
        user.time_zone = data["time_zone"]
        user.language = translation.get_language() or user.language
        try:
            with transaction.atomic():
                saved: User = super().save_user(request, user, form, commit)
        except IntegrityError as error:
            # Two people took one name, or one address, between the check and the row.
            messages.error(request, _("Somebody was quicker with this name. Please try again."))
            raise ImmediateHttpResponse(
                HttpResponseRedirect(with_next(request, reverse("account_signup")))
            ) from error
        return saved

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the address that limits count by; a request past the proxy counts as itself."""
        try:
            return str(super().get_client_ip(request))
        except (ImproperlyConfigured, PermissionDenied):
            # Fewer hops than proxies, or no address in what they wrote: it did not come by them.
            return str(request.META.get("REMOTE_ADDR") or _NO_ADDRESS)

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Ask for a passkey first; offer a mailed code to those who have no other proof."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        for method in methods:
            if method["id"] == _PASSKEY:
                method["description"] = _("Use a passkey")
        methods.sort(key=lambda method: method["id"] != _PASSKEY)
        if user.is_authenticated and not get_reauthentication_flows(user):
            methods.append(
                {
                    "id": "code",
                    "description": _("Use a code sent by e-mail"),
                    "url": reverse("prove_by_code"),
                }
            )
        return methods

    def render_mail(
        self,
        template_prefix: str,
        email: str | list[str],
        context: dict[str, Any],
        headers: dict[str, str] | None = None,
    ) -> EmailMessage:
        """Say that a machine wrote it (RFC 3834), and to Exchange that no holiday answers it."""
        signs = {"Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All"}
        mail: EmailMessage = super().render_mail(
            template_prefix, email, context, {**signs, **(headers or {})}
        )
        return mail

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail in the reader's language; a dead mail server is told, never a crash."""
        request = allauth_context.request
        if not _may_be_sent(template_prefix, email):
            log.warning("%s was not sent: enough went to this address today", template_prefix)
            return
        reader = User.objects.filter(email=email).first()
        language = reader.language if reader else translation.get_language()
        links = {
            "SITE_NAME": settings.SITE_NAME,
            "SITE_URL": settings.SITE_URL,
            "LANGUAGE": language,
            "login_url": settings.SITE_URL + with_next(request, reverse("account_login")),
            "signup_url": settings.SITE_URL + with_next(request, reverse("account_signup")),
        }
        zone = reader.zone if reader else timezone.get_current_timezone()
        try:
            with translation.override(language), timezone.override(zone):
                super().send_mail(template_prefix, email, {**context, **links})
        except MAIL_ERRORS:
            log.exception("could not send %s", template_prefix)
            messages.error(request, _("The mail could not be sent just now. Please try again."))


def _may_be_sent(kind: str, email: str) -> bool:
    """Count one more mail of ``kind`` to ``email``, and return whether it may be sent."""
    if kind not in _FROM_ANYBODY:
        return True
    is_member = EmailAddress.objects.filter(email=email.lower(), verified=True).exists()
    of_all = _TO_A_MEMBER if is_member else _TO_A_STRANGER
    return all(
        ratelimit.consume(
            allauth_context.request,
            app="allauth.account",
            action=action,
            config={action: rate},
            key=email.lower(),
            limit_get=True,
        )
        for action, rate in ((kind, _FROM_ANYBODY[kind]), ("mails_from_anybody", of_all))
    )


def with_next(request: HttpRequest, url: str) -> str:
    """Return ``url`` with the page the reader was on his way to, if that is one of ours."""
    target = get_next_redirect_url(request)
    return f"{url}?{urlencode({'next': target})}" if target else url

"""Pages about oneself."""

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import (
    get_reauthentication_flows,
    resume_request,
)
from allauth.core.internal import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.i18n import set_language as django_set_language

from accounts import proof, services
from accounts.adapter import with_next
from accounts.export import export_account
from accounts.forms import CloseAccountForm, ProofForm, SettingsForm
from accounts.models import User

# Codes mailed to prove that it is still you, besides those for logging in.
_PROOF_LIMITS = {"prove_by_code": "3/m/user,20/d/user"}


def signed_in(request: HttpRequest) -> User:
    """Return the person who asks.

    :raises PermissionDenied: nobody is signed in (a view forgot ``login_required``).
    """
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


@never_cache
@login_required
def settings_page(request: HttpRequest) -> HttpResponse:
    """Show and store what a person may change about himself."""
    user = signed_in(request)
    form = SettingsForm(request.POST if request.method == "POST" else None, user=user)
    if request.method == "POST" and form.is_valid():
        try:
            services.change_settings(user=user, **form.cleaned_data)
        except IntegrityError:
            form.refuse_name()
        else:
            with translation.override(user.language):
                messages.success(request, _("Your settings are saved."))
            return HttpResponseRedirect(request.path)
    context = {"form": form, "email": user.email, "has_password": user.has_usable_password()}
    status = 422 if form.errors else 200
    return TemplateResponse(request, "accounts/settings.html", context, status=status)


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Change the language of the pages, and of the mails of someone who is signed in."""
    language = request.POST.get("language", "")
    if request.user.is_authenticated and language in dict(settings.LANGUAGES):
        services.change_language(user=signed_in(request), language=language)
    return django_set_language(request)


@never_cache
@proof.proof_required()
def close_account(request: HttpRequest) -> HttpResponse:
    """Ask once more, then erase the account."""
    form = CloseAccountForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        user = signed_in(request)
        email = user.email
        services.close_account(user=user, now=timezone.now())
        logout(request)
        get_adapter(request).send_mail("account/email/account_closed", email, {})
        messages.success(request, _("Your account is deleted."))
        return HttpResponseRedirect(reverse("home"))
    status = 422 if form.errors else 200
    return TemplateResponse(request, "accounts/close.html", {"form": form}, status=status)


@require_safe
@never_cache
@proof.proof_required()
def export_page(request: HttpRequest) -> HttpResponse:
    """Say what the copy of one's data holds, and lead to it."""
    return TemplateResponse(request, "accounts/export.html")


@require_safe
@never_cache
@proof.proof_required()
def export_file(request: HttpRequest) -> HttpResponse:
    """Give all that is kept about whoever asks, as one file."""
    now = timezone.now()
    name = f"perudo-{now:%Y-%m-%d}.json"
    return JsonResponse(
        export_account(user=signed_in(request), now=now),
        json_dumps_params={"ensure_ascii": False, "indent": 2},
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@never_cache
@login_required
def prove_by_code(request: HttpRequest) -> HttpResponseBase:
    """Mail a code to someone who has no other proof, check it, and lead him back."""
    user = signed_in(request)
    if get_reauthentication_flows(user):
        return HttpResponseRedirect(with_next(request, reverse("account_reauthenticate")))
    form = ProofForm(request.POST if "code" in request.POST else None)
    if request.method == "POST" and "send" in request.POST:
        busy: HttpResponse | None = ratelimit.consume_or_429(
            request, app="allauth.account", action="prove_by_code", config=_PROOF_LIMITS
        )
        if busy:
            return busy
        proof.send_code(request, user)
        return HttpResponseRedirect(with_next(request, request.path))
    if form.is_valid():
        if proof.check_code(request, user, form.cleaned_data["code"]):
            resumed: HttpResponseBase | None = resume_request(request)
            return resumed or HttpResponseRedirect(reverse("settings"))
        form.refuse()
    context = {
        "form": form,
        "email": user.email,
        "pending": proof.code_is_pending(request),
        "next": request.POST.get("next") or request.GET.get("next", ""),
    }
    status = 422 if form.errors else 200
    return TemplateResponse(request, "accounts/prove.html", context, status=status)

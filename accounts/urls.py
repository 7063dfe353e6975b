"""Addresses about oneself. What allauth serves besides lies under ``/accounts/`` too."""

from allauth.account import views as account_views
from allauth.mfa.totp import views as totp_views
from allauth.mfa.webauthn import views as webauthn_views
from django.urls import path

from accounts import views
from accounts.proof import proof_required

POSTS = frozenset({"POST"})

urlpatterns = [
    path("settings/", views.settings_page, name="settings"),
    path("settings/delete/", views.close_account, name="close_account"),
    path("settings/export/", views.export_page, name="export_account"),
    path("settings/export/file", views.export_file, name="export_file"),
    path("settings/prove/", views.prove_by_code, name="prove_by_code"),
    path("language/", views.set_language, name="set_language"),
    # allauth's own views, found here before allauth's own addresses (perudo_site.urls): they ask
    # for proof only of those who have a password or a second factor, ours of everybody.
    path(
        "accounts/email/",
        proof_required(methods=POSTS)(account_views.email),
        name="account_email",
    ),
    path(
        "accounts/password/set/",
        proof_required()(account_views.password_set),
        name="account_set_password",
    ),
    path(
        "accounts/2fa/totp/activate/",
        proof_required()(totp_views.activate_totp),
        name="mfa_activate_totp",
    ),
    path(
        "accounts/2fa/webauthn/add/",
        proof_required()(webauthn_views.add_webauthn),
        name="mfa_add_webauthn",
    ),
]

"""The log of what happened to accounts: who got in, who did not, and what was changed.

A line names an account by its number: no address, no code, nothing that was typed.
"""

import logging
from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from django.contrib.auth import signals as auth
from django.dispatch import Signal

log = logging.getLogger(__name__)

_EVENTS: tuple[tuple[str, Signal], ...] = (
    ("logged in", auth.user_logged_in),
    ("logged out", auth.user_logged_out),
    ("log-in refused", auth.user_login_failed),
    ("signed up", account.user_signed_up),
    ("address added", account.email_added),
    ("address confirmed", account.email_confirmed),
    ("address changed", account.email_changed),
    ("address removed", account.email_removed),
    ("password set", account.password_set),
    ("password changed", account.password_changed),
    ("password reset", account.password_reset),
    ("wrong code for an address", account.email_verification_code_rejected),
    ("wrong code for a log-in", account.login_code_rejected),
    ("wrong code for a reset", account.password_reset_code_rejected),
    ("second factor refused", mfa.authentication_failed),
    ("second factor added", mfa.authenticator_added),
    ("second factor removed", mfa.authenticator_removed),
    ("second factor made anew", mfa.authenticator_reset),
)


def connect() -> None:
    """Listen to what Django and allauth tell."""
    for event, signal in _EVENTS:
        signal.connect(_Line(event), dispatch_uid=f"accounts.audit:{event}", weak=False)


class _Line:
    """Writes one event of an account."""

    def __init__(self, event: str) -> None:
        self._event = event

    def __call__(self, sender: object, **told: Any) -> None:
        write(
            self._event, user=told.get("user") or getattr(told.get("email_address"), "user", None)
        )


def write(event: str, *, user: Any) -> None:
    """Write that ``event`` happened to ``user``, or to nobody who is known."""
    log.info("%s account=%s", event, getattr(user, "pk", None) or "-")

"""What the site does when allauth says that something happened. Connected in ``accounts.apps``."""

from typing import Any

from allauth.account.internal.flows.login import record_authentication
from allauth.mfa.models import Authenticator
from allauth.usersessions.internal.flows.sessions import end_other_sessions
from django.http import HttpRequest

from accounts.models import User


def end_sessions_elsewhere(
    sender: object, request: HttpRequest, user: User, **_kwargs: Any
) -> None:
    """End every other session when a second factor is added, removed or made anew (ASVS 7.4.3)."""
    if request.user.is_authenticated:
        end_other_sessions(request, user)


def count_as_proof(
    sender: object,
    request: HttpRequest,
    user: User,
    authenticator: Authenticator,
    **_kwargs: Any,
) -> None:
    """Take a factor that was just added as a proof: it was used to add it.

    Otherwise the next page, which shows the recovery codes, would ask for it once more.
    """
    record_authentication(
        request,
        user,
        method="mfa",
        id=authenticator.pk,
        type=authenticator.type,
        reauthenticated=True,
    )

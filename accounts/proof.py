"""Proving anew that it is still you, before something that can't be undone.

allauth asks again for a password or a second factor, but lets someone who has neither pass. Here he
types a code that is mailed to him.
"""

import functools
import time
from collections.abc import Callable
from typing import Any, Concatenate, Final, ParamSpec

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.account.internal.flows.reauthentication import (
    get_reauthentication_flows,
    raise_if_reauthentication_required,
)
from allauth.core.exceptions import ReauthenticationRequired
from allauth.core.internal.cryptokit import normalize_user_code
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

CODE_SECONDS: Final = 600
MAX_TRIES: Final = 3
_SESSION_KEY: Final = "accounts_proof"

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
Methods = frozenset[str]


def proof_required(
    *, methods: Methods = frozenset({"GET", "HEAD", "POST"})
) -> Callable[[View[P]], View[P]]:
    """Let a view run only for someone who proved within the last minutes that it is he.

    :raises ReauthenticationRequired: caught by allauth's middleware, which leads to the proof and
        back, and repeats what was posted.
    """

    def decorate(view: View[P]) -> View[P]:
        @functools.wraps(view)
        def wrapper(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if request.method in methods:
                _check(request)
            return view(request, *args, **kwargs)

        return login_required(wrapper)

    return decorate


def _check(request: HttpRequest) -> None:
    if get_reauthentication_flows(request.user):
        raise_if_reauthentication_required(request, app="allauth.account")
    elif not _recently_proved(request):
        raise ReauthenticationRequired


def _recently_proved(request: HttpRequest) -> bool:
    """Return whether a code, at log-in or since, is younger than the time allauth allows."""
    records: list[dict[str, Any]] = get_authentication_records(request, request.user)
    age = app_settings.REAUTHENTICATION_TIMEOUT
    return any(time.time() - record["at"] < age for record in records)


def send_code(request: HttpRequest, user: User) -> None:
    """Mail a fresh code to ``user``; it is good for this session and ten minutes."""
    adapter = get_adapter(request)
    code: str = adapter.generate_login_code()
    request.session[_SESSION_KEY] = {
        "digest": _digest(user, code),
        "until": time.time() + CODE_SECONDS,
        "tries": 0,
    }
    adapter.send_mail("account/email/proof_code", user.email, {"code": code})


def code_is_pending(request: HttpRequest) -> bool:
    """Return whether a code is out that may still be typed."""
    state = request.session.get(_SESSION_KEY)
    return state is not None and time.time() < state["until"]


def check_code(request: HttpRequest, user: User, code: str) -> bool:
    """Return whether ``code`` is the one mailed; a code is good once and for three tries."""
    if not code_is_pending(request):
        return False
    state = request.session[_SESSION_KEY]
    if constant_time_compare(_digest(user, code), state["digest"]):
        del request.session[_SESSION_KEY]
        record_authentication(request, user, method="code", email=user.email, reauthenticated=True)
        return True
    state["tries"] += 1
    if state["tries"] >= MAX_TRIES:
        del request.session[_SESSION_KEY]
    request.session.modified = True
    return False


def _digest(user: User, code: str) -> str:
    """Return what the session keeps instead of the code."""
    value = f"{user.pk}:{normalize_user_code(code)}"
    return salted_hmac(_SESSION_KEY, value, algorithm="sha256").hexdigest()

"""Writes about people. Keyword-only, one transaction each."""

import contextlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts import audit
from accounts.models import User
from accounts.names import display_key
from accounts.signals import account_closing

# A code is good for 10 minutes and can be asked for again: after this the sign-up was abandoned.
ABANDONED_AFTER: Final = timedelta(minutes=45)
_NOWHERE: Final = "name-is-held.invalid"  # RFC 2606: no mail ever goes there


@transaction.atomic
def create_user(
    *,
    email: str,
    display_name: str,
    password: str | None = None,
    time_zone: str = "UTC",
    language: str = "en",
    dice_in_mail: bool = True,
) -> User:
    """Create a person whose address counts as verified, for seeds and tests.

    :raises ValidationError: the name, address, zone or language may not be.
    """
    user = User(
        email=email,
        display_name=display_name,
        time_zone=time_zone,
        language=language,
        dice_in_mail=dice_in_mail,
    )
    user.set_password(password)
    user.full_clean(exclude=["display_key", "password"])
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@transaction.atomic
def change_settings(
    *, user: User, display_name: str, time_zone: str, language: str, dice_in_mail: bool
) -> None:
    """Store what a person set about himself.

    :raises IntegrityError: somebody took the name in between.
    """
    user.display_name = display_name
    user.time_zone = time_zone
    user.language = language
    user.dice_in_mail = dice_in_mail
    user.save(
        update_fields=["display_name", "display_key", "time_zone", "language", "dice_in_mail"]
    )


def change_language(*, user: User, language: str) -> None:
    """Store the language a person reads and is written to in."""
    user.language = language
    user.save(update_fields=["language"])


@transaction.atomic
def close_account(*, user: User, now: datetime) -> None:
    """Erase a person: the row, addresses, second factors, sessions and everything that hangs on it.

    Other apps hear of it first, in the same transaction, and may keep what others need of what
    they hold without saying whose it was.
    """
    account_closing.send(sender=User, user=user, now=now)
    audit.write("account closed", user=user)
    for session in UserSession.objects.filter(user=user):
        session.end()
    user.delete()


def forget_unconfirmed(
    *, now: datetime, email: str | None = None, display_name: str | None = None
) -> int:
    """Erase abandoned sign-ups, or only those that hold this address or name; return how many.

    An account whose address was never proved and that nobody ever logged in to is nobody's: it
    must not keep the owner of the address, or of the name, out.
    """
    abandoned = _unconfirmed().filter(date_joined__lt=now - ABANDONED_AFTER)
    if email is not None:
        abandoned = abandoned.filter(email=email)
    if display_name is not None:
        abandoned = abandoned.filter(display_key=display_key(display_name))
    _total, per_model = abandoned.delete()
    return per_model.get(User._meta.label, 0)


@dataclass(frozen=True, slots=True)
class Tidied:
    """How much :func:`tidy` erased."""

    sign_ups: int
    sessions: int


@transaction.atomic
def tidy(*, now: datetime) -> Tidied:
    """Erase abandoned sign-ups, and addresses and browsers of sessions that are over."""
    sign_ups = forget_unconfirmed(now=now)
    Session.objects.filter(expire_date__lt=now).delete()
    running = Session.objects.filter(session_key=OuterRef("session_key"))
    sessions, _per_model = UserSession.objects.filter(~Exists(running)).delete()
    return Tidied(sign_ups=sign_ups, sessions=sessions)


def hold_name(*, display_name: str) -> None:
    """Keep a name from others as a sign-up does that nobody finishes; it is forgotten like one."""
    nobody = User(email=f"{secrets.token_hex(16)}@{_NOWHERE}", display_name=display_name)
    nobody.set_unusable_password()
    with contextlib.suppress(IntegrityError), transaction.atomic():
        nobody.save()


def drop_rival_claims(*, email: str, owner_id: int) -> None:
    """Erase sign-ups that claim an address which ``owner_id`` is about to prove."""
    _unconfirmed().filter(email=email).exclude(pk=owner_id).delete()


def _unconfirmed() -> QuerySet[User]:
    """Return accounts that nobody has proved to be his: no verified address, never logged in."""
    proved = EmailAddress.objects.filter(user_id=OuterRef("pk"), verified=True)
    return User.objects.filter(
        ~Exists(proved), Q(last_login=None), is_staff=False, is_superuser=False
    )

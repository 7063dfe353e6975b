"""Everything that is kept about one person, for that person."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession

from accounts import audit
from accounts.models import User
from accounts.signals import account_exporting

VERSION = 1
"""Of the file's form: counted up when a reader of the old one would go wrong."""


def export_account(*, user: User, now: datetime) -> dict[str, Any]:
    """Return what the site keeps about ``user``, made of what JSON knows.

    What proves who somebody is (password, passkeys, codes, keys of sessions) is named and dated,
    and not handed out: a copy of it would be a key, not knowledge.
    """
    audit.write("data exported", user=user)
    others: list[Any] = account_exporting.send(sender=User, user=user, now=now)
    return {
        "version": VERSION,
        "made_at": now.isoformat(),
        "account": {
            "email": user.email,
            "display_name": user.display_name,
            "joined_at": user.date_joined.isoformat(),
            "last_login_at": user.last_login.isoformat() if user.last_login else None,
            "has_password": user.has_usable_password(),
        },
        "preferences": {
            "time_zone": user.time_zone,
            "language": user.language,
            "dice_in_mail": user.dice_in_mail,
        },
        "addresses": [
            {"email": row.email, "verified": row.verified, "primary": row.primary}
            for row in EmailAddress.objects.filter(user=user).order_by("pk")
        ],
        "second_factors": [
            {
                "type": str(row.type),
                "added_at": row.created_at.isoformat(),
                "last_used_at": row.last_used_at.isoformat() if row.last_used_at else None,
            }
            for row in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "sessions": [
            {
                "began_at": row.created_at.isoformat(),
                "ip": str(row.ip),
                "browser": row.user_agent,
            }
            for row in UserSession.objects.filter(user=user).order_by("pk")
        ],
        **dict(section for _receiver, section in others),
    }

"""Where the two apps meet: neither imports the other."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.signals import account_closing
from games.services import farewell


def connect() -> None:
    """Connect what accounts announces with what games does about it."""
    account_closing.connect(_leave_all_tables, dispatch_uid="games.farewell")


def _leave_all_tables(sender: object, *, user: User, now: datetime, **kwargs: Any) -> None:
    farewell.leave_everything(user_id=user.pk, now=now)

"""Where the two apps meet: neither imports the other."""

from datetime import datetime
from typing import Any

from accounts.models import User
from accounts.signals import account_closing, account_exporting
from games import selectors
from games.selectors.conduct import exported_conduct
from games.services import farewell


def connect() -> None:
    """Connect what accounts announces with what games does about it."""
    account_closing.connect(_leave_all_tables, dispatch_uid="games.farewell")
    account_exporting.connect(_games, dispatch_uid="games.export")
    account_exporting.connect(_orders, dispatch_uid="games.export.orders")
    account_exporting.connect(_wishes, dispatch_uid="games.export.wishes")
    account_exporting.connect(_mails, dispatch_uid="games.export.mails")
    account_exporting.connect(_talk, dispatch_uid="games.export.talk")
    account_exporting.connect(_invitations, dispatch_uid="games.export.invitations")
    account_exporting.connect(_conduct, dispatch_uid="games.export.conduct")


def _leave_all_tables(sender: object, *, user: User, now: datetime, **kwargs: Any) -> None:
    farewell.leave_everything(user_id=user.pk, now=now)


def _games(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, Any]]]:
    return "games", selectors.games_of(user.pk)


def _orders(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, object]]]:
    return "standing_orders", selectors.orders_of(user.pk)


def _wishes(sender: object, *, user: User, **kwargs: Any) -> tuple[str, dict[str, object]]:
    return "notices", selectors.exported_wishes(user.pk)


def _invitations(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, Any]]]:
    return "invitations_sent", selectors.invitations_by(user.pk)


def _conduct(sender: object, *, user: User, **kwargs: Any) -> tuple[str, dict[str, object]]:
    return "reliability", exported_conduct(user.pk)


def _mails(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, object]]]:
    return "mails_received", selectors.mails_of(user.pk)


def _talk(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, object]]]:
    return "said_at_tables", selectors.said_by(user.pk)

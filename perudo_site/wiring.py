"""Where the two apps meet: neither imports the other."""

from datetime import datetime
from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.http import HttpRequest

from accounts.models import User
from accounts.signals import account_closing, account_exporting
from games import selectors
from games.selectors.careers import exported_career
from games.selectors.conduct import exported_conduct
from games.selectors.hours import exported_hours
from games.selectors.ratings import exported_ratings
from games.services import devices, farewell


def connect() -> None:
    """Connect what accounts announces with what games does about it."""
    user_logged_out.connect(_forget_device, dispatch_uid="games.devices")
    account_closing.connect(_leave_all_tables, dispatch_uid="games.farewell")
    account_exporting.connect(_games, dispatch_uid="games.export")
    account_exporting.connect(_orders, dispatch_uid="games.export.orders")
    account_exporting.connect(_wishes, dispatch_uid="games.export.wishes")
    account_exporting.connect(_hours, dispatch_uid="games.export.hours")
    account_exporting.connect(_mails, dispatch_uid="games.export.mails")
    account_exporting.connect(_talk, dispatch_uid="games.export.talk")
    account_exporting.connect(_invitations, dispatch_uid="games.export.invitations")
    account_exporting.connect(_conduct, dispatch_uid="games.export.conduct")
    account_exporting.connect(_ratings, dispatch_uid="games.export.ratings")
    account_exporting.connect(_career, dispatch_uid="games.export.career")


def _forget_device(
    sender: object, *, request: HttpRequest, user: User | None, **kwargs: Any
) -> None:
    """Let no device go on showing the turns of who logs out there; it names itself in the form."""
    if user is not None and (endpoint := request.POST.get("device")):
        devices.forget_browser(user_id=user.pk, endpoint=endpoint)


def _leave_all_tables(sender: object, *, user: User, now: datetime, **kwargs: Any) -> None:
    farewell.leave_everything(user_id=user.pk, now=now)


def _games(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, Any]]]:
    return "games", selectors.games_of(user.pk)


def _orders(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, object]]]:
    return "standing_orders", selectors.orders_of(user.pk)


def _wishes(sender: object, *, user: User, **kwargs: Any) -> tuple[str, dict[str, object]]:
    return "notices", selectors.exported_wishes(user.pk)


def _hours(sender: object, *, user: User, **kwargs: Any) -> tuple[str, dict[str, object]]:
    return "hours", exported_hours(user.pk)


def _invitations(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, Any]]]:
    return "invitations_sent", selectors.invitations_by(user.pk)


def _conduct(sender: object, *, user: User, **kwargs: Any) -> tuple[str, dict[str, object]]:
    return "reliability", exported_conduct(user.pk)


def _ratings(sender: object, *, user: User, **kwargs: Any) -> tuple[str, dict[str, object]]:
    return "ratings", exported_ratings(user.pk)


def _career(sender: object, *, user: User, **kwargs: Any) -> tuple[str, dict[str, Any]]:
    return "statistics", exported_career(user.pk)


def _mails(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, object]]]:
    return "mails_received", selectors.mails_of(user.pk)


def _talk(sender: object, *, user: User, **kwargs: Any) -> tuple[str, list[dict[str, object]]]:
    return "said_at_tables", selectors.said_by(user.pk)

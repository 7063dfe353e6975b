"""Mail that players send: kept, handled once, answered.

Doors call ``knows`` and ``store``; Celery calls ``handle``, and ``sweep`` finds what it missed.
"""

from datetime import datetime

from django.db import transaction

from games.services import tokens
from games.services.receiving import keeping, strays
from games.services.receiving.commands import Result
from games.services.receiving.faults import report, try_again
from games.services.receiving.handling import confirm, disown, handle, has_mail, sweep
from games.services.receiving.keeping import store
from games.services.receiving.outcomes import Outcome

__all__ = [
    "Outcome",
    "Result",
    "confirm",
    "disown",
    "forget",
    "handle",
    "has_mail",
    "knows",
    "report",
    "store",
    "sweep",
    "try_again",
]


def knows(*, recipient: str) -> bool:
    """Return whether mail to this address is for anybody: whether a door should take it."""
    return tokens.is_known(recipient) or strays.is_sender(recipient)


@transaction.atomic
def forget(*, now: datetime) -> None:
    """Delete what has been kept long enough: mails as they came, and addresses out of use."""
    keeping.forget(now=now)
    tokens.forget(now=now)

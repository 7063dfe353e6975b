"""Times as pages tell them: when bids were made, and what is likely to come."""

from collections.abc import Sequence
from datetime import datetime, tzinfo
from functools import lru_cache

from django.utils.timezone import get_current_timezone
from django.utils.translation import get_language

from games import wording
from games.selectors import BidLine
from games.selectors.forecast import Outlook, fresh


def timed(
    bids: Sequence[BidLine], *, now: datetime, by_parts: bool
) -> tuple[tuple[BidLine, str], ...]:
    """Return each bid with when it was made, in words."""
    whens = wording.move_times([line.made_at for line in bids], now=now, by_parts=by_parts)
    return tuple(zip(bids, whens, strict=True))


def forecast_of(outlook: Outlook | None, *, now: datetime) -> tuple[str, ...]:
    """Return what a table says of the time to come; nothing where too little is known."""
    if outlook is None:
        return ()
    return _likely(outlook, fresh(now), get_current_timezone(), get_language())


@lru_cache(maxsize=1024)
def _likely(outlook: Outlook, now: datetime, zone: tzinfo, language: str | None) -> tuple[str, ...]:
    """Put a forecast into words, once for all who look within a few minutes."""
    likely = outlook.at(now)
    return wording.prospect_sentences(likely.next_turn, likely.end, now=now)

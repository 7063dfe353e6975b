"""How long an order waits before it acts, so that its speed tells nothing.

The wait is drawn from the player's own past answers: with luck *u* it is the *u*-quantile of those
answers that would still fit, taken as the values of a distribution whose quantiles between two
neighbours lie on a line. So an order answers as fast, and as slowly, as its player does.

What would come too late is **left out, not cut**: cutting would heap up answers at the limit, and a
move that comes exactly there would show that nobody made it.

With fewer than ``ENOUGH`` answers that fit, nothing is known of the player, and the wait is spread
evenly over the *ratios* between two minutes and an hour (log-uniform: as likely to lie between two
and four minutes as between half an hour and an hour), or below the limit where that is nearer.
"""

from collections.abc import Iterable
from math import isfinite

ENOUGH = 8
"""From so many past answers on they are a distribution worth drawing from."""

SOONEST, SPREAD_TO = 120.0, 3600.0
"""The default spread, in seconds."""

LATEST_SHARE = 0.5
"""The share of the time left that an order may wait, at most."""


def delay(
    past_answers: Iterable[float],
    *,
    luck: float,
    time_left: float,
    latest_share: float = LATEST_SHARE,
) -> float:
    """Return the seconds to wait from now.

    ``past_answers`` are the seconds from the start of a turn to an answer that the player gave by
    hand (values that are no time are passed over), ``luck`` is in [0, 1), ``time_left`` the seconds
    until the turn runs out. The wait is never negative, never grows when luck shrinks, and is never
    longer than ``latest_share`` of the time left; it is 0 where that is less than a second.

    :raises ValueError: ``luck`` or ``latest_share`` is out of its range.
    """
    if not 0.0 <= luck < 1.0:
        raise ValueError(f"luck must be in [0, 1): {luck}")
    if not 0.0 <= latest_share <= 1.0:
        raise ValueError(f"a share must be in [0, 1]: {latest_share}")
    latest = time_left * latest_share if latest_share else 0.0
    if latest < 1.0:
        return 0.0
    known = sorted([each for each in past_answers if isfinite(each) and 0.0 < each <= latest])
    wait = _quantile(known, luck) if len(known) >= ENOUGH else _unknown(luck, latest)
    return min(wait, latest)  # rounding may have gone past it


def _quantile(known: list[float], luck: float) -> float:
    place = luck * (len(known) - 1)
    below = min(int(place), len(known) - 2)  # luck just under 1 may be rounded up to it
    low, high = known[below], known[below + 1]
    return low + (high - low) * (place - below)


def _unknown(luck: float, latest: float) -> float:
    high = min(SPREAD_TO, latest)
    low = min(SOONEST, high / 2.0)
    return float(low * (high / low) ** luck)

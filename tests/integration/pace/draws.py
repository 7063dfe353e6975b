"""What Hypothesis draws for the games of the state machine."""

from typing import Any

from hypothesis import strategies as st

from games import rules
from games.clock import TimeOut, find_clock
from tests.integration.pace.site import CAST

CLOCKS = (None, *(find_clock(name) for name in ("standard", "brisk", "day", "relaxed")))
ORDERS = (
    "dudo below 40%; else least",
    "bid 2x3, 3x3, 4x3; else ask",
    "calza from 20%; else least",
    "dudo",
    "ask",
    "least",
)
SECONDS = (4, 31, 1200, 3700, 6 * 3600, 25 * 3600, 80 * 3600, 8 * 86_400)

TABLE: dict[str, Any] = {
    "dice": st.integers(1, 4),
    "calza": st.sampled_from(list(rules.CalzaWindow)),
    "settings": st.sampled_from(CLOCKS),
    "time_out": st.sampled_from([TimeOut.AUTO, *TimeOut]),
    "weekends": st.booleans(),
}

who = st.sampled_from(CAST)
which = st.integers(0, 99)
yes = st.booleans()
often = st.sampled_from([True, True, True, False])

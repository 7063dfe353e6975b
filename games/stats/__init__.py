"""Statistics of finished games: pure, one function a statistic, its formula in its docstring.

A game is read as somebody may read it (:meth:`PlayedGame.as_read_by`), its facts are gathered for
one player (:func:`facts_of`), and each statistic turns facts into sums that add up
(:mod:`games.stats.sums`). Rates come out of sums, at the very end (:mod:`games.stats.table`).
"""

from games.stats.facts import Facts, facts_of
from games.stats.lessons import BINS, CAUSES, lessons
from games.stats.luck import z_score
from games.stats.medals import MEDALS, Career, earned
from games.stats.odds import Said, face_chances, informed, informed_exact
from games.stats.played import Finisher, PlayedBid, PlayedGame, PlayedRound
from games.stats.rivals import against
from games.stats.site import MOST_QUANTITY, site_sums
from games.stats.streaks import Run, Streaks
from games.stats.sums import NOTHING, SCALE, Part, Sums, from_json, to_json, total
from games.stats.table import (
    LEAST_OCCASIONS,
    STATISTICS,
    Rate,
    Statistic,
    Unit,
    rate_of,
    sums_of,
    times_fair,
    wilson,
)

__all__ = [
    "BINS",
    "CAUSES",
    "LEAST_OCCASIONS",
    "MEDALS",
    "MOST_QUANTITY",
    "NOTHING",
    "SCALE",
    "STATISTICS",
    "Career",
    "Facts",
    "Finisher",
    "Part",
    "PlayedBid",
    "PlayedGame",
    "PlayedRound",
    "Rate",
    "Run",
    "Said",
    "Statistic",
    "Streaks",
    "Sums",
    "Unit",
    "against",
    "earned",
    "face_chances",
    "facts_of",
    "from_json",
    "informed",
    "informed_exact",
    "lessons",
    "rate_of",
    "site_sums",
    "sums_of",
    "times_fair",
    "to_json",
    "total",
    "wilson",
    "z_score",
]

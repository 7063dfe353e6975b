"""The statistics, one by one: what each is called, how it is reckoned, and what it may claim."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from games.stats import bidding, calling, luck, results, survival
from games.stats.facts import Facts
from games.stats.sums import NOTHING, SCALE, Part, Sums

LEAST_OCCASIONS = 20
"""A rate of fewer occasions says too little to be shown."""

_Z = 1.959964  # 95 % of a normal distribution


class Unit(StrEnum):
    """What a statistic is: a share of occasions, a mean, or a sum."""

    SHARE = "share"
    MEAN = "mean"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic. ``for_fun``: measured, it says next to nothing about its player."""

    code: str
    reckon: Callable[[Facts], Part]
    unit: Unit
    for_fun: bool = False


STATISTICS = (
    Statistic("win", results.win_share, Unit.SHARE),
    Statistic("fair", results.fair_share, Unit.SUM),
    Statistic("place", results.placing, Unit.MEAN),
    Statistic("dudo_right", calling.dudo_accuracy, Unit.SHARE),
    Statistic("dudo_edge", calling.dudo_edge, Unit.MEAN),
    Statistic("dudo", calling.dudo_rate, Unit.SHARE),
    Statistic("calza_right", calling.calza_accuracy, Unit.SHARE, for_fun=True),
    Statistic("calza", calling.calzas_per_game, Unit.SUM),
    Statistic("bluff", bidding.bluff_rate, Unit.SHARE),
    Statistic("stretch", bidding.stretch_rate, Unit.SHARE),
    Statistic("false", bidding.false_rate, Unit.SHARE),
    Statistic("caught", bidding.caught_rate, Unit.SHARE),
    Statistic("escape", bidding.escape_rate, Unit.SHARE),
    Statistic("pressure", bidding.opening_pressure, Unit.MEAN),
    Statistic("aggression", bidding.aggression, Unit.MEAN),
    Statistic("clutch", survival.clutch, Unit.SHARE, for_fun=True),
    Statistic("comeback", survival.comeback, Unit.SHARE, for_fun=True),
    Statistic("palifico", survival.palifico, Unit.SHARE, for_fun=True),
    Statistic("roll_luck", luck.roll_luck, Unit.SUM),
    Statistic("roll_spread", luck.roll_spread, Unit.SUM),
    Statistic("my_way", luck.my_way, Unit.SUM),
)


def sums_of(facts: Facts) -> dict[str, Part]:
    """Return every statistic of one game, as sums."""
    found = {each.code: each.reckon(facts) for each in STATISTICS}
    return {code: part for code, part in found.items() if part != NOTHING}


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate of ``of`` occasions with its band: where it lies, 95 times of a hundred.

    A mean has no band: sums do not tell how it varies.
    """

    value: float
    of: int
    low: float | None = None
    high: float | None = None


def rate_of(code: str, sums: Sums) -> Rate | None:
    """Return a share or a mean, or None from fewer than :data:`LEAST_OCCASIONS` occasions."""
    part = sums.get(code, NOTHING)
    if part.of < LEAST_OCCASIONS:
        return None
    unit = next(each.unit for each in STATISTICS if each.code == code)
    if unit is Unit.SHARE:
        low, high = wilson(part.value, part.of)
        return Rate(part.value / part.of, part.of, low, high)
    scale = 1 if code == "calza" else SCALE
    return Rate(part.value / scale / part.of, part.of)


def times_fair(sums: Sums) -> float | None:
    """Return wins / sum(1 / n), or None from too few games."""
    wins, fair = sums.get("win", NOTHING), sums.get("fair", NOTHING)
    return wins.value * SCALE / fair.value if fair.of >= LEAST_OCCASIONS else None


def wilson(hits: int, of: int) -> tuple[float, float]:
    """Return the bounds of Wilson's score interval (1927) for a share, at 95 %.

    :raises ValueError: there are no occasions, or more hits than occasions.
    """
    if not 0 <= hits <= of or not of:
        raise ValueError(f"{hits} of {of}")
    share, zz = hits / of, _Z * _Z
    middle = (share + zz / (2 * of)) / (1 + zz / of)
    reach = _Z / (1 + zz / of) * sqrt(share * (1 - share) / of + zz / (4 * of * of))
    # At the ends it is the share itself, which rounding may miss.
    return max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach))

"""An order answers as fast and as slowly as its player does, and never too late."""

from math import inf, nan
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.orders import delay
from games.orders.delay import ENOUGH, LATEST_SHARE, SOONEST, SPREAD_TO

pytestmark = pytest.mark.one_database

DAY = 86_400.0
answers = st.lists(st.floats(allow_nan=True, allow_infinity=True) | st.floats(1, DAY), max_size=40)
lucks = st.floats(0, 1, exclude_max=True)
PAST = [60.0 * (minute + 1) ** 2 for minute in range(20)]


@given(answers, lucks, lucks, st.floats(-DAY, 10 * DAY), st.floats(0, 1))
def test_it_is_in_time_and_grows_with_luck(
    past: list[float], one: float, other: float, time_left: float, share: float
) -> None:
    less, more = sorted((one, other))
    waits = [
        delay(past, luck=luck, time_left=time_left, latest_share=share) for luck in (less, more)
    ]
    assert 0.0 <= waits[0] <= waits[1] <= max(0.0, time_left) * share


def test_it_is_a_quantile_of_the_past() -> None:
    for place, answer in enumerate(PAST[:-1]):
        assert delay(PAST, luck=place / (len(PAST) - 1), time_left=10 * DAY) == pytest.approx(
            answer
        )
    rng = Random(1)
    waits = sorted(delay(PAST, luck=rng.random(), time_left=10 * DAY) for _ in range(4001))
    assert waits[2000] == pytest.approx((PAST[9] + PAST[10]) / 2, rel=0.05)


def test_the_order_of_the_past_does_not_matter() -> None:
    assert delay(PAST, luck=0.3, time_left=DAY) == delay(PAST[::-1], luck=0.3, time_left=DAY)


def test_what_would_be_too_late_is_left_out_and_does_not_heap_up_at_the_limit() -> None:
    limit = PAST[15] + 1
    waits = [delay(PAST, luck=luck / 1000, time_left=limit / LATEST_SHARE) for luck in range(1000)]
    assert max(waits) < PAST[15]
    assert len(set(waits)) == 1000
    assert waits == [delay(PAST[:16], luck=luck / 1000, time_left=inf) for luck in range(1000)]


def test_with_few_answers_the_wait_has_the_default_spread() -> None:
    few = [7.0] * (ENOUGH - 1)
    assert delay(few, luck=0.0, time_left=DAY) == SOONEST
    assert delay(few, luck=0.5, time_left=DAY) == pytest.approx((SOONEST * SPREAD_TO) ** 0.5)
    assert delay([], luck=1 - 2**-53, time_left=inf) == pytest.approx(SPREAD_TO)
    assert delay([7.0] * ENOUGH, luck=0.5, time_left=DAY) == 7.0
    assert delay([nan, inf, -inf, -1.0, 0.0] * ENOUGH, luck=0.0, time_left=DAY) == SOONEST


def test_a_short_turn_shortens_the_default_spread() -> None:
    assert delay([], luck=0.0, time_left=120.0) == 30.0
    assert delay([], luck=0.999, time_left=120.0) < 60.0


def test_no_time_left_means_at_once() -> None:
    for left in (0.0, -5.0):
        assert delay(PAST, luck=0.9, time_left=left) == 0.0
    assert delay(PAST, luck=0.9, time_left=inf, latest_share=0.0) == 0.0


@pytest.mark.parametrize("luck", [-0.1, 1.0, nan])
def test_luck_has_a_range(luck: float) -> None:
    with pytest.raises(ValueError, match="luck"):
        delay(PAST, luck=luck, time_left=DAY)
    with pytest.raises(ValueError, match="share"):
        delay(PAST, luck=0.5, time_left=DAY, latest_share=1.5)

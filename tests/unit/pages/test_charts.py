"""Charts as numbers: marks stand inside their drawing, and in order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import charts
from games.avatars import PAIRS, avatar

pytestmark = pytest.mark.one_database

values = st.floats(-1e5, 1e5, allow_nan=False)


@given(st.lists(st.tuples(values, st.floats(0, 500)), min_size=1, max_size=40))
def test_a_curve_and_its_band_lie_inside_the_drawing(points: list[tuple[float, float]]) -> None:
    chart = charts.curve(points)
    for x, y in (pair.split(",") for pair in f"{chart.line} {chart.band}".split()):
        assert 0 <= float(x) <= chart.width
        assert 0 <= float(y) <= chart.height


def test_ticks_of_a_curve_are_round_numbers() -> None:
    chart = charts.curve([(1483, 50), (1552, 40)])
    assert [tick.words for tick in chart.ticks] == ["1400", "1450", "1500", "1550", "1600"]


def test_a_curve_needs_points() -> None:
    with pytest.raises(ValueError, match="points"):
        charts.curve([])


@given(st.lists(values, min_size=5, max_size=5).map(sorted), values)
def test_a_strip_holds_the_field_and_the_player(field: list[float], mine: float) -> None:
    least, low, median, high, most = field
    strip = charts.strip(field=(least, low, median, high, most), mine=mine)
    places = [float(place) for place in (strip.least, strip.low, strip.median)]
    assert places == sorted(places)
    assert all(0 <= place <= 100 for place in [*places, float(strip.mine)])
    assert float(strip.least) + float(strip.reach) <= 98.2


@given(st.lists(st.tuples(st.text(max_size=5), st.integers(0, 10**6)), max_size=20))
def test_columns_stand_on_the_ground_and_none_is_too_high(bars: list[tuple[str, int]]) -> None:
    chart = charts.columns(bars)
    for column in chart.columns:
        assert float(column.y) >= 0
        assert abs(float(column.y) + float(column.height) - float(chart.base)) < 0.2


@given(st.text(min_size=1))
def test_an_avatar_is_the_same_every_time_and_symmetrical(name: str) -> None:
    drawn = avatar(name)
    assert drawn == avatar(name)
    assert 0 <= drawn.colour < len(PAIRS)
    assert drawn.pips
    assert {(100 - pip.x, pip.y, pip.is_bold) for pip in drawn.pips} == {
        (pip.x, pip.y, pip.is_bold) for pip in drawn.pips
    }

"""Charts as numbers for the templates of ``components/charts``: where each mark stands.

Coordinates are ready strings, in units of the drawing's own box: a page in Italian must not write
them with a comma. Colours and strokes belong to the style sheet, words to the caller.
"""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 240
_LEFT, _RIGHT, _TOP, _FOOT = 64, 8, 12, 30
_LAST = 26
"""Room at the right where words stand under the last place."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark at an axis: where, and what is written there."""

    at: str
    words: str


@dataclass(frozen=True, slots=True)
class Column:
    """A bar of a column chart; ``words`` are written below it."""

    x: str
    y: str
    width: str
    height: str
    middle: str
    words: str


@dataclass(frozen=True, slots=True)
class Columns:
    """A column chart, and the same as rows of a table."""

    columns: tuple[Column, ...]
    base: str
    below: str
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class Strip:
    """One value beside the field, which is its reach, its middle half and its middle.

    All are positions from 0 to 100; ``mine`` and its band are None where there is nothing to show.
    """

    least: str
    low: str
    half: str
    median: str
    reach: str
    mine: str | None
    band: str | None
    band_width: str | None


@dataclass(frozen=True, slots=True)
class Curve:
    """A line with a band around it: points of a polyline, and of the polygon of the band."""

    line: str
    band: str
    ticks: tuple[Tick, ...]
    last_x: str
    last_y: str
    left: str
    right: str
    width: int = WIDTH
    height: int = HEIGHT


@dataclass(frozen=True, slots=True)
class Dot:
    """What was said against what came, in the unit square; the larger, the more occasions."""

    x: str
    y: str
    radius: str


@dataclass(frozen=True, slots=True)
class Calibration:
    """Dots that lie on the diagonal where odds were right."""

    dots: tuple[Dot, ...]
    ticks: tuple[Tick, ...]
    size: int = 260


@dataclass(frozen=True, slots=True)
class Line:
    """One of several lines: its points, and where its name stands, at its end."""

    name: str
    points: str
    last_x: str
    last_y: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Several shares over the same places, from 0 to 100 %."""

    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    places: tuple[Tick, ...]
    left: str
    right: str
    below: str
    width: int = WIDTH
    height: int = HEIGHT


def columns(bars: Sequence[tuple[str, int]]) -> Columns:
    """Return a column chart of (words below, count)."""
    most = max((count for _, count in bars), default=0) or 1
    room = HEIGHT - _TOP - _FOOT
    step = WIDTH / max(len(bars), 1)
    made = []
    for place, (words, count) in enumerate(bars):
        height = room * count / most
        made.append(
            Column(
                x=_text(step * place + step * 0.12),
                y=_text(HEIGHT - _FOOT - height),
                width=_text(step * 0.76),
                height=_text(height),
                middle=_text(step * (place + 0.5)),
                words=words,
            )
        )
    return Columns(tuple(made), base=_text(HEIGHT - _FOOT), below=_text(HEIGHT - 8))


def strip(
    *,
    field: tuple[float, float, float, float, float],
    mine: float | None,
    band: tuple[float, float] | None = None,
) -> Strip:
    """Return where a value lies in a field: (least, low quartile, median, high quartile, most)."""
    own = [] if mine is None else [mine, *(band or ())]
    bottom, top = min(*field, *own), max(*field, *own)
    span = (top - bottom) or 1.0

    def at(value: float) -> float:
        place: float = 2 + 96 * (value - bottom) / span
        return place

    least, low, median, high, most = (at(value) for value in field)
    return Strip(
        least=_text(least),
        low=_text(low),
        half=_text(high - low),
        median=_text(median),
        reach=_text(most - least),
        mine=None if mine is None else _text(at(mine)),
        band=None if band is None else _text(at(band[0])),
        band_width=None if band is None else _text(at(band[1]) - at(band[0])),
    )


def curve(points: Sequence[tuple[float, float]], *, ticks: int = 4) -> Curve:
    """Return a line through values, each with how far its band reaches to either side.

    :raises ValueError: there are no points.
    """
    if not points:
        raise ValueError("a curve needs points")
    low = min(value - reach for value, reach in points)
    high = max(value + reach for value, reach in points)
    bottom, top, step = _rounded(low, high, ticks)
    last = max(len(points) - 1, 1)

    def x(place: int) -> str:
        return _text(_LEFT + (WIDTH - _LEFT - _RIGHT) * place / last)

    def y(value: float) -> str:
        share = (value - bottom) / (top - bottom)
        return _text(HEIGHT - _FOOT - (HEIGHT - _TOP - _FOOT) * share)

    above = [f"{x(place)},{y(value + reach)}" for place, (value, reach) in enumerate(points)]
    below = [f"{x(place)},{y(value - reach)}" for place, (value, reach) in enumerate(points)]
    marks = range(round((top - bottom) / step) + 1)
    return Curve(
        line=" ".join(f"{x(place)},{y(value)}" for place, (value, _) in enumerate(points)),
        band=" ".join([*above, *reversed(below)]),
        ticks=tuple(Tick(y(bottom + step * n), f"{bottom + step * n:.0f}") for n in marks),
        last_x=x(len(points) - 1),
        last_y=y(points[-1][0]),
        left=_text(_LEFT),
        right=_text(WIDTH - _RIGHT),
    )


def lines(shares: Sequence[tuple[str, Sequence[float]]], *, places: Sequence[str]) -> Lines:
    """Return a line for each (name, shares from 0 to 1), all over the same ``places``."""
    last = max(len(places) - 1, 1)
    every = max(1, len(places) // 12)  # more words than that would run into each other

    def x(place: int) -> str:
        return _text(_LEFT + (WIDTH - _LEFT - _LAST) * place / last)

    def y(share: float) -> str:
        return _text(HEIGHT - _FOOT - (HEIGHT - _TOP - _FOOT) * share)

    return Lines(
        lines=tuple(
            Line(
                name=name,
                points=" ".join(f"{x(place)},{y(share)}" for place, share in enumerate(values)),
                last_x=x(len(values) - 1),
                last_y=y(values[-1]),
            )
            for name, values in shares
            if values
        ),
        ticks=tuple(Tick(y(share), f"{share * 100:.0f}") for share in (0, 0.25, 0.5, 0.75, 1)),
        places=tuple(
            Tick(x(place), words) for place, words in enumerate(places) if not place % every
        ),
        left=_text(_LEFT),
        right=_text(WIDTH - _LAST),
        below=_text(HEIGHT - 8),
    )


def calibration(bins: Sequence[tuple[float, float, int]]) -> Calibration:
    """Return dots for (share said, share that came, occasions)."""
    size, edge = 260, 34
    inner = size - edge - 10
    most = max((of for _, _, of in bins), default=1)

    def place(share: float) -> float:
        return inner * share

    return Calibration(
        dots=tuple(
            Dot(
                x=_text(edge + place(said)),
                y=_text(10 + inner - place(came)),
                radius=_text(3 + 7 * (of / most) ** 0.5),
            )
            for said, came, of in bins
        ),
        ticks=tuple(
            Tick(_text(edge + place(share)), f"{share * 100:.0f}") for share in (0, 0.5, 1)
        ),
        size=size,
    )


def _rounded(low: float, high: float, ticks: int) -> tuple[float, float, float]:
    """Return bounds and a step that read well: 1, 2 or 5 of a power of ten."""
    rough = max(high - low, 1.0) / ticks
    power = 10.0 ** int(f"{rough:e}".split("e")[1])
    step = next(each * power for each in (1, 2, 5, 10) if each * power >= rough)
    bottom = step * (low // step)
    top = bottom + step
    while top < high:
        top += step
    return bottom, top, step


def _text(number: float) -> str:
    return f"{number:.1f}".rstrip("0").rstrip(".")

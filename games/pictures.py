"""Pictures of a moment for sharing: what an onlooker sees, as SVG and as PNG of one fixed size.

A picture is drawn once, as SVG, by a template; the PNG is that drawing with the site's own fonts,
and so the same on every machine. Both are made of a frozen :class:`Picture` alone.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import wrap

import resvg_py
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games.avatars import Avatar
from games.panels import ShownDie

WIDTH, HEIGHT = 1200, 630
"""In pixels: what the networks show large."""

_MARGIN, _GAP, _TOP, _BOTTOM = 60, 16, 312, 570
_MOST_IN_A_ROW = 5
_HIGHEST_BOX = 170
_LARGEST_DIE = 62.0
_CAPTION_SIGNS, _CAPTION_LINES = 46, 3
_STATIC = Path(__file__).parent / "static" / "games"
_FONTS = [
    str(_STATIC / "fonts" / name)
    for name in ("fraunces-600-picture.ttf", "figtree-500-picture.ttf")
]
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SYMBOL = re.compile(r'<symbol id="die-[0-6]".*?</symbol>', re.DOTALL)
_PROPERTY = re.compile(r"var\(--[\w-]+,\s*(#[0-9a-f]+)\)")
_WILD = re.compile(r"var\(--wild-(\w+),\s*\w+\)")


@dataclass(frozen=True, slots=True)
class PictureSeat:
    """A seat: how many dice it has, None where the table hides that, or its lifted cup."""

    name: str
    dice: int | None
    is_out: bool
    is_to_move: bool = False
    cup: tuple[ShownDie, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """All that is drawn: public values and words.

    ``bid`` is a quantity and a face; ``wild`` is the key of the picture on the ace. ``avatar`` is a
    player's, where the picture is of him.
    """

    site: str
    title: str
    subtitle: str
    caption: str
    wild: str
    bid: tuple[int, int] | None
    seats: tuple[PictureSeat, ...]
    avatar: Avatar | None = None


@dataclass(frozen=True, slots=True)
class _Die:
    x: float
    face: int
    counts: bool


@dataclass(frozen=True, slots=True)
class _Box:
    """A seat where it is drawn, in pixels; ``die`` is the size of its dice."""

    seat: PictureSeat
    name: str
    x: float
    y: float
    die: float
    dice: tuple[_Die, ...]

    @property
    def corner(self) -> float:
        """Return the radius of a die's corners, as the sprite has them."""
        return round(self.die * 11 / 48, 1)


def svg(picture: Picture) -> str:
    """Return the picture as an SVG document."""
    boxes, width, height = _boxes(picture.seats)
    drawing = render_to_string(
        "games/picture.svg",
        {
            "width": WIDTH,
            "height": HEIGHT,
            "picture": picture,
            "title": _cut(picture.title, 27 if picture.bid else 38),
            "lines": _lines(picture.caption),
            "boxes": boxes,
            "box_width": width,
            "box_height": height,
            "symbols": _symbols(picture.wild),
        },
    )
    return _NOT_XML.sub("", drawing)


@lru_cache(maxsize=64)
def png(picture_svg: str) -> bytes:
    """Return the drawing that :func:`svg` made as a PNG.

    It takes tens of milliseconds, so the last ones are kept: whoever finds a link fetches the same.
    """
    return bytes(
        resvg_py.svg_to_bytes(svg_string=picture_svg, font_files=_FONTS, skip_system_fonts=True)
    )


def _boxes(seats: tuple[PictureSeat, ...]) -> tuple[tuple[_Box, ...], float, float]:
    """Return where each seat is drawn, and how wide and high it is."""
    rows = 1 if len(seats) <= _MOST_IN_A_ROW else 2
    columns = max(-(-len(seats) // rows), 1)
    width = (WIDTH - 2 * _MARGIN - _GAP * (columns - 1)) / columns
    height = min((_BOTTOM - _TOP - _GAP * (rows - 1)) / rows, _HIGHEST_BOX)
    top = _BOTTOM - rows * height - (rows - 1) * _GAP
    most = max((len(seat.cup) or seat.dice or 0 for seat in seats), default=0) or 1
    pitch = min(_LARGEST_DIE, (width - 32) / most, height - 64)
    boxes = []
    for place, seat in enumerate(seats):
        row, column = divmod(place, columns)
        shown = seat.cup or (ShownDie(0, counts=False),) * (seat.dice or 0)
        boxes.append(
            _Box(
                seat=seat,
                name=_cut(seat.name, int(width / 15)),
                x=round(_MARGIN + column * (width + _GAP), 1),
                y=round(top + row * (height + _GAP), 1),
                die=round(pitch * 0.86, 1),
                dice=tuple(
                    _Die(round(16 + number * pitch, 1), die.face, die.counts)
                    for number, die in enumerate(shown)
                ),
            )
        )
    return tuple(boxes), round(width, 1), round(height, 1)


def _lines(caption: str) -> tuple[tuple[int, str], ...]:
    """Return the caption's lines, each with its height in the picture."""
    lines = wrap(caption, _CAPTION_SIGNS, max_lines=_CAPTION_LINES, placeholder=" …")
    return tuple((212 + 38 * number, line) for number, line in enumerate(lines))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


@lru_cache(maxsize=8)
def _symbols(wild: str) -> SafeString:
    """Return the dice of the site's own sprite, with what a page's style sheet would lend them."""
    dice = "".join(_SYMBOL.findall((_STATIC / "img" / "dice.svg").read_text()))
    dice = _WILD.sub(lambda found: "inline" if found[1] == wild else "none", dice)
    return mark_safe(_PROPERTY.sub(r"\1", dice))  # noqa: S308  # a file of ours

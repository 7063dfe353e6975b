"""Pictures for sharing: well-formed, the same on every machine, and with no die but those given."""

import re
import struct
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import pictures
from games.panels import ShownDie
from games.pictures import Picture, PictureSeat

pytestmark = pytest.mark.one_database

LIFTED = (ShownDie(5, counts=True), ShownDie(2, counts=False))
PICTURE = Picture(
    site="Perudo by Post",
    title="Over the fence",
    subtitle="Round 3",
    caption="Bob called dudo on 4 fives by Alice: there are 3 fives.",
    wild="paco",
    bid=(4, 5),
    seats=(
        PictureSeat("Alice", 2, is_out=False, cup=LIFTED),
        PictureSeat("Bob", 3, is_out=False, is_to_move=True),
        PictureSeat("Carol", 0, is_out=True),
        PictureSeat("Dora", None, is_out=False),
    ),
)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(picture: Picture) -> list[int]:
    """Return the faces of all dice in the picture; 0 is a covered one."""
    root = ElementTree.fromstring(pictures.svg(picture))
    return [int(use.attrib["href"].removeprefix("#die-")) for use in root.iter(f"{SVG}use")]


def words(picture: Picture) -> list[str]:
    root = ElementTree.fromstring(pictures.svg(picture))
    return [element.text or "" for element in root.iter(f"{SVG}text")]


def test_a_picture_has_the_bid_the_lifted_dice_and_covered_ones_and_no_others() -> None:
    assert sorted(drawn(PICTURE)) == [0, 0, 0, 2, 5, 5]


def test_a_picture_names_everybody_and_says_what_happened() -> None:
    said = words(PICTURE)
    assert {"Alice", "Bob", "Carol", "Dora", "Over the fence", "Round 3"} <= set(said)
    assert "Bob called dudo on 4 fives by Alice:" in " ".join(said)
    assert said.count("out") == 1
    assert said.count("dice not shown") == 1


@pytest.mark.parametrize("wild", ["lama", "paco", "jolly", "ace"])
def test_the_ace_has_one_picture_that_of_its_tradition(wild: str) -> None:
    svg = pictures.svg(replace(PICTURE, wild=wild))
    assert svg.count('display="inline"') == 1
    assert "var(" not in svg


def test_different_traditions_draw_different_aces() -> None:
    ace = replace(PICTURE, bid=(2, 1))
    kinds = ("lama", "paco", "jolly", "ace")
    assert len({pictures.png(pictures.svg(replace(ace, wild=wild))) for wild in kinds}) == 4


def test_a_png_is_of_the_one_size_and_the_same_each_time() -> None:
    svg = pictures.svg(PICTURE)
    one = pictures.png(svg)
    pictures.png.cache_clear()
    assert pictures.png(svg) == one
    assert one.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", one[16:24]) == (1200, 630)
    assert len(one) < 200_000


def test_a_png_writes_the_words() -> None:
    named, blank = (
        pictures.png(pictures.svg(replace(PICTURE, title=title))) for title in ("Žižek’s table", "")
    )
    assert len(named) > len(blank) + 500


def test_a_name_is_no_markup() -> None:
    name = "</text><image href='/etc/passwd'/><script>&"
    picture = replace(PICTURE, title=name, seats=(PictureSeat(name, 1, is_out=False),))
    root = ElementTree.fromstring(pictures.svg(picture))
    assert not list(root.iter(f"{SVG}image"))
    assert not list(root.iter(f"{SVG}script"))
    assert pictures.png(pictures.svg(picture))


def test_a_picture_as_a_page_needs_no_style_that_the_policy_forbids() -> None:
    svg = pictures.svg(PICTURE)
    assert "style" not in svg
    assert not re.search(r"\son\w+=", svg)


ODD = st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("\x00\x1b\ufffe\uffff<&"))
NAMES = st.text(ODD, min_size=1, max_size=64)


@given(
    names=st.lists(NAMES, min_size=1, max_size=10),
    dice=st.one_of(st.none(), st.integers(0, 8)),
    caption=st.text(ODD, max_size=300),
)
def test_every_table_fits(names: list[str], dice: int | None, caption: str) -> None:
    seats = tuple(PictureSeat(name, dice, is_out=dice == 0) for name in names)
    root = ElementTree.fromstring(pictures.svg(replace(PICTURE, seats=seats, caption=caption)))
    boxes = [group for group in root.iter(f"{SVG}g") if "transform" in group.attrib]
    assert len(boxes) == len(names)
    for group in boxes:
        x, y = map(float, re.findall(r"[\d.]+", group.attrib["transform"]))
        frame = group.find(f"{SVG}rect")
        assert frame is not None
        width, height = float(frame.attrib["width"]), float(frame.attrib["height"])
        assert x >= 0
        assert y > 300
        assert x + width <= pictures.WIDTH
        assert y + height <= pictures.HEIGHT
        for die in group.iter(f"{SVG}use"):
            assert float(die.attrib["x"]) + float(die.attrib["width"]) <= width
            assert float(die.attrib["y"]) + float(die.attrib["height"]) <= height

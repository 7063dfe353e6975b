"""The style sheet, the sprite and the templates against the house's own limits."""

import gzip
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
STATIC = ROOT / "games" / "static" / "games"
SHEET = (STATIC / "css" / "site.css").read_text(encoding="utf-8")
# Mails need inline styles: a mail program knows no style sheet.
PAGES = [
    path
    for path in sorted((ROOT / "templates").rglob("*.html"))
    if not {"email", "emails"} & set(path.parts)
]
TOKENS = (
    dict(re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), #[0-9a-f]{6}\)", SHEET)),
    dict(re.findall(r"--([\w-]+): light-dark\(#[0-9a-f]{6}, (#[0-9a-f]{6})\)", SHEET)),
)


def _luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ground", "inks"),
    [
        ("ground", ("ink", "ink-soft", "clay", "brass", "leaf", "berry")),
        ("panel", ("ink", "ink-soft", "clay", "brass", "leaf", "berry")),
        ("sunk", ("ink", "ink-soft")),
    ],
)
def test_words_can_be_read_in_both_themes(theme: int, ground: str, inks: tuple[str, ...]) -> None:
    tokens = TOKENS[theme]
    for ink in inks:
        assert _contrast(tokens[ink], tokens[ground]) >= 4.5, ink


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_buttons_and_edges_can_be_seen_in_both_themes(theme: int) -> None:
    tokens = TOKENS[theme]
    assert _contrast(tokens["clay-ink"], tokens["clay"]) >= 4.5
    for ground in ("ground", "panel"):
        assert _contrast(tokens["edge"], tokens[ground]) >= 3  # borders of fields (WCAG 1.4.11)
        assert _contrast(tokens["brass"], tokens[ground]) >= 3  # the ring of the focus


def test_the_sheet_stays_small() -> None:
    assert len(gzip.compress(SHEET.encode())) < 7_000


def test_every_face_is_in_the_sprite() -> None:
    sprite = (STATIC / "img" / "dice.svg").read_text(encoding="utf-8")
    assert {f"die-{face}" for face in range(7)} <= set(re.findall(r'symbol id="([\w-]+)"', sprite))
    assert "<script" not in sprite
    assert "style=" not in sprite


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_page_has_inline_style_or_script(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=\"", text)
    for attributes in re.findall(r"<script([^>]*)>", text):
        # Data for scripts is not a script.
        assert "src=" in attributes or 'type="application/json"' in attributes


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_class_in_a_page_means_something(path: Path) -> None:
    sheets = " ".join(sheet.read_text(encoding="utf-8") for sheet in ROOT.glob("*/static/**/*.css"))
    known = set(re.findall(r"\.([a-z][\w-]*)", sheets))
    text = re.sub(r"{%.*?%}|{{.*?}}", " ", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    used = {name for names in re.findall(r'class="([^"]*)"', text) for name in names.split()}
    assert {name for name in used if not name.endswith("-")} <= known

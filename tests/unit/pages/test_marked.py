"""No word that a reader sees stands in a template without being marked for translation."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3] / "templates"
# Read by nobody but those who work on the site.
OF_THE_WORKSHOP = {"pages/styleguide.html"}
TEMPLATES = sorted(
    path
    for path in (*ROOT.rglob("*.html"), *ROOT.rglob("*.txt"))
    if str(path.relative_to(ROOT)) not in OF_THE_WORKSHOP
)
SAID = ("aria-label", "title", "alt", "placeholder", "label")
"""Attributes that are read aloud or shown."""
ANYWHERE = re.compile(
    r"\b(?:Perudo|HTML|JSON|SVG|PNG|QR|ID|URL|SHA-256|HMAC|pf1|drand|python3?|sha256sum|px)\b"
)
"""Names, which are the same in every language."""

_COMMENT = re.compile(r"{% comment %}.*?{% endcomment %}|{#.*?#}|<!--.*?-->", re.DOTALL)
_MARKED = re.compile(r"{% blocktranslate.*?{% endblocktranslate %}", re.DOTALL)
_CLASSES = re.compile(r"{% block body_class %}.*?{% endblock body_class %}", re.DOTALL)
_CODE = re.compile(r"<(script|style|code|pre|kbd)\b.*?</\1>", re.DOTALL)
_TAG = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)
_ATTRIBUTE = re.compile(rf'\s(?:{"|".join(SAID)})="([^"]*)"')
_MARKUP = re.compile(r"<[^>]*>|&\w+;|&#\d+;", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]{2,}")


def unmarked(text: str) -> list[str]:
    """Return the words of a template that nobody will translate."""
    for pattern in (_COMMENT, _MARKED, _CLASSES, _CODE, _TAG):
        text = pattern.sub(" ", text)
    said = " ".join(_ATTRIBUTE.findall(text))
    return _WORD.findall(ANYWHERE.sub(" ", f"{said} {_MARKUP.sub(' ', text)}"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_word_is_marked_for_translation(path: Path) -> None:
    assert unmarked(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<p>Hello</p>", ["Hello"]),
        ('<p aria-label="Hello">{{ name }}</p>', ["Hello"]),
        ('<p class="hello">{% translate "Hello" %}</p>', []),
        ("{% blocktranslate %}Hello {{ name }}{% endblocktranslate %}", []),
    ],
)
def test_an_unmarked_word_is_found(text: str, words: list[str]) -> None:
    assert unmarked(text) == words

from datetime import UTC, datetime, timedelta

import pytest
from django.template import Context, Template
from django.utils import translation

from games.panels import LadderBlock, Rung

NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def _draw(source: str, **values: object) -> str:
    return Template("{% load table %}" + source).render(Context(values))


def test_a_die_says_its_face() -> None:
    html = _draw("{% die 5 %}{% die 1 'die-large' %}")
    assert html.count('role="img"') == 2
    assert 'aria-label="five"' in html
    assert 'aria-label="ace"' in html
    assert 'class="die die-large"' in html
    assert "#die-5" in html


@pytest.mark.parametrize("face", [None, 0])
def test_a_covered_die_says_nothing_of_its_face(face: int | None) -> None:
    html = _draw("{% die face %}", face=face)
    assert "#die-0" in html
    assert 'aria-label="covered die"' in html


def test_a_bid_is_one_picture_with_one_label() -> None:
    html = _draw("{% bid 4 5 %}")
    assert html.count('role="img"') == 1
    assert 'aria-label="4 fives"' in html


def test_rungs_are_radio_inputs_with_a_spoken_bid_and_gaps() -> None:
    block = LadderBlock(5, (None, Rung(4, 5, checked=False), Rung(5, 1, checked=True)))
    html = _draw("{% rungs block required=True %}", block=block)
    assert html.index("rung-gap") < html.index('value="4x5"') < html.index('value="5x1"')
    assert 'aria-label="4 fives" required>' in html
    assert 'aria-label="5 aces" checked>' in html


def test_classes_are_escaped() -> None:
    assert "<b>" not in _draw("{% die 5 classes %}", classes='"><b>')


def test_a_drawing_is_remembered_for_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    from games import wording

    with translation.override("en"):
        english = _draw("{% die 6 'tested' %}")
    monkeypatch.setattr(wording, "face_name", lambda face, count=1: "sei")
    with translation.override("it"):
        italian = _draw("{% die 6 'tested' %}")
    with translation.override("en"):
        assert _draw("{% die 6 'tested' %}") == english
    assert 'aria-label="sei"' in italian


def test_dice_left_are_counted_aloud_or_not_at_all() -> None:
    assert 'aria-label="1 die"' in _draw("{% dice_left 1 %}")
    assert "pile-4" in _draw("{% dice_left 4 %}")
    hidden = _draw("{% dice_left none %}", none=None)
    assert "pile-" in hidden
    assert "dice not shown" in hidden
    assert not any(character.isdigit() for character in hidden)


def test_words() -> None:
    assert _draw("{% face_name 6 2 %}, {% bid_text 1 1 %}, {% place_text 2 %}") == (
        "sixes, 1 ace, place 2"
    )


@pytest.mark.parametrize(
    ("left", "words", "pressing"),
    [
        (timedelta(days=1, hours=3), "1 day 3 hours left", False),
        (timedelta(minutes=30), "30 minutes left", True),
        (timedelta(0), "Time is up", True),
    ],
)
def test_a_deadline_tells_time_left_and_time(left: timedelta, words: str, pressing: bool) -> None:
    html = _draw("{% deadline at now %}", at=NOW + left, now=NOW)
    assert words in html
    assert ("is-soon" in html) is pressing
    assert f'<time datetime="{(NOW + left).isoformat()}">' in html

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.template import Context, Template
from django.urls import reverse
from django.utils import timezone, translation

from games.panels import LadderBlock
from games.rules import Bid

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
    chosen = Bid(5, 1)
    block = LadderBlock(5, (None, Bid(4, 5), chosen))
    html = _draw("{% rungs block chosen required=True %}", block=block, chosen=chosen)
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


@pytest.mark.parametrize(
    ("zone", "language", "words"),
    [
        ("UTC", "en", "Sat 21 Nov, 09:30 UTC"),
        ("Europe/Rome", "en", "Sat 21 Nov, 10:30 CET"),
        ("Europe/Rome", "it", "Sab 21 nov, 10:30 CET"),
    ],
)
def test_a_deadline_is_told_in_its_readers_zone_and_language(
    zone: str, language: str, words: str
) -> None:
    with timezone.override(ZoneInfo(zone)), translation.override(language):
        assert words in _draw("{% deadline at now %}", at=NOW, now=NOW)


def test_a_games_address_is_the_one_that_url_gives() -> None:
    code = "cz57rk1n0y"
    html = _draw("{% game_url 'game' code %} {% game_url 'game_play' code %}", code=code)
    assert html == f"{reverse('game', args=[code])} {reverse('game_play', args=[code])}"

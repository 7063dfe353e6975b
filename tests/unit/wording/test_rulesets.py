from dataclasses import replace
from enum import StrEnum

import pytest

from games import wording
from games.rules import (
    PRESETS,
    BidCap,
    CalzaRules,
    CalzaWindow,
    CoveredCups,
    DiceCounts,
    FaceChange,
    FirstStarter,
    PalificoRules,
    RaiseMode,
    Reveal,
    Ruleset,
    Trigger,
    preset_options,
    with_options,
)
from games.wording.rulesets import _CHOICES

CHOICES: tuple[type[StrEnum], ...] = (
    BidCap,
    CalzaWindow,
    CoveredCups,
    DiceCounts,
    FaceChange,
    FirstStarter,
    RaiseMode,
    Reveal,
    Trigger,
)
EVERYTHING = Ruleset(
    name="custom", version=1, palifico=PalificoRules(enabled=True), calza=CalzaRules(enabled=True)
)


def _sentences(rules: Ruleset) -> dict[str, str]:
    return {line.key: line.sentence for line in wording.describe(rules)}


def test_every_value_of_every_toggle_has_a_sentence_of_its_own() -> None:
    # StrEnum members equal their text: a text used by two toggles would share one sentence.
    values = [value for choice in CHOICES for value in choice]
    assert set(_CHOICES) == set(values)
    assert len({wording.choice_text(value) for value in values}) == len(values)


@pytest.mark.parametrize(
    ("key", "other"),
    [
        ("max_players", replace(EVERYTHING, max_players=8)),
        ("start_dice", replace(EVERYTHING, start_dice=3)),
        ("first_starter", replace(EVERYTHING, first_starter=FirstStarter.ROLL_OFF)),
        ("raise_mode", replace(EVERYTHING, raise_mode=RaiseMode.ONE_WAY)),
        ("bid_cap", replace(EVERYTHING, bid_cap=BidCap.DICE_IN_PLAY)),
        ("reveal", replace(EVERYTHING, reveal=Reveal.CLOCKWISE_EARLY_STOP)),
        ("dice_counts", replace(EVERYTHING, dice_counts=DiceCounts.HIDDEN)),
        (
            "palifico.trigger",
            replace(EVERYTHING, palifico=PalificoRules(trigger=Trigger.EVERY_DROP_TO_ONE)),
        ),
        (
            "palifico.face_change",
            replace(EVERYTHING, palifico=PalificoRules(face_change=FaceChange.ONE_DIE_PLAYERS)),
        ),
        (
            "palifico.two_players",
            replace(EVERYTHING, palifico=PalificoRules(two_players=False)),
        ),
        (
            "calza.window",
            replace(EVERYTHING, calza=CalzaRules(enabled=True, window=CalzaWindow.TURN_ONLY)),
        ),
        (
            "calza.needs_lost_die",
            replace(EVERYTHING, calza=CalzaRules(enabled=True, needs_lost_die=True)),
        ),
        (
            "calza.two_players",
            replace(EVERYTHING, calza=CalzaRules(enabled=True, two_players=False)),
        ),
        (
            "calza.in_palifico",
            replace(EVERYTHING, calza=CalzaRules(enabled=True, in_palifico=False)),
        ),
        (
            "covered_cups_after_game",
            replace(EVERYTHING, covered_cups_after_game=CoveredCups.NEVER),
        ),
    ],
)
def test_changing_one_toggle_changes_its_line_alone(key: str, other: Ruleset) -> None:
    before, after = _sentences(EVERYTHING), _sentences(other)
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == {key}


def test_what_is_not_played_has_one_line() -> None:
    plain = replace(
        EVERYTHING, palifico=PalificoRules(enabled=False), calza=CalzaRules(enabled=False)
    )
    keys = _sentences(plain).keys()
    assert [key for key in keys if key.startswith("palifico.")] == ["palifico.enabled"]
    assert [key for key in keys if key.startswith("calza.")] == ["calza.enabled"]


def test_calza_without_palifico_does_not_speak_of_palifico() -> None:
    rules = replace(EVERYTHING, palifico=PalificoRules(enabled=False))
    assert "calza.in_palifico" not in _sentences(rules)


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_and_option_is_told(name: str) -> None:
    assert wording.ruleset_title(name) != wording.ruleset_title("custom")
    assert wording.ruleset_summary(name) != wording.ruleset_summary("custom")
    told = wording.option_lines(name)
    assert tuple(key for key, _title, _lines in told) == preset_options(name)
    assert all(lines for _key, _title, lines in told)


def test_option_lines_tell_what_two_options_mean_together() -> None:
    (lines,) = (lines for key, _title, lines in wording.option_lines("asmodee") if key == "calza")
    assert "Calza is not allowed in palifico rounds." in [line.sentence for line in lines]
    both = with_options(PRESETS["asmodee"], {"calza": True, "palifico": True})
    assert set(lines) <= set(wording.describe(both))

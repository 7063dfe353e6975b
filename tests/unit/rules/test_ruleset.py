"""Rulesets as values and as JSON (R-90, R-91)."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from games.rules import (
    PRESETS,
    BidCap,
    CalzaRules,
    DiceCounts,
    PalificoRules,
    RaiseMode,
    Reveal,
    Ruleset,
    RuleViolation,
    Trigger,
    find_ruleset,
    preset_options,
    with_options,
    with_start_dice,
)
from tests.unit.rules.helpers import ALL_PRESETS
from tests.unit.rules.play import rulesets

# The table of docs/rules.md section 9, written out as stored: a preset of a version never changes.
STORED: dict[str, dict[str, Any]] = {
    "piatnik": {
        "name": "piatnik",
        "version": 1,
        "start_dice": 5,
        "max_players": 6,
        "first_starter": "random",
        "raise_mode": "free",
        "bid_cap": "none",
        "reveal": "clockwise_early_stop",
        "dice_counts": "hidden",
        "palifico": {
            "enabled": True,
            "trigger": "first_time",
            "two_players": False,
            "face_change": "one_die_players",
        },
        "calza": {
            "enabled": False,
            "two_players": True,
            "in_palifico": True,
            "needs_lost_die": False,
            "window": "next_action",
        },
        "covered_cups_after_game": "after_end",
    },
    "bga": {
        "name": "bga",
        "version": 1,
        "start_dice": 5,
        "max_players": 6,
        "first_starter": "random",
        "raise_mode": "free",
        "bid_cap": "none",
        "reveal": "all",
        "dice_counts": "shown",
        "palifico": {
            "enabled": True,
            "trigger": "first_time",
            "two_players": True,
            "face_change": "nobody",
        },
        "calza": {
            "enabled": False,
            "two_players": True,
            "in_palifico": True,
            "needs_lost_die": False,
            "window": "next_action",
        },
        "covered_cups_after_game": "after_end",
    },
    "asmodee": {
        "name": "asmodee",
        "version": 1,
        "start_dice": 5,
        "max_players": 6,
        "first_starter": "declared",
        "raise_mode": "free",
        "bid_cap": "none",
        "reveal": "all",
        "dice_counts": "hidden",
        "palifico": {
            "enabled": False,
            "trigger": "every_drop_to_one",
            "two_players": True,
            "face_change": "nobody",
        },
        "calza": {
            "enabled": False,
            "two_players": False,
            "in_palifico": False,
            "needs_lost_die": False,
            "window": "next_action",
        },
        "covered_cups_after_game": "after_end",
    },
    "wikipedia": {
        "name": "wikipedia",
        "version": 1,
        "start_dice": 5,
        "max_players": 6,
        "first_starter": "roll_off",
        "raise_mode": "free",
        "bid_cap": "none",
        "reveal": "all",
        "dice_counts": "shown",
        "palifico": {
            "enabled": True,
            "trigger": "every_drop_to_one",
            "two_players": True,
            "face_change": "nobody",
        },
        "calza": {
            "enabled": False,
            "two_players": False,
            "in_palifico": False,
            "needs_lost_die": False,
            "window": "next_action",
        },
        "covered_cups_after_game": "after_end",
    },
}


@pytest.mark.parametrize("name", ALL_PRESETS)
def test_version_one_of_a_preset_is_frozen(name: str) -> None:
    assert find_ruleset(name, version=1).to_dict() == STORED[name]
    assert Ruleset.from_dict(STORED[name]) == find_ruleset(name, version=1)


def test_the_newest_version_is_the_preset() -> None:
    assert set(PRESETS) == set(STORED)
    for name, rules in PRESETS.items():
        assert find_ruleset(name) is rules


@pytest.mark.parametrize(("name", "version"), [("hasbro", None), ("bga", 99), ("", None)])
def test_unknown_presets_are_refused(name: str, version: int | None) -> None:
    with pytest.raises(RuleViolation) as refused:
        find_ruleset(name, version)
    assert refused.value.code == "ruleset.unknown"


@given(rulesets)
def test_every_ruleset_survives_json(rules: Ruleset) -> None:
    read = Ruleset.from_dict(json.loads(json.dumps(rules.to_dict())))
    assert read == rules
    # members, not look-alikes: the engine compares by identity
    assert read.raise_mode is RaiseMode(rules.raise_mode)
    assert read.reveal is Reveal(rules.reveal)
    assert read.palifico.trigger is Trigger(rules.palifico.trigger)


def broken(*path: str, value: object = None, drop: bool = False) -> dict[str, Any]:
    """Return the stored bga with one entry changed or dropped."""
    data = json.loads(json.dumps(STORED["bga"]))
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    if drop:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return dict(data)


@pytest.mark.parametrize(
    ("data", "code", "key"),
    [
        (None, "ruleset.malformed", "ruleset"),
        ([], "ruleset.malformed", "ruleset"),
        (broken("reveal", drop=True), "ruleset.malformed", "reveal"),
        (broken("calza", "window", drop=True), "ruleset.malformed", "calza.window"),
        (broken("colour", value="red"), "ruleset.malformed", "colour"),
        (broken("palifico", "colour", value=1), "ruleset.malformed", "palifico.colour"),
        (broken("palifico", value=True), "ruleset.malformed", "palifico."),
        (broken("start_dice", value=0), "ruleset.value", "start_dice"),
        (broken("start_dice", value=9), "ruleset.value", "start_dice"),
        (broken("start_dice", value="5"), "ruleset.value", "start_dice"),
        (broken("start_dice", value=True), "ruleset.value", "start_dice"),
        (broken("max_players", value=1), "ruleset.value", "max_players"),
        (broken("max_players", value=11), "ruleset.value", "max_players"),
        (broken("version", value=0), "ruleset.value", "version"),
        (broken("name", value=""), "ruleset.value", "name"),
        (broken("name", value="x" * 41), "ruleset.value", "name"),
        (broken("reveal", value="ALL"), "ruleset.value", "reveal"),
        (broken("reveal", value=["all"]), "ruleset.value", "reveal"),
        (broken("calza", "enabled", value=1), "ruleset.value", "calza.enabled"),
        (broken("calza", "window", value="later"), "ruleset.value", "calza.window"),
    ],
)
def test_a_wrong_ruleset_is_refused_under_its_key(data: object, code: str, key: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        Ruleset.from_dict(data)
    assert (refused.value.code, refused.value.params["key"]) == (code, key)


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: replace(PRESETS["bga"], reveal="clockwise_early_stop"), "reveal"),
        (lambda: replace(PRESETS["bga"], start_dice=True), "start_dice"),
        (lambda: replace(PRESETS["bga"], palifico=None), "palifico"),
        (lambda: PalificoRules(face_change="one_die_players"), "face_change"),
        (lambda: CalzaRules(enabled=1), "enabled"),
    ],
)
def test_a_look_alike_of_a_toggle_is_refused(make: Callable[[], object], key: str) -> None:
    """It would be equal to the member and not act as it."""
    with pytest.raises(RuleViolation) as refused:
        make()
    assert (refused.value.code, refused.value.params["key"]) == ("ruleset.value", key)


def test_options_switch_what_the_text_leaves_open() -> None:
    assert {name: preset_options(name) for name in PRESETS} == {
        "piatnik": (),
        "bga": ("calza",),
        "asmodee": ("palifico", "calza", "shown_counts"),
        "wikipedia": ("calza", "more_players"),
    }
    asmodee = with_options(PRESETS["asmodee"], {"palifico": True, "shown_counts": True})
    assert asmodee.palifico.enabled
    assert asmodee.dice_counts is DiceCounts.SHOWN
    assert not asmodee.calza.enabled
    assert (
        with_options(asmodee, dict.fromkeys(preset_options("asmodee"), False))
        == (PRESETS["asmodee"])
    )
    assert with_options(PRESETS["wikipedia"], {"more_players": True}).max_players == 10


@pytest.mark.parametrize(
    ("name", "options", "code"),
    [
        ("piatnik", {"calza": True}, "ruleset.option"),
        ("bga", {"more_players": True}, "ruleset.option"),
        ("bga", {"calza": "yes"}, "ruleset.option-value"),
        ("bga", {"x" * 500: True}, "ruleset.option"),
    ],
)
def test_other_options_are_refused(name: str, options: dict[str, Any], code: str) -> None:
    with pytest.raises(RuleViolation) as refused:
        with_options(PRESETS[name], options)
    assert refused.value.code == code
    assert len(refused.value.message) < 200


def test_a_custom_ruleset_has_toggles_and_no_options() -> None:
    custom = Ruleset(name="custom", version=1, bid_cap=BidCap.DICE_IN_PLAY)
    for refusing in (
        lambda: preset_options("custom"),
        lambda: with_options(custom, {"calza": True}),
    ):
        with pytest.raises(RuleViolation) as refused:
            refusing()
        assert refused.value.code == "ruleset.unknown"


def test_fewer_dice_make_a_shorter_game() -> None:
    """R-02."""
    assert with_start_dice(PRESETS["bga"], 3).start_dice == 3
    for wrong in (0, 9):
        with pytest.raises(RuleViolation) as refused:
            with_start_dice(PRESETS["bga"], wrong)
        assert refused.value.code == "ruleset.value"

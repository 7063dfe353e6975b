"""A table's clock as a value and as JSON; the numbers of the presets."""

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from games.clock.errors import ALL_CODES, ClockRefusal
from games.clock.settings import (
    PRESETS,
    ClockSettings,
    TimeOut,
    find_clock,
    plain,
    why_not_offered,
)
from tests.unit.clock.times import HOUR, ZERO, clock_settings, hours

pytestmark = pytest.mark.one_database

H = 3600
COMMON = {
    "version": 1,
    "nights": True,
    "weekends": False,
    "absences": True,
    "waking_only": False,
    "time_out": "auto",
}
# As stored with games: a preset of a version never changes.
STORED: dict[str, dict[str, Any]] = {
    "standard": COMMON
    | {"name": "standard", "base": 24 * H, "bank": 48 * H, "increment": 4 * H, "cap": 48 * H},
    "brisk": COMMON
    | {"name": "brisk", "base": 12 * H, "bank": 24 * H, "increment": 2 * H, "cap": 24 * H},
    "day": COMMON
    | {"name": "day", "base": 4 * H, "bank": 12 * H, "increment": H, "cap": 12 * H}
    | {"waking_only": True},
    "relaxed": COMMON
    | {"name": "relaxed", "base": 72 * H, "bank": 72 * H, "increment": 6 * H, "cap": 72 * H},
}


@pytest.mark.parametrize("name", STORED)
def test_version_one_of_a_preset_is_frozen(name: str) -> None:
    assert find_clock(name, version=1).to_dict() == STORED[name]
    assert ClockSettings.from_dict(STORED[name]) == find_clock(name)


def test_every_preset_may_be_offered() -> None:
    assert set(PRESETS) == set(STORED)
    assert not [clock for clock in PRESETS.values() if why_not_offered(clock)]


@pytest.mark.parametrize(("name", "version"), [("blitz", None), ("standard", 2), ("", None)])
def test_an_unknown_preset_is_refused(name: str, version: int | None) -> None:
    with pytest.raises(ClockRefusal) as refused:
        find_clock(name, version)
    assert refused.value.code == "clock.unknown"


@settings(deadline=None)
@given(clock_settings())
def test_every_clock_survives_json(settings: ClockSettings) -> None:
    read = ClockSettings.from_dict(json.loads(json.dumps(settings.to_dict())))
    assert read == settings
    assert read.time_out is TimeOut(settings.time_out)


@pytest.mark.parametrize("seconds", [H, 5 * H, 24 * H, 14 * 24 * H])
def test_the_first_games_had_a_plain_clock(seconds: int) -> None:
    settings = plain(seconds)
    assert settings.is_plain
    assert settings.base.total_seconds() == seconds
    assert (settings.bank, settings.increment, settings.cap) == (ZERO, ZERO, ZERO)
    assert not any((settings.nights, settings.weekends, settings.absences))
    assert ClockSettings.from_dict(settings.to_dict()) == settings


@pytest.mark.parametrize("seconds", [0, H - 1, 14 * 24 * H + 1, -H, 10**30, True])
def test_a_plain_clock_takes_from_an_hour_to_fourteen_days(seconds: int) -> None:
    with pytest.raises(ClockRefusal) as refused:
        plain(seconds)
    assert (refused.value.code, refused.value.params) == ("clock.value", {"key": "base"})


def test_a_plain_clock_below_the_floor_is_played_but_offered_no_more() -> None:
    refused = why_not_offered(plain(11 * H))
    assert refused is not None
    assert (refused.code, refused.params) == ("clock.floor", {"hours": 12})
    assert why_not_offered(plain(12 * H)) is None


STANDARD = PRESETS["standard"]


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: replace(STANDARD, base=4 * HOUR, nights=False), "clock.floor"),
        (lambda: replace(STANDARD, base=hours(11.9), nights=False), "clock.floor"),
        (lambda: replace(STANDARD, base=hours(3.9), increment=HOUR), "clock.night-floor"),
        (lambda: replace(plain(H), name="custom"), "clock.floor"),
        (lambda: replace(plain(H), nights=True), "clock.plain"),
        (lambda: replace(plain(H), weekends=True), "clock.plain"),
        (lambda: replace(plain(H), absences=True), "clock.plain"),
        (lambda: replace(plain(H), cap=HOUR), "clock.plain"),
        (lambda: replace(STANDARD, bank=49 * HOUR), "clock.bank-over-cap"),
        (lambda: replace(STANDARD, increment=25 * HOUR), "clock.increment-over-base"),
        (lambda: replace(STANDARD, nights=False, waking_only=True), "clock.waking-needs-nights"),
        (lambda: replace(STANDARD, base=14 * 24 * HOUR + HOUR), "clock.value"),
        (lambda: replace(STANDARD, cap=14 * 24 * HOUR + HOUR), "clock.value"),
        (lambda: replace(STANDARD, bank=-HOUR), "clock.value"),
        (lambda: replace(STANDARD, base=hours(24.00001)), "clock.value"),
        (lambda: replace(STANDARD, base=86400), "clock.value"),
        (lambda: replace(STANDARD, time_out="auto"), "clock.value"),
        (lambda: replace(STANDARD, nights=1), "clock.value"),
        (lambda: replace(STANDARD, version=0), "clock.value"),
        (lambda: replace(STANDARD, name=""), "clock.value"),
        (lambda: replace(STANDARD, name="x" * 41), "clock.value"),
    ],
)
def test_a_clock_that_nobody_can_play_is_refused(make: Callable[[], object], code: str) -> None:
    with pytest.raises(ClockRefusal) as refused:
        make()
    assert refused.value.code == code


def test_the_floors_themselves_are_allowed() -> None:
    assert replace(STANDARD, base=4 * HOUR).base == 4 * HOUR
    assert replace(STANDARD, base=12 * HOUR, nights=False).base == 12 * HOUR


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in STORED["standard"].items() if name != key}


@pytest.mark.parametrize(
    ("data", "code", "key"),
    [
        (None, "clock.malformed", "clock"),
        ([], "clock.malformed", "clock"),
        (without("cap"), "clock.malformed", "cap"),
        (STORED["standard"] | {"colour": "red"}, "clock.malformed", "colour"),
        (STORED["standard"] | {"base": "86400"}, "clock.value", "base"),
        (STORED["standard"] | {"base": 86400.0}, "clock.value", "base"),
        (STORED["standard"] | {"base": True}, "clock.value", "base"),
        (STORED["standard"] | {"bank": True}, "clock.value", "bank"),
        (STORED["standard"] | {"base": 10**400}, "clock.value", "base"),
        (STORED["standard"] | {"version": True}, "clock.value", "version"),
        (STORED["standard"] | {"nights": 1}, "clock.value", "nights"),
        (STORED["standard"] | {"name": 7}, "clock.value", "name"),
        (STORED["standard"] | {"time_out": "die"}, "clock.value", "time_out"),
        (STORED["standard"] | {"time_out": ["auto"]}, "clock.value", "time_out"),
    ],
)
def test_a_wrong_clock_is_refused_under_its_key(data: object, code: str, key: str) -> None:
    with pytest.raises(ClockRefusal) as refused:
        ClockSettings.from_dict(data)
    assert (refused.value.code, refused.value.params) == (code, {"key": key})


def test_a_refusal_crosses_a_process_boundary() -> None:
    refused = ClockRefusal("clock.floor", hours=12)
    again = pickle.loads(pickle.dumps(refused))
    assert (again.code, again.params, again.message) == ("clock.floor", {"hours": 12}, str(refused))
    assert "clock.floor" in repr(again)
    assert refused.code in ALL_CODES

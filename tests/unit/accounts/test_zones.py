"""Time zones."""

from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError

from accounts.forms import zone_choices
from accounts.zones import is_zone, load_zone, validate_zone, zone_names

pytestmark = pytest.mark.one_database


def test_every_zone_on_offer_can_be_loaded() -> None:
    assert zone_names()[0] == "UTC"
    assert len(zone_names()) > 300
    for name in zone_names():
        assert is_zone(name)
        assert ZoneInfo(name).key == name


def test_the_choices_offer_each_zone_once() -> None:
    offered = [
        value
        for label, places in zone_choices()
        for value, _name in ([(label, label)] if isinstance(places, str) else places)
    ]
    assert sorted(offered) == sorted(zone_names())


@pytest.mark.parametrize(
    "name", ["", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "europe/rome", "Europe/Rome\n"]
)
def test_an_unknown_zone_is_refused(name: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        validate_zone(name)
    assert refusal.value.code == "zone.unknown"


@pytest.mark.parametrize("name", ["Europe/Rome", "US/Eastern", "GMT", "Asia/Calcutta", "Etc/UTC"])
def test_what_browsers_report_is_known(name: str) -> None:
    validate_zone(name)


def test_a_zone_that_went_away_is_utc() -> None:
    assert load_zone("Mars/Olympus") == ZoneInfo("UTC")

"""Spans and zones of time in words."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from games.mail.words import moment_text
from games.templatetags.table import deadline
from games.wording import zone_text

MAY = datetime(2026, 5, 5, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "name"),
    [("Europe/Rome", "CEST"), ("UTC", "UTC"), ("America/Lima", "America/Lima")],
)
def test_page_and_mail_call_the_zone_of_a_deadline_the_same(zone: str, name: str) -> None:
    assert zone_text(MAY.astimezone(ZoneInfo(zone))) == name
    with timezone.override(ZoneInfo(zone)):
        assert moment_text(MAY).endswith(f" {name}")
        assert f" {name}</time>" in deadline(MAY, MAY)

"""The log's lines hold no invitation, and nobody's text makes a line of its own."""

import logging
import re
import sys
from typing import Any

import pytest

from games.models.ids import new_token
from perudo_site.logs import OneLine
from perudo_site.settings import LOGGING

LINE = re.compile(r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z [A-Z]+ [\w.]+ ")


def written(message: str, *arguments: Any, error: Exception | None = None) -> str:
    """Return what stands in the log after ``message``."""
    trace = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord(
        "django.request", logging.WARNING, __file__, 1, message, arguments, trace
    )
    return OneLine().format(record)


def test_the_site_writes_its_log_so() -> None:
    assert LOGGING["formatters"]["plain"] == {"()": "perudo_site.logs.OneLine"}
    assert LOGGING["handlers"]["console"]["formatter"] == "plain"


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("%s: %s", ("Conflict", "/join/{token}/")),
        ("Forbidden (%s): %s", ("CSRF token missing.", "/join/{token}/")),
        ("GET /join/{token}/?a=b failed", ()),
    ],
)
def test_a_line_that_names_an_invitation_does_not_hold_its_token(
    line: str, arguments: tuple[str, ...]
) -> None:
    token = new_token()
    filled = (argument.format(token=token) for argument in arguments)
    text = written(line.format(token=token), *filled)
    assert token not in text
    assert "/join/…/" in text
    assert (arguments or ("failed",))[0].split("/")[0] in text


def test_a_traceback_holds_no_invitation_either() -> None:
    token = new_token()
    assert token not in written("failed", error=_raised(f"no such page: /join/{token}/"))


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\x85", "\u2028", "\x0b"])
def test_nobody_s_text_makes_a_line_of_its_own(end: str) -> None:
    forged = f"/x{end}2026-05-04T12:00:00.000Z INFO accounts.audit logged in account=1"
    for text in (written("Not Found: %s", forged), written("failed", error=_raised(forged))):
        first, *rest = text.splitlines()
        assert LINE.match(first)
        assert not any(LINE.match(line) for line in rest)
    assert len(written("Not Found: %s", forged).splitlines()) == 1


def test_nothing_in_a_line_commands_a_terminal_or_turns_its_direction() -> None:
    text = written("%s", "\x1b[2J\u202eecilA\ud800\x00")
    assert text.endswith(r"\x1b[2J\u202eecilA\ud800\x00")
    assert text.encode()


def test_times_are_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "America/Lima")
    time.tzset()
    try:
        record = logging.LogRecord("games", logging.INFO, __file__, 1, "x", (), None)
        record.created = 0.0
        assert OneLine().format(record).startswith("1970-01-01T00:00:00.")
    finally:
        monkeypatch.undo()
        time.tzset()


def _raised(words: str) -> Exception:
    try:
        raise ValueError(words)
    except ValueError:
        error = sys.exc_info()[1]
    if not isinstance(error, ValueError):
        raise AssertionError
    return error

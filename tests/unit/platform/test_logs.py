"""The log's lines hold no invitation."""

import copy
import io
import logging
from logging.config import DictConfigurator

import pytest

from games.models.ids import new_token
from perudo_site.settings import LOGGING


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
    config = copy.deepcopy(LOGGING)
    configurator = DictConfigurator(config)
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    for name in config["handlers"]["console"]["filters"]:
        handler.addFilter(configurator.configure_filter(config["filters"][name]))
    filled = tuple(argument.format(token=token) for argument in arguments)
    record = logging.LogRecord(
        "django.request", logging.WARNING, __file__, 1, line.format(token=token), filled, None
    )
    handler.handle(record)
    assert token not in stream.getvalue()
    assert "/join/…/" in stream.getvalue()
    assert (filled or ("failed",))[0].split("/")[0] in stream.getvalue()

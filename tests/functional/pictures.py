"""Pictures of every page, for whoever wants to look at them: ``make screenshots``.

Not part of the suite: it asserts nothing.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext
from pytest_django.live_server_helper import LiveServer

from tests.functional.touring import DESK, PHONE, touring

FOLDER = Path(__file__).parents[2] / "screenshots"
ONLY = os.environ.get("ONLY", "")
LANGUAGE = os.environ.get("LANGUAGE_CODE", "en")


@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(900)
@pytest.mark.allow_console(".")
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["390", "1280"])
def test_take_pictures(
    new_context: Callable[..., BrowserContext], live_server: LiveServer, viewport: Any
) -> None:
    FOLDER.mkdir(exist_ok=True)
    with touring(new_context, live_server.url, language=LANGUAGE, viewport=viewport) as tour:
        for name, opened in tour.looks(ONLY):
            opened()
            for scheme in ("light", "dark"):
                tour.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                file = FOLDER / f"{name}-{LANGUAGE}-{viewport['width']}-{scheme}.png"
                tour.page.screenshot(path=file, full_page=True)

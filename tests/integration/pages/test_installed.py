"""The manifest, the worker, and the page without a line: the same to everybody, with no die."""

import json
import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from tests.cast import person, table

pytestmark = pytest.mark.django_db


def known(client: Client) -> dict[str, Any]:
    """Return what the worker was told."""
    text = client.get("/worker.js").content.decode()
    found = re.search(r'KNOWN = JSON\.parse\((".*")\);', text)
    assert found
    told: dict[str, Any] = json.loads(json.loads(found[1]))
    return told


@pytest.mark.parametrize("language", ["en", "it", "fr", "es"])
def test_the_manifest_is_in_the_language_of_the_page(client: Client, language: str) -> None:
    page = client.get("/", {"lang": language}).content.decode()
    assert f'<link rel="manifest" href="/manifest.webmanifest?lang={language}">' in page
    # A browser asks for it without cookies.
    response = Client().get("/manifest.webmanifest", {"lang": language})
    assert response["Content-Type"] == "application/manifest+json"
    told = response.json()
    assert told["lang"] == language
    assert told["start_url"] == "/"
    assert told["display"] == "standalone"
    with translation.override(language):
        names = [gettext("My games"), gettext("Lobby"), gettext("New game")]
    assert [each["name"] for each in told["shortcuts"]] == names


def test_the_icons_of_the_manifest_are_of_the_sizes_that_it_says() -> None:
    icons = Client().get("/manifest.webmanifest").json()["icons"]
    assert {each["purpose"] for each in icons} == {"any", "maskable"}
    for icon in icons:
        path = finders.find(icon["src"].removeprefix("/static/"))
        assert path, icon
        if icon["type"] == "image/png":
            with open(path, "rb") as file:
                header = file.read(24)
            width, height = (int.from_bytes(header[at : at + 4], "big") for at in (16, 20))
            assert icon["sizes"] == f"{width}x{height}"


def test_the_worker_keeps_the_page_without_a_line_in_every_language_and_no_other() -> None:
    told = known(Client())
    assert set(told["pages"]) == {"en", "it", "fr", "es"}
    for language, address in told["pages"].items():
        response = Client().get(address)
        assert f'<html lang="{language}"' in response.content.decode()
    for address in told["kept"]:
        assert finders.find(address.removeprefix("/static/")), address


def test_the_worker_and_the_page_are_the_same_to_a_player_and_to_nobody() -> None:
    table(("alice", "bob"))
    browser = Client()
    browser.force_login(person("alice"))
    for address in ("/worker.js", "/offline/"):
        assert browser.get(address).content == Client().get(address).content


def test_another_text_of_the_page_makes_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    from games.views import installed

    before = installed._version.__wrapped__()
    assert before == known(Client())["version"]
    monkeypatch.setattr(installed, "render_to_string", lambda _name: "another page")
    assert installed._version.__wrapped__() != before


def test_a_page_says_whose_it_is_by_a_mark_that_is_no_number() -> None:
    marks = []
    for name in ("alice", "bob"):
        browser = Client()
        browser.force_login(person(name))
        found = re.search(r'data-reader="([0-9a-f]{16})"', browser.get("/").content.decode())
        assert found
        marks.append(found[1])
    assert marks[0] != marks[1]
    assert "data-reader" not in Client().get("/").content.decode()

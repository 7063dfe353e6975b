"""Which language a page is in: by address, preference, cookie, browser; and where others are."""

import re
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from games.store import SeedUnavailable
from perudo_site.context import PUBLIC
from tests.cast import NOON, person, table

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _name in settings.LANGUAGES]
PLACES = {"rules_preset": ["bga"], "learn_step": [2]}


def language_of(response: Any) -> str:
    found = re.search(r'<html lang="(\w+)"', response.content.decode())
    assert found
    assert response["Content-Language"] == found[1]
    return found[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_can_name_its_language(client: Client, language: str) -> None:
    assert language_of(client.get(f"/rules/?lang={language}")) == language
    # And the visitor stays in it.
    assert language_of(client.get("/")) == language


def test_the_language_of_an_address_goes_before_what_its_reader_prefers() -> None:
    alice = person("alice")
    browser = Client()
    browser.force_login(alice)
    assert language_of(browser.get("/rules/?lang=fr")) == "fr"
    # A link that somebody sent changes no preference.
    assert language_of(browser.get("/rules/")) == "en"
    assert settings.LANGUAGE_COOKIE_NAME not in browser.cookies


@pytest.mark.parametrize("wrong", ["de", "", "xx-klingon", "it;", "../it"])
def test_a_language_that_is_not_spoken_here_changes_nothing(client: Client, wrong: str) -> None:
    response = client.get("/rules/", {"lang": wrong}, headers={"accept-language": "es"})
    assert language_of(response) == "es"
    assert settings.LANGUAGE_COOKIE_NAME not in response.cookies


def test_without_an_address_or_a_cookie_the_browser_decides(client: Client) -> None:
    wishes = {"accept-language": "de, it;q=0.8, en;q=0.5"}
    assert language_of(client.get("/", headers=wishes)) == "it"


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_a_public_page_tells_where_its_other_languages_are(client: Client, name: str) -> None:
    address = reverse(name, args=PLACES.get(name, []))
    html = client.get(address).content.decode()
    told = dict(re.findall(r'<link rel="alternate" hreflang="([\w-]+)" href="([^"]+)">', html))
    there = settings.SITE_URL + address
    assert told == {"x-default": there} | {code: f"{there}?lang={code}" for code in LANGUAGES}


def test_a_player_s_own_page_has_no_such_addresses() -> None:
    browser = Client()
    browser.force_login(person("alice"))
    assert "hreflang" not in browser.get("/").content.decode()


def test_changing_the_language_leads_back_to_the_page_in_no_language(client: Client) -> None:
    html = client.get("/learn/3/?answer=2&lang=fr").content.decode()
    assert '<input type="hidden" name="next" value="/learn/3/?answer=2">' in html
    answer = client.post("/language/", {"language": "es", "next": "/learn/3/?answer=2"})
    assert language_of(client.get(answer["Location"])) == "es"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("address", "status"), [("/nothing/", 404), ("/g/{code}/order/", 403), ("/g/{code}/", 503)]
)
def test_a_page_of_a_bad_moment_is_in_the_reader_s_language(
    address: str, status: int, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = table(now=NOON, is_private=False)
    reader = person("mallory")
    reader.language = language
    reader.save(update_fields=["language"])
    browser = Client()
    browser.force_login(reader)
    if status == 503:
        monkeypatch.setattr("games.views.game.table_page", _locked)
    response = browser.get(address.format(code=game.code))
    assert response.status_code == status
    assert language_of(response) == language
    assert 'class="button' in response.content.decode(), "it says what to do next"


def test_a_broken_page_is_in_the_reader_s_language(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = person("alice")
    reader.language = "it"
    reader.save(update_fields=["language"])
    browser = Client(raise_request_exception=False)
    browser.force_login(reader)
    monkeypatch.setattr("games.views.home.my_games", _broken)
    response = browser.get("/")
    assert response.status_code == 500
    assert language_of(response) == "it"


def test_a_form_that_was_open_too_long_says_so_in_the_reader_s_language() -> None:
    browser = Client(enforce_csrf_checks=True)
    response = browser.post("/language/", {"language": "fr"}, headers={"accept-language": "fr"})
    assert response.status_code == 403
    assert language_of(response) == "fr"


def _locked(*_args: object) -> None:
    raise SeedUnavailable("kid")


def _broken(*_args: object) -> None:
    raise RuntimeError("a die fell off the table")

"""The pages that are the same for everybody, and those for moments when something went wrong."""

import pytest
from django.template.loader import render_to_string
from django.test import Client, RequestFactory

from games import wording
from games.rules import PRESETS
from games.views.styleguide import styleguide


@pytest.mark.django_db
def test_the_first_page_tells_a_visitor_what_this_is(client: Client) -> None:
    response = client.get("/")
    assert response.status_code == 200
    html = response.content.decode()
    assert "Perudo with your friends" in html
    assert "/accounts/signup/" in html
    # The example is judged by the rules, not written by hand.
    assert "Carol called dudo on 6 fives by Bob: there are 5 fives." in html


@pytest.mark.django_db
def test_the_rules_name_every_preset(client: Client) -> None:
    html = client.get("/rules/").content.decode()
    for name in PRESETS:
        assert f'href="/rules/{name}/"' in html


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_page_has_every_rule_in_a_sentence(client: Client, name: str) -> None:
    html = client.get(f"/rules/{name}/").content.decode()
    for line in wording.describe(PRESETS[name]):
        assert line.title in html
        assert line.sentence in html
    for _key, title, _lines in wording.option_lines(name):
        assert title in html


@pytest.mark.django_db
def test_an_unknown_preset_is_a_page_that_helps(client: Client) -> None:
    response = client.get("/rules/monopoly/")
    assert response.status_code == 404
    assert "Nothing under this cup" in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/rules/", "/rules/bga/"])
def test_pages_are_read_only(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


@pytest.mark.parametrize("template", ["400.html", "403_csrf.html", "500.html"])
def test_a_page_for_a_broken_moment_needs_no_request_and_no_database(template: str) -> None:
    html = render_to_string(template)
    assert "<h1" in html
    assert 'href="/"' in html


def test_the_style_guide_draws_every_component(rf: RequestFactory) -> None:
    html = styleguide(rf.get("/styleguide/")).render().content.decode()
    for mark in ("table-top", "seats", "standing", "own-dice", "rungs", "moves", "cups", "bids"):
        assert f'class="{mark}' in html
    for mark in ("tabs", "messages", "errorlist", "copy", "empty", "rule-lines", "deadline"):
        assert f'class="{mark}' in html
    assert 'value="6x2" aria-label="6 twos" checked' in html
    assert "1 day 3 hours left" in html

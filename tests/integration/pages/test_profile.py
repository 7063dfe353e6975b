"""A player's public page: what everybody may know, and what brings him further."""

from html import unescape

import pytest
import time_machine
from django.test import Client

from games.models import Conduct
from games.selectors.conduct import exported_conduct
from tests.cast import NOON, person
from tests.integration.games.pages import browser, text
from tests.integration.games.test_places import leave_seats

pytestmark = pytest.mark.django_db


def known(name: str, **values: object) -> None:
    Conduct.objects.update_or_create(user=person(name), defaults=values)


def test_it_tells_what_everybody_may_know() -> None:
    known("alice", kept=93, missed=7, games=9, known=9, low=3600, median=7200, high=86_400)
    page = text(browser().get("/p/Alice/"))
    assert "Alice" in page.split("<h1")[1].split("</h1>")[0]
    assert person("alice").date_joined.strftime("%B %Y") in page
    assert "93\N{NO-BREAK SPACE}% of turns in time: good." in page
    assert "less than 2 hours, a quarter less than 1 hour, a quarter more than 1 day." in page
    assert person("alice").email not in page


def test_a_new_player_is_new_and_not_bad_and_nothing_is_said_of_few_answers() -> None:
    known("alice", kept=2, missed=8, games=4, known=7, low=60, median=60, high=60)
    page = text(browser().get("/p/Alice/"))
    assert "New: fewer than 5 finished games." in page
    assert "%" not in page.split("Reliability")[1].split("</dl>")[0]
    assert "Half of the turns" not in page


def test_the_next_step_up_is_told_to_himself_alone() -> None:
    known("alice", kept=21, missed=2, games=9)
    step = "2 more turns in time make it “good”."
    assert step in text(browser("alice").get("/p/Alice/"))
    assert step not in text(browser("bob").get("/p/Alice/"))
    assert "You may sit at 14 tables" in text(browser("alice").get("/p/Alice/"))
    known("bob", games=3)
    assert "Finish 2 more games against people" in text(browser("bob").get("/p/Bob/"))
    known("carol", kept=99, missed=1, games=9)
    assert "more turn" not in text(browser("carol").get("/p/Carol/"))


def test_who_may_take_no_seat_reads_until_when() -> None:
    person("bob")
    leave_seats("bob", 4)
    # Noon is long past for the site's own clock, so nothing bars him any more.
    assert "you can take no new one" not in text(browser("bob").get("/p/Bob/"))
    with time_machine.travel(NOON, tick=False):
        page = text(browser("bob").get("/p/Bob/"))
        assert "you can take no new one until Tue 5 May" in page
        assert "you can take no new one" not in text(browser().get("/p/Bob/"))


@pytest.mark.parametrize("name", ["Nobody", "alice", "Al1ce", "A", "x" * 65, "a%00b", "Al%0Aice"])
def test_a_name_that_nobody_has_just_so_is_no_page(name: str) -> None:
    person("alice")
    assert Client().get(f"/p/{name}/").status_code == 404


def test_any_name_that_may_be_had_has_a_page() -> None:
    user = person("alice")
    for name in ("Åsa & Søn", "100% Bob", "a/b?c#d", "Жанна д’Арк", "東京 三郎"):
        user.display_name = name
        user.save()
        found = browser("alice").get("/settings/")
        link = unescape(text(found).split('<a href="/p/')[1].split('"')[0])
        assert browser().get(f"/p/{link}").status_code == 200, name


def test_an_account_that_is_closed_has_no_page() -> None:
    user = person("alice")
    user.is_active = False
    user.save()
    assert Client().get("/p/Alice/").status_code == 404


def test_a_copy_of_ones_data_holds_what_was_counted() -> None:
    known("alice", kept=21, missed=2, games=9, answers=[60, 90])
    assert exported_conduct(person("alice").pk)["newest_answers_in_seconds"] == [60, 90]
    assert exported_conduct(person("bob").pk)["turns_in_time"] == 9.5

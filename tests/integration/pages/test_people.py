"""Players' pages of statistics: who reads what, how little it costs, and that nothing leaks."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.services import close_account
from games import rules, stats
from games.avatars import PAIRS
from games.models import Career, Game, Medal, Privacy, Result, Rivalry, SiteSums, Tally
from games.selectors.careers import LEAST_FIELD, field_spread, portrait
from games.selectors.visible import Viewer
from games.services import statistics
from tests.cast import NOON, act, person, table
from tests.integration.games.pages import browser, text
from tests.integration.games.seasons import season

pytestmark = pytest.mark.django_db

MANY = {
    "win": [12, 30], "fair": [10_000_000, 30], "place": [12_000_000, 30],
    "dudo_right": [33, 60], "dudo_edge": [-3_000_000, 60], "dudo": [60, 200],
    "bluff": [21, 140], "stretch": [50, 140], "false": [40, 140], "caught": [12, 44],
    "escape": [15, 21], "pressure": [40_000_000, 50], "aggression": [80_000_000, 90],
    "clutch": [20, 40], "calza_right": [5, 19], "calza": [19, 30],
    "roll_luck": [-7_500_000, 210], "roll_spread": [90_000_000, 210], "my_way": [2_500_000, 90],
}  # fmt: skip


def known(name: str, **shown: list[int]) -> None:
    """Let ``name`` have a career of these sums."""
    sums = {**MANY, **shown}
    Career.objects.update_or_create(
        user=person(name),
        defaults={
            "games": 30,
            "number": 30,
            "shown": sums,
            "own": {**sums, "sure_dice_4": [9, 25], "sure_dice_said_4": [11_000_000, 25],
                    "lost_bluff": [11, 40], "lost_dudo": [29, 40]},
            "rates": {"bluff": 0.15, "pressure": 0.8},
            "streaks": stats.Streaks(stats.Run(2, 4)).to_json(),
        },
    )  # fmt: skip
    Tally.objects.get_or_create(
        user=person(name), ruleset="bga", seats=3, among_people=True, defaults={"shown": sums}
    )


def public_season() -> Game:
    """Play a game at an open table."""
    (game,) = season("alice", "bob", games=1)
    Game.objects.filter(pk=game.pk).update(is_private=False, name="The open table")
    return game


# --- the profile ----------------------------------------------------------------------------------


def test_rates_are_shown_with_their_band_and_their_number_of_occasions() -> None:
    known("alice")
    page = text(browser().get("/p/Alice/"))
    row = page.split("Dudos that were right")[1].split("</tr>")[0]
    assert "55\N{NO-BREAK SPACE}%" in row
    assert "42\N{NO-BREAK SPACE}% to 67\N{NO-BREAK SPACE}%" in row
    assert ">60 occasions<" in row
    assert "1.20" in page  # twelve wins, where chance would bring ten
    assert "−7.5" in page.replace("\N{MINUS SIGN}", "−")
    assert "+2.5" in page


def test_what_has_too_few_occasions_is_not_shown() -> None:
    known("alice")
    page = text(browser().get("/p/Alice/"))
    assert "Calzas that were exact" not in page
    known("alice", calza_right=[5, 20])
    fun = text(browser().get("/p/Alice/")).split('id="fun-title"')[1].split("</section>")[0]
    assert "Calzas that were exact" in fun


def test_style_stands_beside_the_field_once_there_is_one() -> None:
    names = ["alice", "bob", "carol", "mallory", "dave"]
    for name in names[: LEAST_FIELD - 1]:
        known(name)
    assert field_spread() == {}
    assert 'class="chart chart-strip"' not in text(browser().get("/p/Alice/"))
    known(names[-1])
    Career.objects.filter(user=person("dave")).update(rates={"bluff": 0.55, "pressure": 0.8})
    assert field_spread()["bluff"].most == 0.55
    Privacy.objects.create(user=person("dave"), hides_statistics=True)
    assert field_spread() == {}
    Privacy.objects.all().delete()
    assert 'class="chart chart-strip"' in text(browser().get("/p/Alice/"))


def test_only_the_player_himself_reads_what_he_may_learn() -> None:
    known("alice")
    own = text(browser("alice").get("/p/Alice/"))
    assert "What you lose dice by" in own
    assert "My dudos by my own dice" in own
    for other in (browser(), browser("bob")):
        page = text(other.get("/p/Alice/"))
        assert "What you lose dice by" not in page
        assert "by my own dice" not in page


def test_sums_that_only_the_owner_may_know_stay_with_him() -> None:
    known("alice")
    Career.objects.filter(user=person("alice")).update(own={"bluff": [77, 100]})
    assert "77\N{NO-BREAK SPACE}%" in text(browser("alice").get("/p/Alice/"))
    assert "77\N{NO-BREAK SPACE}%" not in text(browser("bob").get("/p/Alice/"))


def test_hidden_statistics_are_shown_to_the_player_alone() -> None:
    known("alice")
    Privacy.objects.create(user=person("alice"), hides_statistics=True)
    page = text(browser("bob").get("/p/Alice/"))
    for part in ("accuracy", "streaks", "luck", "results", "style", "fun"):
        assert f'id="{part}-title"' not in page, part
    assert "Dudos that were right" in text(browser("alice").get("/p/Alice/"))


def test_hidden_games_are_shown_to_the_player_alone() -> None:
    public_season()
    statistics.count_games()
    for mine, others in (("Last games", True), ("Achievements", True), ("Met most often", True)):
        assert (mine in text(browser("carol").get("/p/Alice/"))) is others
    Privacy.objects.create(user=person("alice"), hides_history=True)
    for words in ("Last games", "Achievements", "Met most often", "The open table"):
        assert words not in text(browser("carol").get("/p/Alice/")), words
        assert words in text(browser("alice").get("/p/Alice/")), words
    # Nor does she appear among those whom bob met; he knows it himself.
    assert "Met most often" not in text(browser("carol").get("/p/Bob/"))
    assert "Met most often" in text(browser("bob").get("/p/Bob/"))


def test_a_private_game_is_named_to_those_who_played_it() -> None:
    (game,) = season("alice", "bob", games=1)
    Game.objects.filter(pk=game.pk).update(name="The closed table")
    statistics.count_games()
    assert game.code in text(browser("bob").get("/p/Alice/"))
    for stranger in (browser(), browser("mallory")):
        page = text(stranger.get("/p/Alice/"))
        assert game.code not in page
        assert "The closed table" not in page
        assert "a private game" in page


def test_a_running_round_changes_no_page() -> None:
    season("alice", "bob", games=1)
    statistics.count_games()
    before = [portrait(person("alice").pk, Viewer(person(who).pk)) for who in ("alice", "bob")]
    game = table(("alice", "bob"))
    act(game, rules.MakeBid(game.to_act, rules.Bid(1, 2)))
    assert statistics.count_games() == 0
    after = [portrait(person("alice").pk, Viewer(person(who).pk)) for who in ("alice", "bob")]
    assert after == before


def test_an_avatar_is_made_of_the_name_and_needs_no_style_of_its_own() -> None:
    person("alice")
    page = text(browser().get("/p/Alice/"))
    assert '<svg class="avatar avatar-' in page
    assert "style=" not in page
    assert page.count("<script") == text(browser().get("/rules/")).count("<script")


def test_a_link_to_a_player_has_a_picture_of_what_everybody_may_know() -> None:
    known("alice")
    page = text(browser("mallory").get("/p/Alice/"))
    assert 'property="og:image" content="http://testserver/p/Alice/picture.png"' in page
    drawing = text(browser().get("/p/Alice/picture.svg"))
    assert "30 finished games, 12 won." in drawing
    answer = browser().get("/p/Alice/picture.png")
    assert answer["Content-Type"] == "image/png"
    assert answer.content.startswith(b"\x89PNG")
    Privacy.objects.create(user=person("alice"), hides_statistics=True)
    hidden = text(browser("alice").get("/p/Alice/picture.svg"))
    assert "30 finished games" not in hidden, "whoever asks: it is passed on"


def test_pictures_and_pages_have_avatars_of_the_same_colours() -> None:
    sheet = (settings.BASE_DIR / "games/static/games/css/people.css").read_text()
    for number, (face, pip) in enumerate(PAIRS):
        assert f".avatar-{number} {{ --avatar-face: {face}; --avatar-pip: {pip}; }}" in sheet


def test_all_results_together_stand_below_their_kinds() -> None:
    known("alice")
    assert "All together" not in text(browser().get("/p/Alice/"))
    Tally.objects.create(
        user=person("alice"), ruleset="piatnik", seats=2, among_people=True,
        shown={"win": [3, 5], "fair": [2_500_000, 5]},
    )  # fmt: skip
    row = text(browser().get("/p/Alice/")).split("All together")[1].split("</tr>")[0]
    assert ">35<" in row
    assert ">15<" in row
    assert "1.20" in row  # 15 of 12.5


# --- two players, and the site --------------------------------------------------------------------


def test_two_players_stand_side_by_side() -> None:
    season("alice", "bob", games=3)
    statistics.count_games()
    page = text(browser().get("/p/Alice/Bob/"))
    assert "Finished games together: 3." in page
    won = Rivalry.objects.get(user=person("alice")).sums["won"][0]
    row = page.split("Games won")[1].split("</tr>")[0]
    assert f">{won}<" in row
    assert f">{3 - won}<" in row
    assert 'href="/p/Alice/Bob/"' in text(browser().get("/p/Alice/"))


@pytest.mark.parametrize("address", ["/p/Alice/Alice/", "/p/Alice/Nobody/", "/p/Nobody/Alice/"])
def test_somebody_who_is_not_there_stands_beside_nobody(address: str) -> None:
    person("alice")
    assert Client().get(address).status_code == 404


def test_a_name_with_a_stroke_in_it_has_its_page() -> None:
    for name in ("alice", "bob"):
        person(name)
    user = person("mallory")
    user.display_name = "Alice/Bob"
    user.save()
    assert "<h1" in text(browser().get("/p/Alice/Bob/"))
    assert "Alice/Bob" in text(browser().get("/p/Alice/Bob/"))


def test_who_hides_his_games_stands_beside_nobody_but_for_the_two() -> None:
    season("alice", "bob", games=1)
    statistics.count_games()
    Privacy.objects.create(user=person("alice"), hides_history=True)
    assert browser("carol").get("/p/Bob/Alice/").status_code == 404
    assert browser("bob").get("/p/Bob/Alice/").status_code == 200


def test_the_site_is_shown_in_numbers() -> None:
    empty = browser().get("/statistics/")
    assert empty.status_code == 200
    season("alice", "bob", games=2)
    statistics.count_games()
    page = text(browser().get("/statistics/"))
    assert "Bids by face" in page
    sums = stats.from_json(SiteSums.objects.get().sums)
    assert f"<dd>{sums['rounds'].value}</dd>" in page


def test_charts_can_be_read_without_seeing_them() -> None:
    season("alice", "bob", games=2)
    statistics.count_games()
    page = text(browser().get("/statistics/"))
    for chart in page.split('<svg class="chart"')[1:]:
        drawing, after = chart.split("</svg>", 1)
        assert 'role="img"' in drawing
        assert "<title" in drawing
        assert "<desc" in drawing
        assert "<table" in after.split("</section>")[0]


def test_coordinates_have_a_point_in_every_language() -> None:
    known("alice")
    client = browser("alice")
    client.cookies["django_language"] = "it"
    person("alice").__class__.objects.filter(pk=person("alice").pk).update(language="it")
    page = text(client.get("/p/Alice/"))
    assert ' cx="' in page
    for name in ("cx", "cy", "x", "y", "width", "height", "r"):
        for value in page.split(f' {name}="')[1:]:
            assert "," not in value.split('"')[0]


# --- settings and files ---------------------------------------------------------------------------


def test_a_player_chooses_what_he_hides() -> None:
    client = browser("alice")
    client.post("/settings/profile/", {"hides_statistics": "on"})
    row = Privacy.objects.get(user=person("alice"))
    assert (row.hides_statistics, row.hides_history) == (True, False)
    assert "checked" in text(client.get("/settings/profile/"))
    client.post("/settings/profile/", {})
    assert not Privacy.objects.exists()


def test_statistics_are_given_as_a_table() -> None:
    known("alice")
    answer = browser("alice").get("/settings/statistics.csv")
    assert answer["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(text(answer))))
    bluffs = [row for row in rows if row["statistic"] == "bluff" and not row["ruleset"]]
    assert [(row["value"], row["of"]) for row in bluffs] == [("21", "140")]


def test_statistics_are_given_with_their_results() -> None:
    season("alice", "bob", games=2)
    statistics.count_games()
    known_now: dict[str, Any] = json.loads(
        browser("alice").get("/settings/statistics.json").content
    )
    assert len(known_now["results"]) == 2
    assert known_now["rivals"][0]["name"] == "Bob"
    assert known_now["hides_history"] is False


def test_an_erased_rival_is_named_nowhere() -> None:
    season("alice", "bob", games=1)
    statistics.count_games()
    close_account(user=person("bob"), now=NOON)
    assert "Bob" not in text(browser("alice").get("/p/Alice/"))
    assert browser().get("/p/Alice/Bob/").status_code == 404
    assert not Result.objects.filter(user=None).exists()


# --- constant -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["/p/Alice/", "/p/Alice/Bob/", "/statistics/", "/settings/statistics.csv"]
)
def test_a_page_takes_as_many_queries_after_many_games_as_after_few(
    address: str, django_assert_num_queries: Callable[..., Any]
) -> None:
    season("alice", "bob", games=2)
    statistics.count_games()
    client = browser("alice")
    client.get(address)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    known("alice")
    for name in ("carol", "mallory", "dave"):
        known(name)
        Rivalry.objects.create(user=person("alice"), rival=person(name), games=1, sums={
            "games": [1, 1], "ahead": [1, 1]})  # fmt: skip
    for code in stats.MEDALS:
        Medal.objects.get_or_create(
            user=person("alice"), code=code, defaults={"game": Game.objects.first(), "number": 1}
        )
    season("alice", "bob", "carol", games=2, seed=5)
    statistics.count_games()
    with django_assert_num_queries(len(few)):
        client.get(address)

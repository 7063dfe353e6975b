"""The page "Check this game" and the page on fair dice, by what a person sees of them."""

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.test import Client
from playwright.sync_api import BrowserContext, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from games import rules
from games.models import Game
from games.selectors.log import transcript
from tests.cast import act, cups, person, seat_of, table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

NewContext = Callable[..., BrowserContext]
Open = Callable[..., Page]


@pytest.fixture
def open_as(new_context: NewContext, live_server: LiveServer) -> Open:
    """Return a function that opens a page as somebody, on a phone."""

    def look(name: str, path: str, **options: Any) -> Page:
        options = {"viewport": {"width": 390, "height": 844}, **options}
        context = new_context(base_url=live_server.url, **options)
        if name:
            client = Client()
            client.force_login(person(name))
            cookie = client.cookies["sessionid"].value
            context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.goto(path)
        return page

    return look


def under_way() -> Game:
    """Return a game with a closed round, and a bid in the second."""
    game = table(("alice", "bob", "carol"), is_private=False)
    game = act(game, rules.MakeBid(_to_act(game), rules.Bid(9, 6)))
    game = act(game, rules.Dudo(_to_act(game)))
    return act(game, rules.MakeBid(_to_act(game), rules.Bid(1, 2)))


def finished() -> Game:
    game = under_way()
    for name in ("bob", "carol"):
        game = act(game, rules.Resign(seat_of(game, name).number))
    return game


def _to_act(game: Game) -> int:
    assert game.to_act is not None
    return game.to_act


def check(game: Game) -> str:
    return f"/g/{game.code}/check/"


def verdict(page: Page) -> Any:
    return expect(page.locator("#verdict"))


def test_a_running_game_holds_as_far_as_it_goes(open_as: Open) -> None:
    page = open_as("alice", check(under_way()))
    verdict(page).to_have_text("Everything that can be checked so far holds.")
    expect(page.locator("[data-check=V6]")).to_contain_text("Every cup lifted so far shows")
    expect(page.locator("[data-check=V1]")).to_contain_text("opened when the game ends")
    expect(page.locator("#seals tr")).to_have_count(3)  # the promise, and two rounds
    expect(page.get_by_text("has not checked")).to_be_hidden()


def test_a_player_sees_that_his_own_dice_are_what_was_sealed(open_as: Open) -> None:
    game = under_way()
    page = open_as("bob", check(game))
    expect(page.locator("#own-verdict")).to_have_text(
        "Your dice of this round are what was sealed."
    )
    shown = page.locator("#own-dice [data-face]").evaluate_all(
        "dice => dice.map((die) => Number(die.dataset.face))"
    )
    assert tuple(shown) == cups(game)[seat_of(game, "bob").number]


def test_an_onlooker_checks_the_same_game_and_no_cup(open_as: Open) -> None:
    game = under_way()
    page = open_as("", check(game))
    verdict(page).to_have_text("Everything that can be checked so far holds.")
    expect(page.locator("#own-verdict")).to_have_count(0)
    assert "data-key" not in page.content()


def test_other_dice_than_the_sealed_ones_are_found_out(open_as: Open) -> None:
    page = open_as("bob", check(under_way()))
    expect(page.locator("#own-dice [data-face]").first).to_be_visible()
    found = page.evaluate(
        """async (place) => {
          const { verifyOwnCup } = await import("/static/games/js/verify.js");
          const { transcript, key, seat } = document.getElementById("check").dataset;
          const text = await (await fetch(transcript)).text();
          const of = (other) => verifyOwnCup(text, { ...place, seat: Number(seat), ...other });
          const answers = [{ key }, { key: "00".repeat(32) }, { key, round: 9 }, { key: 7 }];
          return (await Promise.all(answers.map(of))).map(({ code }) => code);
        }""",
        {"round": 2, "epoch": 0},
    )
    assert found == ["own.ok", "own.differs", "own.no-seal", "own.no-seal"]


def test_a_game_that_is_over_is_checked_to_the_last_die(open_as: Open) -> None:
    page = open_as("alice", check(finished()))
    verdict(page).to_have_text("The game is open, and everything holds.")
    expect(page.locator("[data-check=V5]")).to_contain_text("lifted or not")
    expect(page.locator("#own-verdict")).to_have_count(0)


def test_a_table_that_keeps_its_cups_covered_is_told_what_that_costs(open_as: Open) -> None:
    never = {"name": "custom", "covered_cups_after_game": "never"}
    toggles = {**rules.find_ruleset("piatnik").to_dict(), **never}
    game = table(ruleset=rules.Ruleset.from_dict(toggles), is_private=False)
    game = act(game, rules.MakeBid(_to_act(game), rules.Bid(1, 2)))
    game = act(game, rules.Dudo(_to_act(game)))
    game = act(game, rules.Resign(seat_of(game, "bob").number))
    page = open_as("alice", check(game))
    verdict(page).to_have_text("Everything that can be checked so far holds.")
    expect(page.locator("[data-check=V1]")).to_contain_text("the secret stays shut")
    expect(page.locator("[data-check=V5]")).to_contain_text("this table chose it")


def test_a_log_that_was_tampered_with_is_told_in_words(open_as: Open) -> None:
    game = under_way()
    text = transcript(game).replace('"bid":"9x6"', '"bid":"8x6"', 1)
    line = text.count("\n", 0, text.index('"bid":"8x6"')) + 1
    page = open_as("alice", "/rules/")

    def answer(route: Route) -> None:
        route.fulfill(body=text, content_type="application/jsonl")

    page.route(re.compile("/transcript$"), answer)
    page.goto(check(game))
    verdict(page).to_have_text(f"Something does not hold: see line {line}.")
    broken = page.locator("[data-check=V2]")
    expect(broken).to_contain_text("does not hold")
    expect(broken).to_contain_text(f"Line {line} does not fit its own hash")


@pytest.mark.allow_console("status of 503")
def test_a_log_that_cannot_be_loaded_is_no_verdict(open_as: Open) -> None:
    game = under_way()
    page = open_as("alice", "/rules/")
    page.route(re.compile("/transcript$"), lambda route: route.fulfill(status=503))
    page.goto(check(game))
    verdict(page).to_have_text(re.compile("could not be loaded"))


def test_lines_of_mails_are_compared_on_the_page(open_as: Open) -> None:
    page = open_as("alice", check(under_way()))
    verdict(page).to_have_text("Everything that can be checked so far holds.")
    cells = page.locator("#seals tr").nth(2).locator("th, td").all_inner_texts()
    box, button = page.get_by_label("Lines from your mails"), page.get_by_role("button")
    box.fill(f"Round 2 begins.\n\nSeal {cells[0]} · {cells[1]} · log {int(cells[2]) - 1}\n")
    button.filter(has_text="Compare").click()
    expect(page.locator("#mail-verdict")).to_have_text(re.compile("Every seal .* Compared: 1"))
    box.fill(f"Seal r1 · {cells[1]}")
    button.filter(has_text="Compare").click()
    expect(page.locator("#mail-verdict")).to_have_text(re.compile("“r1” in your mail is not"))
    verdict(page).to_have_text(re.compile("does not hold"))


def test_without_javascript_the_page_says_how_to_check(open_as: Open) -> None:
    game = under_way()
    page = open_as("alice", check(game), java_script_enabled=False)
    expect(page.get_by_text("Your browser has not checked this game")).to_be_visible()
    expect(page.locator("#check")).to_be_hidden()
    expect(page.get_by_text("python3 verify_perudo.py")).to_contain_text(game.code)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the log of this game").click()
    assert download.value.path().read_text(encoding="utf-8") == transcript(game)


def test_the_page_speaks_the_readers_language(open_as: Open) -> None:
    page = open_as("", check(under_way()), locale="it")
    expect(page.locator("html")).to_have_attribute("lang", "it")
    expect(page.locator("#findings .tag")).to_have_count(10)
    assert "{" not in page.locator("#findings").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_pages_can_be_read_by_everybody(open_as: Open, scheme: str) -> None:
    for path in (check(under_way()), "/fair-dice/"):
        page = open_as("alice", path, color_scheme=scheme)
        if path != "/fair-dice/":
            verdict(page).to_have_text("Everything that can be checked so far holds.")
        result = Axe().run(page)
        assert result.violations_count == 0, result.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_worked_example_comes_out_when_its_commands_are_run(open_as: Open) -> None:
    page = open_as("", "/fair-dice/")
    rows = page.locator("main tbody tr")
    faces = [int(mark["face"]) for mark in _example(page)]
    assert faces == [1, 6, 4, 1, 5]  # cup 0 of docs/pf1.md section 6
    told = page.locator("#by-python").inner_text()
    run = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert [int(face) for face in run.stdout.split()] == faces
    command = page.locator("#by-openssl").inner_text()
    shell = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert shell.stdout.split()[-1].startswith(
        rows.first.locator("td").nth(1).inner_text().rstrip("…")
    )


def _example(page: Page) -> list[dict[str, str]]:
    """Return what the table of the worked example says of each die."""
    found: list[dict[str, str]] = page.locator("main tbody tr").evaluate_all(
        "rows => rows.map((row) => ({ face: row.querySelector('use').href.baseVal.slice(-1) }))"
    )
    return found

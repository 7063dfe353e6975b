"""A turn in a real browser: by keys alone, asked about or not, and nothing lost by the news."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, Request, Response, expect

from games import rules
from games.models import Game, GameStatus, Seat
from games.rules import find_ruleset, with_start_dice
from tests.browser import wait_for_version_after
from tests.cast import act, give_turn, seat_of, table

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

DESK = {"viewport": {"width": 1280, "height": 900}}
MOST_MOVES = 30
HIDE = "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const moved = entry.sources.map((each) => each.node?.outerHTML?.slice(0, 80));
      window.shifts.push([entry.value, moved]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""

SeatDown = Callable[..., Page]


def short_table(dice: int = 2) -> Game:
    """Return a game between alice and bob with few dice; alice opens it."""
    ruleset = with_start_dice(find_ruleset("bga"), dice)
    game = table(("alice", "bob"), ruleset=ruleset, now=timezone.now())
    give_turn(game, "alice")
    return game


def bid(game: Game, name: str, text: str) -> Game:
    move = rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text))
    return act(game, move, now=timezone.now())


def ask_for_news(page: Page) -> None:
    """Let the page ask as it does every few seconds, and deal with the answer."""
    with page.expect_response(re.compile(r"\?since=")):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#game.htmx-request")).to_have_count(0)


def tab_to(page: Page, name: str) -> None:
    """Go on by the Tab key until what is called ``name`` has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").strip() == name:
            return
    raise AssertionError(f"{name!r} cannot be reached by Tab")


def play_by_keys(page: Page) -> None:
    """Doubt where there is a bid; else open with two threes, by digits or by arrows."""
    seen = page.locator("#game").get_attribute("data-since")
    if page.locator("[data-key=d]").count():
        page.keyboard.press("d")
        expect(page.get_by_role("dialog")).to_contain_text("Everybody will read:")
        expect(page.get_by_role("button", name="Call dudo")).to_be_focused()
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("2")
        page.keyboard.press("3")
        expect(page.locator("input[value='2x3']")).to_be_focused()
        expect(
            page.get_by_text(re.compile("Everybody will read: .* bid 2 threes."))
        ).to_be_visible()
        page.keyboard.press("Enter")
    wait_for_version_after(page, seen)


def test_a_whole_game_is_played_by_keyboard_alone(seat_down: SeatDown) -> None:
    game = short_table()
    players = {name: seat_down(name, **DESK) for name in ("alice", "bob")}
    for page in players.values():
        tab_to(page, f"Game {game.code}")
        page.keyboard.press("Enter")
        expect(page.locator("#game[hx-get]")).to_be_visible()
    for _ in range(MOST_MOVES):
        game.refresh_from_db()
        if game.status == GameStatus.FINISHED:
            break
        mover = next(name for name in players if seat_of(game, name).number == game.to_act)
        page = players[mover]
        ask_for_news(page)
        expect(page.get_by_role("heading", name="It is your turn")).to_be_visible()
        play_by_keys(page)
    assert game.status == GameStatus.FINISHED
    winner = next(name for name in players if seat_of(game, name).place == 1)
    for name, page in players.items():
        page.reload()
        told = "You win the game!" if name == winner else f"{winner.title()} wins the game!"
        expect(page.get_by_role("heading", name=told)).to_be_visible()


def test_digits_and_arrows_find_every_bid(seat_down: SeatDown) -> None:
    game = short_table(dice=8)
    page = seat_down("alice", f"/g/{game.code}/")
    ticked = page.locator("input[name=bid]:checked")
    page.keyboard.press("ArrowDown")
    expect(ticked).to_have_value("1x2")
    page.keyboard.press("ArrowRight")
    expect(ticked).to_have_value("1x3")
    page.keyboard.press("ArrowDown")
    expect(ticked).to_have_value("2x3")
    page.keyboard.press("ArrowLeft")
    expect(ticked).to_have_value("2x2")
    for typed, found in (
        ("46", "4x6"),
        ("35", "3x5"),
        ("125", "12x5"),
        ("26", "2x6"),
        ("166", "16x6"),
    ):
        page.keyboard.type(typed)
        expect(ticked).to_have_value(found)
    expect(page.get_by_role("button", name="Bid 16 sixes")).to_be_visible()
    expect(page.locator("input[value='16x6']")).to_be_in_viewport()


def test_single_keys_can_be_switched_off_and_never_bind_with_others(seat_down: SeatDown) -> None:
    game = bid(short_table(), "alice", "1x3")
    page = seat_down("bob", f"/g/{game.code}/")
    page.keyboard.press("Control+d")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("play the chosen bid")
    page.keyboard.press("d")
    expect(page.locator("#sure-dudo")).to_be_hidden()
    page.get_by_label("Single keys do what is listed here").uncheck()
    page.get_by_role("button", name="Keep it so").click()
    page.wait_for_url(f"**/g/{game.code}/")
    for key in ("d", "2", "3", "?", "ArrowDown"):
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("input[name=bid]:checked")).to_have_count(0)
    expect(page.get_by_role("link", name="Keys, and how you play")).to_be_visible()


def test_a_call_is_asked_about_once_more_even_without_a_script(seat_down: SeatDown) -> None:
    game = bid(short_table(), "alice", "1x3")
    page = seat_down("bob", f"/g/{game.code}/", java_script_enabled=False)
    page.get_by_role("button", name=re.compile("^Dudo")).click()
    expect(page.get_by_text("Bob called dudo on 1 three by Alice")).to_be_visible()
    page.get_by_role("button", name="Not yet").click()
    expect(page.get_by_text("Bob called dudo on 1 three by Alice")).to_be_hidden()
    page.get_by_role("button", name=re.compile("^Dudo")).click()
    page.get_by_role("button", name="Call dudo").click()
    expect(page.get_by_text("How round 1 ended")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_questions_and_help_have_no_fault_that_axe_finds(seat_down: SeatDown, scheme: str) -> None:
    game = bid(short_table(), "alice", "1x3")
    page = seat_down("bob", f"/g/{game.code}/", color_scheme=scheme)
    for key, shown in (("d", "Then the cups are lifted."), ("?", "play the chosen bid")):
        page.keyboard.press(key)
        expect(page.get_by_text(shown)).to_be_visible()
        result = Axe().run(page, options={"resultTypes": ["violations"]})
        assert result.violations_count == 0, result.generate_report()
        page.keyboard.press("Escape")


def test_whoever_wants_no_question_bids_and_calls_with_one_tap(seat_down: SeatDown) -> None:
    game = short_table()
    page = seat_down("alice", f"/g/{game.code}/")
    page.get_by_role("link", name="Keys, and how you play").click()
    page.get_by_label("Ask once more before a move is played").uncheck()
    page.get_by_role("button", name="Keep it so").click()
    page.wait_for_url(f"**/g/{game.code}/")
    page.keyboard.press("ArrowDown")  # arrows only choose
    expect(page.locator("input[value='1x2']")).to_be_checked()
    page.locator("input[value='1x4']").click()
    expect(page.get_by_role("heading", name="Bob is to move")).to_be_visible()
    game = bid(game, "bob", "2x5")
    ask_for_news(page)
    page.get_by_role("button", name=re.compile("^Dudo")).click()
    expect(page.get_by_text("How round 1 ended")).to_be_visible()


def test_what_happened_is_said_and_seen_in_title_and_icon(seat_down: SeatDown) -> None:
    game = bid(short_table(), "alice", "1x3")
    page = seat_down("alice", f"/g/{game.code}/")
    expect(page.locator("#news")).to_have_text("")
    expect(page.locator("#turn-icon")).to_have_attribute("href", re.compile(r"icon\.\w*\.?svg"))
    bid(game, "bob", "2x4")
    ask_for_news(page)
    expect(page.locator("#news")).to_have_text("Bob bid 2 fours. It is your turn")
    expect(page).to_have_title(re.compile("^● "))
    expect(page.locator("#turn-icon")).to_have_attribute("href", re.compile("icon-turn"))
    page.locator("input[value='3x5']").check()
    page.get_by_role("button", name="Bid 3 fives").click()
    expect(page.locator("#news")).to_have_text("Alice bid 3 fives. Bob is to move")
    expect(page).not_to_have_title(re.compile("^● "))
    expect(page.locator("#turn-icon")).not_to_have_attribute("href", re.compile("icon-turn"))


def test_news_take_nothing_out_of_their_readers_hands(seat_down: SeatDown) -> None:
    game = bid(short_table(dice=3), "alice", "6x6")
    game = act(game, rules.Dudo(seat_of(game, "bob").number), now=timezone.now())
    give_turn(game, "alice")
    game = bid(game, "alice", "1x3")
    page = seat_down("bob", f"/g/{game.code}/")
    page.get_by_text("How round 1 ended").click()
    page.locator("input[value='2x5']").check()
    page.get_by_role("button", name=re.compile("^Dudo")).click()
    seen = page.locator("#game").get_attribute("data-since")
    # A deadline that was moved makes the page anew, but it is the same turn.
    later = timezone.now() + timedelta(days=3)
    Game.objects.filter(pk=game.pk).update(turn_deadline_at=later)
    ask_for_news(page)
    wait_for_version_after(page, seen)
    expect(page.get_by_role("button", name="Call dudo")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("input[value='2x5']")).to_be_checked()
    expect(page.get_by_text("Everybody will read: Bob bid 2 fives.")).to_be_visible()
    expect(page.locator("details[open]", has_text="How round 1 ended")).to_be_visible()


def test_a_question_about_another_bid_is_not_asked_any_more(seat_down: SeatDown) -> None:
    game = bid(short_table(), "alice", "1x3")
    page = seat_down("bob", f"/g/{game.code}/")
    page.get_by_role("button", name=re.compile("^Dudo")).click()
    game = bid(game, "bob", "1x4")  # from his phone
    bid(game, "alice", "1x5")
    ask_for_news(page)
    expect(page.get_by_text("I doubt 1 five")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_hidden_page_asks_seldom_looks_at_nothing_and_shows_the_turn(
    seat_down: SeatDown,
) -> None:
    game = bid(short_table(), "alice", "1x3")
    page = seat_down("alice")
    page.clock.install()
    page.goto(f"/g/{game.code}/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.method) if _asks(request) else None)
    for _ in range(3):
        with page.expect_response(_is_answer):
            page.clock.run_for(6_000)
    assert set(asked) == {"GET"}
    page.evaluate(HIDE)
    asked.clear()
    page.clock.run_for(50_000)
    assert asked == []
    game = bid(game, "bob", "2x4")
    with page.expect_response(_is_answer):
        page.clock.run_for(12_000)
    expect(page).to_have_title(re.compile("^● "))
    assert asked == ["HEAD"]
    expect(page.get_by_role("heading", name="Bob is to move")).to_be_visible()
    assert Seat.objects.get(pk=seat_of(game, "alice").pk).seen_version != game.version


def test_a_finished_game_asks_for_nothing(seat_down: SeatDown) -> None:
    game = short_table(dice=1)
    page = seat_down("bob")
    page.clock.install()
    page.goto(f"/g/{game.code}/")
    game = bid(game, "alice", "1x3")
    act(game, rules.Dudo(seat_of(game, "bob").number), now=timezone.now())
    page.clock.run_for(6_000)
    expect(page.get_by_text("The game is over.").first).to_be_visible()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if _asks(request) else None)
    page.clock.run_for(120_000)
    assert asked == []


def _is_answer(response: Response) -> bool:
    return _asks(response.request)


def _asks(request: Request) -> bool:
    return "?since=" in request.url


@pytest.mark.parametrize("wide", [False, True], ids=["phone", "desk"])
def test_nothing_moves_while_a_turn_is_played(seat_down: SeatDown, wide: bool) -> None:
    game = bid(short_table(dice=5), "alice", "3x4")
    page = seat_down("bob", **(DESK if wide else {}))
    page.add_init_script(f"({SHIFTS})()")
    page.goto(f"/g/{game.code}/")
    page.evaluate("document.fonts.ready")
    page.keyboard.type("45")
    expect(page.get_by_role("button", name="Bid 4 fives")).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_role("button", name="Call dudo")).to_be_focused()
    page.keyboard.press("Escape")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
    assert page.evaluate("window.shifts") == []

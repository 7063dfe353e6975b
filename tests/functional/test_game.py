"""Whole games in a real browser, by the controls that a person sees."""

import random
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from games import rules
from games.models import Game, GameStatus, OutboxMessage
from games.rules import find_ruleset, with_options
from games.services import lobby
from tests.browser import wait_for_version_after
from tests.cast import act, give_turn, person, player, seat_of, table, veteran

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

MOST_MOVES = 200


def bring_up_to_date(page: Page, *, script: bool) -> None:
    """Look again: by reloading, or as the page's own script does every few seconds."""
    if not script:
        page.reload()
        return
    if page.locator("#game[hx-get]").count():
        with page.expect_response(re.compile(r"\?since=")):
            page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#game.htmx-request")).to_have_count(0)


def hold(page: Page, pattern: str) -> list[Route]:
    """Keep requests back: they are in the list, to be let go one by one."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(re.compile(pattern), keep)
    return held


def version(page: Page) -> str | None:
    return page.locator("#game").get_attribute("data-since")


def move(page: Page, chance: random.Random) -> None:
    """Make a legal move by what stands on the page."""
    before = version(page)
    dudo = page.get_by_role("button", name=re.compile("^Dudo"))
    if dudo.count() and chance.random() < 0.5:
        dudo.click()
        page.get_by_role("button", name="Call dudo").click()
    else:
        rungs = page.locator("input[name=bid]:visible")
        rungs.nth(chance.randrange(min(rungs.count(), 8))).check()
        page.get_by_role("button", name=re.compile("^Bid")).click()
    wait_for_version_after(page, before)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_two_people_play_a_whole_game(seat_down: Callable[..., Page], script: bool) -> None:
    chance = random.Random(7)
    alice = seat_down("alice", java_script_enabled=script)
    alice.get_by_role("link", name="New game").first.click()
    alice.get_by_label("Seats", exact=True).select_option("2")
    alice.get_by_label("Dice at the start").select_option("2")
    alice.get_by_label("Name of the game").fill("Over the fence")
    alice.get_by_role("button", name="Make the game").click()
    link = alice.get_by_label("Link to pass on").input_value()

    bob = seat_down("bob", link, java_script_enabled=script)
    expect(bob.get_by_role("heading", name="Alice invites you to a game of Perudo")).to_be_visible()
    bob.get_by_role("button", name="Take a seat").click()
    bob.get_by_role("button", name="I am ready").click()
    expect(bob.get_by_role("heading", name="Your dice")).to_be_visible()

    players = {"alice": alice, "bob": bob}
    for _step in range(MOST_MOVES):
        for page in players.values():
            bring_up_to_date(page, script=script)
            if page.get_by_role("heading", name="It is your turn").count():
                move(page, chance)
        if alice.get_by_text("The game is over.").count():
            break
    bring_up_to_date(bob, script=script)
    game = Game.objects.get()
    assert game.status == GameStatus.FINISHED
    winner = "alice" if seat_of(game, "alice").place == 1 else "bob"
    for name, page in players.items():
        told = "You win the game!" if name == winner else f"{winner.title()} wins the game!"
        expect(page.get_by_role("heading", name=told)).to_be_visible()
    alice.get_by_role("link", name="Replay it round by round").click()
    expect(alice.get_by_role("heading", name=re.compile("Round 1 of"))).to_be_visible()


def test_a_poll_keeps_the_bid_that_is_being_chosen(seat_down: Callable[..., Page]) -> None:
    game = _calza_table()
    give_turn(game, "alice")
    game = _bid(game, "alice", "1x2")
    page = seat_down("bob" if _is_to_move(game, "bob") else "carol", f"/g/{game.code}/")
    page.locator('input[value="2x5"]').check()
    expect(page.get_by_role("button", name="Bid 2 fives")).to_be_visible()
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    bring_up_to_date(page, script=True)
    expect(page.locator(f'#game[data-since^="{game.version + 1}-"]')).to_be_visible()
    expect(page.locator('input[value="2x5"]')).to_be_checked()
    expect(page.get_by_role("button", name="Bid 2 fives")).to_be_visible()


def test_an_answer_that_comes_while_choosing_is_let_go_by(
    seat_down: Callable[..., Page],
) -> None:
    game = _calza_table()
    give_turn(game, "alice")
    page = seat_down("alice", f"/g/{game.code}/")
    shown = version(page)

    def slowly(route: Route) -> None:
        page.locator('input[value="3x5"]').check()  # between the question and its answer
        route.continue_()

    page.route(re.compile(r"\?since="), slowly)
    Game.objects.filter(pk=game.pk).update(version=game.version + 1)
    bring_up_to_date(page, script=True)
    expect(page.locator('input[value="3x5"]')).to_be_checked()
    assert version(page) == shown


def test_a_move_may_overtake_a_poll(seat_down: Callable[..., Page]) -> None:
    game = _turn(_calza_table(), "alice")
    page = seat_down("alice", f"/g/{game.code}/")
    expect(page).to_have_title(re.compile("^● "))
    polls = hold(page, r"\?since=")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.locator('input[value="3x5"]').check()
    page.get_by_role("button", name="Bid 3 fives").click()
    expect(page.locator(f'#game[data-since^="{game.version + 1}-"]')).to_be_visible()
    expect(page).not_to_have_title(re.compile("^● "))
    with page.expect_response(re.compile(r"\?since=")):
        polls.pop().continue_()
    expect(page.get_by_text("Alice bids")).to_be_visible()


@pytest.mark.allow_console("status of 409")
def test_a_poll_does_not_hide_what_became_of_a_move(seat_down: Callable[..., Page]) -> None:
    game = _bid(_turn(_calza_table(), "alice"), "alice", "1x2")
    mover, other = ("bob", "carol") if _is_to_move(game, "bob") else ("carol", "bob")
    page = seat_down(mover, f"/g/{game.code}/")
    page.locator('input[value="2x5"]').check()
    polls, moves = hold(page, r"\?since="), hold(page, "/play/")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    act(game, rules.Calza(seat_of(game, other).number), now=timezone.now())
    page.get_by_role("button", name="Bid 2 fives").click()
    with page.expect_response(re.compile(r"\?since=")):
        polls.pop().continue_()
    moves.pop().continue_()
    expect(page.get_by_text("Your bid was not played: the game had moved on.")).to_be_visible()


@pytest.mark.allow_console("status of 409")
def test_a_move_that_came_too_late_is_told_on_the_page(seat_down: Callable[..., Page]) -> None:
    game = _calza_table()
    give_turn(game, "alice")
    game = _bid(game, "alice", "1x2")
    mover, other = ("bob", "carol") if _is_to_move(game, "bob") else ("carol", "bob")
    page = seat_down(mover, f"/g/{game.code}/")
    page.locator('input[value="2x5"]').check()
    act(game, rules.Calza(seat_of(game, other).number), now=timezone.now())
    page.get_by_role("button", name="Bid 2 fives").click()
    expect(page.get_by_text("Your bid was not played: the game had moved on.")).to_be_visible()
    expect(page.get_by_text(f"{other.title()} called calza on 1 two").first).to_be_visible()


def test_a_room_becomes_the_table_while_one_waits(seat_down: Callable[..., Page]) -> None:
    game = _room(seats=2)
    alice = seat_down("alice", f"/g/{game.code}/")
    bob = seat_down("bob", f"/join/{game.invite_token}/")
    bob.get_by_role("button", name="Take a seat").click()
    bring_up_to_date(alice, script=True)
    expect(alice.get_by_text("not ready", exact=True)).to_be_visible()
    bob.get_by_role("button", name="I am ready").click()
    bring_up_to_date(alice, script=True)
    expect(alice.get_by_role("heading", name="Your dice")).to_be_visible()


def test_typed_addresses_outlive_a_poll(seat_down: Callable[..., Page]) -> None:
    game = _room(seats=3)
    alice = seat_down("alice", f"/g/{game.code}/")
    alice.get_by_label("E-mail addresses").fill("carol@example.org")
    lobby.join(game_id=game.pk, player=player(person("bob")), now=timezone.now())
    bring_up_to_date(alice, script=True)
    expect(alice.get_by_label("E-mail addresses")).to_have_value("carol@example.org")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_is_clean_for_axe_and_fits_a_phone(
    seat_down: Callable[..., Page], scheme: str
) -> None:
    page = seat_down("alice", color_scheme=scheme)
    for path in _every_kind_of_page():
        page.goto(path)
        result = Axe().run(page)
        assert result.violations_count == 0, f"{path}\n{result.generate_report()}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def _every_kind_of_page() -> list[str]:
    running = _calza_table()
    give_turn(running, "alice")
    running = _bid(running, "alice", "9x6")
    running = act(running, rules.Dudo(running.to_act or 0), now=timezone.now())
    give_turn(running, "alice")
    waiting = _bid(_turn(_calza_table(), "alice"), "alice", "3x4")
    hidden = table(("alice", "bob"), ruleset=find_ruleset("piatnik"), now=timezone.now())
    late = _turn(_calza_table(), "alice")
    Game.objects.filter(pk=late.pk).update(turn_deadline_at=timezone.now() - timedelta(hours=1))
    over = table(("alice", "bob"), now=timezone.now(), is_private=False)
    over = _bid(_turn(over, "bob"), "bob", "9x6")
    over = act(over, rules.Dudo(over.to_act or 0), now=timezone.now())
    over = act(over, rules.Resign(seat_of(over, "bob").number), now=timezone.now())
    veteran("alice")
    room, guest = _room(seats=3), _room(seats=4, host="bob", is_private=False)
    cancelled = _room(seats=2)
    lobby.cancel(game_id=cancelled.pk, host_id=person("alice").pk, now=timezone.now())
    invited = _room(seats=2, host="carol")
    rest = (f"/g/{over.code}/rounds/", f"/g/{over.code}/rounds/1/", f"/g/{running.code}/resign/")
    games = (running, waiting, hidden, late, over, room, guest, cancelled)
    return [
        "/", "/lobby/", "/games/new/?rules=custom", f"/join/{invited.invite_token}/",
        *(f"/g/{game.code}/" for game in games), *rest,
    ]  # fmt: skip


def _calza_table() -> Game:
    calza = with_options(find_ruleset("bga"), {"calza": True})
    game = table(("alice", "bob", "carol"), ruleset=calza, now=timezone.now())
    OutboxMessage.objects.all().delete()
    return game


def _turn(game: Game, name: str) -> Game:
    give_turn(game, name)
    return game


def _is_to_move(game: Game, name: str) -> bool:
    return seat_of(game, name).number == game.to_act


def _bid(game: Game, name: str, text: str) -> Game:
    bid = rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text))
    return act(game, bid, now=timezone.now())


def _room(*, seats: int, host: str = "alice", is_private: bool = True) -> Game:
    new = lobby.NewGame(
        ruleset=find_ruleset("bga"), seats=seats, turn_seconds=86_400, is_private=is_private
    )
    return lobby.create_game(host=player(person(host)), new=new, now=timezone.now())

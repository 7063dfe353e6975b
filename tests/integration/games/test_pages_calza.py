"""The time for calza as the players' pages show it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import rules
from games.clock import TimeOut
from games.models import Event, Game, Hours, Order
from games.rules import CalzaWindow, Ruleset
from tests.cast import give_turn, seat_of
from tests.integration.games.pages import address, bid, browser, live_table, move, text
from tests.integration.games.test_calza_window import NAMES, WINDOW, around
from tests.integration.games.test_pages_lists import made

pytestmark = pytest.mark.django_db

PASS = "No calza from me in this round"
NOTED = "Your move is noted."


def opened(**choices: object) -> Game:
    game = live_table(*NAMES, ruleset=WINDOW, **choices)
    Hours.objects.update(night=None)
    give_turn(game, "alice")
    return bid(game, "alice", "2x3")


def look(game: Game, name: str) -> str:
    return text(browser(name).get(address(game)))


def test_everybody_is_told_until_when_calls_are_collected() -> None:
    game = opened()
    for name in ("alice", *around(game)):
        assert "Calls of calza on this bid are collected until" in look(game, name)
    Game.objects.filter(pk=game.pk).update(calza_until=None)
    assert "are collected until" not in look(game, "alice")


def test_where_the_table_tells_no_moments_it_tells_none_here() -> None:
    game = opened()
    Game.objects.filter(pk=game.pk).update(day_parts=True)
    html = look(game, "alice")
    assert "are collected until" not in html
    assert "Everybody has two of his waking hours to call calza on this bid." in html


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])
def test_a_move_that_waits_is_noted_and_shown_to_who_made_it_alone(headers: dict[str, str]) -> None:
    game = opened()
    following, near, _ = around(game)
    client = browser(following)
    form = move(client, game, act="bid", bid="3x3")
    answer = client.post(address(game, "play/"), form, headers=headers, follow=True)
    assert NOTED in text(answer)
    mine = look(game, following)
    assert "bid 3x3" in mine
    assert "waits for the calls" in mine
    assert "3x3; else ask" not in look(game, near)
    assert not Event.objects.filter(game=game, seat=seat_of(game, following).number).exists()


def test_a_call_is_noted_and_nobody_waits_for_another_of_his() -> None:
    game = opened()
    _, near, _ = around(game)
    client = browser(near)
    answer = client.post(
        address(game, "play/"), move(client, game, act="calza"), headers={"HX-Request": "true"}
    )
    html = text(answer)
    assert NOTED in html
    assert "calza on 2x3" in html
    assert "Nobody waits for a calza of yours in this round." in html
    assert PASS not in html


def test_the_button_says_that_nobody_need_wait() -> None:
    game = opened()
    following, near, far = around(game)
    for name in (near, far):
        assert PASS in look(game, name)
        answer = browser(name).post(address(game, "pass/"), {"round": "1"})
        assert (answer.status_code, answer["Location"]) == (303, address(game))
        assert PASS not in look(game, name)
    assert Game.objects.get(pk=game.pk).calza_until is not None, "the next player may call, too"
    client = browser(following)
    client.post(address(game, "play/"), move(client, game, act="bid", bid="3x3"))
    assert Event.objects.filter(game=game, kind="bid").count() == 2
    assert not Order.objects.exists()


@pytest.mark.parametrize("round_number", ["", "2", "x", "9" * 30])
def test_a_pass_for_another_round_passes_nothing(round_number: str) -> None:
    game = opened()
    _, near, _ = around(game)
    client = browser(near)
    answer = client.post(address(game, "pass/"), {"round": round_number}, follow=True)
    assert "Another round has begun." in text(answer)
    assert PASS in look(game, near)


def test_other_tables_have_neither() -> None:
    calza = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    game = live_table(*NAMES, ruleset=calza)
    give_turn(game, "alice")
    bid(game, "alice", "2x3")
    html = look(game, "bob")
    assert PASS not in html
    assert "are collected until" not in html


def test_a_late_look_still_shows_it_until_the_sweep_has_come() -> None:
    game = opened()
    Game.objects.filter(pk=game.pk).update(calza_until=timezone.now() - timedelta(seconds=3))
    assert "are collected until" in look(game, "bob")


def test_a_host_can_choose_it_and_what_a_time_out_costs() -> None:
    sent = {"custom-calza.enabled": "on", "custom-calza.window": "grace", "time_out": "lose_a_die"}
    game = made(rules="custom", **sent)
    ruleset = Ruleset.from_dict(game.ruleset)
    assert (ruleset.calza.enabled, ruleset.calza.window) == (True, CalzaWindow.GRACE)
    assert game.clock is not None
    assert game.clock["time_out"] == TimeOut.LOSE_A_DIE
    html = look(game, "alice")
    assert "two of his waking hours" in html

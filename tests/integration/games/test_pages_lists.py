"""My games, the lobby, and making a game."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import rules, wording
from games.clock import TimeOut, find_clock, why_not_offered
from games.forms import ClockForm, NewGameForm
from games.models import Game, GameStatus, Seat
from games.rules import PRESETS, Ruleset, find_ruleset, preset_options
from games.services import lobby, places
from games.timing import clock_of
from tests.cast import act, give_turn, person, player, seat_of
from tests.integration.games.pages import address, browser, inputs, live_table, text

pytestmark = pytest.mark.django_db

PLAIN = {
    "rules": "bga",
    "seats": "4",
    "bots": "0",
    "start_dice": "5",
    "clock": "plain",
    "turn_seconds": "86400",
    "visibility": "private",
    "name": "",
}


def made(**choices: Any) -> Game:
    """Make a game by the form as alice, and return it."""
    answer = browser("alice").post("/games/new/", {**PLAIN, **choices})
    assert answer.status_code == 302, NewGameForm({**PLAIN, **choices}).errors
    return Game.objects.get(code=answer["Location"].split("/")[2])


# --- my games ------------------------------------------------------------------------------------


def test_a_visitor_sees_what_this_is() -> None:
    assert "Sign up and play" in text(browser().get("/"))


def test_whoever_has_no_game_is_told_what_to_do() -> None:
    html = text(browser("alice").get("/"))
    assert "No games yet" in html
    assert "Play against 3 bots now" in html


def test_games_that_wait_for_me_come_first_by_least_time_left() -> None:
    slow, quick, other = (live_table("alice", "bob") for _ in range(3))
    give_turn(slow, "alice")
    give_turn(quick, "alice")
    give_turn(other, "bob")
    for game, hours in ((slow, 20), (quick, 2), (other, 1)):
        deadline = timezone.now() + timedelta(hours=hours)
        Game.objects.filter(pk=game.pk).update(turn_deadline_at=deadline)
    over = live_table("alice", "bob")
    act(over, rules.Resign(seat_of(over, "bob").number), now=timezone.now())
    html = text(browser("alice").get("/"))
    found = [html.index(game.code) for game in (quick, slow, other, over)]
    assert found == sorted(found)
    assert "(2) My games" in html
    assert ", 2 wait for you" in html


def test_my_games_tell_where_i_must_get_ready() -> None:
    new = lobby.NewGame(ruleset=find_ruleset("bga"), seats=3, turn_seconds=86_400)
    game = lobby.create_game(host=player(person("alice")), new=new, now=timezone.now())
    lobby.join(game_id=game.pk, player=player(person("bob")), now=timezone.now())
    assert "say that you are ready" in text(browser("bob").get("/"))
    assert "say that you are ready" not in text(browser("alice").get("/"))


def test_one_click_starts_a_game_against_bots() -> None:
    alice = browser("alice")
    answer = alice.post("/games/quick/")
    game = Game.objects.get()
    assert answer["Location"] == address(game)
    assert game.status == GameStatus.ACTIVE
    assert clock_of(game) == find_clock("standard")
    assert Seat.objects.exclude(bot="").count() == 3
    assert "Your dice" in text(alice.get(address(game)))


# --- lobby ---------------------------------------------------------------------------------------


def test_the_lobby_lists_open_games_with_free_seats() -> None:
    game = made(visibility="open", name="Come in")
    made(visibility="private", name="Stay out")
    html = text(browser("bob").get("/lobby/"))
    assert "Come in" in html
    assert "Stay out" not in html
    assert browser("bob").post(address(game, "join/"))["Location"] == address(game)
    assert "you sit here" in text(browser("bob").get("/lobby/"))
    assert browser().post(address(game, "join/"))["Location"] == (
        f"/accounts/login/?next=/g/{game.code}/"
    )


def test_the_lobby_tells_every_time_rule_before_a_seat_is_taken() -> None:
    clock = replace(find_clock("day"), time_out=TimeOut.OUT)
    new = lobby.NewGame(ruleset=find_ruleset("bga"), seats=3, clock=clock, is_private=False)
    lobby.create_game(host=player(person("alice")), new=new, now=timezone.now())
    html = text(browser("bob").get("/lobby/"))
    lines = wording.clock_lines(clock)
    assert "The player is out of the game." in [line.sentence for line in lines]
    assert [line.sentence for line in lines if line.sentence not in html] == []


def test_a_game_is_offered_no_clock_below_the_floor() -> None:
    for name, field in (("plain", "turn_seconds"), ("custom", "own_base")):
        for seconds, _title in ClockForm()[field].field.choices:
            form = ClockForm({"clock": name, field: seconds, "own_nights": "on"})
            assert form.is_valid(), (name, seconds)
            assert why_not_offered(form.cleaned_data["settings"]) is None, (name, seconds)
    assert not ClockForm({"clock": "plain", "turn_seconds": "3600"}).is_valid()


def test_the_lobby_is_open_to_visitors_without_buttons_that_would_fail() -> None:
    made(visibility="open", name="Come in")
    html = text(browser().get("/lobby/"))
    assert "Come in" in html
    assert "join/" not in html


def test_the_last_seat_goes_to_the_first_who_comes() -> None:
    game = made(visibility="open", seats="2")
    assert browser("bob").post(address(game, "join/")).status_code == 302
    answer = browser("carol").post(address(game, "join/"))
    assert answer.status_code == 409
    assert "All seats are taken." in text(answer)


# --- making a game -------------------------------------------------------------------------------


def test_a_game_is_made_with_one_click() -> None:
    page = browser("alice").get("/games/new/").context
    fields = {**page["form"].fields, **page["clock"].fields}
    form = {name: page["clock" if name in page["clock"].fields else "form"] for name in fields}
    proposed = {name: form[name][name].value() for name in PLAIN if name != "turn_seconds"}
    answer = browser("alice").post("/games/new/", proposed)
    game = Game.objects.get()
    assert answer["Location"] == address(game)
    assert (game.name, game.seats_wanted, game.turn_seconds) == ("Alice’s game", 4, 86_400)
    assert game.clock == find_clock("standard").to_dict()
    assert game.is_private


@pytest.mark.parametrize("name", ["standard", "brisk", "day", "relaxed"])
def test_every_clock_can_be_chosen_and_is_told_before_one_joins(name: str) -> None:
    game = made(clock=name, visibility="open")
    assert game.clock == find_clock(name).to_dict()
    told = text(browser("bob").get(address(game)))
    for line in wording.clock_lines(find_clock(name)):
        assert line.sentence in told


def test_a_clock_of_ones_own_is_made_of_its_numbers() -> None:
    game = made(
        clock="custom", own_base="43200", own_bank="86400", own_increment="3600", own_weekends="on"
    )
    settings = clock_of(game)
    hours = timedelta(hours=1)
    assert (settings.base, settings.bank, settings.cap) == (12 * hours, 24 * hours, 24 * hours)
    assert (settings.increment, settings.nights, settings.weekends) == (hours, False, True)


def test_a_clock_that_is_too_fast_for_sleepers_is_refused() -> None:
    sent = {**PLAIN, "clock": "custom", "own_base": "14400", "own_bank": "0"}
    answer = browser("alice").post("/games/new/", sent)
    assert answer.status_code == 422
    assert "a turn takes at least 12 hours" in text(answer)
    assert not Game.objects.exists()


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_can_be_chosen_with_its_options(preset: str) -> None:
    plain = made(rules=preset)
    assert Ruleset.from_dict(plain.ruleset) == find_ruleset(preset)
    options = preset_options(preset)
    html = text(browser("alice").get(f"/games/new/?rules={preset}"))
    assert [field["value"] for field in inputs(html, "rules") if "checked" in field] == [preset]
    for key in options:
        game = made(rules=preset, **{f"{preset}-{key}": "on"})
        wanted = rules.with_options(find_ruleset(preset), {key: True})
        assert Ruleset.from_dict(game.ruleset) == wanted
        assert wanted != find_ruleset(preset)


def test_the_options_of_another_preset_do_nothing() -> None:
    game = made(rules="piatnik", **{"bga-calza": "on", "custom-reveal": "all"})
    assert Ruleset.from_dict(game.ruleset) == find_ruleset("piatnik")


def test_rules_of_ones_own_are_made_of_every_toggle() -> None:
    game = made(
        rules="custom",
        seats="9",
        start_dice="3",
        **{
            "custom-first_starter": "roll_off",
            "custom-raise_mode": "one_way",
            "custom-bid_cap": "dice_in_play",
            "custom-reveal": "clockwise_early_stop",
            "custom-dice_counts": "hidden",
            "custom-palifico.enabled": "on",
            "custom-palifico.trigger": "every_drop_to_one",
            "custom-palifico.face_change": "one_die_players",
            "custom-calza.enabled": "on",
            "custom-calza.window": "turn_only",
            "custom-calza.needs_lost_die": "on",
            "custom-covered_cups_after_game": "never",
        },
    )
    assert game.ruleset == {
        "name": "custom",
        "version": 1,
        "start_dice": 3,
        "max_players": 10,
        "first_starter": "roll_off",
        "raise_mode": "one_way",
        "bid_cap": "dice_in_play",
        "reveal": "clockwise_early_stop",
        "dice_counts": "hidden",
        "palifico": {
            "enabled": True,
            "trigger": "every_drop_to_one",
            "two_players": False,
            "face_change": "one_die_players",
        },
        "calza": {
            "enabled": True,
            "two_players": False,
            "in_palifico": False,
            "needs_lost_die": True,
            "window": "turn_only",
        },
        "covered_cups_after_game": "never",
    }


def test_every_toggle_of_the_rules_is_on_the_form() -> None:
    def keys(toggles: dict[str, Any], path: str = "") -> set[str]:
        found: set[str] = set()
        for key, value in toggles.items():
            nested = isinstance(value, dict)
            found |= keys(value, f"{path}{key}.") if nested else {f"{path}{key}"}
        return found

    elsewhere = {"name", "version", "start_dice", "max_players"}
    wanted = keys(find_ruleset("bga").to_dict()) - elsewhere
    offered = {name.removeprefix("custom-") for name in NewGameForm().fields}
    assert wanted <= offered


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"seats": "8"}, "These rules have room for 6 players."),
        ({"seats": "2", "bots": "2"}, "At least one seat is yours"),
        ({"turn_seconds": "60"}, "Select a valid choice"),
        ({"rules": "poker"}, "Select a valid choice"),
        ({"rules": "custom", "custom-reveal": "none"}, "Select a valid choice"),
        ({"name": "x\u202ey"}, "signs in it that cannot be shown"),
        ({"name": "x\x00y"}, "Null characters are not allowed."),
        ({"name": "x" * 41}, "at most 40 characters"),
    ],
)
def test_what_does_not_fit_is_said_and_the_rest_is_kept(
    choices: dict[str, str], sentence: str
) -> None:
    typed = {**PLAIN, "name": "Friday night", "start_dice": "3", **choices}
    answer = browser("alice").post("/games/new/", typed)
    html = text(answer)
    assert answer.status_code == 422
    assert sentence in html
    assert '<option value="3" selected>3</option>' in html
    assert "name" in choices or 'value="Friday night"' in html
    assert not Game.objects.exists()


def test_ten_players_fit_where_the_rules_allow() -> None:
    refused = browser("alice").post("/games/new/", {**PLAIN, "rules": "wikipedia", "seats": "10"})
    assert refused.status_code == 422
    more = {"rules": "wikipedia", "wikipedia-more_players": "on", "seats": "10"}
    assert made(**more).seats_wanted == 10


def test_nobody_hoards_waiting_rooms() -> None:
    for _ in range(places.TABLES_AT_SIGN_UP):
        made()
    answer = browser("alice").post("/games/new/", PLAIN)
    assert answer.status_code == 422
    assert "You sit at 5 tables, which is as many as you may for now." in text(answer)

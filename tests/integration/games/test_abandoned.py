"""Tables that nobody comes back to, and tables where a time-out ends a player's game."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from games import rules
from games.clock import ClockSettings, TimeOut, find_clock, plain
from games.mail.render import render
from games.models import Event, Game, GameStatus, OutboxMessage
from games.selectors import Viewer, table_page
from games.services import deadlines, hours, moves
from games.services.commit import bot_delay
from games.services.waking import GRACE
from games.wording import outcome_story
from tests.cast import act, person, seat_of
from tests.cast import table as plain_table
from tests.integration.fairness.checking import download, verify
from tests.integration.games.invariants import check_game
from tests.integration.games.pages import address, browser, text
from tests.integration.games.test_clocks import NOON, at
from tests.integration.games.test_hours import hers, newest

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
OUT = replace(plain(86_400), time_out=TimeOut.OUT)


def run_out(game: Game) -> Game:
    """Let the clock that runs run out."""
    game = newest(game)
    assert game.turn_deadline_at is not None
    assert deadlines.expire_turns(now=game.turn_deadline_at + GRACE) >= 1
    return newest(game)


def left_by(*names: str, present: str = "") -> Game:
    """Return a game in which all but ``present`` have missed two turns in a row."""
    game = plain_table((*names, present) if present else names, now=NOON)
    for _ in range(2000):
        game = newest(game)
        on_turn = game.seats.get(number=game.to_act)
        if present and on_turn == seat_of(game, present):
            state_bid = game.bid_quantity
            action: rules.Move = rules.MakeBid(on_turn.number, rules.Bid((state_bid or 0) + 1, 2))
            game = act(game, action, now=game.turn_started_at or NOON)
        else:
            game = run_out(game)
        absent = game.seats.filter(user__email__in=[f"{name}@example.org" for name in names])
        if all(seat.is_absent for seat in absent):
            return game
    raise AssertionError("they never left")


# --- nobody is there ------------------------------------------------------------------------------


def test_a_table_that_all_have_left_stands_still_and_ends_unrated_after_72_hours() -> None:
    game = left_by("alice", "bob")
    since = max(seat.absent_since for seat in game.seats.all() if seat.absent_since)
    assert game.status == GameStatus.ACTIVE
    assert game.turn_deadline_at == game.wake_at == since + 3 * DAY
    assert deadlines.expire_turns(now=since + 3 * DAY - timedelta(seconds=1)) == 0
    check_game(game.pk)
    deadlines.expire_turns(now=since + 3 * DAY)
    game = newest(game)
    assert (game.status, game.ended_by) == (GameStatus.CANCELLED, "abandoned")
    assert list(game.seats.values_list("place", flat=True)) == [None, None]
    told = OutboxMessage.objects.filter(game=game, kind="cancelled")
    assert told.count() == 2
    mail = render(told[0], now=since + 3 * DAY)
    assert mail is not None
    assert "Nobody had been there for 72 hours" in str(mail.body)
    check_game(game.pk)


def test_bots_keep_no_table_alive() -> None:
    game = plain_table(("alice",), bots=2, now=NOON)
    for _ in range(200):
        game = newest(game)
        if game.status != GameStatus.ACTIVE or game.wake_at is None:
            break
        deadlines.expire_turns(now=game.wake_at)
    assert (game.status, game.ended_by) == (GameStatus.CANCELLED, "abandoned")


def test_one_who_is_there_lets_the_absent_play_at_once() -> None:
    game = left_by("alice", "bob", present="carol")
    for _ in range(10):
        game = newest(game)
        seat = game.seats.get(number=game.to_act)
        if seat.is_absent:
            break
        action = rules.MakeBid(seat.number, rules.Bid((game.bid_quantity or 0) + 1, 2))
        act(game, action, now=game.turn_started_at or NOON)
    assert game.turn_started_at is not None
    assert game.wake_at == game.turn_started_at + bot_delay()


@pytest.mark.parametrize("name", ["alice", "bob"])
def test_whoever_comes_back_in_time_lets_the_game_go_on(name: str) -> None:
    game = left_by("alice", "bob")
    now = (game.turn_started_at or NOON) + DAY
    moves.come_back(game_id=game.pk, user_id=person(name).pk, now=now)
    game = newest(game)
    is_hers = game.to_act == seat_of(game, name).number
    assert game.turn_deadline_at == (now + DAY if is_hers else now + bot_delay())
    check_game(game.pk)


def test_a_move_brings_a_player_and_the_game_back() -> None:
    game = left_by("alice", "bob")
    assert game.to_act is not None
    now = (game.turn_started_at or NOON) + DAY
    game = act(game, rules.MakeBid(game.to_act, rules.Bid(9, 6)), now=now)
    assert game.turn_deadline_at == now + bot_delay(), "the other one is still away"
    deadlines.expire_turns(now=now + bot_delay())
    assert newest(game).wake_at != now + bot_delay()


# --- out by time ----------------------------------------------------------------------------------


def test_where_the_table_chose_it_a_time_out_is_the_end(tmp_path: Path) -> None:
    game = run_out(hers(OUT))
    assert game.status == GameStatus.FINISHED
    assert (seat_of(game, "alice").place, seat_of(game, "bob").place) == (2, 1)
    event = Event.objects.get(game=game, kind="resign")
    assert (event.is_auto, event.seat) == (True, seat_of(game, "alice").number)
    page = table_page(game, Viewer(person("bob").pk))
    assert page.last is not None
    story = outcome_story(page.last.outcome, page.names, automatic=page.last.is_auto)
    assert story[0] == "Alice ran out of time and is out of the game."
    assert ">out of time</span>" in text(browser("bob").get(address(game)))
    assert ">left</span>" not in text(browser("bob").get(address(game)))
    status, words = verify(download("bob", game), tmp_path)
    assert status == 0, words


def test_the_mail_says_what_a_time_out_means() -> None:
    for settings, said in ((OUT, "you are out of the game"), (plain(86_400), "automatic move")):
        game = hers(settings)
        row = OutboxMessage.objects.filter(game=game, kind="reminder").latest("pk")
        mail = render(row, now=row.due_at)
        assert mail is not None
        assert said in str(mail.body)


def test_nobody_is_put_out_for_an_absence_that_he_announced() -> None:
    settings = replace(find_clock("standard"), time_out=TimeOut.OUT)
    hers(settings)
    hours.go_away(
        user_id=person("alice").pk, first=at(11, 0).date(), last=at(21, 0).date(), now=at(10, 13)
    )
    game = hers(settings, now=at(11, 12))
    assert game.turn_deadline_at == at(18, 12)
    game = run_out(game)
    assert not seat_of(game, "alice").has_resigned
    assert game.status == GameStatus.ACTIVE


def test_the_choice_is_kept_with_the_game() -> None:
    assert ClockSettings.from_dict(hers(OUT).clock) == OUT

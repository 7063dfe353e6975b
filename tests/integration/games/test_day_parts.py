"""Tables that show parts of the day: no page, mail, feed or deadline tells when somebody moved."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client

from accounts.models import User
from games import rules
from games.clock import find_clock, part_end
from games.mail.render import render
from games.models import Game, Hours, OutboxMessage, Wishes
from games.services import deadlines, lobby, more_time
from tests.cast import NOON, act, give_turn, later, person, player, seat_of
from tests.integration.games.invariants import check_game
from tests.integration.games.mailing import html_of
from tests.integration.games.pages import address, browser, text

pytestmark = pytest.mark.django_db

FEED = "b2" * 13
MOVES = (later(hours=3, minutes=7), later(hours=4, minutes=52))
"""When alice bids: both are on Monday afternoon in UTC, and in the evening in Rome or nearly."""


def opened(*, day_parts: bool = True, clock: str = "standard") -> Game:
    """Return a table of two at which alice is to open."""
    new = lobby.NewGame(
        ruleset=rules.find_ruleset("bga"),
        seats=2,
        clock=find_clock(clock),
        is_private=False,
        day_parts=day_parts,
    )
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    bob = person("bob")
    lobby.join(game_id=game.pk, player=player(bob), now=NOON)
    lobby.set_ready(game_id=game.pk, user_id=bob.pk, is_ready=True, now=NOON)
    game.refresh_from_db()
    give_turn(game, "alice")
    return game


def bid(game: Game, name: str, words: str, *, at: datetime) -> Game:
    action = rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(words))
    return act(game, action, now=at)


def dudo(game: Game, *, at: datetime) -> Game:
    return act(game, rules.Dudo(game.to_act), now=at)


def seen(at: datetime, *, day_parts: bool = True) -> list[tuple[str, str]]:
    """Play two rounds in which all moves are made at ``at``; return all that bob then sees."""
    Game.objects.all().delete()
    OutboxMessage.objects.all().delete()
    game = opened(day_parts=day_parts)
    Wishes.objects.update_or_create(user=person("bob"), defaults={"feed_token": FEED})
    first = bid(game, "alice", "30x6", at=at)
    game = dudo(first, at=at)
    give_turn(game, "alice")
    game = bid(game, "alice", "2x3", at=at)
    views = []
    with time_machine.travel(later(days=0, hours=5), tick=False):
        for row in OutboxMessage.objects.filter(seat__user=person("bob")).order_by("pk"):
            mail = render(row, now=later(hours=5))
            if mail is not None:
                views.append((row.kind, str(mail.body) + html_of(mail)))
        bob = browser("bob")  # after his mails: who is just looking gets none
        for page in ("", "rounds/", "rounds/1/", "time/"):
            views.append((page, text(bob.get(address(game, page)))))
        for page in ("turns.ics", "turns.atom"):
            views.append((page, Client().get(f"/feeds/{FEED}/{page}").content.decode()))
    return views


def times(pages: list[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return every time of day, and every span to the minute, that the pages name, and where."""
    clock_time = re.compile(r"\b\d{1,2}:\d\d(?::\d\d)?\b|T\d{6}Z|\d+ hours? \d+ minutes?")
    return {(name, found) for name, page in pages for found in clock_time.findall(page)}


def test_no_page_mail_or_feed_tells_the_minute_of_a_move() -> None:
    early, late = (times(seen(at)) for at in MOVES)
    assert early == late
    assert early, "deadlines are told"


def test_other_tables_do_tell_it() -> None:
    early, late = (times(seen(at, day_parts=False)) for at in MOVES)
    told = {name for name, _ in early ^ late}
    assert {"", "rounds/", "rounds/1/", "time/", "turn", "turns.ics", "turns.atom"} <= told


def test_the_part_of_the_day_is_the_readers() -> None:
    game = bid(opened(), "alice", "2x3", at=MOVES[0])
    with time_machine.travel(later(hours=5), tick=False):
        for zone, part in (("UTC", "Monday afternoon"), ("Asia/Tokyo", "Tuesday in the small")):
            User.objects.filter(pk=person("bob").pk).update(time_zone=zone)
            assert part in text(browser("bob").get(address(game)))


def test_a_move_of_last_week_has_its_date() -> None:
    game = bid(opened(), "alice", "2x3", at=MOVES[0])
    with time_machine.travel(later(days=9), tick=False):
        assert "4 May, afternoon" in text(browser("mallory").get(address(game)))


@pytest.mark.parametrize("clock", ["standard", "brisk", "day"])
def test_the_deadline_ends_a_part_of_its_players_day_and_is_the_one_that_counts(clock: str) -> None:
    rome = ZoneInfo("Europe/Rome")
    game = opened(clock=clock)
    Hours.objects.update(zone="Europe/Rome")
    game = bid(game, "alice", "30x6", at=MOVES[0])
    ends = game.turn_deadline_at
    assert ends is not None
    assert part_end(ends, rome) == ends
    assert (ends.astimezone(rome).hour % 6, ends.minute, ends.second) == (0, 0, 0)
    other = bid(opened(day_parts=False, clock=clock), "alice", "30x6", at=MOVES[0])
    assert other.turn_deadline_at is not None
    assert timedelta() <= ends - other.turn_deadline_at < timedelta(hours=7)
    deadlines.expire_turns(now=ends)
    game.refresh_from_db()
    assert game.current_round.number == 1, "the last minute of it is still bob's"
    act(game, rules.Dudo(game.to_act), now=ends)
    check_game(game.pk)


def test_an_extension_moves_it_by_whole_parts() -> None:
    game = bid(opened(), "alice", "30x6", at=MOVES[0])
    before = game.turn_deadline_at
    assert before is not None
    more_time.take_extension(
        game_id=game.pk, user_id=person("bob").pk, deadline=before, now=MOVES[1]
    )
    game.refresh_from_db()
    assert game.turn_deadline_at is not None
    assert game.turn_deadline_at > before
    assert game.turn_deadline_at.astimezone(UTC).hour % 6 == 0


def test_a_rematch_keeps_what_its_table_chose() -> None:
    game = opened()
    act(game, rules.Resign(seat_of(game, "bob").number))
    game.refresh_from_db()
    again = lobby.rematch(game=game, player=player(person("alice")), now=NOON)
    assert again.day_parts

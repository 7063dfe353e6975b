"""What a table, a lobby and a mail say of the time to come, and what they keep to themselves."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from games import rules
from games.models import Conduct, Game, OutboxKind, Seat
from games.selectors.forecast import Prospect, outlook
from games.selectors.table import Viewer, table_page
from games.services import orders
from tests.cast import NOON, act, eliminate, give_turn, later, person, seat_of, table
from tests.integration.games.mailing import html_of, sent_mail
from tests.integration.games.pages import address, browser, live_table, text
from tests.integration.games.test_places import room

pytestmark = pytest.mark.django_db

HOUR = 3600
FOUR = ("alice", "bob", "carol", "dora")
NEXT, END = "Your next turn: probably", "The game"


def known(*names: str, hours: float = 3, answers: int = 20) -> None:
    """Let players be known for taking about so many hours a turn."""
    low, median, high = (round(hours * part * HOUR) for part in (0.7, 1, 1.3))
    for name in names:
        Conduct.objects.update_or_create(
            user=person(name),
            defaults={
                "known": answers,
                "low": low,
                "median": median,
                "high": high,
                "counted_at": NOON,
            },
        )


def told(game: Game, name: str = "") -> list[str]:
    """Return what the table's page says of the time to come."""
    html = text(browser(name).get(address(game)))
    return re.findall(r">((?:Your next turn|The game ends|The game probably)[^<]*)</p>", html)


def behind(game: Game, count: int) -> str:
    """Return who moves as the ``count``-th after the seat to move."""
    seats = game.seats.count()
    number = (game.to_act + count) % seats
    found = Seat.objects.select_related("user").get(game=game, number=number)
    return str(found.user.email).partition("@")[0]


def prospect(game: Game, name: str, *, hours: float = 0) -> Prospect:
    page = table_page(Game.objects.get(pk=game.pk), Viewer(person(name).pk))
    assert page.outlook is not None
    return page.outlook.at(later(hours=hours))


def test_the_table_says_when_my_turn_comes_and_when_the_game_ends() -> None:
    known(*FOUR)
    game = live_table(*FOUR)
    lines = told(game, behind(game, 2))
    assert len(lines) == 2
    assert lines[0].startswith(NEXT)
    assert lines[1].startswith("The game ends about")


def test_who_is_to_move_and_who_is_out_hear_of_the_end_alone() -> None:
    known(*FOUR)
    game = live_table(*FOUR)
    out = behind(game, 3)
    eliminate(game, out)
    for name in (behind(game, 0), out, "mallory"):
        Game.objects.filter(pk=game.pk).update(is_private=False)
        assert [line.split()[0] for line in told(game, name)] == ["The"]


@pytest.mark.parametrize("answers", [0, 7])
def test_nothing_is_said_from_too_little_data(answers: int) -> None:
    known("alice", "bob", "carol")
    game = live_table("alice", "bob", "carol")
    known(behind(game, 0), answers=answers)
    for count in (1, 2):
        assert told(game, behind(game, count)) == []


def test_a_bot_and_an_absent_seat_take_no_time() -> None:
    known("alice", "bob", "carol")
    game = table(("alice", "bob", "carol"), bots=1)
    give_turn(game, "alice")
    before = prospect(game, "carol").end
    Seat.objects.filter(pk=seat_of(game, "bob").pk).update(is_absent=True, absent_since=NOON)
    after = prospect(game, "carol").end
    assert after.latest < before.latest


def test_a_turn_that_has_been_waited_for_comes_sooner() -> None:
    known("alice", "bob")
    game = table()
    give_turn(game, "alice")
    start = prospect(game, "bob").next_turn
    waited = prospect(game, "bob", hours=2).next_turn
    assert waited.earliest - later(hours=2) < start.earliest - NOON
    assert start.earliest <= later(hours=3) <= start.latest


def test_a_player_sleeps_in_a_forecast_also_where_the_clock_runs_at_night() -> None:
    known("alice", "bob", hours=9)
    game = table(turn_seconds=86_400)  # a plain clock
    give_turn(game, "alice")
    ahead = prospect(game, "bob").next_turn
    assert ahead.latest - NOON > timedelta(hours=9 * 1.3 + 8)


def test_a_table_that_hides_dice_tells_no_end_by_which_they_could_be_counted() -> None:
    known("alice", "bob", "carol")
    game = table(("alice", "bob", "carol"))
    game.ruleset = {**game.ruleset, "dice_counts": "hidden"}
    game.save(update_fields=["ruleset"])
    for name in ("alice", "bob", "carol"):
        assert prospect(game, name).end is None


def test_nobody_is_promised_a_turn_while_the_table_stands_still() -> None:
    known("alice", "bob")
    game = table()
    game.seats.update(is_absent=True, absent_since=NOON)
    assert table_page(Game.objects.get(pk=game.pk), Viewer(person("alice").pk)).outlook is None


def test_a_rivals_order_is_in_no_forecast() -> None:
    known(*FOUR)
    game = live_table(*FOUR)
    give_turn(game, "alice")
    watcher = behind(game, 3)
    without = told(game, watcher), table_page(game, Viewer(person(watcher).pk)).outlook
    for number in (1, 2):
        orders.leave(
            game_id=game.pk,
            user_id=person(behind(game, number)).pk,
            text="least",
            waits=False,
            round_number=1,
            now=timezone.now(),
        )
    assert (told(game, watcher), table_page(game, Viewer(person(watcher).pk)).outlook) == without
    assert without[0]


def test_the_mail_at_the_end_of_a_round_says_when_my_turn_comes() -> None:
    known("alice", "bob", "carol")
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("30x6")))
    game = act(game, rules.Dudo(game.to_act))
    listener = behind(game, 2)
    mail = sent_mail(game, OutboxKind.ROUND_OVER, listener)
    for part in (str(mail.body), html_of(mail)):
        assert NEXT in part
        assert "The game ends about" in part
    Conduct.objects.update(known=3)
    assert NEXT not in str(sent_mail(game, OutboxKind.ROUND_OVER, listener).body)


def test_the_lobby_says_how_long_a_table_is_likely_to_take() -> None:
    game = room(seats=4)
    assert "is likely to take" not in text(browser().get("/lobby/"))
    known(*(f"player{number}" for number in range(5)), hours=4)
    for page in ("/lobby/", address(game)):
        assert "A game here is likely to take" in text(browser().get(page))


def test_an_outlook_of_a_table_before_its_roll_is_none() -> None:
    game = table()
    assert outlook(game, [], None, 0) is None

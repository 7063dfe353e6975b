"""A table's clock in a real game: base, bank, bonus and night, as the deadline shows them."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from games import rules
from games.clock import ClockSettings, find_clock, plain
from games.models import Game, Hours, Seat
from games.services import deadlines, lobby
from games.services.errors import TurnExpired
from tests.cast import act, give_turn, person, player, seat_of

pytestmark = pytest.mark.django_db

ROME = ZoneInfo("Europe/Rome")
NOON = datetime(2026, 6, 10, 12, tzinfo=ROME)
HOUR = timedelta(hours=1)


def table(
    settings: ClockSettings, *, ruleset: rules.Ruleset | None = None, now: datetime = NOON
) -> Game:
    """Return a game under way since noon in Rome, where alice and bob live; alice is to move."""
    for name in ("alice", "bob"):
        person(name, time_zone="Europe/Rome")
    new = lobby.NewGame(ruleset=ruleset or rules.find_ruleset("bga"), seats=2, clock=settings)
    game = lobby.create_game(host=player(person("alice")), new=new, now=now)
    lobby.join(game_id=game.pk, player=player(person("bob")), now=now)
    lobby.set_ready(game_id=game.pk, user_id=person("bob").pk, is_ready=True, now=now)
    game.refresh_from_db()
    give_turn(game, "alice")
    return Game.objects.select_related("current_round").get(pk=game.pk)


def bid(game: Game, name: str, said: str, *, at: datetime) -> Game:
    return act(game, rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(said)), now=at)


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 6, day, hour, minute, tzinfo=ROME)


def test_the_clock_stands_still_in_the_night_of_whoever_is_to_move() -> None:
    game = table(find_clock("standard"))
    # 10.5 h until 22:30, then 15 h a day from 7:30 on: 24 h a turn and 48 h of bank are 72 h.
    assert game.turn_deadline_at == at(15, 9)
    assert (game.turn_base, seat_of(game, "alice").bank) == (24 * HOUR, 48 * HOUR)


def test_a_player_in_another_zone_has_another_deadline() -> None:
    person("bob", time_zone="America/Los_Angeles")
    west = ZoneInfo("America/Los_Angeles")
    game = bid(table(find_clock("brisk")), "alice", "2x3", at=at(10, 13))
    # 4:00 in Los Angeles: bob sleeps until 7:30, then 15 h, 15 h and 6 h of his 36 h.
    assert game.turn_deadline_at == datetime(2026, 6, 12, 13, 30, tzinfo=west)


def test_what_is_left_of_a_turn_lapses_and_a_move_in_time_adds_to_the_bank() -> None:
    game = table(find_clock("standard"))
    Seat.objects.filter(game=game).update(bank=10 * HOUR)
    game = bid(game, "alice", "2x3", at=at(10, 20))
    assert seat_of(game, "alice").bank == 14 * HOUR


def test_the_bank_runs_when_the_turn_is_used_up_and_never_grows_above_its_cap() -> None:
    game = table(find_clock("standard"))
    # 10.5 h on the 10th and 13.5 h on the 11th are the turn; until 10:00 on the 12th 4 h of bank.
    game = bid(game, "alice", "2x3", at=at(12, 10))
    assert seat_of(game, "alice").bank == 48 * HOUR
    game = table(find_clock("standard"))
    game = bid(game, "alice", "2x3", at=at(13, 10))
    assert seat_of(game, "alice").bank == (48 - 19 + 4) * HOUR


def test_a_move_after_the_deadline_is_refused_and_the_clock_takes_the_whole_bank() -> None:
    game = table(find_clock("standard"))
    late = game.turn_deadline_at + timedelta(seconds=1)
    with pytest.raises(TurnExpired):
        bid(game, "alice", "2x3", at=late)
    assert deadlines.expire_turns(now=late) == 0, "what arrived in time may still be on its way"
    assert deadlines.expire_turns(now=late + timedelta(seconds=30)) == 1
    assert seat_of(game, "alice").bank == timedelta()
    assert seat_of(game, "bob").bank == 48 * HOUR


def test_a_move_at_the_very_deadline_counts() -> None:
    game = table(find_clock("standard"))
    game = bid(game, "alice", "2x3", at=game.turn_deadline_at)
    assert seat_of(game, "alice").bank == 4 * HOUR


def test_a_calza_out_of_turn_costs_the_seat_on_turn_what_ran_and_brings_nothing() -> None:
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    for name in ("alice", "bob", "carol"):
        person(name, time_zone="Europe/Rome")
    settings = find_clock("standard")
    new = lobby.NewGame(ruleset=ruleset, seats=3, clock=settings)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    for name in ("bob", "carol"):
        lobby.join(game_id=game.pk, player=player(person(name)), now=NOON)
        lobby.set_ready(game_id=game.pk, user_id=person(name).pk, is_ready=True, now=NOON)
    game.refresh_from_db()
    give_turn(game, "alice")
    game = bid(game, "alice", "2x3", at=NOON)
    on_turn = Seat.objects.get(game=game, number=game.to_act)
    caller = Seat.objects.exclude(pk__in=[on_turn.pk, seat_of(game, "alice").pk]).get(game=game)
    act(game, rules.Calza(caller.number), now=at(12, 10))
    on_turn.refresh_from_db()
    caller.refresh_from_db()
    assert (on_turn.bank, caller.bank) == (44 * HOUR, 48 * HOUR)


def test_a_fixed_time_knows_no_night() -> None:
    game = table(plain(86_400))
    assert game.turn_deadline_at == NOON + timedelta(days=1)
    assert Hours.objects.get(user=person("alice")).zone == "Europe/Rome"


def test_hours_are_given_once_and_stay() -> None:
    table(find_clock("standard"))
    Hours.objects.filter(user=person("alice")).update(night=None)
    table(find_clock("standard"))
    assert Hours.objects.get(user=person("alice")).night is None

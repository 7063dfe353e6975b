"""Somebody takes over a seat that nobody holds any more: from the next roll on, as a new player."""

from datetime import timedelta

import pytest

from games import rules, timing
from games.clock import Question, find_clock
from games.models import Game, GameStatus, Hours, Seat, Tenure
from games.selectors import games_of
from games.selectors.hours import count_days
from games.selectors.orders import past_answers
from games.services import (
    deadlines,
    hours,
    moves,
    takeovers,
    tenures,
    voting,
)
from games.services.commit import bot_delay
from games.services.waking import GRACE
from tests import drand
from tests.cast import (
    NOON,
    act,
    eliminate,
    give_turn,
    later,
    person,
    seat_of,
    set_dice,
    table,
)
from tests.integration.games.beacons import kinds, relay, sweep
from tests.integration.games.handing import (
    WEEK,
    claim,
    end_round,
    handed_over,
    pending,
    play_for,
    refused,
    retire,
    vacant,
    with_clock,
)
from tests.integration.games.invariants import check_game
from tests.integration.games.test_abandoned import left_by, newest

__all__ = ["relay"]

pytestmark = pytest.mark.django_db

THREE = ("alice", "bob", "carol")


def test_a_seat_is_taken_over_at_the_next_roll_with_everything_that_a_new_player_has() -> None:
    game = table(THREE)
    carol = seat_of(game, "carol")
    alice = seat_of(game, "alice")
    Seat.objects.filter(pk=carol.pk).update(
        tokens_used=2, token_turns=[1, 2], gave_to=[alice.number], seen_version=2, seen_at=NOON,
        is_muted=True, nudged_at=NOON, takes_replies=False, mail_fails=True, addresses_renewed=3,
    )  # fmt: skip
    Seat.objects.filter(pk=alice.pk).update(gave_to=[carol.number, 9])
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    seat.refresh_from_db()
    assert (seat.user_id, seat.heir, seat.held_from) == (None, person("dave"), 0)
    now = later(hours=1)
    game = end_round(game, "bob", now=now)
    seat.refresh_from_db()
    assert (seat.user, seat.heir, seat.retired_at) == (person("dave"), None, None)
    assert (seat.held_from, seat.joined_at, seat.number) == (2, now, carol.number)
    for name, value in tenures._OF_ITS_PLAYER.items():
        assert getattr(seat, name) == value, name
    alice.refresh_from_db()
    assert alice.gave_to == [9]
    assert Tenure.objects.get().to_round == 1
    check_game(game.pk)


SEATS_OWN = {
    *("id", "game", "number", "is_ready", "dice", "palifico_done", "place", "has_resigned"),
    *("user", "bot", "name", "joined_at", "bank", "held_from", "retired_at", "heir", "heir_bot"),
}
"""What stays with the seat, or is written by name when it changes hands."""


def test_every_field_of_a_seat_is_either_its_own_or_its_players() -> None:
    """A new one has to be told what becomes of it when somebody else sits down."""
    fields = {field.name for field in Seat._meta.concrete_fields}
    assert fields == SEATS_OWN | tenures._OF_ITS_PLAYER.keys()


def test_the_hours_and_the_clock_are_the_new_players() -> None:
    person("dave", time_zone="Pacific/Apia")
    hours.ensure(person("dave").pk)
    game = with_clock("standard")
    Seat.objects.filter(pk=seat_of(game, "carol").pk).update(bank=timedelta())
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")))
    game = act(game, rules.Dudo(game.to_act))
    assert game.to_act == seat.number
    seat = seat_of(game, "dave")
    assert seat.bank == find_clock("standard").bank
    _, seats = moves.lock(game.pk)
    found = seats[seat.number]
    assert found.hours is not None
    assert found.hours.zone == "Pacific/Apia"
    at_home = found.hours
    found.hours = None
    assert game.turn_deadline_at != timing.deadline_for(game, found)
    found.hours = at_home
    assert game.turn_deadline_at == timing.deadline_for(game, found), "by his own nights"


def test_the_new_player_who_opens_has_his_full_time_and_is_asked_for_his_bid() -> None:
    game = table(THREE)
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")))
    game = act(game, rules.Dudo(game.to_act))
    assert game.to_act == seat.number, "who loses a die opens"
    assert (game.turn_deadline_at, pending("turn")) == (NOON + timedelta(days=1), ["Dave"])


def test_the_new_player_who_does_not_open_hears_how_the_round_ended() -> None:
    handed_over(table(THREE), "carol", "dave")
    assert pending("turn") == ["Alice"]
    assert pending("round_over") == ["Bob", "Dave"]


def test_only_one_is_promised_a_seat_and_asking_twice_is_asking_once() -> None:
    game = table(THREE)
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    claim(game, "dave", seat)
    refused("takeover.taken", claim, game=game, name="erin", seat=seat)
    game = end_round(game, "bob")
    claim(game, "dave", seat)
    assert seat_of(game, "dave").pk == seat.pk
    assert Game.objects.get(pk=game.pk).handovers == 2


def test_who_sits_or_sat_in_the_game_takes_no_seat_over() -> None:
    game = table(("alice", "bob", "carol", "dave"))
    eliminate(game, "dave")
    seat = retire(game, "carol")
    for name, code in (("alice", "seated"), ("dave", "seated"), ("carol", "former")):
        refused(f"takeover.{code}", claim, game=game, name=name, seat=seat)
    other = retire(game, "bob")
    claim(game, "erin", seat)
    refused("takeover.seated", claim, game=game, name="erin", seat=other)


def test_a_seat_that_somebody_holds_is_not_taken_over() -> None:
    game = table(THREE)
    refused("takeover.taken", claim, game=game, name="dave", seat=seat_of(game, "carol"))
    retire(game, "carol")
    act(game, rules.Resign(seat_of(game, "bob").number))
    act(game, rules.Resign(seat_of(game, "alice").number))
    refused("takeover.over", claim, game=game, name="dave", seat=vacant(game, "carol"))


def test_whoever_thinks_better_of_it_gives_the_seat_back_before_the_roll() -> None:
    game = table(THREE)
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    who = {"game_id": game.pk, "user_id": person("dave").pk}
    takeovers.withdraw(**who)
    takeovers.withdraw(**who)
    claim(game, "erin", seat)
    end_round(game, "bob")
    refused("takeover.begun", takeovers.withdraw, game_id=game.pk, user_id=person("erin").pk)


def test_whose_seat_goes_out_or_whose_game_ends_before_he_begins_is_told() -> None:
    game = table(THREE)
    set_dice(game, carol=1)
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("11x4")))
    game = act(game, rules.Dudo(game.to_act))
    seat.refresh_from_db()
    assert (seat.dice, seat.heir, seat.user) == (0, None, None)
    assert pending("too_late") == ["Dave"]

    other = table(("erin", "frank", "gina"))
    promised = retire(other, "gina")
    claim(other, "hugo", promised)
    voting.propose(game_id=other.pk, user_id=person("erin").pk, question=Question.CANCEL, now=NOON)
    voting.cast(
        game_id=other.pk, user_id=person("frank").pk, question=Question.CANCEL, aye=True, now=NOON
    )
    assert newest(other).status == GameStatus.CANCELLED
    assert "Hugo" in pending("too_late")


def test_a_table_that_stood_still_goes_on_when_somebody_is_to_take_over() -> None:
    game = left_by("alice", "bob")
    last = max(seat.absent_since for seat in game.seats.all() if seat.absent_since)
    seat = seat_of(game, "alice")
    Seat.objects.filter(pk=seat.pk).update(absent_since=last - WEEK)
    Game.objects.filter(pk=game.pk).update(wake_at=last)
    now = last + GRACE
    deadlines.expire_turns(now=now)
    claim(game, "carol", seat, now=now)
    game = newest(game)
    assert game.wake_at == now + bot_delay()
    for _ in range(200):
        game = newest(game)
        if seat_of_or_none(game, "carol") or game.status != GameStatus.ACTIVE:
            break
        deadlines.expire_turns(now=game.wake_at)
    assert seat_of_or_none(game, "carol") is not None
    check_game(game.pk)


def seat_of_or_none(game: Game, name: str) -> Seat | None:
    return Seat.objects.filter(game=game, user__email=f"{name}@example.org").first()


def test_a_seat_may_change_hands_twice() -> None:
    game = handed_over(table(THREE), "carol", "dave")
    seat = seat_of(game, "dave")
    retire(game, "dave")
    claim(game, "erin", seat)
    game = end_round(game, "bob")
    rows = Tenure.objects.order_by("pk").values_list("user__display_name", "from_round", "to_round")
    assert list(rows) == [("Carol", 1, 1), ("Dave", 2, 2)]
    assert seat_of(game, "erin").held_from == 3
    refused("takeover.seated", claim, game=game, name="erin", seat=seat_of(game, "bob"))
    check_game(game.pk)


def test_where_rolls_wait_for_the_beacon_the_new_player_begins_with_the_roll(
    relay: drand.Relay,
) -> None:
    game = table(THREE)
    now = sweep(game)
    seat = retire(game, "carol", now=now)
    claim(game, "dave", seat, now=now)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")), now=now)
    act(game, rules.Dudo(game.to_act), now=now)
    seat.refresh_from_db()
    assert (kinds(game)[-1], seat.heir, seat.user) == ("intent", person("dave"), None)
    takeovers.withdraw(game_id=game.pk, user_id=person("dave").pk)
    claim(game, "erin", seat, now=now)
    sweep(game)
    seat.refresh_from_db()
    assert (kinds(game)[-1], seat.user, seat.held_from) == ("seal", person("erin"), 2)
    assert pending("turn") == ["Erin"]
    check_game(game.pk)


def test_what_was_done_on_the_seat_before_is_not_the_new_players() -> None:
    game = table(THREE)
    give_turn(game, "carol")
    game = act(game, rules.MakeBid(seat_of(game, "carol").number, rules.Bid.parse("1x2")))
    game = handed_over(game, "carol", "dave")
    give_turn(game, "dave")
    number = seat_of(game, "dave").number
    act(game, rules.MakeBid(number, rules.Bid.parse("1x3")), now=later(hours=1))
    [hers], [his] = (games_of(person(name).pk) for name in ("carol", "dave"))
    assert [(each["round"], each["bid"]) for each in hers["moves"]] == [(1, "1x2")]
    assert [(each["round"], each["bid"]) for each in his["moves"]] == [(2, "1x3")]
    assert (hers["place"], hers["retired_at"]) == (3, NOON.isoformat())
    assert (his["place"], his["retired_at"]) == (None, None)
    assert len(past_answers(person("dave").pk)) == 1
    for name in ("carol", "dave"):
        own = Hours.objects.get(user=person(name))
        count_days(own, now=later(days=2))
        assert own.days_played == 1, "a day on which either has played"

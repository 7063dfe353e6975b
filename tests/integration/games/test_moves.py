"""Moves through the one door, on both databases."""

import random

import pytest

from games import rules, store
from games.models import Bid, Event, Game, GameStatus, OutboxMessage, Round, Seat
from games.rules.record import replay
from games.selectors import record_of
from games.services import deadlines, moves
from games.services.errors import StaleMove, TurnExpired
from tests.cast import NOON, act, cups, give_turn, later, seat_of, table

pytestmark = pytest.mark.django_db


def bid(game: Game, name: str, text: str) -> rules.MakeBid:
    return rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text))


def test_a_bid_passes_the_turn_and_is_logged() -> None:
    game = table()
    give_turn(game, "alice")
    game = act(game, bid(game, "alice", "3x4"))
    assert game.to_act == seat_of(game, "bob").number
    assert game.turn_deadline_at == later(days=1)
    assert str(Bid.objects.get()) == "3x4"
    event = Event.objects.get(game=game, seq=game.version)
    assert event.kind == "bid"
    assert event.payload == {"bid": "3x4", "seat": event.seat, "auto": False}


def test_play_refuses_a_bid_out_of_turn() -> None:
    game = table()
    give_turn(game, "alice")
    with pytest.raises(rules.RuleViolation, match="not your turn"):
        act(game, bid(game, "bob", "3x4"))
    assert not Bid.objects.exists()


def test_dudo_closes_the_round_and_the_loser_opens() -> None:
    game = table()
    give_turn(game, "alice")
    game = act(game, bid(game, "alice", "20x4"))
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    first = Round.objects.get(game=game, number=1)
    assert first.result["loser"] == seat_of(game, "alice").number
    assert seat_of(game, "alice").dice == 4
    assert game.current_round.number == 2
    assert game.current_round.counts[seat_of(game, "alice").number] == 4
    assert game.to_act == seat_of(game, "alice").number
    assert game.bids_made == 0


def test_a_move_that_answers_an_old_position_is_refused() -> None:
    game = table()
    give_turn(game, "alice")
    act(game, bid(game, "alice", "3x4"))
    with pytest.raises(StaleMove) as refused:
        moves.play(
            game_id=game.pk,
            action=rules.Dudo(seat_of(game, "bob").number),
            expected_version=game.version,
            now=NOON,
        )
    assert refused.value.version == game.version + 1


def test_the_same_move_sent_twice_is_played_once() -> None:
    game = table()
    give_turn(game, "alice")
    move = {"game_id": game.pk, "action": bid(game, "alice", "3x4"), "expected_version": 2}
    first = moves.play(**move, now=NOON, idem_key="k1")
    second = moves.play(**move, now=NOON, idem_key="k1")
    assert (first.repeated, second.repeated) == (False, True)
    assert Bid.objects.count() == 1


def test_another_move_under_the_same_key_is_stale() -> None:
    game = table()
    give_turn(game, "alice")
    first = bid(game, "alice", "3x4")
    moves.play(game_id=game.pk, action=first, expected_version=2, now=NOON, idem_key="k1")
    for other in (bid(game, "alice", "3x5"), rules.Dudo(first.seat)):
        with pytest.raises(StaleMove):
            moves.play(game_id=game.pk, action=other, expected_version=2, now=NOON, idem_key="k1")
    assert str(Bid.objects.get()) == "3x4"


def test_a_call_that_was_sent_twice_is_played_once() -> None:
    game = table()
    give_turn(game, "alice")
    game = act(game, bid(game, "alice", "20x4"))
    call = rules.Dudo(seat_of(game, "bob").number)
    for repeated in (False, True):
        played = moves.play(
            game_id=game.pk, action=call, expected_version=3, now=NOON, idem_key="k2"
        )
        assert (played.version, played.repeated) == (5, repeated)


def test_whoever_is_out_has_nothing_to_resign() -> None:
    game = table(("alice", "bob", "carol"))
    for name, code in (("alice", ""), ("alice", "seat.out"), ("bob", ""), ("carol", "game.over")):
        if not code:
            moves.resign(game_id=game.pk, user_id=seat_of(game, name).user_id, now=NOON)
            continue
        with pytest.raises(rules.RuleViolation) as refused:
            moves.resign(game_id=game.pk, user_id=seat_of(game, name).user_id, now=NOON)
        assert refused.value.code == code
    with pytest.raises(rules.RuleViolation):
        moves.resign(game_id=table().pk, user_id=0, now=NOON)


def test_a_move_after_the_deadline_is_refused() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    with pytest.raises(TurnExpired):
        act(game, bid(game, "alice", "3x4"), now=later(hours=1, seconds=1))


def test_a_move_that_arrived_in_time_counts_however_late_it_is_processed() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    assert act(game, bid(game, "alice", "3x4"), now=later(minutes=59)).version == 3


def test_the_clock_waits_for_the_grace_and_then_plays_the_declared_move() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    assert deadlines.expire_turns(now=later(hours=1, seconds=29)) == 0
    assert deadlines.expire_turns(now=later(hours=1, seconds=31)) == 1
    assert Bid.objects.get().is_auto
    assert seat_of(game, "alice").missed_in_a_row == 1
    assert deadlines.expire_turns(now=later(hours=1, seconds=31)) == 0


def test_two_misses_make_the_seat_absent_and_playing_brings_it_back() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    Seat.objects.filter(pk=seat_of(game, "alice").pk).update(missed_in_a_row=1)
    deadlines.expire_turns(now=later(hours=2))
    assert seat_of(game, "alice").is_absent
    absent = OutboxMessage.objects.filter(kind="absent")
    assert [message.seat_id for message in absent] == [seat_of(game, "alice").pk]
    game = act(game, rules.Dudo(seat_of(game, "bob").number), now=later(hours=2))
    if game.to_act == seat_of(game, "alice").number:
        assert game.turn_deadline_at - game.turn_started_at < later(seconds=60) - NOON
    moves.come_back(game_id=game.pk, user_id=seat_of(game, "alice").user_id, now=later(hours=3))
    assert not seat_of(game, "alice").is_absent


def test_coming_back_gives_the_full_time_again() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    Seat.objects.filter(pk=seat_of(game, "alice").pk).update(is_absent=True, missed_in_a_row=2)
    moves.come_back(game_id=game.pk, user_id=seat_of(game, "alice").user_id, now=later(hours=3))
    game.refresh_from_db()
    assert game.turn_deadline_at == later(hours=4)


@pytest.mark.parametrize("preset", ["piatnik", "bga", "asmodee", "wikipedia"])
def test_a_whole_game_ends_with_a_winner_and_its_record_replays(preset: str) -> None:
    game = table(("alice", "bob", "carol"), ruleset=rules.find_ruleset(preset))
    chance = random.Random(preset)
    for _ in range(400):
        if game.status != GameStatus.ACTIVE:
            break
        game = Game.objects.select_related("current_round").get(pk=game.pk)
        state = store.load_state(
            game, list(Seat.objects.filter(game=game).order_by("number")), with_dice=True
        )
        view = rules.view_for(state, game.to_act)
        if view.may_dudo and chance.random() < 0.4:
            game = act(game, rules.Dudo(game.to_act))
        else:
            choice = chance.choice(list(view.legal_raises(view.least_raises[0].quantity + 1)))
            game = act(game, rules.MakeBid(game.to_act, choice))
    assert game.status == GameStatus.FINISHED
    assert sorted(Seat.objects.filter(game=game).values_list("place", flat=True)) == [1, 2, 3]
    assert not replay(record_of(game))
    assert Event.objects.filter(game=game).count() == game.version + 1


def test_bots_play_a_whole_game_by_the_sweep() -> None:
    game = table(("alice",), bots=2)
    moves.play(
        game_id=game.pk,
        action=rules.Resign(seat_of(game, "alice").number),
        expected_version=game.version,
        now=NOON,
    )
    for step in range(1, 400):
        if not deadlines.expire_turns(now=later(minutes=step)):
            break
    game.refresh_from_db()
    assert game.status == GameStatus.FINISHED
    assert seat_of(game, "alice").place == 3


def test_dice_of_the_next_round_are_new() -> None:
    game = table()
    before = cups(game)
    give_turn(game, "alice")
    game = act(game, bid(game, "alice", "20x4"))
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    assert [len(cup) for cup in cups(game)] != [len(cup) for cup in before]


def test_a_fault_in_one_game_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    broken, sound = table(turn_seconds=3600), table(turn_seconds=3600)
    real = store.load_state

    def fail(game: Game, *args: object, **kwargs: object) -> rules.GameState:
        if game.pk == broken.pk:
            raise KeyError("poison")
        return real(game, *args, **kwargs)

    monkeypatch.setattr(store, "load_state", fail)
    assert deadlines.expire_turns(now=later(hours=2)) == 1
    broken.refresh_from_db()
    sound.refresh_from_db()
    assert (broken.version, sound.version) == (2, 3)
    assert broken.wake_at > later(hours=2)

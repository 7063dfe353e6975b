"""A beacon that is silent for a day: the table decides, and what it decides is on record."""

import pytest

from games import fairness, rules, store
from games.models import Event, Game, Seat
from games.services import deadlines, moves, rolling
from games.services.errors import StaleMove
from tests import drand
from tests.cast import NOON, cups, eliminate, later, person, table
from tests.integration.games.beacons import A_DAY, current, kinds, relay, sweep
from tests.integration.games.invariants import check_game, snapshot
from tests.integration.games.test_crashes import survive

__all__ = ["relay"]

pytestmark = pytest.mark.django_db

TOMORROW = NOON + A_DAY


@pytest.fixture
def stuck(relay: drand.Relay) -> Game:
    """A game of alice, bob and carol whose first roll has waited for a day."""
    relay.trouble = "away"
    game = table(("alice", "bob", "carol"))
    sweep(game)
    return game


def vote(game: Game, name: str, *, now: object = TOMORROW) -> bool:
    return rolling.vote(game_id=game.pk, user_id=person(name).pk, now=now)


def test_the_vote_of_more_than_half_rolls_without_the_beacon(stuck: Game) -> None:
    assert not vote(stuck, "alice")
    assert kinds(stuck)[-1] == "intent"
    assert vote(stuck, "bob")
    assert kinds(stuck)[-3:] == ["intent", "fallback", "seal"]
    stuck.refresh_from_db()
    assert stuck.turn_started_at == TOMORROW
    told = Event.objects.get(game=stuck, kind="fallback").payload
    assert told == {"round": 1, "epoch": 0}
    sealed = Event.objects.get(game=stuck, kind="seal").payload
    assert (sealed["chain"], sealed["beacon_round"], sealed["beacon"]) == ("none", 0, "00" * 32)
    assert "signature" not in sealed
    check_game(stuck.pk)


def test_what_is_rolled_without_the_beacon_follows_from_the_seed_alone(stuck: Game) -> None:
    vote(stuck, "alice")
    vote(stuck, "bob")
    key = fairness.game_key(
        seed=bytes.fromhex(store.open_dice(stuck).open_seed()),
        gid=bytes.fromhex(stuck.gid),
        rules=fairness.rules_digest(store.rules_text(stuck)),
        contributions=[fairness.Contribution()] * 3,
    )
    of_round = fairness.round_key(key, gid=bytes.fromhex(stuck.gid), number=1)
    assert cups(stuck)[0] == fairness.cup_dice(fairness.cup_key(of_round, 0), 5)


def test_one_player_votes_once(stuck: Game) -> None:
    for _ in range(3):
        assert not vote(stuck, "alice")
    assert current(stuck).fallback_votes == [stuck.seats.get(user=person("alice")).number]


def test_half_is_not_enough(relay: drand.Relay) -> None:
    relay.trouble = "away"
    game = table(("alice", "bob"))
    assert not vote(game, "alice")
    assert vote(game, "bob")


def test_bots_and_those_who_are_out_have_no_say(relay: drand.Relay) -> None:
    relay.trouble = "away"
    game = table(("alice", "bob", "carol"), bots=2)
    eliminate(game, "carol")
    with pytest.raises(rules.RuleViolation, match="out of the game"):
        vote(game, "carol")
    assert not vote(game, "alice")
    assert vote(game, "bob")


def test_whoever_leaves_takes_his_vote_along(stuck: Game) -> None:
    vote(stuck, "alice")
    moves.resign(game_id=stuck.pk, user_id=person("alice").pk, now=TOMORROW)
    # It is another round now, and it has not waited yet.
    assert current(stuck).fallback_votes is None
    with pytest.raises(StaleMove):
        vote(stuck, "bob")


def test_nobody_votes_before_a_day_has_passed(stuck: Game) -> None:
    before = snapshot()
    with pytest.raises(StaleMove):
        vote(stuck, "alice", now=later(hours=23, minutes=59))
    assert snapshot() == before


def test_strangers_have_no_vote(stuck: Game) -> None:
    before = snapshot()
    with pytest.raises(rules.RuleViolation, match="no such seat"):
        vote(stuck, "mallory")
    assert snapshot() == before


def test_the_beacons_value_is_taken_if_it_comes_first(stuck: Game, relay: drand.Relay) -> None:
    vote(stuck, "alice")
    relay.trouble = ""
    deadlines.expire_turns(now=TOMORROW)
    assert kinds(stuck)[-2:] == ["intent", "seal"]
    assert Event.objects.get(game=stuck, kind="seal").payload["chain"] == "quicknet"
    before = snapshot()
    with pytest.raises(StaleMove):
        vote(stuck, "bob")
    assert snapshot() == before


def test_a_value_that_comes_after_the_vote_changes_nothing(stuck: Game, relay: drand.Relay) -> None:
    waited = current(stuck).beacon_round
    vote(stuck, "alice")
    vote(stuck, "bob")
    before = snapshot()
    pulse = fairness.pulse_of(drand.sign(waited), chain="quicknet", number=waited)
    with pytest.raises(StaleMove):
        rolling.roll(game_id=stuck.pk, pulse=pulse, now=TOMORROW)
    assert snapshot() == before


def test_the_next_round_waits_for_the_beacon_again(stuck: Game, relay: drand.Relay) -> None:
    vote(stuck, "alice")
    vote(stuck, "bob")
    number = stuck.seats.get(user=person("carol")).number
    moves.resign(game_id=stuck.pk, user_id=person("carol").pk, now=TOMORROW)
    assert Seat.objects.get(game=stuck, number=number).dice == 0
    assert kinds(stuck)[-2:] == ["resign", "intent"]
    relay.trouble = ""
    sweep(stuck)
    assert kinds(stuck)[-1] == "seal"
    assert current(stuck).beacon_signature
    check_game(stuck.pk)


def test_a_vote_that_is_killed_anywhere_counts_once(stuck: Game) -> None:
    vote(stuck, "alice")
    assert survive(lambda: vote(stuck, "bob"), stuck) >= 4
    assert kinds(stuck).count("fallback") == 1

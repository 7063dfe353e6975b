"""A game with a beacon: every roll waits for a value that nobody could know before."""

from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from games import beacon, fairness, queries, rules, store
from games.clock import automatic_move
from games.models import Event, Game, GameStatus, OutboxMessage, Round
from games.services import deadlines, lobby, moves, restore, rolling
from games.services.errors import StaleMove
from tests import drand
from tests.cast import NOON, act, cups, later, person, player, seat_of, table
from tests.integration.games.beacons import current, kinds, play_round, relay, sweep
from tests.integration.games.invariants import check_game, snapshot
from tests.integration.games.test_crashes import survive

__all__ = ["relay"]

pytestmark = pytest.mark.django_db

TROUBLES: list[drand.Trouble] = [
    "away", "forged", "stale", "other-value", "garbage", "redirect", "huge",
]  # fmt: skip


def create_payload(game: Game) -> dict[str, object]:
    payload: dict[str, object] = Event.objects.get(game=game, seq=0).payload
    return payload


def test_a_game_is_bound_to_the_beacon_for_good(relay: drand.Relay, settings: Settings) -> None:
    game = table()
    assert create_payload(game)["chain"] == drand.CHAIN.payload()
    settings.BEACON_URLS = []
    assert create_payload(table())["chain"] == {"name": "none"}
    settings.BEACON_URLS = [relay.url]
    now = sweep(game)
    play_round(game, now=now)
    assert kinds(game)[-1] == "intent"


def test_a_game_that_was_made_without_one_stays_without(
    relay: drand.Relay, settings: Settings
) -> None:
    settings.BEACON_URLS = []
    game = table()
    settings.BEACON_URLS = [relay.url]
    play_round(game, now=NOON)
    assert kinds(game)[-2:] == ["dudo", "seal"]
    assert relay.asked == []


def test_before_the_roll_nobody_moves_no_clock_runs_and_no_mail_goes_out(
    relay: drand.Relay,
) -> None:
    game = table()
    assert kinds(game) == ["create", "start", "intent"]
    assert (game.turn_started_at, game.turn_deadline_at) == (None, None)
    assert not OutboxMessage.objects.filter(game=game).exists()
    assert cups(game) == ((), ())
    before = snapshot()
    for seat in (0, 1):
        for action in (rules.MakeBid(seat, rules.Bid.parse("2x3")), rules.Dudo(seat)):
            with pytest.raises(rules.RuleViolation) as refusal:
                act(game, action)
            assert refusal.value.code == "round.not-rolled"
    assert snapshot() == before
    check_game(game.pk)


def test_the_value_is_named_before_it_is_out(relay: drand.Relay) -> None:
    game = table()
    intent = Event.objects.get(game=game, kind="intent").payload
    number = drand.CHAIN.round_for(int(NOON.timestamp()))
    assert intent == {
        "round": 1,
        "epoch": 0,
        "at": int(NOON.timestamp()),
        "beacon_round": number,
    }
    due = datetime.fromtimestamp(drand.CHAIN.published_at(number), UTC)
    assert NOON + timedelta(seconds=3) < due <= NOON + timedelta(seconds=6)
    assert game.wake_at == due


def test_the_dice_follow_from_the_value(relay: drand.Relay) -> None:
    game = table()
    sweep(game)
    sealed = Event.objects.get(game=game, kind="seal").payload
    number = sealed["beacon_round"]
    signature = drand.sign(number)
    pulse = fairness.pulse_of(signature, chain="quicknet", number=number)
    assert (sealed["chain"], sealed["beacon"]) == ("quicknet", pulse.value.hex())
    assert sealed["signature"] == signature.hex()
    key = fairness.round_key(
        fairness.game_key(
            seed=bytes.fromhex(store.open_dice(game).open_seed()),
            gid=bytes.fromhex(game.gid),
            rules=fairness.rules_digest(store.rules_text(game)),
            contributions=[fairness.Contribution(), fairness.Contribution()],
        ),
        gid=bytes.fromhex(game.gid),
        number=1,
        pulse=pulse,
    )
    assert cups(game) == tuple(fairness.cup_dice(fairness.cup_key(key, seat), 5) for seat in (0, 1))


def test_the_roll_starts_the_clock_and_the_mails(relay: drand.Relay) -> None:
    game = table()
    now = sweep(game, late_by=timedelta(seconds=1))
    assert kinds(game) == ["create", "start", "intent", "seal"]
    assert (game.turn_started_at, current(game).opened_at) == (now, now)
    assert game.turn_deadline_at == now + timedelta(days=1)
    mails = OutboxMessage.objects.filter(game=game).values_list("kind", "version", "seat__number")
    other = 1 - (game.to_act or 0)
    assert set(mails) == {
        ("turn", 3, game.to_act),
        ("started", 3, other),
    }
    check_game(game.pk)


def test_a_round_that_ends_is_told_with_the_next_seal(relay: drand.Relay) -> None:
    game = table(("alice", "bob", "carol"))
    now = sweep(game)
    told = OutboxMessage.objects.filter(game=game, kind="round_over")
    game = play_round(game, now=now)
    assert (current(game).number, kinds(game)[-2:]) == (2, ["dudo", "intent"])
    assert not told.exists()
    sweep(game)
    assert {row.seat.number for row in told} == {0, 1, 2} - {game.to_act}
    assert {(row.version, row.round_number) for row in told} == {(game.version, 1)}


def test_somebody_who_went_out_is_told_with_the_next_seal_too(relay: drand.Relay) -> None:
    one_die = rules.with_start_dice(rules.find_ruleset("bga"), 1)
    game = table(("alice", "bob", "carol"), ruleset=one_die)
    now = sweep(game)
    game = play_round(game, now=now)
    loser = game.seats.get(dice=0)
    sweep(game)
    assert OutboxMessage.objects.filter(game=game, kind="round_over", seat=loser).count() == 1


def play_on(game: Game, *, now: datetime) -> Game:
    """Let a person whose turn it is bid or doubt by hand: nobody is absent at this table."""
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    if game.status != GameStatus.ACTIVE or not current(game).is_rolled:
        return game
    seats = list(game.seats.order_by("number"))
    if seats[game.to_act].bot:
        return game
    state = store.load_state(game, seats, with_dice=True)
    return act(game, automatic_move(rules.view_for(state, game.to_act)), now=now)


@pytest.mark.parametrize("bots", [0, 2])
def test_a_whole_game_is_played_with_the_beacon(relay: drand.Relay, bots: int) -> None:
    ruleset = rules.with_start_dice(rules.find_ruleset("bga"), 2)
    game = table(("alice", "bob"), ruleset=ruleset, bots=bots, turn_seconds=3600)
    for _ in range(300):
        if game.status != GameStatus.ACTIVE:
            break
        game = play_on(game, now=sweep(game))  # the beacon and the bots, then who is to move
        check_game(game.pk)
    assert game.status == GameStatus.FINISHED
    log = kinds(game)
    assert log.count("intent") == log.count("seal") == Round.objects.filter(game=game).count()
    assert log[-1] == "open"
    assert len(set(relay.asked)) == len(relay.asked)


def test_a_value_that_is_late_is_asked_for_again_with_longer_and_longer_pauses(
    relay: drand.Relay,
) -> None:
    game = table()
    due, number = game.wake_at, current(game).beacon_round
    assert due is not None
    relay.newest = number - 1
    waits = []
    for _ in range(12):
        now = sweep(game)
        assert game.wake_at is not None
        waits.append((game.wake_at - now).total_seconds())
    assert kinds(game)[-1] == "intent"
    assert waits[:5] == [2, 2, 4, 8, 16]
    assert max(waits) == 300
    assert set(relay.asked) == {number}
    relay.newest = number
    sweep(game)
    assert kinds(game)[-1] == "seal"
    assert current(game).beacon_signature == drand.sign(number).hex()


@pytest.mark.parametrize("trouble", TROUBLES)
def test_no_value_is_used_that_is_not_the_beacons_own(
    relay: drand.Relay, trouble: drand.Trouble
) -> None:
    game = table()
    relay.trouble = trouble
    sweep(game)
    assert (kinds(game)[-1], game.turn_deadline_at) == ("intent", None)
    assert not current(game).is_rolled
    relay.trouble = ""
    sweep(game)
    assert kinds(game)[-1] == "seal"


def test_a_beacon_that_is_down_holds_up_no_other_game(
    relay: drand.Relay, settings: Settings
) -> None:
    waiting = [table(), table(("alice", "carol"))]
    settings.BEACON_URLS = []
    other = table(("alice", "dave"), turn_seconds=3600)
    settings.BEACON_URLS = [relay.url]
    relay.trouble = "away"
    deadlines.expire_turns(now=later(hours=2))
    other.refresh_from_db()
    assert kinds(other)[-1] == "bid"
    # The second one waits for the same beacon: it is not asked again in this sweep.
    assert len(relay.asked) == 1
    for game in waiting:
        game.refresh_from_db()
        assert game.wake_at == later(hours=2, minutes=5)


def test_what_takes_the_network_comes_last(
    relay: drand.Relay, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    table()
    settings.BEACON_URLS = []
    other = table(("alice", "dave"), turn_seconds=3600)
    settings.BEACON_URLS = [relay.url]
    seen: list[str] = []
    fetch = beacon.fetch

    def watched(chain: fairness.Chain, number: int) -> fairness.Pulse:
        seen.append(kinds(other)[-1])
        return fetch(chain, number)

    monkeypatch.setattr(beacon, "fetch", watched)
    deadlines.expire_turns(now=later(hours=2))
    assert seen == ["bid"]


def test_a_value_of_another_round_is_not_taken(relay: drand.Relay) -> None:
    game = table()
    other = current(game).beacon_round + 1
    pulse = fairness.pulse_of(drand.sign(other), chain="quicknet", number=other)
    with pytest.raises(StaleMove):
        rolling.roll(game_id=game.pk, pulse=pulse, now=later(minutes=1))
    assert kinds(game)[-1] == "intent"


def test_one_answer_serves_all_games_that_wait_for_it(relay: drand.Relay) -> None:
    games = [table(), table(("alice", "carol"))]
    deadlines.expire_turns(now=later(seconds=6))
    assert [kinds(game)[-1] for game in games] == ["seal", "seal"]
    assert len(relay.asked) == 1


def test_a_roll_that_is_killed_anywhere_is_done_once_with_the_same_dice(
    relay: drand.Relay,
) -> None:
    game = table()
    now = game.wake_at
    assert now is not None
    assert survive(lambda: deadlines.expire_turns(now=now), game) >= 4
    assert kinds(game).count("seal") == 1
    number = current(game).beacon_round
    assert current(game).beacon_signature == drand.sign(number).hex()
    assert set(relay.asked) == {number}


def test_a_start_that_is_killed_anywhere_binds_the_first_roll_once(relay: drand.Relay) -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2, turn_seconds=3600)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    lobby.join(game_id=game.pk, player=player(person("bob")), now=NOON)
    bob = {"game_id": game.pk, "user_id": person("bob").pk, "is_ready": True, "now": NOON}
    assert survive(lambda: lobby.set_ready(**bob), game) >= 4
    assert kinds(game) == ["create", "start", "intent"]


def test_a_value_is_bound_to_the_time_of_the_commit_not_of_the_arrival(
    relay: drand.Relay, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The move arrived at noon and lay about for an hour: what was public by then must not count.
    monkeypatch.setattr(queries, "clock", lambda game_id: later(hours=1))
    game = table()
    payload = Event.objects.get(game=game, kind="intent").payload
    assert payload["at"] == int(later(hours=1).timestamp())
    assert game.wake_at is not None
    assert game.wake_at > later(hours=1, seconds=3)


def test_the_database_knows_what_time_it_is() -> None:
    before = datetime.now(UTC) - timedelta(seconds=2)
    assert before < queries.clock(table().pk) < before + timedelta(seconds=30)


def test_a_player_may_leave_while_the_dice_are_awaited(relay: drand.Relay) -> None:
    game = table(("alice", "bob", "carol"))
    first = current(game)
    moves.resign(game_id=game.pk, user_id=person("bob").pk, now=later(seconds=1))
    assert kinds(game) == ["create", "start", "intent", "resign", "intent"]
    payload = Event.objects.get(game=game, kind="resign").payload
    assert (payload["keys"], payload["lifted"]) == ([], [])
    check_game(game.pk)
    sweep(game)
    first.refresh_from_db()
    assert (first.is_rolled, first.seal) == (False, "")  # it never will be
    assert current(game).number == 2
    assert kinds(game)[-1] == "seal"
    check_game(game.pk)


def test_the_last_but_one_may_leave_while_the_dice_are_awaited(relay: drand.Relay) -> None:
    game = table()
    moves.resign(game_id=game.pk, user_id=person("bob").pk, now=later(seconds=1))
    assert kinds(game) == ["create", "start", "intent", "resign", "open"]
    game.refresh_from_db()
    assert (game.status, game.wake_at) == (GameStatus.FINISHED, None)
    check_game(game.pk)
    assert deadlines.expire_turns(now=later(days=1)) == 0


def test_coming_back_starts_no_clock_before_the_roll(relay: drand.Relay) -> None:
    game = table()
    seat = game.seats.get(number=game.to_act)
    game.seats.filter(pk=seat.pk).update(is_absent=True)
    moves.come_back(game_id=game.pk, user_id=seat.user_id, now=later(seconds=1))
    game.refresh_from_db()
    assert game.turn_deadline_at is None
    sweep(game)
    assert game.turn_deadline_at is not None


def test_after_a_restore_the_round_waits_for_a_new_value(relay: drand.Relay) -> None:
    game = table()
    sweep(game)
    number = current(game).beacon_round
    at = later(hours=1)
    assert restore.roll_anew(code=game.code, restored_at=at, now=at)
    assert kinds(game)[-3:] == ["seal", "epoch", "intent"]
    row = current(game)
    assert (row.is_rolled, row.seal, row.epoch) == (False, "", 1)
    assert row.beacon_round > number
    sweep(game)
    assert kinds(game)[-1] == "seal"
    assert Event.objects.filter(game=game, kind="seal").last().payload["epoch"] == 1
    check_game(game.pk)


def test_an_absent_player_who_opens_is_played_for_after_the_roll(relay: drand.Relay) -> None:
    game = table()
    game.seats.filter(pk=seat_of(game, "alice").pk).update(is_absent=True)
    game.seats.filter(pk=seat_of(game, "bob").pk).update(is_absent=True)
    sweep(game)
    assert kinds(game)[-1] == "seal"
    sweep(game)
    assert kinds(game)[-1] == "bid"


def test_the_beacon_of_the_real_world_is_the_default() -> None:
    assert beacon.CHAINS == {"quicknet": fairness.QUICKNET}

"""A die that was lost to the clock, in a log: what the script lets pass and what it refuses."""

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from games.rules import Forfeit, Phase
from tests.unit.fairness.forgery import (
    FORFEIT,
    Events,
    failures,
    first,
    forged,
    game,
    number_of,
    verifier,
)
from tests.unit.fairness.log_maker import LogMaker, random_log
from tests.unit.random_games import random_rules

pytestmark = pytest.mark.one_database


def with_field(name: str, value: Callable[[Any], Any]) -> Callable[[Events], None]:
    def edit(events: Events) -> None:
        payload = first(events, "forfeit")
        payload[name] = value(payload[name])

    return edit


def by_another_seat(events: Events) -> None:
    """The bidder forfeits in the place of the seat to move."""
    payload = first(events, "forfeit")
    other = payload["bidder"]
    payload.update(seat=other, caller=other, loser=other, next_opener=other)


def a_lifted_cup(events: Events) -> None:
    lifted = first(events, "dudo")
    first(events, "forfeit").update(keys=lifted["keys"][:1], lifted=lifted["lifted"][:1])


def as_a_resignation(events: Events) -> None:
    event = next(event for event in events if event["kind"] == "forfeit")
    event["kind"] = event["payload"]["kind"] = "resign"


FORGERIES: dict[str, tuple[Callable[[Events], None], str]] = {
    "another seat's": (by_another_seat, "V7"),
    "a player's own": (with_field("auto", lambda _: False), "V0"),
    "one that lifts a cup": (a_lifted_cup, "V6"),
    "one that costs nothing": (with_field("loser", lambda _: None), "V7"),
    "one that costs another a die": (with_field("loser", lambda seat: (seat + 1) % 3), "V7"),
    "one that gives a die": (with_field("gainer", lambda _: 0), "V7"),
    "one that judges": (with_field("held", lambda _: False), "V7"),
    "one that counts": (with_field("count", lambda _: 3), "V7"),
    "one that forgets the bid": (with_field("bid", lambda _: None), "V7"),
    "one after which another opens": (with_field("next_opener", lambda s: (s + 1) % 3), "V7"),
    "one in the place of a resignation": (as_a_resignation, "V7"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forfeit_that_is_not_by_the_rules_is_refused_at_its_line(name: str) -> None:
    edit, check = FORGERIES[name]
    line = number_of(game(FORFEIT), "forfeit")
    assert failures(forged(game(FORFEIT), edit)).get(check) == line


def test_the_games_of_random_players_have_forfeits_and_pass() -> None:
    kinds = [event.kind for seed in range(20) for event in random_log(Random(seed)).events]
    assert kinds.count("forfeit") > 3
    assert not failures(game(FORFEIT))


@pytest.mark.parametrize("kind", ["intent", "fallback"])
def test_no_die_is_forfeited_while_the_beacon_is_awaited(kind: str) -> None:
    rng = Random(1)
    maker = LogMaker(rng, random_rules(rng), with_beacon=True)
    maker.create()
    maker.start(3)
    where: dict[str, object] = {"round": 1, "epoch": 0}
    maker.add("intent", {**where, "beacon_round": 32_399_024, "at": 1_790_000_430})
    if kind == "fallback":
        maker.add("fallback", where)
    assert not failures(maker.text().encode())
    nothing = dict.fromkeys(("bid", "bidder", "count", "held", "gainer", "out", "winner"))
    seat = maker.state.round.opener
    forfeit = {"kind": "forfeit", "seat": seat, "auto": True, "caller": seat, "loser": seat}
    after = {"keys": [], "lifted": [], "next_opener": seat, "next_mode": "normal"}
    maker.add("forfeit", {**nothing, **forfeit, **after})
    assert failures(maker.text().encode()) == {"V0": len(maker.events)}


@pytest.mark.parametrize("seed", range(40))
def test_a_forfeit_at_any_moment_ends_as_the_engine_ends_it(seed: int) -> None:
    rng = Random(seed)
    maker = random_log(rng, quits_after=rng.randrange(1, 40))
    if not maker.rolls or maker.state.phase is not Phase.BID:
        return
    maker.move(Forfeit(maker.state.round.to_act))
    assert not failures(maker.text().encode())


def test_a_lost_die_brings_palifico_or_the_end_as_one_lost_by_dudo() -> None:
    rules: dict[str, Any] = random_log(Random(0)).rules.to_dict()
    rules["palifico"] = {**rules["palifico"], "enabled": True, "two_players": True}
    ends = {}
    for dice in (3, 2, 1):
        at = verifier().Game(rules)
        at.deal(0, None)
        at.dice = [dice, 2, 0]
        event = SimpleNamespace(kind="forfeit", seat=0, lifted=[])
        told = at.close(event)
        ends[dice] = (told["out"], told["next_opener"], told["next_mode"], told["winner"])
    assert ends == {
        3: (None, 0, "normal", None),
        2: (None, 0, "palifico", None),
        1: (0, None, None, 1),
    }


def test_only_the_seat_to_move_can_forfeit_a_bid_or_not() -> None:
    at = verifier().Game(random_log(Random(0)).rules.to_dict())
    at.deal(1, None)
    at.dice = [2, 2, 2]
    at.may_call("forfeit", 1)
    for other in (0, 2):
        with pytest.raises(ValueError, match="the turn of seat 1"):
            at.may_call("forfeit", other)

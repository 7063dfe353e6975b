"""A die that was lost to the clock, in a log: what the script lets pass and what it refuses."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.rules import Bid, Forfeit, MakeBid, Phase
from tests.unit.fairness.forgery import (
    FORFEIT,
    Events,
    failures,
    first,
    forged,
    game,
    number_of,
)
from tests.unit.fairness.log_maker import LogMaker, random_log
from tests.unit.fairness.test_verify_rules import assert_refused, at_table
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
    "a player's own": (with_field("auto", lambda _: False), "V7"),
    "one that lifts a cup": (a_lifted_cup, "V7"),
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
    maker = at_table()
    for _ in range(5):
        maker.move(Forfeit(0))
        if maker.state.phase is Phase.ROLL:
            maker.roll()
    told = [event.payload for event in maker.events if event.kind == "forfeit"]
    ends = [(x["out"], x["next_opener"], x["next_mode"], x["winner"]) for x in told]
    normal, palifico = (None, 0, "normal", None), (None, 0, "palifico", None)
    assert ends == [normal] * 3 + [palifico, (0, None, None, 1)]
    assert not failures(maker.text().encode())


@pytest.mark.parametrize("bid", [False, True])
def test_only_the_seat_to_move_can_forfeit_a_bid_or_not(bid: bool) -> None:
    maker = at_table(seats=3)
    if bid:
        maker.move(MakeBid(0, Bid(1, 4)))
    to_act = maker.state.round.to_act
    maker.move(Forfeit(to_act))
    text = maker.text().encode()
    assert not failures(text)
    for other in {0, 1, 2} - {to_act}:

        def edit(events: Events, seat: int = other) -> None:
            payload = first(events, "forfeit")
            payload.update(seat=seat, caller=seat, loser=seat, next_opener=seat)

        assert_refused(forged(text, edit), len(maker.events), f"the turn of seat {to_act}")

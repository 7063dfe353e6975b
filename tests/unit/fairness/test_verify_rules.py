"""The script replays the rules as the engine has them, for every toggle of docs/rules.md."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from games.rules import (
    Bid,
    Calza,
    Dudo,
    Forfeit,
    GameState,
    MakeBid,
    Resign,
    Roll,
    Ruleset,
    RuleViolation,
    SeatAction,
    apply,
    new_game,
)
from tests.unit.fairness.forgery import Events, failures, retold, set_rule, verifier
from tests.unit.fairness.log_maker import LogMaker, random_log
from tests.unit.random_games import random_rules

pytestmark = pytest.mark.one_database

GAMES = 50
CALLS: dict[str, type[Dudo | Calza | Forfeit | Resign]] = {
    "dudo": Dudo,
    "calza": Calza,
    "forfeit": Forfeit,
    "resign": Resign,
}
# What can be changed so that the seats and dice of the log still suit the rules.
TOGGLES = ("raise_mode", "bid_cap", "reveal", "palifico", "calza")


def action_of(event: dict[str, Any]) -> SeatAction:
    payload = event["payload"]
    if event["kind"] == "bid":
        quantity, face = payload["bid"].split("x")
        return MakeBid(payload["seat"], Bid(int(quantity), int(face)))
    return CALLS[event["kind"]](payload["seat"])


def engines_line(maker: LogMaker, changed: Events) -> int | None:
    """Return the line of the first event of a changed log that the engine would not have.

    :param maker: of the log before the change, which knows the dice.
    """
    rules, start = Ruleset.from_dict(json.loads(changed[0]["payload"]["rules"])), changed[1]
    opener, seats = start["payload"]["opener"], len(start["payload"]["seats"])
    state: GameState = new_game(rules, seats=seats, opener=opener)
    for line, event in enumerate(changed, 1):
        if event["kind"] == "seal":
            roll = Roll(maker.rolls[line])
            if [len(cup) for cup in roll.cups] != [seat.dice for seat in state.seats]:
                return line
            state = apply(state, roll).state
        elif event["kind"] in ("bid", *CALLS):
            try:
                applied = apply(state, action_of(event))
            except RuleViolation:
                return line
            told = applied.outcome.to_dict() if applied.outcome else {}
            # Dice that these rules would have lifted, and those did not, are not in the log.
            if any(event["payload"][name] != value for name, value in told.items()):
                return line
            state = applied.state
    return None


def other_toggle(events: Events, rng: Random) -> None:
    """Give one toggle the value that some other table has."""
    rules, theirs = json.loads(events[0]["payload"]["rules"]), random_rules(rng).to_dict()
    name = rng.choice(TOGGLES)
    if isinstance(rules[name], dict):
        inner = rng.choice(sorted(rules[name]))
        rules[name][inner] = theirs[name][inner]
    else:
        rules[name] = theirs[name]
    set_rule(events, **rules)


def other_bid(events: Events, rng: Random) -> None:
    """Put another bid in the place of one, often the first of its round."""
    bids = [i for i, event in enumerate(events) if event["kind"] == "bid"]
    opening = [i for i in bids if events[i - 1]["kind"] == "seal"]
    if not bids:
        return
    payload = events[rng.choice(rng.choice((bids, opening)))]["payload"]
    quantity, face = map(int, payload["bid"].split("x"))
    quantity = max(1, quantity + rng.choice((-1, 0, 0, 1, 2, 5)))
    payload["bid"] = f"{quantity}x{rng.choice((1, face, rng.randint(2, 6)))}"


@pytest.mark.slow
@pytest.mark.parametrize("change", [other_toggle, other_bid])
@pytest.mark.parametrize("part", range(3))
def test_a_changed_log_fails_where_the_engine_refuses_it(
    change: Callable[[Events, Random], None], part: int
) -> None:
    refused = 0
    for seed in range(part * GAMES, (part + 1) * GAMES):
        rng = Random(seed)
        maker = random_log(rng, most_seats=5)
        text = maker.text().encode()
        if {"epoch", "rekey"} & {event.kind for event in maker.events} or not maker.rolls:
            continue
        for _ in range(3):
            events: Events = [json.loads(line) for line in text.splitlines()]
            if events[-1]["kind"] == "open":
                del events[-1]  # by other rules there would be other dice
            change(events, rng)
            changed = retold(events)
            line = engines_line(maker, events)
            assert failures(changed) == ({} if line is None else {"V7": line}), seed
            refused += line is not None
    assert refused > GAMES // 4


def at_table(*, seats: int = 2, hero: int | None = None) -> LogMaker:
    """Return a game in which everything may be called, rolled and not yet bid on.

    :param hero: who has lost all dice but one, by bids that could not hold, and opens the palifico
        round that this brings; nobody has lost any without one.
    """
    rules = {**random_log(Random(0)).rules.to_dict(), "raise_mode": "free", "bid_cap": "none"}
    rules |= {"start_dice": 5, "max_players": 6, "first_starter": "random"}
    rules["calza"] = {"enabled": True, "two_players": True, "window": "next_action"} | {
        "in_palifico": True,
        "needs_lost_die": False,
    }
    rules["palifico"] = {"enabled": True, "two_players": True, "trigger": "first_time"} | {
        "face_change": "one_die_players"
    }
    maker = LogMaker(Random(1), Ruleset.from_dict(rules))
    maker.create()
    maker.start(seats)
    maker.roll()
    while hero is not None and maker.state.seats[hero].dice > 1:
        lose_a_die(maker, hero)
    return maker


def lose_a_die(maker: LogMaker, seat: int) -> None:
    """Let a seat bid what cannot be, and the next one doubt it."""
    for quantity in range(1, 99):
        if maker.state.round.to_act == seat:
            break
        maker.move(MakeBid(maker.state.round.to_act, Bid(quantity, 2)))
    maker.move(MakeBid(seat, Bid(99, 2)))
    maker.move(Dudo(maker.state.round.to_act))
    maker.roll()


def bids(maker: LogMaker, *told: str) -> None:
    for bid in told:
        quantity, face = bid.split("x")
        maker.move(MakeBid(maker.state.round.to_act, Bid(int(quantity), int(face))))


@pytest.mark.parametrize(
    ("hero", "face_change", "bid", "is_right"),
    [
        (0, "one_die_players", "3x2", True),
        (1, "one_die_players", "3x2", False),
        (1, "one_die_players", "3x4", True),
        (0, "nobody", "3x2", False),
        (0, "nobody", "3x4", True),
        (0, "one_die_players", "2x1", False),
        (0, "one_die_players", "3x1", True),
        (0, "one_die_players", "2x5", True),
        (None, "nobody", "1x1", True),
        (None, "nobody", "2x3", False),
    ],
)
def test_the_face_stays_in_a_palifico_round_but_for_one_die_players(
    hero: int | None, face_change: str, bid: str, is_right: bool
) -> None:
    maker = at_table(hero=hero)
    bids(maker, *(("2x4",) if hero == 1 else ("1x4", "2x4")))
    maker.add("bid", {"seat": 0, "auto": False, "bid": bid})
    events: Events = [json.loads(line) for line in maker.text().splitlines()]
    palifico = {**maker.rules.to_dict()["palifico"], "face_change": face_change}  # type: ignore[dict-item]
    set_rule(events, palifico=palifico)
    assert failures(retold(events)) == ({} if is_right else {"V7": len(events)})


@pytest.mark.parametrize(
    ("seats", "hero", "seat", "toggles", "refusal"),
    [
        (3, 0, 0, {}, ""),
        (3, 0, 1, {}, ""),
        (3, 0, 2, {}, "R-51"),
        (3, 0, 1, {"window": "turn_only"}, "the turn of seat 0"),
        (3, 0, 0, {"window": "turn_only"}, ""),
        (3, 0, 0, {"enabled": False}, "R-50"),
        (3, 0, 0, {"in_palifico": False}, "R-53"),
        (3, None, 0, {"in_palifico": False}, ""),
        (3, 0, 0, {"needs_lost_die": True}, ""),
        (3, None, 0, {"needs_lost_die": True}, "R-53"),
        (3, 0, 0, {"two_players": False}, ""),
        (2, 0, 0, {"two_players": False}, "R-53"),
    ],
)
def test_a_calza_is_let_or_refused_as_its_toggles_say(
    seats: int, hero: int | None, seat: int, toggles: dict[str, object], refusal: str
) -> None:
    maker = at_table(seats=seats, hero=hero)
    bids(maker, *(("1x4", "2x4", "3x4")[:seats]))
    maker.move(Calza(0 if seat == 2 else seat))
    events: Events = [json.loads(line) for line in maker.text().splitlines()]
    events[-1]["payload"].update(seat=seat, caller=seat)
    calza = {**maker.rules.to_dict()["calza"], **toggles}  # type: ignore[dict-item]
    set_rule(events, calza=calza)
    assert_refused(retold(events), len(events), refusal)


def assert_refused(text: bytes, line: int, refusal: str) -> None:
    """Assert that the rules refuse the line with these words, or nothing where there are none."""
    found = next(x for x in verifier().check(text) if x.check == "V7")
    assert (found.status, found.line) == (("FAIL", line) if refusal else ("PASS", None))
    assert refusal in found.words


def test_a_seat_without_dice_calls_nothing() -> None:
    maker = at_table(seats=3, hero=0)
    lose_a_die(maker, 0)
    bids(maker, "1x4", "2x4")
    maker.move(Calza(1))
    events: Events = [json.loads(line) for line in maker.text().splitlines()]
    events[-1]["payload"].update(seat=0, caller=0)
    assert_refused(retold(events), len(events), "the turn of seat 1")

"""The script replays the rules as the engine has them, for every toggle of docs/rules.md."""

import json
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
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


def table(*, dice: list[int], bid: str, palifico: bool = True, **toggles: Any) -> Any:
    """Return the script's table, where seat 0 is to act after the bid of the last seat."""
    rules = {**random_log(Random(0)).rules.to_dict(), "raise_mode": "free", "bid_cap": "none"}
    names = {
        "calza": {"enabled": True, "two_players": True, "window": "next_action"}
        | {"in_palifico": True, "needs_lost_die": False},
        "palifico": {"enabled": True, "two_players": True, "trigger": "first_time"}
        | {"face_change": "one_die_players"},
    }
    for name, inner in names.items():
        rules[name] = {key: toggles.get(key, value) for key, value in inner.items()}
    told = verifier().Game(rules)
    told.deal(0, 0 if palifico else None)
    told.dice, told.bid, told.bidder = dice, bid, len(dice) - 1
    return told


def is_bid(at: Any, bid: str) -> bool:
    return _is_let(at.take_bid, SimpleNamespace(seat=0, bid=bid))


def is_calza(at: Any, seat: int = 0) -> bool:
    return _is_let(at.may_call, "calza", seat)


def _is_let(play: Callable[..., None], *arguments: object) -> bool:
    try:
        play(*arguments)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize(
    ("dice", "toggles", "bid", "is_right"),
    [
        ([1, 5], {}, "3x2", True),
        ([2, 5], {}, "3x2", False),
        ([2, 5], {}, "3x4", True),
        ([1, 5], {"face_change": "nobody"}, "3x2", False),
        ([1, 5], {}, "2x1", False),
        ([1, 5], {}, "3x1", True),
        ([1, 5], {}, "2x5", True),
        ([5, 5], {"palifico": False}, "1x1", True),
        ([5, 5], {"palifico": False}, "2x3", False),
    ],
)
def test_the_face_stays_in_a_palifico_round_but_for_one_die_players(
    dice: list[int], toggles: dict[str, Any], bid: str, is_right: bool
) -> None:
    assert is_bid(table(dice=dice, bid="2x4", **toggles), bid) is is_right


@pytest.mark.parametrize(
    ("seat", "toggles", "is_right"),
    [
        (0, {}, True),
        (2, {}, False),
        (1, {}, True),
        (1, {"window": "turn_only"}, False),
        (0, {"window": "turn_only"}, True),
        (0, {"enabled": False}, False),
        (0, {"in_palifico": False}, False),
        (0, {"in_palifico": False, "palifico": False}, True),
        (0, {"needs_lost_die": True}, True),
        (0, {"two_players": False}, True),
    ],
)
def test_a_calza_is_let_or_refused_as_its_toggles_say(
    seat: int, toggles: dict[str, Any], is_right: bool
) -> None:
    assert is_calza(table(dice=[1, 1, 1], bid="2x4", **toggles), seat) is is_right


def test_a_seat_without_dice_calls_nothing() -> None:
    assert not is_calza(table(dice=[0, 1, 1], bid="2x4"))


def test_a_calza_of_two_players_or_with_all_dice_may_be_forbidden() -> None:
    assert not is_calza(table(dice=[1, 1], bid="2x4", two_players=False))
    full = random_log(Random(0)).rules.start_dice
    assert not is_calza(table(dice=[full, 1, 1], bid="2x4", needs_lost_die=True))

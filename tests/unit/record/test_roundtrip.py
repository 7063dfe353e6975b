"""A game that is written and read back is the same game, and the rules agree with it."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.bid import Bid
from games.rules.presets import find_ruleset
from games.rules.record import (
    GameRecord,
    MoveEntry,
    ResultEntry,
    RollEntry,
    account,
    clean_label,
    dump,
    load,
    record_game,
    replay,
    without_covered_cups,
)
from games.rules.ruleset import CoveredCups
from games.rules.state import Dudo, MakeBid, Roll, new_game
from tests.unit.random_games import roll
from tests.unit.record.records import random_record, recorded, without_checksum

pytestmark = pytest.mark.one_database

seeds = st.integers(0, 2**32)


@given(seeds)
def test_any_game_comes_back_and_replays_without_a_difference(seed: int) -> None:
    record = random_record(seed)
    again = load(dump(record))
    assert again == record
    assert replay(again) == []
    assert dump(again) == dump(record)


@given(seeds, st.integers(0, 200))
def test_a_game_under_way_comes_back_too(seed: int, length: int) -> None:
    whole = random_record(seed)
    actions = [
        entry.move if isinstance(entry, MoveEntry) else Roll(tuple(c or () for c in entry.cups))
        for entry in whole.entries
        if not isinstance(entry, ResultEntry)
    ]
    part = record_game(
        whole.rules, seats=whole.seats, opener=whole.opener, actions=actions[:length]
    )
    assert replay(load(dump(part))) == []


@given(seeds)
def test_without_its_covered_cups_a_game_still_replays(seed: int) -> None:
    record = random_record(seed)
    public = without_covered_cups(record)
    text = dump(public)
    assert replay(load(text)) == []
    shown = set()
    for entry in public.entries:
        if isinstance(entry, RollEntry):
            shown = {seat for seat, cup in enumerate(entry.cups) if cup}
        elif isinstance(entry, ResultEntry):
            assert shown == {cup.seat for cup in entry.outcome.lifted}


def test_covered_cups_are_left_out_and_ones_own_can_stay() -> None:
    rules = replace(find_ruleset("piatnik"), covered_cups_after_game=CoveredCups.NEVER)
    record = record_game(
        rules,
        seats=("alice", "bob", "carol"),
        opener=0,
        actions=[
            Roll(((2, 2, 2, 2, 2), (5, 5, 5, 5, 1), (3, 3, 3, 3, 3))),
            MakeBid(0, Bid(3, 5)),
            Dudo(1),
        ],
    )
    public = without_covered_cups(record)
    assert public.entries[0] == RollEntry((None, (5, 5, 5, 5, 1), None))
    assert "[2,2,2,2,2]" not in dump(public)
    assert replay(load(dump(public))) == []
    alices = without_covered_cups(record, keep=0)
    assert alices.entries[0] == RollEntry(((2, 2, 2, 2, 2), (5, 5, 5, 5, 1), None))


def test_dice_of_a_round_that_is_not_over_are_covered() -> None:
    rules = find_ruleset("bga")
    state = new_game(rules, seats=2, opener=0)
    record = record_game(rules, seats=("alice", "bob"), opener=0, actions=[roll(state, Random(1))])
    assert without_covered_cups(record).entries == (RollEntry((None, None)),)


def test_a_record_written_by_hand_needs_no_checksum() -> None:
    record = random_record(7)
    by_hand = without_checksum(dump(record))
    assert load(by_hand) == record
    assert load(by_hand.rstrip("\n")) == record
    assert load(by_hand.replace("\n", "\r\n")) == record
    assert load(by_hand.encode()) == record


def test_every_line_is_one_json_object() -> None:
    text = dump(random_record(3))
    assert text.endswith("\n")
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[0]["format"] == "perudo-record"
    assert lines[-1]["do"] == "end"
    assert lines[-1]["lines"] == len(lines)


def test_moves_of_the_clock_are_marked() -> None:
    rules = find_ruleset("bga")
    record = record_game(
        rules,
        seats=("alice", "bob"),
        opener=0,
        actions=[
            roll(new_game(rules, seats=2, opener=0), Random(1)),
            MoveEntry(MakeBid(0, Bid(1, 2)), auto=True),
            Dudo(1),
        ],
    )
    moves = [entry for entry in load(dump(record)).entries if isinstance(entry, MoveEntry)]
    assert [move.auto for move in moves] == [True, False]
    assert any("(auto)" in line for line in account(record))


@pytest.mark.parametrize("label", ["a\nb", "\ud800", "x\u202ey", "y" * 200, "nul\x00"])
def test_a_label_that_cannot_stand_on_a_line_is_cleaned(label: str) -> None:
    rules = find_ruleset("bga")
    record = record_game(rules, seats=(label, "bob"), opener=0, actions=[])
    assert record.seats[0] == clean_label(label) != label
    assert load(dump(record)).seats == record.seats
    with pytest.raises(ValueError, match="cannot stand"):
        dump(replace(record, seats=(label, "bob")))


@pytest.mark.parametrize("label", ["Zoë", "Паша", "李雷", "👩\u200d🚀", 'quo"te', "[x]{y}"])
def test_a_name_of_any_script_comes_back(label: str) -> None:
    record = record_game(find_ruleset("bga"), seats=(label, "bob"), opener=0, actions=[])
    assert load(dump(record)).seats == (label, "bob")


def test_the_account_tells_the_game() -> None:
    rules = find_ruleset("bga")
    record = record_game(
        rules,
        seats=("alice", "bob"),
        opener=1,
        actions=[
            Roll(((1, 2, 3, 4, 5), (5, 5, 6, 6, 6))),
            MakeBid(1, Bid(4, 5)),
            Dudo(0),
        ],
    )
    assert list(account(record)) == [
        "Rules: bga, version 1, 5 dice each.",
        "Seats: 0 alice, 1 bob.",
        "",
        "Round 1, opened by bob (line 2)",
        "  [alice: 1 2 3 4 5]",
        "  [bob: 5 5 6 6 6]",
        "  bob bids 4x5",
        "  alice says dudo",
        "  Lifted: alice 1 2 3 4 5 (2); bob 5 5 6 6 6 (2)",
        "  4x5 is met: 4 counted.",
        "  alice loses a die.",
        "",
        "Still in: alice, bob",
    ]


def test_a_long_game_is_read_quickly_and_is_small() -> None:
    rng = Random(5)
    rules = replace(find_ruleset("wikipedia"), max_players=10, start_dice=8)
    record: GameRecord = recorded(new_game(rules, seats=10, opener=0), rng)
    assert len(dump(record)) < 200_000
    assert replay(load(dump(record))) == []

"""A record in which something was changed is noticed, and the line is named."""

import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.bid import Bid
from games.rules.presets import find_ruleset, with_options
from games.rules.record import RecordError, account, dump, load, record_game, replay
from games.rules.state import Calza, Dudo, Forfeit, MakeBid, Resign, Roll
from tests.unit.record.records import edited, random_record, without_checksum

pytestmark = pytest.mark.one_database


def played() -> str:
    """Return a game in which alice loses a die and leaves, carol leaves, and bob wins."""
    record = record_game(
        find_ruleset("bga"),
        seats=("alice", "bob", "carol"),
        opener=0,
        actions=[
            Roll(((2, 3, 4, 5, 6), (2, 2, 3, 3, 4), (6, 6, 5, 4, 4))),
            MakeBid(0, Bid(5, 6)),
            Dudo(1),
            Roll(((2, 3, 4, 5), (2, 2, 3, 3, 4), (6, 6, 5, 4, 4))),
            MakeBid(0, Bid(1, 2)),
            Resign(0),
            Roll(((), (1, 2, 3, 3, 4), (6, 6, 5, 4, 4))),
            MakeBid(1, Bid(1, 2)),
            Resign(2),
        ],
    )
    return dump(record)


def noticed(text: str) -> list[str]:
    """Return what is said about a text; it must be something."""
    try:
        found = [str(difference) for difference in replay(load(text))]
    except RecordError as error:
        found = [str(error)]
    assert found
    return found


def test_the_untouched_game_has_no_difference() -> None:
    assert replay(load(played())) == []
    assert replay(load(without_checksum(played()))) == []


@pytest.mark.parametrize(
    ("line", "changes", "sentence"),
    [
        (4, {"seat": 2}, "line 4: The rules refuse this: It is not your turn."),
        (4, {"do": "calza"}, "line 4: The rules refuse this: Calza is not played at this table."),
        (3, {"bid": "5x1"}, "line 3: The rules refuse this: A normal round may not be opened"),
        (5, {"count": 2}, 'line 5: In the record "count" is 2, by the rules 3.'),
        (5, {"held": True}, 'line 5: In the record "held" is yes, by the rules no.'),
        (5, {"loser": 1}, 'line 5: In the record "loser" is 1, by the rules 0.'),
        (5, {"lifted": []}, 'line 5: In the record "lifted" is nothing, by the rules seat 1: 2 2'),
        (5, {"next_opener": None}, 'line 5: In the record "next_opener" is none, by the rules 0.'),
        (5, {"next_mode": "palifico"}, 'line 5: In the record "next_mode" is palifico, by the'),
        (2, {"cups": [[2, 3, 4, 5], [2, 2, 3, 3, 4], [6, 6, 5, 4, 4]]}, "line 2: The rules refuse"),
        (
            2,
            {"cups": [None, [2, 2, 3, 3, 4], [6, 6, 5, 4, 4]]},
            "line 4: The rules lift the cup of",
        ),
        (14, {"places": [3, 2, 1]}, "line 14: In the record the place of seat 1 is 2, by the"),
        (1, {"opener": 2}, "line 3: The rules refuse this: It is not your turn."),
        (9, {"out": None}, 'line 9: In the record "out" is none, by the rules 0.'),
    ],
)
def test_a_change_is_named_by_its_line(
    line: int, changes: dict[str, object], sentence: str
) -> None:
    assert noticed(edited(played(), line, **changes))[0].startswith(sentence)


def test_rules_that_do_not_seat_so_many_are_a_difference() -> None:
    text = played()
    rules = json.loads(text.splitlines()[0])["rules"]
    found = noticed(edited(text, 1, rules={**rules, "max_players": 2}))
    assert found == ["line 1: This table takes from 2 to 2 seats."]


def test_a_missing_or_surplus_result_is_a_difference() -> None:
    lines = without_checksum(played()).splitlines()
    end = json.loads(lines[-1])

    def with_lines(body: list[str]) -> str:
        return "\n".join([*body, json.dumps({**end, "lines": len(body) + 1})])

    without = with_lines(lines[:4] + lines[5:-1])
    assert noticed(without) == ["line 5: The result of the round before is missing."]
    twice = with_lines([*lines[:5], lines[4], *lines[5:-1]])
    assert noticed(twice) == ["line 6: A result is given, but no round has ended here."]
    last = with_lines(lines[:-2])
    assert noticed(last)[0] == f"line {len(lines) - 1}: The result of the last round is missing."


def test_a_changed_die_that_no_rule_looks_at_is_caught_by_the_checksum() -> None:
    text = played()
    changed = text.replace("[1,2,3,3,4]", "[1,2,3,3,5]")
    assert changed != text
    assert replay(load(without_checksum(changed))) == []
    assert noticed(changed) == ["line 14: The checksum does not fit: a line was changed."]


Mutation = Callable[[list[str], int, Random], list[str]]


def _drop(lines: list[str], at: int, rng: Random) -> list[str]:
    return lines[:at] + lines[at + 1 :]


def _double(lines: list[str], at: int, rng: Random) -> list[str]:
    return [*lines[: at + 1], *lines[at:]]


def _swap(lines: list[str], at: int, rng: Random) -> list[str]:
    other = (at + 1) % len(lines)
    swapped = list(lines)
    swapped[at], swapped[other] = swapped[other], swapped[at]
    return swapped


def _change_a_digit(lines: list[str], at: int, rng: Random) -> list[str]:
    places = [place for place, sign in enumerate(lines[at]) if sign.isdigit()]
    place = rng.choice(places)
    digit = str((int(lines[at][place]) + rng.randint(1, 9)) % 10)
    return [*lines[:at], lines[at][:place] + digit + lines[at][place + 1 :], *lines[at + 1 :]]


def _cut(lines: list[str], at: int, rng: Random) -> list[str]:
    return [*lines[:at], lines[at][: rng.randrange(len(lines[at]))]]


@given(st.integers(0, 2**32), st.data())
@pytest.mark.parametrize("mutate", [_drop, _double, _swap, _change_a_digit, _cut])
def test_every_change_of_one_line_is_noticed(
    mutate: Mutation, seed: int, data: st.DataObject
) -> None:
    lines = dump(random_record(seed)).splitlines()
    at = data.draw(st.integers(0, len(lines) - 1))
    mutated = mutate(lines, at, Random(seed))
    if mutated != lines:
        noticed("\n".join(mutated) + "\n")


RESULT_FIELDS = ("caller", "bidder", "count", "held", "loser", "gainer", "out", "winner")


@given(st.integers(0, 2**32), st.data())
def test_every_false_result_is_noticed_without_a_checksum(seed: int, data: st.DataObject) -> None:
    text = dump(random_record(seed))
    results = [
        number
        for number, line in enumerate(text.splitlines(), start=1)
        if json.loads(line).get("do") == "result"
    ]
    number = data.draw(st.sampled_from(results))
    field = data.draw(st.sampled_from(RESULT_FIELDS))
    old = json.loads(text.splitlines()[number - 1])[field]
    choices: list[object] = [None, True, False] if field == "held" else [None, 0, 1]
    new = data.draw(st.sampled_from([value for value in choices if value != old]))
    found = noticed(edited(text, number, **{field: new}))
    assert any(sentence.startswith(f"line {number}:") for sentence in found)


def test_a_game_that_goes_on_after_its_end_is_refused() -> None:
    lines = without_checksum(played()).splitlines()
    end = json.loads(lines[-1])
    more = [*lines[:-1], '{"do":"dudo","seat":1}', json.dumps({**end, "lines": len(lines) + 1})]
    found = noticed("\n".join(more))
    assert found == [f"line {len(lines)}: The rules refuse this: The game is over."]


def forfeited() -> str:
    """Return a round that carol lets run out, under a bid of bob's."""
    record = record_game(
        find_ruleset("bga"),
        seats=("alice", "bob", "carol"),
        opener=0,
        actions=[
            Roll(((2, 3, 4, 5, 6), (2, 2, 3, 3, 4), (6, 6, 5, 4, 4))),
            MakeBid(0, Bid(2, 6)),
            MakeBid(1, Bid(3, 6)),
            Forfeit(2),
        ],
    )
    return dump(record)


def test_a_forfeit_is_replayed_and_is_always_the_clocks() -> None:
    text = forfeited()
    assert '{"do":"forfeit","seat":2,"auto":true}' in text
    assert replay(load(text)) == []
    told = list(account(load(text)))
    assert told[-4:-2] == ["  carol lets the time run out (auto)", "  carol loses a die."]
    assert not any("counted" in line for line in told)
    assert noticed(edited(text, 5, auto=False)) == [
        'line 5: "auto" must be true: only the clock forfeits a die.'
    ]


@pytest.mark.parametrize(
    ("line", "changes", "sentence"),
    [
        (5, {"seat": 0}, "line 5: The rules refuse this: It is not your turn."),
        (6, {"loser": 1}, 'line 6: In the record "loser" is 1, by the rules 2.'),
        (6, {"count": 3}, 'line 6: In the record "count" is 3, by the rules none.'),
        (6, {"kind": "resign"}, 'line 6: In the record "kind" is resign, by the rules forfeit.'),
        (6, {"bid": None}, 'line 6: In the record "bid" is none, by the rules 3x6.'),
    ],
)
def test_a_false_forfeit_is_named_by_its_line(
    line: int, changes: dict[str, object], sentence: str
) -> None:
    assert noticed(edited(forfeited(), line, **changes))[0] == sentence


def test_calza_is_replayed() -> None:
    rules = find_ruleset("bga")
    record = record_game(
        with_options(rules, {"calza": True}),
        seats=("alice", "bob"),
        opener=0,
        actions=[
            Roll(((2, 3, 4, 5, 6), (2, 2, 3, 3, 4))),
            MakeBid(0, Bid(3, 2)),
            Calza(1),
        ],
    )
    assert replay(load(dump(record))) == []
    assert noticed(edited(dump(record), 5, held=False))[0].startswith("line 5:")

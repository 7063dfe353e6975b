"""Every rule has an example, and what an example says of a move is what the rules say of it."""

from collections.abc import Iterator
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any

import pytest

from games.rules import (
    PRESETS,
    Bid,
    CalzaRules,
    CalzaWindow,
    FaceChange,
    PalificoRules,
    RaiseMode,
    Ruleset,
    preset_options,
)
from games.wording import describe
from games.wording.rule_examples import Example, explain, explained_options
from games.wording.wild import wild_face

EVERYTHING = Ruleset(
    name="custom", version=1, palifico=PalificoRules(enabled=True), calza=CalzaRules(enabled=True)
)


def others(value: object) -> list[object]:
    """Return every other value that a toggle may have."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, StrEnum):
        return [other for other in type(value) if other is not value]
    assert isinstance(value, int)
    return [value + 1, value - 1]


def changes() -> Iterator[tuple[str, Ruleset]]:
    """Yield every toggle by its dotted name, with a ruleset in which it alone is changed."""
    for item in fields(Ruleset):
        value: Any = getattr(EVERYTHING, item.name)
        if item.name in ("name", "version"):
            continue
        if isinstance(value, (PalificoRules, CalzaRules)):
            for inner in fields(value):
                for other in others(getattr(value, inner.name)):
                    changed = replace(value, **{inner.name: other})
                    yield f"{item.name}.{inner.name}", replace(EVERYTHING, **{item.name: changed})
        else:
            for other in others(value):
                changed_rules: Any = {item.name: other}
                yield item.name, replace(EVERYTHING, **changed_rules)


CHANGES = list(changes())


def examples(rules: Ruleset) -> dict[str, Example]:
    return {each.line.key: each.example for each in explain(rules)}


@pytest.mark.parametrize(("key", "rules"), CHANGES, ids=[key for key, _rules in CHANGES])
def test_a_toggle_that_changes_changes_the_page(key: str, rules: Ruleset) -> None:
    before = {each.line.key: each for each in explain(EVERYTHING)}
    after = {each.line.key: each for each in explain(rules)}
    # The largest table is told in dice too.
    spoken = {"start_dice", "max_players"} if key == "start_dice" else {key}
    if key.endswith(".enabled"):
        assert before != after
        return
    assert before.keys() == after.keys()
    assert {name for name in before if before[name] != after[name]} == spoken
    assert before[key].example != after[key].example


@pytest.mark.parametrize("name", PRESETS)
def test_every_rule_of_a_preset_and_its_options_has_an_example(name: str) -> None:
    explained = explain(PRESETS[name])
    assert tuple(each.line for each in explained) == describe(PRESETS[name])
    options = explained_options(name)
    assert tuple(key for key, _title, _rules in options) == preset_options(name)
    for each in (*explained, *(one for _key, _title, rules in options for one in rules)):
        assert each.example.text


@pytest.mark.parametrize(
    ("mode", "legal"),
    [(RaiseMode.FREE, {"4x5", "5x4", "5x2"}), (RaiseMode.ONE_WAY, {"4x5", "5x4"})],
)
def test_a_raise_is_judged_by_this_table_s_rules(mode: RaiseMode, legal: set[str]) -> None:
    example = examples(replace(EVERYTHING, raise_mode=mode))["raise_mode"]
    assert example.over == Bid(4, 4)
    assert {str(each.bid) for each in example.verdicts if each.is_legal} == legal
    assert all(each.is_legal or each.why for each in example.verdicts)


def test_who_has_one_die_may_change_the_face_where_the_table_says_so() -> None:
    rules = replace(EVERYTHING, palifico=PalificoRules(face_change=FaceChange.ONE_DIE_PLAYERS))
    told = [(each.who, each.is_legal) for each in examples(rules)["palifico.face_change"].verdicts]
    assert told == [("Alice", True), ("Alice", False), ("Carol", True)]


@pytest.mark.parametrize("window", CalzaWindow)
def test_an_example_of_calza_does_not_depend_on_whose_turn_it_is(window: CalzaWindow) -> None:
    told = examples(replace(EVERYTHING, calza=CalzaRules(enabled=True, window=window)))
    for key in ("calza.needs_lost_die", "calza.two_players", "calza.in_palifico"):
        assert [each.is_legal for each in told[key].verdicts] == [True], key


@pytest.mark.parametrize("dice", range(1, 9))
def test_a_table_of_any_number_of_dice_has_its_examples(dice: int) -> None:
    told = examples(replace(EVERYTHING, start_dice=dice))
    assert str(6 * dice) in told["max_players"].text


def test_each_box_has_its_wild_face() -> None:
    faces = {name: wild_face(name).key for name in (*PRESETS, "custom")}
    assert faces == {
        "piatnik": "lama", "bga": "jolly", "asmodee": "paco", "wikipedia": "paco", "custom": "ace",
    }  # fmt: skip
    assert len({wild_face(name).sentence for name in faces}) == 4

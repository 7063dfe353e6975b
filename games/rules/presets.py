"""The four published rulesets, versioned, with the options that their texts leave to a table."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from games.rules.errors import RuleViolation
from games.rules.ruleset import (
    Calza,
    DiceCounts,
    FaceChange,
    FirstStarter,
    Palifico,
    Reveal,
    Ruleset,
    Trigger,
)

# A correction of an interpretation appends a new version here and never edits an old one.
_VERSIONS: tuple[Ruleset, ...] = (
    Ruleset(
        name="piatnik",
        version=1,
        first_starter=FirstStarter.RANDOM,
        reveal=Reveal.CLOCKWISE_EARLY_STOP,
        dice_counts=DiceCounts.HIDDEN,
        palifico=Palifico(
            trigger=Trigger.FIRST_TIME,
            two_players=False,
            face_change=FaceChange.ONE_DIE_PLAYERS,
        ),
        calza=Calza(enabled=False),
    ),
    Ruleset(
        name="bga",
        version=1,
        first_starter=FirstStarter.RANDOM,
        palifico=Palifico(trigger=Trigger.FIRST_TIME),
        calza=Calza(enabled=False, two_players=True, in_palifico=True),
    ),
    Ruleset(
        name="asmodee",
        version=1,
        first_starter=FirstStarter.DECLARED,
        dice_counts=DiceCounts.HIDDEN,
        palifico=Palifico(enabled=False, trigger=Trigger.EVERY_DROP_TO_ONE),
        calza=Calza(enabled=False, two_players=False, in_palifico=False),
    ),
    Ruleset(
        name="wikipedia",
        version=1,
        first_starter=FirstStarter.ROLL_OFF,
        palifico=Palifico(trigger=Trigger.EVERY_DROP_TO_ONE),
        calza=Calza(enabled=False, two_players=False, in_palifico=False),
    ),
)

PRESETS: Mapping[str, Ruleset] = MappingProxyType({rules.name: rules for rules in _VERSIONS})
"""The newest version of each preset by name; its options are off."""

_OPTIONS: Mapping[str, Callable[[Ruleset, bool], Ruleset]] = MappingProxyType(
    {
        "calza": lambda rules, on: replace(rules, calza=replace(rules.calza, enabled=on)),
        "palifico": lambda rules, on: replace(rules, palifico=replace(rules.palifico, enabled=on)),
        "shown_counts": lambda rules, on: replace(
            rules, dice_counts=DiceCounts.SHOWN if on else DiceCounts.HIDDEN
        ),
        "more_players": lambda rules, on: replace(rules, max_players=10 if on else 6),
    }
)

_OPTIONS_OF: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "piatnik": (),
        "bga": ("calza",),
        "asmodee": ("palifico", "calza", "shown_counts"),
        "wikipedia": ("calza", "more_players"),
    }
)


def find_ruleset(name: str, version: int | None = None) -> Ruleset:
    """Return the preset ``name`` in ``version``, or in its newest version.

    :raises RuleViolation: ``ruleset.unknown``.
    """
    for rules in reversed(_VERSIONS):
        if rules.name == name and version in (None, rules.version):
            return rules
    raise RuleViolation("ruleset.unknown")


def preset_options(name: str) -> tuple[str, ...]:
    """Return the keys of the options that the preset's text leaves to the table, all on-off.

    :raises RuleViolation: ``ruleset.unknown``.
    """
    try:
        return _OPTIONS_OF[name]
    except KeyError:
        raise RuleViolation("ruleset.unknown") from None


def with_options(rules: Ruleset, options: Mapping[str, bool]) -> Ruleset:
    """Return a preset with some of its own options switched; the rest stays as it is.

    :raises RuleViolation: ``ruleset.option`` for a key the preset does not have,
        ``ruleset.option-value`` for a value that is neither true nor false.
    """
    allowed = preset_options(rules.name)
    for key, on in options.items():
        if key not in allowed:
            raise RuleViolation("ruleset.option", name=rules.name, key=str(key)[:60])
        if not isinstance(on, bool):
            raise RuleViolation("ruleset.option-value", key=key)
        rules = _OPTIONS[key](rules, on)
    return rules


def with_start_dice(rules: Ruleset, start_dice: int) -> Ruleset:
    """Return the same rules for a game that starts with other than five dice a seat (1 to 8).

    :raises RuleViolation: ``ruleset.value``.
    """
    return replace(rules, start_dice=start_dice)

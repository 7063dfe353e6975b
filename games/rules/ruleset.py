"""Rulesets: frozen sets of toggles. A variant is a value here, never a branch on a name.

A game keeps the full toggle set it began with, so that a later version of a preset never changes
a game under way (docs/rules.md R-90).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Self

from games.rules.errors import RuleViolation

START_DICE_RANGE = range(1, 9)
MAX_PLAYERS_RANGE = range(2, 11)


class FirstStarter(StrEnum):
    """Who opens the first round (R-03)."""

    RANDOM = "random"
    ROLL_OFF = "roll_off"
    DECLARED = "declared"


class RaiseMode(StrEnum):
    """How a bid on a number may follow another one (R-22, R-23)."""

    FREE = "free"
    ONE_WAY = "one_way"


class BidCap(StrEnum):
    """The largest quantity a bid may name (R-28)."""

    NONE = "none"
    DICE_AT_START = "dice_at_start"
    DICE_IN_PLAY = "dice_in_play"


class Reveal(StrEnum):
    """Which cups are lifted after a dudo (R-32, R-33)."""

    ALL = "all"
    CLOCKWISE_EARLY_STOP = "clockwise_early_stop"


class DiceCounts(StrEnum):
    """Whether a page prints how many dice the others have (R-70)."""

    SHOWN = "shown"
    HIDDEN = "hidden"


class CoveredCups(StrEnum):
    """When a cup that the rules never lifted may be shown to others (R-72)."""

    AFTER_END = "after_end"
    NEVER = "never"


class Trigger(StrEnum):
    """Which drop to one die makes a palifico round (R-41)."""

    FIRST_TIME = "first_time"
    EVERY_DROP_TO_ONE = "every_drop_to_one"


class FaceChange(StrEnum):
    """Who may name another face in a palifico round (R-44)."""

    NOBODY = "nobody"
    ONE_DIE_PLAYERS = "one_die_players"


class CalzaWindow(StrEnum):
    """How long a bid may be called exact, and by whom (R-52)."""

    NEXT_ACTION = "next_action"
    GRACE = "grace"
    TURN_ONLY = "turn_only"


class _Toggles:
    """Give a frozen dataclass of toggles a strict form in JSON."""

    __slots__ = ()

    def __post_init__(self) -> None:
        # The engine compares members by identity: a look-alike ("all" for Reveal.ALL) would be
        # equal to the toggle it names and yet not act as it.
        for item in fields(self):  # type: ignore[arg-type]  # every subclass is a dataclass
            if type(getattr(self, item.name)) is not item.type:
                raise RuleViolation("ruleset.value", key=item.name)

    def to_dict(self) -> dict[str, object]:
        """Return the toggles as a nested dictionary of JSON values."""
        return {
            item.name: value.to_dict() if isinstance(value, _Toggles) else _plain(value)
            for item in fields(self)  # type: ignore[arg-type]  # every subclass is a dataclass
            for value in [getattr(self, item.name)]
        }

    @classmethod
    def from_dict(cls, data: object, *, path: str = "") -> Self:
        """Read what :meth:`to_dict` wrote: exactly the known keys, each of a known value.

        :raises RuleViolation: ``ruleset.malformed`` or ``ruleset.value``; params name the key.
        """
        if not isinstance(data, Mapping):
            raise RuleViolation("ruleset.malformed", key=path or "ruleset")
        known = {item.name: item.type for item in fields(cls)}  # type: ignore[arg-type]
        for key in [*known, *data]:
            if key not in known or key not in data:
                raise RuleViolation("ruleset.malformed", key=f"{path}{key}"[:60])
        return cls(**{k: _read(t, data[k], path=f"{path}{k}") for k, t in known.items()})


def _plain(value: object) -> object:
    return str(value) if isinstance(value, StrEnum) else value


def _read(kind: Any, value: object, *, path: str) -> object:
    """Return ``value`` as the type ``kind``, or refuse it under its own key."""
    if issubclass(kind, _Toggles):
        return kind.from_dict(value, path=f"{path}.")
    if issubclass(kind, StrEnum):
        if isinstance(value, str) and value in list(kind):
            return kind(value)
    elif type(value) is kind:  # not isinstance: True is no number of dice
        return value
    raise RuleViolation("ruleset.value", key=path)


@dataclass(frozen=True, slots=True)
class Palifico(_Toggles):
    """The round after a player dropped to one die (R-40 to R-46)."""

    enabled: bool = True
    trigger: Trigger = Trigger.FIRST_TIME
    two_players: bool = True
    face_change: FaceChange = FaceChange.NOBODY


@dataclass(frozen=True, slots=True)
class Calza(_Toggles):
    """The call that the standing bid is exact (R-50 to R-57)."""

    enabled: bool = False
    two_players: bool = True
    in_palifico: bool = True
    needs_lost_die: bool = False
    window: CalzaWindow = CalzaWindow.NEXT_ACTION


@dataclass(frozen=True, slots=True)
class Ruleset(_Toggles):
    """All toggles of a game. ``name`` is a preset's key or ``"custom"``.

    :raises RuleViolation: ``ruleset.value`` when a toggle is of the wrong type or a number is out
        of its range.
    """

    name: str
    version: int
    start_dice: int = 5
    max_players: int = 6
    first_starter: FirstStarter = FirstStarter.RANDOM
    raise_mode: RaiseMode = RaiseMode.FREE
    bid_cap: BidCap = BidCap.NONE
    reveal: Reveal = Reveal.ALL
    dice_counts: DiceCounts = DiceCounts.SHOWN
    palifico: Palifico = field(default_factory=Palifico)
    calza: Calza = field(default_factory=Calza)
    covered_cups_after_game: CoveredCups = CoveredCups.AFTER_END

    def __post_init__(self) -> None:
        _Toggles.__post_init__(self)
        if not self.name or len(self.name) > 40:
            raise RuleViolation("ruleset.value", key="name")
        if self.version < 1:
            raise RuleViolation("ruleset.value", key="version")
        if self.start_dice not in START_DICE_RANGE:
            raise RuleViolation("ruleset.value", key="start_dice")
        if self.max_players not in MAX_PLAYERS_RANGE:
            raise RuleViolation("ruleset.value", key="max_players")
